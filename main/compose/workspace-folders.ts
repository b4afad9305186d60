import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "../../db/folder";

/** The workspaces that the program keeps in its own folder. */
const NAMES = ["sandbox", "sample-ledger"] as const;
export type WorkspaceName = (typeof NAMES)[number];

export const folderOf = (userDataDir: string, name: WorkspaceName): string => join(userDataDir, name);

/** Whether this workspace was made here before. */
export const hasWorkspace = (userDataDir: string, name: WorkspaceName): boolean =>
  existsSync(join(folderOf(userDataDir, name), "journal.db"));

const noteOf = (userDataDir: string): string => join(userDataDir, "last-workspace.json");
const Note = z.object({ name: z.enum(NAMES) });

/** The workspace that was used last, or the one that is there; null before any was made. */
export function lastWorkspace(userDataDir: string): WorkspaceName | null {
  const noted = readNote(noteOf(userDataDir));
  if (noted !== null && hasWorkspace(userDataDir, noted)) return noted;
  return NAMES.find((name) => hasWorkspace(userDataDir, name)) ?? null;
}

/** Remembers which workspace is used, for the next start. */
export function noteWorkspace(userDataDir: string, name: WorkspaceName): void {
  if (readNote(noteOf(userDataDir)) === name) return;
  try {
    replaceFile(noteOf(userDataDir), userDataDir, JSON.stringify({ name }), false);
  } catch {
    // A full disk must not close what has just been opened: the next start then opens the other one.
    return;
  }
}

function readNote(path: string): WorkspaceName | null {
  if (!existsSync(path)) return null;
  try {
    return Note.parse(JSON.parse(readFileSync(path, "utf8"))).name;
  } catch {
    // Torn or from another version: then what is there decides.
    return null;
  }
}
