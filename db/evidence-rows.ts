import { createReadStream, statSync } from "node:fs";
import { join } from "node:path";
import { GENESIS } from "../main/domain/hashing";
import { Bug, type Instant, type Sha256, type TaskId } from "../main/domain/ids";
import type { JournalSnapshot } from "../main/domain/invariants";
import type { ArtifactRow, RecoveryItemRow, TaskRow } from "../main/domain/records";
import { blobPath } from "./blobs";
import type { Sqlite } from "./connect";
import { type IncidentTrace, OF_INCIDENT, readIncidents } from "./evidence-incidents";
import { problemOfRefusal } from "./inspect";
import { prepareRows } from "./journal/table-reader";
import { loadJournal } from "./load-journal";
import { JOURNAL_APPLICATION_ID, MIGRATIONS, readStamp, refusalOf } from "./migrate";
import { JOURNAL_NAME } from "./open";
import { type Problem, problemOf } from "./problem";
import * as schema from "./schema";
import { openSnapshot, type SnapshotFile } from "./snapshot-file";

/** Which tasks a bundle is about. A task belongs to a period in which it had an event. */
export type EvidenceSelection =
  | { kind: "everything" }
  /** A task's id, or the key that all versions of an edition share. */
  | { kind: "task"; idOrKey: string }
  /** The tasks that an incident is about: those of its place, or all that went on while it was open. */
  | { kind: "incident"; id: string }
  | { kind: "period"; from: Instant; before: Instant };

export interface SelectedTask {
  id: TaskId;
  taskKey: string;
  edition: string;
  language: string;
}

/** A workspace as evidence is made from: one moment of the journal, read-only, and the frozen bytes beside it. */
export interface EvidenceRows {
  readonly workspaceId: string;
  readonly kind: "sandbox" | "real";
  readonly epoch: number;
  readonly events: number;
  readonly head: Sha256;
  readonly headerBytes: number;
  select(selection: EvidenceSelection): SelectedTask[];
  headers(): Iterable<string>;
  readTask(id: TaskId): Omit<JournalSnapshot, "tasks" | "isWhole"> & {
    task: TaskRow;
    artifacts: readonly ArtifactRow[];
    recoveryItems: readonly RecoveryItemRow[];
  };
  /** The incidents that touch these tasks, oldest first; null: every one. */
  readIncidents(tasks: readonly TaskId[] | null): IncidentTrace[];
  frozen(hash: Sha256): { bytes: number; chunks(): AsyncIterable<Uint8Array> } | null;
  close(): void;
}

/** Read at once: enough that a statement's own cost vanishes, little enough to be forgotten soon. */
const PAGE_ROWS = 1_000;
/** Smaller reads cost more than the hashing. */
const READ_BYTES = 1024 * 1024;

const TASKS = "SELECT id, task_key AS taskKey, edition, language FROM task";
const ORDER = "ORDER BY created_at, id";
/** Opens a workspace's folder for evidence, or says why not. Nothing in it is written; the customers' database is not opened. */
export function openEvidenceRows(
  dir: string,
): { kind: "opened"; rows: EvidenceRows } | { kind: "problem"; problem: Problem } {
  const path = join(dir, JOURNAL_NAME);
  let file: SnapshotFile | null = null;
  try {
    file = openSnapshot(path);
    const { sqlite, close } = file;
    const problem = versionProblem(sqlite, path);
    if (problem) {
      close();
      return { kind: "problem", problem };
    }
    // One transaction until the end: what is committed meanwhile is for the next bundle.
    sqlite.exec("BEGIN");
    return { kind: "opened", rows: readRows(sqlite, dir, close) };
  } catch (error) {
    file?.close();
    return { kind: "problem", problem: problemOf(error, path) };
  }
}

