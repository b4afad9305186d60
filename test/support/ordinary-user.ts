import { chownSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The user whom nothing belongs to. */
export const NOBODY = 65_534;

export const isSuperuser = process.getuid?.() === 0;

/** Gives a folder and all that is in it to an ordinary user, where it is the superuser's. */
export function giveToOrdinaryUser(folder: string): void {
  if (!isSuperuser) return;
  chownSync(folder, NOBODY, NOBODY);
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    chownSync(join(entry.parentPath, entry.name), NOBODY, NOBODY);
}

/**
 * Runs with the rights of an ordinary user, to whom the folder then belongs: for the superuser no file is read-only, so that
 * one steps aside for the moment. Whoever is bound by permissions anyway runs it as it is.
 */
export async function asOrdinaryUser<T>(folder: string, run: () => T | Promise<T>): Promise<T> {
  if (!isSuperuser) return run();
  giveToOrdinaryUser(folder);
  process.seteuid?.(NOBODY);
  try {
    return await run();
  } finally {
    process.seteuid?.(0);
  }
}
