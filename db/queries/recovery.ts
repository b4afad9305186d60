import type { Instant, TaskId } from "../../main/domain/ids";
import type { RecoveryItemRow } from "../../main/domain/records";
import { PATTERN_WINDOW_MS } from "../../main/domain/recovery-patterns";
import type { Queries } from "./open-queries";

/** A recovery item with what it is about. */
export interface BoardRow extends RecoveryItemRow {
  edition: string;
  taskState: string;
  stateVersion: number;
  /** The call behind it, where there is one. */
  operationKey: string | null;
  operationKind: string | null;
  operationPhase: string | null;
  adapter: string | null;
  /** Code of the newest attempt, or of what became of the recipient. */
  rawCode: string | null;
  /** How many the edition is for; null as long as nobody has counted. */
  recipients: number | null;
}

/** One thing that somebody did about an item. */
export interface MoveEventRow {
  at: Instant;
  actor: string;
  note: string | null;
  /** Canonical JSON, or null once withheld. */
  payload: string | null;
}

interface RecoveryRows {
  /** What is open, whenever it came, and everything of the time in which patterns are looked for; by due time. */
  items: readonly BoardRow[];
  /** Of the one item that is asked about. */
  moves: readonly MoveEventRow[];
}

const COLUMNS = `
  recovery_item.id, recovery_item.task_id AS taskId, operation_id AS operationId, recovery_item.kind, stage, subject,
  recovery_item.error_class AS errorClass, recovery_item.owner, recovery_item.backup_owner AS backupOwner,
  recovery_item.created_at AS createdAt, due_at AS dueAt, stage_at AS stageAt, method, verification, minutes, review,
  task.edition, task.state AS taskState, task.state_version AS stateVersion,
  operation.operation_key AS operationKey, operation.kind AS operationKind, operation.phase AS operationPhase,
  operation.adapter,
  CASE recovery_item.kind
    WHEN 'customer_care' THEN (SELECT code FROM recipient_account
      WHERE task_id = recovery_item.task_id AND recipient_id = substr(subject, instr(subject, ':') + 1))
    ELSE (SELECT raw_code FROM attempt WHERE operation_id = operation.id ORDER BY number DESC LIMIT 1)
  END AS rawCode,
  json_extract(task.context, '$.audienceCount') AS recipients
  FROM recovery_item CROSS JOIN task ON task.id = recovery_item.task_id
  LEFT JOIN operation ON operation.id = recovery_item.operation_id`;

const OPEN = `SELECT ${COLUMNS} WHERE stage NOT IN ('closed', 'reviewed')`;
const LATELY = `SELECT ${COLUMNS} WHERE recovery_item.created_at > ? AND stage IN ('closed', 'reviewed')`;

const SINCE = `SELECT ${COLUMNS} WHERE recovery_item.created_at > ? ORDER BY recovery_item.created_at, recovery_item.id`;

const MOVES = `
  SELECT at, actor, reason AS note, payload FROM event
  WHERE task_id = ? AND type = 'RecoveryItemMoved' AND json_extract(payload, '$.itemId') = ? ORDER BY task_seq`;

const COUNTS = `
  SELECT count(*) AS open, coalesce(sum(due_at < ?), 0) AS overdue FROM recovery_item
  WHERE stage NOT IN ('closed', 'reviewed')`;

/** Everything the board shows, at one moment of the journal, with the history of one item. */
export function readRecovery(queries: Queries, now: Instant, itemId: string | null): RecoveryRows {
  return queries.consistent(() => {
    const lately = queries.all<BoardRow>(LATELY, now - PATTERN_WINDOW_MS);
    const items = [...queries.all<BoardRow>(OPEN), ...lately].sort((a, b) => a.dueAt - b.dueAt || order(a.id, b.id));
    const asked = items.find(({ id }) => id === itemId);
    return { items, moves: asked === undefined ? [] : readMoves(queries, asked.taskId, asked.id) };
  });
}

/** Every item that came since a moment, open or not, the oldest first. */
export const readItemsSince = (queries: Queries, since: Instant): BoardRow[] => queries.all<BoardRow>(SINCE, since);

const order = (a: string, b: string): number => (a < b ? -1 : 1);

const readMoves = (queries: Queries, taskId: TaskId, itemId: string): MoveEventRow[] =>
  queries.all<MoveEventRow>(MOVES, taskId, itemId);

/** How many items are open, and how many of those are past their due time. */
export const countOpenItems = (queries: Queries, now: Instant): { open: number; overdue: number } =>
  queries.get<{ open: number; overdue: number }>(COUNTS, now) ?? { open: 0, overdue: 0 };