/** An older file lacks columns that are read here, and reading changes none: it is brought up where it is opened to work on. */
function versionProblem(sqlite: Sqlite, path: string): Problem | null {
  const stamp = readStamp(sqlite);
  const refusal = refusalOf(stamp, JOURNAL_APPLICATION_ID, MIGRATIONS);
  if (refusal) return problemOfRefusal(refusal, path);
  if (stamp.userVersion === MIGRATIONS[MIGRATIONS.length - 1]?.number) return null;
  return { code: "unknown", path, detail: `version ${stamp.userVersion}: open it once with this program first` };
}

function readRows(sqlite: Sqlite, dir: string, close: () => void): EvidenceRows {
  const state = sqlite
    .prepare<[], { workspaceId: string; kind: "sandbox" | "real"; epoch: number }>(
      "SELECT workspace_id AS workspaceId, kind, epoch FROM journal_state WHERE id = 1",
    )
    .get();
  if (!state) throw new Bug("journal_state has no row");
  const totals = sqlite
    .prepare<[], { events: number; headerBytes: number }>(
      "SELECT count(*) AS events, coalesce(sum(length(CAST(header AS BLOB)) + 1), 0) AS headerBytes FROM event",
    )
    .get() ?? { events: 0, headerBytes: 0 };
  const head = sqlite.prepare<[], Sha256>("SELECT hash FROM event ORDER BY seq DESC LIMIT 1").pluck().get() ?? GENESIS;
  const artifacts = prepareRows<ArtifactRow>(sqlite, schema.artifact, "WHERE task_id = ? ORDER BY at, kind, hash");
  const recoveryItems = prepareRows<RecoveryItemRow>(
    sqlite,
    schema.recoveryItem,
    "WHERE task_id = ? ORDER BY created_at, id",
  );
  return {
    ...state,
    ...totals,
    head,
    select: (selection) => select(sqlite, selection),
    headers: () => headers(sqlite),
    readTask: (id) => {
      const { tasks, isWhole: _isWhole, ...rows } = loadJournal(sqlite, [id]);
      const [task] = tasks;
      if (!task) throw new Bug(`there is no task ${id}`);
      return { ...rows, task, artifacts: artifacts.all(id), recoveryItems: recoveryItems.all(id) };
    },
    readIncidents: (tasks) => readIncidents(sqlite, tasks),
    frozen: (hash) => {
      const path = blobPath(dir, hash);
      const stat = statSync(path, { throwIfNoEntry: false });
      if (!stat?.isFile()) return null;
      return { bytes: stat.size, chunks: () => createReadStream(path, { highWaterMark: READ_BYTES }) };
    },
    close,
  };
}

function select(sqlite: Sqlite, selection: EvidenceSelection): SelectedTask[] {
  if (selection.kind === "everything") return sqlite.prepare<[], SelectedTask>(`${TASKS} ${ORDER}`).all();
  if (selection.kind === "task")
    return sqlite
      .prepare<[string, string], SelectedTask>(`${TASKS} WHERE id = ? OR task_key = ? ${ORDER}`)
      .all(selection.idOrKey, selection.idOrKey);
  if (selection.kind === "incident")
    return sqlite
      .prepare<{ id: string }, SelectedTask>(`${TASKS} WHERE ${OF_INCIDENT} ${ORDER}`)
      .all({ id: selection.id });
  return sqlite
    .prepare<[Instant, Instant], SelectedTask>(
      `${TASKS} WHERE id IN (SELECT task_id FROM event WHERE at >= ? AND at < ?) ${ORDER}`,
    )
    .all(selection.from, selection.before);
}

function* headers(sqlite: Sqlite): Generator<string> {
  const page = sqlite
    .prepare<[number, number], [number, string]>("SELECT seq, header FROM event WHERE seq > ? ORDER BY seq LIMIT ?")
    .raw();
  for (let from = Number.MIN_SAFE_INTEGER; ; ) {
    const rows = page.all(from, PAGE_ROWS);
    for (const [, header] of rows) yield header;
    const last = rows[rows.length - 1];
    if (last === undefined || rows.length < PAGE_ROWS) return;
    from = last[0];
  }
}
