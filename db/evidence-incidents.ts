import type { TaskId } from "../main/domain/ids";
import type { EventRow, IncidentRow } from "../main/domain/records";
import type { Sqlite } from "./connect";
import { prepareRows } from "./journal/table-reader";
import * as schema from "./schema";

/** An incident with the events that tell of it: null or none where the journal has told nothing. */
export interface IncidentTrace {
  row: IncidentRow;
  opened: EventRow | null;
  ended: EventRow | null;
  /** What was done about it meanwhile, in order. */
  worked: readonly EventRow[];
}

/** An incident touches the tasks of its place, or, where it froze an adapter or everything, all that went on while it was open. */
const TOUCHES = `(task.id = incident.task_id
  OR incident.scope = 'task' AND task.id = incident.scope_value
  OR incident.scope = 'slot' AND EXISTS (
    SELECT 1 FROM operation WHERE slot = incident.scope_value AND operation.task_id = task.id)
  OR incident.scope IN ('adapter', 'all') AND EXISTS (
    SELECT 1 FROM event WHERE event.task_id = task.id
      AND event.at >= incident.opened_at AND event.at <= coalesce(incident.closed_at, event.at)))`;

/** Of a task: that the incident `$id` touches it. */
export const OF_INCIDENT = `EXISTS (SELECT 1 FROM incident WHERE incident.id = $id AND ${TOUCHES})`;

const OF_TASKS = `WHERE EXISTS (
  SELECT 1 FROM json_each(?) AS chosen JOIN task ON task.id = chosen.value WHERE ${TOUCHES}) ORDER BY opened_at, id`;

/** A withheld payload may have been the one: then the header has to do. */
const SAW_TWO = `WHERE operation_id IN (SELECT id FROM operation WHERE slot = ?)
  AND task_id IN (SELECT task_id FROM operation WHERE slot = ?) AND at = ? AND actor = ?
  AND coalesce(json_extract(payload, '$.verdict'), 'duplicate') = 'duplicate' ORDER BY seq LIMIT 1`;
const RAISED = "WHERE task_id IS NULL AND type = 'EpochRaised' AND at = ? AND actor = ? ORDER BY seq LIMIT 1";
const RECONCILED = "WHERE task_id IS NULL AND type = 'EpochReconciled' AND seq > ? ORDER BY seq LIMIT 1";
/** Events about incidents name theirs. A person may close one at another version of the edition, so no task is asked for. */
const ABOUT_INCIDENTS = `WHERE (type GLOB 'Incident*' OR type GLOB 'Runbook*')
  AND json_extract(payload, '$.incidentId') IS NOT NULL ORDER BY seq`;

/**
 * Reads incidents with the events that tell of them.
 * @param tasks only those that touch one of these; null: every incident
 */
export function readIncidents(sqlite: Sqlite, tasks: readonly TaskId[] | null): IncidentTrace[] {
  const rows =
    tasks === null
      ? prepareRows<IncidentRow>(sqlite, schema.incident, "ORDER BY opened_at, id").all()
      : prepareRows<IncidentRow>(sqlite, schema.incident, OF_TASKS).all(JSON.stringify(tasks));
  if (rows.length === 0) return [];
  const event = (rest: string) => prepareRows<EventRow>(sqlite, schema.event, rest);
  const [sawTwo, raised, reconciled] = [event(SAW_TWO), event(RAISED), event(RECONCILED)];
  const named = groupByIncident(event(ABOUT_INCIDENTS).all());
  return rows.map((row) => {
    const { id, rule, scopeValue, openedAt, openedBy } = row;
    const told = named.get(id) ?? [];
    const ofType = (type: string) => told.find((one) => one.type === type) ?? null;
    const worked = told.filter(({ type }) => type !== "IncidentOpened" && type !== "IncidentClosed");
    const ended = ofType("IncidentClosed");
    if (rule === "journal_epoch") {
      const opened = raised.get(openedAt, openedBy);
      return { row, opened, ended: ended ?? (opened && reconciled.get(opened.seq)), worked };
    }
    const sawIt = () => (rule === "duplicate_remote" ? sawTwo.get(scopeValue, scopeValue, openedAt, openedBy) : null);
    return { row, opened: ofType("IncidentOpened") ?? sawIt(), ended, worked };
  });
}

function groupByIncident(events: readonly EventRow[]): Map<string, EventRow[]> {
  const groups = new Map<string, EventRow[]>();
  for (const event of events) {
    const { incidentId } = JSON.parse(event.payload ?? "{}") as { incidentId?: string };
    if (incidentId !== undefined) groups.set(incidentId, [...(groups.get(incidentId) ?? []), event]);
  }
  return groups;
}
