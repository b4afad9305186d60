import { createHash } from "node:crypto";
import { readFileSync, realpathSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { replaceFile } from "./folder";
import { codeOf } from "./problem";

/**
 * A small file beside the journal that remembers how far the journal was and where it lay. A journal cannot know by itself
 * that it is an old copy: everything inside it is consistent. So the memory lies outside it (domain 5: epoch).
 *
 * What it sees: a journal put back from a backup (its head is behind the note, or its history differs from the noted one), a
 * journal file that was replaced (another inode), a folder that was copied or moved (another path). What it cannot see: the
 * whole disk set back to an earlier moment, note included. That is why every unknown outcome is asked by key before anything
 * is sent, epoch or not.
 *
 * Only the inode and the path are judged. The device number is handed out anew at a restart and the machine's name changes
 * with the network, so both are noted for the person who investigates and decide nothing. A folder that was merely renamed
 * raises the epoch too: a few queries more are cheaper than a second mailing.
 */
const Place = z.object({ path: z.string(), inode: z.string(), device: z.string() });
const Note = z.object({
  format: z.literal(1),
  workspaceId: z.string(),
  epoch: z.number().int(),
  headSeq: z.number().int(),
  headHash: z.string(),
  /** Which run of the program wrote this. */
  instance: z.string(),
  /** A digest of the machine's name. */
  machine: z.string(),
  place: Place,
});

export type WorkspaceNote = z.infer<typeof Note>;

export const NOTE_NAME = "workspace.json";

/** What is found at this start, to be held against the note. */
export interface Observed {
  workspaceId: string;
  epoch: number;
  headSeq: number;
  /** The hash of the event with the noted number in this journal, or null when the journal does not reach that far. */
  hashAtNoted: string | null;
  place: WorkspaceNote["place"];
}

export type EpochChange =
  | "note_missing"
  | "other_workspace"
  | "journal_behind"
  | "history_differs"
  | "file_replaced"
  | "folder_moved";

/**
 * Decides whether this journal may be a restored backup or a copy, so that its epoch must be raised (`raise_epoch`) and
 * everything recent reconciled before anything leaves. Pure.
 * @returns the reason, or null when the journal is the one that was here last.
 */
export function detectEpochChange(note: WorkspaceNote | null, observed: Observed): EpochChange | null {
  // A journal without any event has sent nothing, so nothing can be sent twice by it.
  if (note === null) return observed.headSeq === 0 ? null : "note_missing";
  if (note.workspaceId !== observed.workspaceId) return "other_workspace";
  if (observed.headSeq < note.headSeq || observed.epoch < note.epoch) return "journal_behind";
  if (note.headSeq > 0 && observed.hashAtNoted !== note.headHash) return "history_differs";
  if (observed.headSeq === 0) return null;
  if (note.place.inode !== observed.place.inode) return "file_replaced";
  if (note.place.path !== observed.place.path) return "folder_moved";
  return null;
}

/** Reads the note; a missing or unreadable one is null, which counts as "not known". */
export function readNote(dir: string): WorkspaceNote | null {
  let text: string;
  try {
    text = readFileSync(join(dir, NOTE_NAME), "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw error;
  }
  const parsed = Note.safeParse(parseJson(text));
  return parsed.success ? parsed.data : null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Writes the note. `durable: false` is for the running tick: it survives a crash of the program, not of the power. */
export function writeNote(dir: string, note: WorkspaceNote, durable: boolean): void {
  replaceFile(join(dir, NOTE_NAME), dir, `${JSON.stringify(note, null, 2)}\n`, durable);
}

/** Where a file lies, as the file system names it. Big integers: Windows file ids do not fit into a number. */
export function placeOf(path: string): WorkspaceNote["place"] {
  const stat = statSync(path, { bigint: true });
  return { path: realpathSync(path), inode: stat.ino.toString(), device: stat.dev.toString() };
}

/** A digest of the machine's name: enough to tell two machines apart, without writing the name down. */
export const machineMark = (): string => createHash("sha256").update(hostname()).digest("hex").slice(0, 16);

/** After a workspace was built in one folder and moved to its own before anybody used it: that is no copy and no backup. */
export function noteMoved(dir: string, journalPath: string): void {
  const note = readNote(dir);
  if (note !== null) writeNote(dir, { ...note, place: placeOf(journalPath) }, true);
}
