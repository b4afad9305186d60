import { freezesTask, freezesWrite } from "../incident";
import type { EventRow, IncidentRow, TaskRow } from "../records";
import { compareFacts } from "./compare-fact";
import { type Evidence, type Told, tell, type Violation } from "./snapshot";

/** The incidents of the tasks that are judged, and what else may have frozen their writes. */
export interface KeptIncidents {
  incidents: readonly IncidentRow[];
  /** Every incident of the journal: one of another task, or of none, may freeze everything. */
  everyIncident: readonly IncidentRow[];
  /** Every event by which one was opened or closed. */
  incidentEvents: readonly EventRow[];
}

const lost = (subject: string, detail: string): Violation => ({ invariant: "I08", subject, detail });

/** Incidents are what the events made them, and while one was open nothing left that it froze (domain 6, 10). */
export function checkIncidents(evidence: Evidence, kept: KeptIncidents): Violation[] {
  // Those of no task are judged with the rest of what is the journal's own.
  const rows = kept.incidents.filter(({ taskId }) => taskId !== null);
  const told = evidence.told.filter(({ taskId }) => taskId !== null);
  const duplicates = toldOpen(evidence, rows);
  const events = kept.incidentEvents.map(tell);
  return [
    ...evidence.snapshot.tasks.flatMap((task) => checkDuplicates(evidence, task, duplicates)),
    ...checkOpened(rows, events),
    ...checkClosed(rows, told),
    ...checkFrozen(evidence, [...duplicates, ...openedByEvent(kept.everyIncident, events)]),
  ];
}

/** An incident that no look found is what the event says that opened it; the journal's own rows are judged by the same. */
export function checkOpened(rows: readonly IncidentRow[], events: readonly Told[]): Violation[] {
  const openings = events.filter((event) => event.type === "IncidentOpened");
  if (openings.some((event) => event.isWithheld)) return [];
  const byIncident = new Map(openings.map((event) => [event.payload["incidentId"], event]));
  return rows
    .filter(({ rule }) => rule !== "duplicate_remote" && rule !== "journal_epoch")
    .flatMap((row) => {
      const event = byIncident.get(row.id);
      if (!event) return [lost(row.id, "the row says that this incident was opened, the events do not")];
      const { payload } = event;
      return compareFacts("I08", row.id, [
        ["taskId", row.taskId, event.taskId],
        ["rule", row.rule, payload["rule"]],
        ["kind", row.kind, payload["kind"]],
        ["scope", row.scope, payload["scope"]],
        ["scopeValue", row.scopeValue, payload["scopeValue"]],
        ["operationId", row.operationId, payload["operation"]],
        ["openedAt", row.openedAt, event.at],
        ["openedBy", row.openedBy, event.actor],
      ]);
    });
}

/** An incident, and the events between which it was open; 0: no event opened it. */
interface OpenSpan {
  row: IncidentRow;
  openedBySeq: number;
  closedBySeq: number;
}

const closedBy = (events: readonly Told[], row: IncidentRow): number =>
  events.find(({ type, payload }) => type === "IncidentClosed" && payload["incidentId"] === row.id)?.seq ??
  Number.POSITIVE_INFINITY;

const openedByEvent = (rows: readonly IncidentRow[], events: readonly Told[]): OpenSpan[] =>
  events
    .filter(({ type }) => type === "IncidentOpened")
    .flatMap(({ seq, payload }) => {
      const row = rows.find(({ id }) => id === payload["incidentId"]);
      return row ? [{ row, openedBySeq: seq, closedBySeq: closedBy(events, row) }] : [];
    });

