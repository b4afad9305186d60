import type { Instant, TaskId } from "../../main/domain/ids";
import type { AlertRow } from "../../main/domain/records";
import type { Queries } from "./open-queries";

/** An alert with the edition it is about and the zone in which its people live. */
export interface AlertOfTask extends Omit<AlertRow, "taskId" | "details"> {
  taskId: TaskId;
  edition: string;
  zone: string;
}

const COLUMNS = `
  alert.id, alert.task_id AS taskId, operation_id AS operationId, subject, code, urgency, alert.at, times, last_at AS lastAt,
  told_at AS toldAt, escalated_at AS escalatedAt, snoozed_until AS snoozedUntil, acknowledged_at AS acknowledgedAt,
  acknowledged_by AS acknowledgedBy, settled_at AS settledAt, task.edition, task.zone
  FROM alert CROSS JOIN task ON task.id = alert.task_id`;

const OPEN = `SELECT ${COLUMNS} WHERE acknowledged_at IS NULL AND settled_at IS NULL`;
const DONE = `SELECT ${COLUMNS} WHERE last_at > ? AND (acknowledged_at IS NOT NULL OR settled_at IS NOT NULL)
  ORDER BY last_at DESC, alert.id LIMIT 100`;

/** Items that nobody has touched since a moment and that nobody was told about yet. */
const UNTOUCHED = `
  SELECT id, task_id AS taskId FROM recovery_item
  WHERE stage NOT IN ('closed', 'reviewed') AND stage_at IS NULL AND created_at <= ? AND NOT EXISTS
    (SELECT 1 FROM alert WHERE alert.task_id = recovery_item.task_id AND subject = recovery_item.id AND code = 'recovery_untouched')
  ORDER BY created_at, id`;

/** The most pressing first, then the oldest. */
const ORDER: readonly AlertRow["urgency"][] = ["five_minutes", "one_hour", "working_hours"];

/** Every alert that nobody has acknowledged and that was not found to be over, the most pressing first. */
export const readOpenAlerts = (queries: Queries): AlertOfTask[] =>
  queries
    .all<AlertOfTask>(OPEN)
    .sort((a, b) => ORDER.indexOf(a.urgency) - ORDER.indexOf(b.urgency) || a.at - b.at || (a.id < b.id ? -1 : 1));

/** What is done with, raised after a moment; the newest first. */
export const readDoneAlerts = (queries: Queries, since: Instant): AlertOfTask[] =>
  queries.all<AlertOfTask>(DONE, since);

export const readUntouchedItems = (queries: Queries, before: Instant): { id: string; taskId: TaskId }[] =>
  queries.all<{ id: string; taskId: TaskId }>(UNTOUCHED, before);

/** Open incidents about no edition that a rule found and that nobody was told about yet. */
export const readUntoldIncidents = (queries: Queries): { id: string }[] =>
  queries.all<{ id: string }>(`
    SELECT id FROM incident WHERE closed_at IS NULL AND task_id IS NULL AND rule <> 'by_hand' AND NOT EXISTS
      (SELECT 1 FROM alert WHERE alert.subject = incident.id AND code = 'incident_opened') ORDER BY opened_at, id`);

/** What each alert of a code that was raised after a moment is about. */
export const subjectsToldSince = (queries: Queries, code: string, since: Instant): string[] =>
  queries
    .all<{ subject: string }>("SELECT subject FROM alert WHERE code = ? AND last_at > ?", code, since)
    .map(({ subject }) => subject);

/** Whether an alert of this code was raised after a moment, at whichever edition. */
export const isToldSince = (queries: Queries, code: string, since: Instant): boolean =>
  queries.all("SELECT 1 FROM alert WHERE code = ? AND last_at > ? LIMIT 1", code, since).length > 0;
