import type { OperationId, TaskId } from "../ids";
import type {
  ApprovalRow,
  AttemptRow,
  AudienceSnapshotRow,
  CompensationRow,
  EventRow,
  OperationRow,
  RecipientAccountRow,
  ReconciliationRow,
  TaskRow,
} from "../records";

/** The journal's rows as plain arrays: all that the checkers know. Events are in order of their number. */
export interface JournalSnapshot {
  /** Every event of the journal is here; false for some tasks taken out of a large one, whose numbers have gaps by right. */
  isWhole: boolean;
  tasks: readonly TaskRow[];
  events: readonly EventRow[];
  operations: readonly OperationRow[];
  attempts: readonly AttemptRow[];
  approvals: readonly ApprovalRow[];
  compensations: readonly CompensationRow[];
  reconciliations: readonly ReconciliationRow[];
  audiences: readonly AudienceSnapshotRow[];
  recipients: readonly RecipientAccountRow[];
  /** The events that registered signing keys, which belong to no task; absent: they are among the events. */
  registrations?: readonly EventRow[];
}

export type InvariantId = "I01" | "I02" | "I03" | "I04" | "I05" | "I06" | "I07" | "I08";

/** A broken promise: which, on what, and what was found. */
export interface Violation {
  invariant: InvariantId;
  /** The task key, operation key, slot or event that it concerns. */
  subject: string;
  detail: string;
}

/** An event with its payload parsed; an empty one where the payload was withheld. */
export interface Told extends Omit<EventRow, "payload"> {
  payload: Readonly<Record<string, unknown>>;
  isWithheld: boolean;
}

/** The snapshot by what the checkers ask for. They judge from events first and rows second, and never call a guard. */
export interface Evidence {
  snapshot: JournalSnapshot;
  told: readonly Told[];
  ofTask(taskId: TaskId): readonly Told[];
  ofOperation(operationId: OperationId): readonly Told[];
  operationsOf(taskId: TaskId): readonly OperationRow[];
  approvalsOf(taskId: TaskId): readonly ApprovalRow[];
  compensation(id: string | null): CompensationRow | null;
}

/** Sorts a snapshot once for all checkers. */
export function collectEvidence(snapshot: JournalSnapshot): Evidence {
  const told = snapshot.events.map(tell);
  const byTask = groupBy(told, (event) => event.taskId);
  const byOperation = groupBy(told, (event) => event.operationId);
  const operations = groupBy(snapshot.operations, (operation) => operation.taskId);
  const approvals = groupBy(snapshot.approvals, (approval) => approval.taskId);
  const compensations = new Map<string, CompensationRow>(snapshot.compensations.map((entry) => [entry.id, entry]));
  return {
    snapshot,
    told,
    ofTask: (id) => byTask.get(id) ?? [],
    ofOperation: (id) => byOperation.get(id) ?? [],
    operationsOf: (id) => operations.get(id) ?? [],
    approvalsOf: (id) => approvals.get(id) ?? [],
    compensation: (id) => (id === null ? null : (compensations.get(id) ?? null)),
  };
}

/** Parses an event's payload; anything that is not a JSON object counts as empty and is the chain check's business. */
export function tell(event: EventRow): Told {
  return { ...event, payload: parsePayload(event.payload), isWithheld: event.payload === null };
}

function parsePayload(text: string | null): Readonly<Record<string, unknown>> {
  if (text === null) return {};
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return {};
  }
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {};
}

export function groupBy<T, K>(items: readonly T[], keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group) group.push(item);
    else groups.set(key, [item]);
  }
  return groups;
}

/** Whoever is no executor, timer or program: an editor, or the script that stands for one in demos and drills. */
export const isPerson = (actor: string): boolean => actor.startsWith("editor:") || actor === "operator-script";

/** An event's changes to its task's context; none where it tells of none. */
export function contextOf({ payload }: Told): Readonly<Record<string, unknown>> {
  const patch = payload["context"];
  return typeof patch === "object" && patch !== null ? (patch as Readonly<Record<string, unknown>>) : {};
}

/** The events that take an approval back for good. */
export const REVOKING: ReadonlySet<string> = new Set(["ApprovalRevoked", "RevocationNoted"]);
