import { isTerminal } from "../../main/domain/definition";
import type { Instant } from "../../main/domain/ids";
import type { IncidentRow, OperationState, TaskRow } from "../../main/domain/records";
import { readUndoItems, type UndoItemRow } from "./compensation";
import type { Queries } from "./open-queries";
import { countOpenItems } from "./recovery";

/** An operation that is not settled, or that is looked at again although it is. */
export interface OpenOperation {
  id: string;
  state: OperationState;
  settled: number;
  requestSentAt: Instant | null;
  unknownSince: Instant | null;
  nextLookAt: Instant | null;
}

export interface LiveTaskRow {
  task: TaskRow;
  open: readonly OpenOperation[];
  /** The newest event that says something about the work; leases come and go without meaning anything to a person. */
  lastEvent: string | null;
  /** What people owe its undo; read only while it compensates. */
  undoItems: readonly UndoItemRow[];
}

/** An open incident with the edition it was found at. */
export interface OpenIncidentRow extends Pick<IncidentRow, "id" | "rule" | "openedAt"> {
  taskId: string;
  edition: string;
}

export interface JournalIncidentRow extends Pick<IncidentRow, "kind"> {
  incidentId: string;
  since: Instant;
}

export interface EndedTaskRow {
  taskId: string;
  edition: string;
  version: number;
  state: string;
  at: Instant;
}

/** Numbers from events and operations only, each with what it is out of (domain 11). */
export interface HealthRow {
  journalEvents: number;
  /** Operations that were unknown once and are not settled. */
  unknownOutcomes: number;
  /** Operations that were unknown once and are settled by now. */
  unknownsReconciled: number;
  /** Places on a remote with more than one object, as long as their incident is open. */
  duplicateObjects: number;
  openBreakers: readonly string[];
  /** Recovery items that are not closed, and how many of them are past their due time. */
  recoveryOpen: number;
  recoveryOverdue: number;
}

export interface TodayRows {
  live: readonly LiveTaskRow[];
  ended: readonly EndedTaskRow[];
  incidents: readonly OpenIncidentRow[];
  /** Open ones of no edition. */
  journalIncidents: readonly JournalIncidentRow[];
  health: HealthRow;
}

/** Most of a year; the screen shows the newest first and the others on demand. */
const ENDED_SHOWN = 40;

const OPEN = `
  SELECT id, state, settled, request_sent_at AS requestSentAt, unknown_since AS unknownSince, next_look_at AS nextLookAt
  FROM operation WHERE task_id = ? AND (settled = 0 OR next_look_at IS NOT NULL) ORDER BY prepared_at, rowid`;

const LAST_EVENT = `
  SELECT type FROM event WHERE task_id = ? AND type NOT IN ('LeaseClaimed', 'LeaseReleased')
  ORDER BY task_seq DESC LIMIT 1`;

/** The epoch has a way of its own: its incident ends by asking, not by a person's word. */
const INCIDENTS = `
  SELECT incident.id, rule, opened_at AS openedAt, task_id AS taskId, edition
  FROM incident CROSS JOIN task ON task.id = incident.task_id
  WHERE closed_at IS NULL AND rule <> 'journal_epoch' ORDER BY opened_at, incident.id`;

const OF_JOURNAL = `
  SELECT id AS incidentId, kind, opened_at AS since FROM incident
  WHERE closed_at IS NULL AND task_id IS NULL AND rule <> 'journal_epoch' ORDER BY opened_at, id`;

/** One index range per state, newest first, instead of one sort over every edition there ever was. */
const ENDED = ["succeeded", "compensated", "closed"]
  .filter(isTerminal)
  .map(
    (state) => `SELECT * FROM (SELECT id AS taskId, edition, task_version AS version, state, state_since AS at FROM task
      WHERE state = '${state}' ORDER BY state_since DESC LIMIT ${ENDED_SHOWN})`,
  )
  .join(" UNION ALL ")
  .concat(` ORDER BY at DESC, edition DESC LIMIT ${ENDED_SHOWN}`);

/** Everything Today shows, at one moment of the journal. */
export function readToday(queries: Queries, now: Instant): TodayRows {
  return queries.consistent(() => {
    const live = queries.tasks.liveTasks().map((task) => ({
      task,
      open: queries.all<OpenOperation>(OPEN, task.id),
      lastEvent: queries.get<{ type: string }>(LAST_EVENT, task.id)?.type ?? null,
      undoItems: task.state === "compensating" ? readUndoItems(queries, task.id) : [],
    }));
    const ended = queries.all<EndedTaskRow>(ENDED);
    const incidents = queries.all<OpenIncidentRow>(INCIDENTS);
    const journalIncidents = queries.all<JournalIncidentRow>(OF_JOURNAL);
    return { live, ended, incidents, journalIncidents, health: readHealth(queries, live, now) };
  });
}

const isStillUnknown = (operation: OpenOperation): boolean =>
  operation.settled === 0 && operation.unknownSince !== null;

/** Whether any version of an edition exists, ended or not. */
export function hasEdition(queries: Queries, taskKey: string): boolean {
  return queries.get("SELECT 1 FROM task WHERE task_key = ? LIMIT 1", taskKey) !== null;
}

function readHealth(queries: Queries, live: readonly LiveTaskRow[], now: Instant): HealthRow {
  const items = countOpenItems(queries, now);
  const count = (sql: string) => queries.get<{ n: number }>(sql)?.n ?? 0;
  return {
    // Events are numbered without a gap, which a trigger holds: the last number is how many there are.
    journalEvents: count("SELECT max(seq) AS n FROM event"),
    // No task ends while one of its operations is unsettled, so the live ones have them all.
    unknownOutcomes: live.flatMap((row) => row.open).filter(isStillUnknown).length,
    unknownsReconciled: count("SELECT count(*) AS n FROM operation WHERE unknown_since IS NOT NULL AND settled = 1"),
    duplicateObjects: count("SELECT count(*) AS n FROM incident WHERE rule = 'duplicate_remote' AND closed_at IS NULL"),
    openBreakers: queries
      .all<{ host: string }>("SELECT host FROM breaker WHERE retry_at > ? ORDER BY host", now)
      .map((row) => row.host),
    recoveryOpen: items.open,
    recoveryOverdue: items.overdue,
  };
}
