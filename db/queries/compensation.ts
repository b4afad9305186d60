import type { Instant, TaskId } from "../../main/domain/ids";
import type { TaskView } from "../../main/domain/view";
import type { Queries } from "./open-queries";

/** One event about the undo of a task. */
export interface UndoEventRow {
  type: string;
  at: Instant;
  actor: string;
  reason: string | null;
  /** JSON: a list of references. */
  evidenceRefs: string;
  /** Canonical JSON, or null once withheld. */
  payload: string | null;
}

/** What a person owes an undo: since when, until when, and about which forward operation. */
export interface UndoItemRow {
  operationId: string | null;
  createdAt: Instant;
  dueAt: Instant;
}

export interface CompensationRows {
  view: TaskView;
  events: readonly UndoEventRow[];
  items: readonly UndoItemRow[];
}

const TYPES = [
  "CompensationStarted",
  "Compensated",
  "CompensationStepBegun",
  "CompensationStepDone",
  "CompensationStepFailed",
  "CompensationProbed",
  "CompensationClosed",
];

const EVENTS = `
  SELECT type, at, actor, reason, evidence_refs AS evidenceRefs, payload FROM event
  WHERE task_id = ? AND type IN (${TYPES.map((type) => `'${type}'`).join(", ")}) ORDER BY task_seq`;

const ITEMS = `
  SELECT operation_id AS operationId, created_at AS createdAt, due_at AS dueAt FROM recovery_item
  WHERE task_id = ? AND kind IN ('compensation_failed', 'compensation_manual') ORDER BY created_at, rowid`;

/** The undo of one task within one snapshot; what the view reads lazily belongs to the same moment. */
export function readCompensation<T>(queries: Queries, taskId: TaskId, use: (rows: CompensationRows) => T): T | null {
  return queries.consistent(() => {
    const view = queries.tasks.view(taskId);
    if (!view) return null;
    return use({ view, events: queries.all<UndoEventRow>(EVENTS, taskId), items: readUndoItems(queries, taskId) });
  });
}

/** What people owe the undo of a task, oldest first. */
export const readUndoItems = (queries: Queries, taskId: string): UndoItemRow[] =>
  queries.all<UndoItemRow>(ITEMS, taskId);