/** No request left while an incident was open that froze it. */
function checkFrozen(evidence: Evidence, spans: readonly OpenSpan[]): Violation[] {
  if (spans.length === 0) return [];
  return evidence.snapshot.tasks.flatMap((task) => {
    const own = spans.filter(({ row }) => freezesTask(row, task));
    if (own.length === 0) return [];
    const operations = new Map(evidence.operationsOf(task.id).map((row) => [row.id, row]));
    return evidence
      .ofTask(task.id)
      .filter(({ type }) => type === "RequestSent")
      .flatMap(({ seq, operationId }) => {
        const operation = operationId === null ? undefined : operations.get(operationId);
        if (!operation) return [];
        return own
          .filter((span) => span.openedBySeq < seq && seq < span.closedBySeq && freezesWrite(span.row, operation))
          .map(({ row }): Violation => {
            const detail = `event ${seq} sent it while incident ${row.id} froze it`;
            return { invariant: "I03", subject: operation.operationKey, detail };
          });
      });
  });
}

const isDuplicateLook = ({ payload }: Told): boolean =>
  payload["by"] === "reconciliation" && payload["verdict"] === "duplicate";

/** By the events' numbers, never by their moments: between two of them the clock may have been set back (case C8). */
function toldOpen(evidence: Evidence, incidents: readonly IncidentRow[]): OpenSpan[] {
  const rows = incidents.filter((row) => row.rule === "duplicate_remote");
  if (rows.length === 0) return [];
  const looks = evidence.told.filter(isDuplicateLook);
  return rows.map((row) => ({
    row,
    openedBySeq: looks.find(({ at, actor }) => at === row.openedAt && actor === row.openedBy)?.seq ?? 0,
    closedBySeq: closedBy(evidence.told, row),
  }));
}

/** Each look that saw two objects found the incident of their place open, or opened it; none is there without such a look. */
function checkDuplicates(evidence: Evidence, task: TaskRow, incidents: readonly OpenSpan[]): Violation[] {
  const slots = new Map<string | null, string>(evidence.operationsOf(task.id).map((row) => [row.id, row.slot]));
  const events = evidence.ofTask(task.id);
  const looks = events.filter(isDuplicateLook);
  const unfrozen = looks.filter(
    ({ operationId, seq }) =>
      !incidents.some(
        ({ row, openedBySeq, closedBySeq }) =>
          row.scope === "slot" && row.scopeValue === slots.get(operationId) && openedBySeq <= seq && seq <= closedBySeq,
      ),
  );
  const places = [...slots.values()];
  const unfounded = incidents.filter(
    ({ row }) =>
      row.taskId === task.id &&
      places.includes(row.scopeValue) &&
      !looks.some(({ at, actor }) => at === row.openedAt && actor === row.openedBy),
  );
  return [
    ...unfrozen.map(({ seq, operationId }) =>
      lost(task.taskKey, `event ${seq} saw two objects in ${slots.get(operationId)}, no row of an incident says so`),
    ),
    ...(events.some((event) => event.isWithheld)
      ? []
      : unfounded.map(({ row }) =>
          lost(task.taskKey, `incident ${row.id}: the row says two objects, the events of none`),
        )),
  ];
}

/** What was closed is closed in the row and by the event, and each opening and closing has its row. */
export function checkClosed(incidents: readonly IncidentRow[], told: readonly Told[]): Violation[] {
  const events = told.filter(({ type }) => type === "IncidentClosed" || type === "IncidentOpened");
  if (events.some((event) => event.isWithheld)) return [];
  const known = new Set<unknown>(incidents.map((row) => row.id));
  const missing = events.filter(({ payload }) => !known.has(payload["incidentId"]));
  return [
    ...missing.map(({ type, payload }) =>
      lost(
        String(payload["incidentId"]),
        `the events tell that this incident was ${type === "IncidentClosed" ? "closed" : "opened"}, no row tells of it`,
      ),
    ),
    ...incidents.flatMap((row) => {
      const closing = events.find(({ type, payload }) => type === "IncidentClosed" && payload["incidentId"] === row.id);
      return compareFacts("I08", row.id, [
        ["closedAt", row.closedAt, closing?.at ?? null],
        ["rule", row.rule, closing?.payload["rule"]],
      ]);
    }),
  ];
}
