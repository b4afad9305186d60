import { appendFileSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import path from "node:path";

/** Debug logs roll after 14 days; what must be kept is in the journal. */
const KEEP_DAYS = 14;
const DAY_MS = 86_400_000;
const NAME = /^debug-(\d{4}-\d{2}-\d{2})\.log$/;

/**
 * One line of the debug log: codes and places in our own source, nothing else. The text of an error is left out, since it
 * may quote what was being handled: a body, an address, a token.
 */
export interface LogEntry {
  code: string;
  channel?: string;
  field?: string;
  error?: { name: string; at: readonly string[] };
  numbers?: Readonly<Record<string, number>>;
}

export type Report = (entry: LogEntry) => void;

/** What may be told about an error: its class and the places of its stack, without its message. */
export function traceOf(error: unknown): NonNullable<LogEntry["error"]> {
  if (!(error instanceof Error)) return { name: typeof error, at: [] };
  const message = error.message;
  const stack = error.stack ?? "";
  // The message stands in front of the places and may contain lines that look like them.
  const places =
    message !== "" && stack.includes(message) ? stack.slice(stack.indexOf(message) + message.length) : stack;
  const at = places.split("\n").filter((line) => /^\s+at .*\d+:\d+\)?$/.test(line));
  return { name: error.name.slice(0, 80), at: at.slice(0, 12).map((line) => line.trim().slice(0, 300)) };
}

/** Opens the debug log in `folder`, removes what is too old, and returns the function that writes. It never fails. */
export function openDebugLog(folder: string, now: () => number = Date.now): Report {
  let lost = 0;
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  try {
    mkdirSync(folder, { recursive: true });
    const oldest = day(now() - KEEP_DAYS * DAY_MS);
    for (const name of readdirSync(folder)) {
      const date = NAME.exec(name)?.[1];
      if (date !== undefined && date < oldest) rmSync(path.join(folder, name), { force: true });
    }
  } catch {
    lost++;
  }
  return (entry) => {
    const at = now();
    const line = JSON.stringify({ at: new Date(at).toISOString(), ...entry, ...(lost > 0 ? { lostLines: lost } : {}) });
    try {
      appendFileSync(path.join(folder, `debug-${day(at)}.log`), `${line}\n`, { mode: 0o600 });
      lost = 0;
    } catch {
      // A full disk must not turn a logged fault into a second one; the next line that can be written says how many.
      lost++;
    }
  };
}
