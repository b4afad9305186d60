import type { Instant, TaskId } from "../../main/domain/ids";
import type { IncidentRow } from "../../main/domain/records";
import type { TaskView } from "../../main/domain/view";
import type { Queries } from "./open-queries";

/** An incident with the edition that it is about; null where it is about none. */
export interface ListedIncidentRow extends IncidentRow {
  edition: string | null;
  taskState: string | null;
}

export interface IncidentEventRow {
  seq: number;
  type: string;
  actor: string;
  at: Instant;
  reason: string | null;
  operationId: string | null;
  /** Of events about incidents: the whole payload; null else. */
  payload: string | null;
}

/** One incident and all that is known about it, as of one moment of the journal. */
export interface IncidentRows {
  row: ListedIncidentRow;
  view: TaskView | null;
  /** What the task, or the journal, went through from a little before it was opened. */
  events: readonly IncidentEventRow[];
  epoch: { epoch: number; reconciled: number };
}

const COLUMNS = `
  incident.id, incident.task_id AS taskId, rule, kind, operation_id AS operationId, scope, scope_value AS scopeValue,
  opened_at AS openedAt, opened_by AS openedBy, closed_at AS closedAt, task.edition, task.state AS taskState
  FROM incident LEFT JOIN task ON task.id = incident.task_id`;

/** Open ones first, then what was closed, the newest first. */
const LIST = `SELECT ${COLUMNS} ORDER BY closed_at IS NOT NULL, coalesce(closed_at, 0) DESC, opened_at, incident.id LIMIT 200`;
const ONE = `SELECT ${COLUMNS} WHERE incident.id = ?`;

const OF_INCIDENTS =
  "('IncidentOpened', 'RunbookStepPassed', 'IncidentNoted', 'IncidentEventPinned', 'IncidentClosed')";
const EVENT = `seq, type, actor, at, reason, operation_id AS operationId, CASE WHEN type IN ${OF_INCIDENTS} THEN payload END AS payload`;
/** What led to it is seen as well: the last events before it. Heartbeats and leases tell nobody anything. */
const BEFORE = 12;
const OF_TASK = `
  SELECT ${EVENT} FROM event WHERE task_id = ? AND type NOT IN ('LeaseClaimed', 'LeaseReleased') AND task_seq >= coalesce(
    (SELECT min(opened.task_seq) FROM event opened WHERE opened.task_id = ? AND opened.at >= ?), 0) - ${BEFORE}
  ORDER BY task_seq LIMIT 2000`;
const OF_JOURNAL = `
  SELECT ${EVENT} FROM event WHERE task_id IS NULL AND type IN ${OF_INCIDENTS} AND json_extract(payload, '$.incidentId') = ?
  UNION ALL SELECT ${EVENT} FROM event WHERE task_id IS NULL AND type IN ('EpochRaised', 'EpochReconciled') AND at >= ?
  ORDER BY seq LIMIT 2000`;

/** Every incident there was, as many as anybody reads. */
export const readIncidentList = (queries: Queries): ListedIncidentRow[] => queries.all<ListedIncidentRow>(LIST);

/** @returns null where there is no such incident */
export function readIncident<T>(queries: Queries, id: string, assemble: (rows: IncidentRows) => T): T | null {
  return queries.consistent(() => {
    const row = queries.get<ListedIncidentRow>(ONE, id);
    if (row === null) return null;
    const { taskId, openedAt } = row;
    const view = taskId === null ? null : queries.tasks.view(taskId as TaskId);
    const events =
      taskId === null
        ? queries.all<IncidentEventRow>(OF_JOURNAL, id, openedAt)
        : queries.all<IncidentEventRow>(OF_TASK, taskId, taskId, openedAt);
    const state = queries.get<{ epoch: number; reconciled: number }>(
      "SELECT epoch, epoch_reconciled AS reconciled FROM journal_state WHERE id = 1",
    );
    return assemble({ row, view, events, epoch: state ?? { epoch: 1, reconciled: 1 } });
  });
}
