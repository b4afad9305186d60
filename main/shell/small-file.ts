import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, writeSync } from "node:fs";
import path from "node:path";
import type { z } from "zod";

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? "unknown";

/** Whole or not at all: a crash in the middle leaves the old file. */
export function writeWhole(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    const handle = openSync(temporary, "w", 0o600);
    try {
      writeSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

export type SmallFile<T> = { value: T; problem: null } | { value: T; problem: "damaged" | "unreadable" };

/**
 * Reads a small JSON file of settings. A damaged one is set aside under another name, not deleted (a person may want it
 * back), and the fallback is used: settings must never keep the program from starting.
 */
export function readSmall<T>(file: string, schema: z.ZodType<T>, fallback: T): SmallFile<T> {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch (error) {
    return codeOf(error) === "ENOENT" ? { value: fallback, problem: null } : { value: fallback, problem: "unreadable" };
  }
  const parsed = schema.safeParse(jsonOrNothing(text));
  if (parsed.success) return { value: parsed.data, problem: null };
  try {
    renameSync(file, `${file}.damaged-${new Date().toISOString().replace(/[:.]/g, "-")}`);
  } catch {
    // It stays where it is, and the next write would replace it: then that must not happen either.
    return { value: fallback, problem: "unreadable" };
  }
  return { value: fallback, problem: "damaged" };
}

function jsonOrNothing(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Fails the schema, like any other wrong content.
    return undefined;
  }
}
