import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import type { Instant } from "../main/domain/ids";
import { backupBeforeMigration } from "./backup-before-migration";
import { connectWriter, type Durability, pragmaFaults, type Sqlite } from "./connect";
import { type FileCalls, probeFolder, syncDirectory } from "./folder";
import { inspectJournal, problemOfRefusal } from "./inspect";
import { migrate } from "./migrate";
import { type Problem, problemOf } from "./problem";
import {
  detectEpochChange,
  type EpochChange,
  machineMark,
  placeOf,
  readNote,
  type WorkspaceNote,
  writeNote,
} from "./workspace-note";

export { type Durability, openReader, type Sqlite } from "./connect";
export type { Problem, ProblemCode } from "./problem";
export { detectEpochChange, type EpochChange } from "./workspace-note";

export const JOURNAL_NAME = "journal.db";

export interface OpenOptions {
  dir: string;
  now: Instant;
  kind: "sandbox" | "real";
  /** Given to a journal that is created now; an existing one keeps its own. */
  workspaceId: string;
  durability?: Durability;
  /** Names this run in the note beside the journal. */
  instance?: string;
  busyTimeoutMs?: number;
  files?: FileCalls;
}

/** The open journal. Only `db/journal.ts` writes through it; queries take a connection of their own (`openReader`). */
export interface JournalDatabase {
  readonly sqlite: Sqlite;
  readonly path: string;
  readonly dir: string;
  readonly durability: Durability;
  readonly workspaceId: string;
  readonly kind: "sandbox" | "real";
  /** It did not exist before. */
  readonly isNew: boolean;
  /** `due`: the file is large; run `quickCheckDamage` in a worker before anything leaves. */
  readonly quickCheck: "passed" | "due";
  /** Not null: this may be a restored backup or a copy. Execute `raise_epoch` before anything else, then `noteHead`. */
  readonly epochChange: EpochChange | null;
  /** Remembers how far the journal is; cheap enough for every tick. Does nothing while a found epoch change is not raised. */
  noteHead(durable?: boolean): Problem | null;
  /** Notes the head and closes. The journal is closed even if the note cannot be written. */
  close(): Problem | null;
}

export type OpenResult = { kind: "opened"; journal: JournalDatabase } | { kind: "problem"; problem: Problem };

/**
 * Opens a workspace's journal, or says why not. Every check that can refuse comes before the first byte is written to the file,
 * and nothing is ever deleted or repaired by guessing: a WAL left by a crash is SQLite's own to recover, everything else is a
 * person's to decide.
 */
export function openJournal(options: OpenOptions): OpenResult {
  const { dir, durability = "full", busyTimeoutMs } = options;
  const path = join(dir, JOURNAL_NAME);
  const refused = probeFolder(dir, durability === "full", options.files);
  if (refused) return { kind: "problem", problem: refused };
  let writer: Sqlite | null = null;
  let inspector: Sqlite | null = null;
  try {
    const note = readNote(dir);
    const inspection = inspectJournal(path, note, busyTimeoutMs);
    if (inspection.kind === "problem") return inspection;
    const isNew = inspection.kind === "absent";
    if (isNew) createPrivately(path, dir);
    else inspector = inspection.inspector;
    writer = connectWriter(path, durability, busyTimeoutMs);
    const problem = prepare(writer, path, options);
    if (problem) {
      writer.close();
      return { kind: "problem", problem };
    }
    const quickCheck = isNew ? "passed" : inspection.quickCheck;
    return { kind: "opened", journal: finish(writer, { ...options, durability, path, note, isNew, quickCheck }) };
  } catch (error) {
    writer?.close();
    return { kind: "problem", problem: problemOf(error, path) };
  } finally {
    inspector?.close();
  }
}

/** The file must never be readable by others, not even for the moment between its creation and a chmod. */
function createPrivately(path: string, dir: string): void {
  closeSync(openSync(path, "a", 0o600));
  syncDirectory(dir);
}

function prepare(sqlite: Sqlite, path: string, options: OpenOptions): Problem | null {
  const faults = pragmaFaults(sqlite, options.durability ?? "full");
  if (faults.length > 0) return { code: "unknown", path, detail: faults.join("; ") };
  const unsaved = backupBeforeMigration(sqlite, path);
  if (unsaved) return unsaved;
  const migrated = migrate(sqlite);
  if (migrated.kind === "refused") return problemOfRefusal(migrated, path);
  sqlite
    .prepare(
      `INSERT INTO journal_state (id, workspace_id, kind, epoch, epoch_reconciled, created_at)
       SELECT 1, ?, ?, 1, 1, ? WHERE NOT EXISTS (SELECT 1 FROM journal_state)`,
    )
    .run(options.workspaceId, options.kind, options.now);
  const { kind } = readState(sqlite);
  // A sandbox's journal opened as a real one would let practice data decide about real customers, and the other way round.
  if (kind !== options.kind)
    return { code: "unknown", path, detail: `this is a ${kind} workspace, not a ${options.kind} one` };
  return null;
}

interface State {
  workspaceId: string;
  kind: "sandbox" | "real";
  epoch: number;
}

function readState(sqlite: Sqlite): State {
  const row = sqlite
    .prepare<[], State>("SELECT workspace_id AS workspaceId, kind, epoch FROM journal_state WHERE id = 1")
    .get();
  // The row was put in or found a statement ago, in the same file.
  if (!row) throw new Error("journal_state has no row");
  return row;
}

function readHead(sqlite: Sqlite): { headSeq: number; headHash: string } {
  const row = sqlite.prepare<[], { seq: number; hash: string }>(
    "SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1",
  );
  const head = row.get();
  return { headSeq: head?.seq ?? 0, headHash: head?.hash ?? "" };
}

interface Parts extends OpenOptions {
  durability: Durability;
  path: string;
  note: WorkspaceNote | null;
  isNew: boolean;
  quickCheck: "passed" | "due";
}

function finish(sqlite: Sqlite, parts: Parts): JournalDatabase {
  const { dir, path, note, durability } = parts;
  const state = readState(sqlite);
  const hashAt = sqlite.prepare<[number], string>("SELECT hash FROM event WHERE seq = ?").pluck();
  const epochChange = detectEpochChange(note, {
    workspaceId: state.workspaceId,
    epoch: state.epoch,
    headSeq: readHead(sqlite).headSeq,
    hashAtNoted: note === null ? null : (hashAt.get(note.headSeq) ?? null),
    place: placeOf(path),
  });
  const noteHead = (durable = false): Problem | null => {
    const { epoch, workspaceId } = readState(sqlite);
    // Noting the head of a copy before its epoch is raised would forget that it is one, should we crash in between.
    if (epochChange !== null && epoch === state.epoch) return null;
    try {
      const instance = parts.instance ?? `${process.pid}-${parts.now}`;
      const facts = { workspaceId, epoch, ...readHead(sqlite), instance, machine: machineMark(), place: placeOf(path) };
      writeNote(dir, { format: 1, ...facts }, durable && durability === "full");
      return null;
    } catch (error) {
      return problemOf(error, dir);
    }
  };
  const close = (): Problem | null => {
    if (!sqlite.open) return null;
    const problem = noteHead(true);
    sqlite.close();
    return problem;
  };
  noteHead(true);
  const { workspaceId, kind } = state;
  const { isNew, quickCheck } = parts;
  return { sqlite, path, dir, durability, workspaceId, kind, isNew, quickCheck, epochChange, noteHead, close };
}
