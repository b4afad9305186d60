import type { AlertRow, ArtifactRow, IncidentRow, RecoveryItemRow, TaskRow } from "../records";
import { checkAlertFacts } from "./alert-facts";
import { checkApprovalFacts } from "./approval-facts";
import { checkArtifactFacts } from "./artifact-facts";
import { compareFacts } from "./compare-fact";
import { type Evidence, groupBy, type Told, type Violation } from "./snapshot";

/** What a definition that tasks began with says about its owners. */
export interface DefinitionFacts {
  hash: string;
  name: unknown;
  owner: unknown;
  backupOwner: unknown;
}

/** Rows of tasks that only a full check of a workspace reads; they are no part of what the promises are judged by. */
export interface KeptRows {
  definitions: readonly DefinitionFacts[];
  artifacts: readonly ArtifactRow[];
  incidents: readonly IncidentRow[];
  recoveryItems: readonly RecoveryItemRow[];
  alerts: readonly AlertRow[];
}

/**
 * Holds the rest of the tasks' rows against the events: approvals before anything leaves under them, frozen artifacts, owners,
 * incidents with what opened and closed them, and how far each recovery item was taken.
 */
export function checkKeptRows(evidence: Evidence, kept: KeptRows): Violation[] {
  const artifacts = groupBy(kept.artifacts, (row) => row.taskId);
  const items = groupBy(kept.recoveryItems, (row) => row.taskId);
  const alerts = groupBy(kept.alerts, (row) => row.taskId);
  const duplicates = toldOpen(evidence, kept.incidents);
  return [
    ...checkApprovalFacts(evidence),
    ...evidence.snapshot.tasks.flatMap((task) => {
      const events = evidence.ofTask(task.id);
      return [
        ...checkOwners(task, kept.definitions),
        ...checkArtifactFacts(task, artifacts.get(task.id) ?? [], events),
        ...checkItems(task, items.get(task.id) ?? [], events),
        ...checkAlertFacts(task, alerts.get(task.id) ?? [], events),
        ...checkDuplicates(evidence, task, duplicates),
      ];
    }),
    ...checkClosed(evidence, kept.incidents),
  ];
}

/** The owners are in the definition, whose hash the task's first event tells. */
function checkOwners(task: TaskRow, definitions: readonly DefinitionFacts[]): Violation[] {
  const definition = definitions.find(({ hash }) => hash === task.definitionHash);
  if (!definition) return [];
  return compareFacts("I08", task.taskKey, [
    ["pipeline", task.pipeline, definition.name],
    ["owner", task.owner, definition.owner],
    ["backupOwner", task.backupOwner, definition.backupOwner],
  ]);
}

const MOVED_FIELDS = ["owner", "method", "verification", "review"] as const;

function checkItems(task: TaskRow, rows: readonly RecoveryItemRow[], events: readonly Told[]): Violation[] {
  const moves = events.filter((event) => event.type === "RecoveryItemMoved");
  if (moves.some((event) => event.isWithheld)) return [];
  const byItem = groupBy(moves, (event) => event.payload["itemId"]);
  const missing = [...byItem.keys()].filter((id) => !rows.some((row) => row.id === id));
  return [
    ...missing.map((id) => lost(task.taskKey, `the events tell of recovery item ${id}, no row does`)),
    ...rows.flatMap((row) => {
      const told = byItem.get(row.id) ?? [];
      const last = told.at(-1)?.payload ?? { to: "to_triage" };
      const minutes = told.reduce((sum, event) => sum + Number(event.payload["minutes"] ?? 0), 0);
      return compareFacts("I08", task.taskKey, [
        [`recovery item ${row.id} stage`, row.stage, last["to"]],
        [`recovery item ${row.id} minutes`, row.minutes, minutes],
        ...MOVED_FIELDS.map((field) => [`recovery item ${row.id} ${field}`, row[field], last[field]] as const),
      ]);
    }),
  ];
}

const lost = (subject: string, detail: string): Violation => ({ invariant: "I08", subject, detail });

const isDuplicateLook = ({ payload }: Told): boolean =>
  payload["by"] === "reconciliation" && payload["verdict"] === "duplicate";

/** An incident about two objects in one place, and the events between which it was open; 0: no event opened it. */
interface DuplicateIncident {
  row: IncidentRow;
  openedBySeq: number;
  closedBySeq: number;
}

/** By the events' numbers, never by their moments: between two of them the clock may have been set back (case C8). */
function toldOpen(evidence: Evidence, incidents: readonly IncidentRow[]): DuplicateIncident[] {
  const rows = incidents.filter((row) => row.rule === "duplicate_remote");
  if (rows.length === 0) return [];
  const looks = evidence.told.filter(isDuplicateLook);
  const closings = evidence.told.filter((event) => event.type === "IncidentClosed");
  return rows.map((row) => ({
    row,
    openedBySeq: looks.find(({ at, actor }) => at === row.openedAt && actor === row.openedBy)?.seq ?? 0,
    closedBySeq: closings.find(({ payload }) => payload["incidentId"] === row.id)?.seq ?? Number.POSITIVE_INFINITY,
  }));
}

/** Each look that saw two objects found the incident of their place open, or opened it; none is there without such a look. */
function checkDuplicates(evidence: Evidence, task: TaskRow, incidents: readonly DuplicateIncident[]): Violation[] {
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

function checkClosed(evidence: Evidence, incidents: readonly IncidentRow[]): Violation[] {
  const closings = evidence.told.filter((event) => event.type === "IncidentClosed");
  if (closings.some((event) => event.isWithheld)) return [];
  const byIncident = new Map(closings.map((event) => [event.payload["incidentId"], event]));
  const known = new Set<unknown>(incidents.map((row) => row.id));
  const missing = [...byIncident.keys()].filter((id) => !known.has(id));
  return [
    ...missing.map((id) => lost(String(id), "the events tell that this incident was closed, no row tells of it")),
    ...incidents.flatMap((row) => {
      const closing = byIncident.get(row.id);
      return compareFacts("I08", row.id, [
        ["closedAt", row.closedAt, closing?.at ?? null],
        ["rule", row.rule, closing?.payload["rule"]],
      ]);
    }),
  ];
}
