import { GENESIS } from "./hashing";
import type { OperationId, Sha256 } from "./ids";
import { type Told, tell } from "./invariants/snapshot";
import type { EventRow, OperationRow, OperationState, TaskContext, TaskRow } from "./records";

/** Where an operation stands according to its events alone. */
export interface ReplayedOperation {
  state: OperationState;
  settled: boolean;
}

/** Where a task stands according to its events alone: what the rows must say as well. */
export interface ReplayedTask {
  state: string | null;
  stateVersion: number;
  context: TaskContext;
  /** False where a payload was withheld: then the context cannot be derived any more. */
  isContextKnown: boolean;
  operations: ReadonlyMap<OperationId, ReplayedOperation>;
  taskSeq: number;
  taskHead: Sha256;
}

/** The state an operation-level event leaves behind where its payload was withheld. */
const STATE_BY_TYPE: Readonly<Record<string, OperationState>> = {
  OperationPrepared: "prepared",
  RequestSent: "request_sent",
  OutcomeUnknown: "unknown",
  RemoteConfirmed: "confirmed",
  RemoteNotFound: "not_found",
  RemoteConflict: "conflict",
  OperationRejected: "rejected",
  OperationCancelled: "cancelled",
  OperationLocked: "locked",
};

const SETTLED: ReadonlySet<OperationState> = new Set<OperationState>(["confirmed", "rejected", "cancelled"]);

/** The state after an operation's event; null where the event says nothing about it. */
export function operationStateAfter(event: Told): OperationState | null {
  const stated = event.payload["operationState"];
  if (typeof stated === "string") return stated as OperationState;
  return event.isWithheld ? (STATE_BY_TYPE[event.type] ?? null) : null;
}

/** One step of an operation's fold. A "not found" settles only past the adapter's horizon, and stays settled then. */
export function foldOperation(before: ReplayedOperation | null, event: Told): ReplayedOperation | null {
  const state = operationStateAfter(event);
  if (state === null) return before;
  if (state !== "not_found") return { state, settled: SETTLED.has(state) };
  const wasSettled = before?.state === "not_found" && before.settled;
  return { state, settled: wasSettled || event.payload["pastHorizon"] === true };
}

/** Whether an event moves its task: the generic rule, the same for every pipeline. */
export const movesTask = (event: Pick<EventRow, "type" | "fromState" | "toState">): boolean =>
  event.type !== "TaskCreated" && event.toState !== null && event.toState !== event.fromState;

/**
 * Folds one task's events, in order, into where it stands. `TaskCreated` begins at version 0; every event with another
 * `toState` than `fromState` moves it and raises the version by one; `context` patches fold into the context.
 */
export function replayTask(events: readonly EventRow[]): ReplayedTask {
  let state: string | null = null;
  let stateVersion = 0;
  let context: TaskContext = {};
  let isContextKnown = true;
  const operations = new Map<OperationId, ReplayedOperation>();
  for (const event of events.map(tell)) {
    if (event.type === "TaskCreated") state = event.toState;
    else if (movesTask(event)) {
      state = event.toState;
      stateVersion += 1;
    }
    const patch = event.payload["context"];
    if (typeof patch === "object" && patch !== null) context = { ...context, ...(patch as TaskContext) };
    if (event.isWithheld) isContextKnown = false;
    if (event.operationId !== null) {
      const after = foldOperation(operations.get(event.operationId) ?? null, event);
      if (after) operations.set(event.operationId, after);
    }
  }
  const last = events[events.length - 1];
  const taskSeq = last?.taskSeq ?? 0;
  const taskHead = last?.hash ?? GENESIS;
  return { state, stateVersion, context, isContextKnown, operations, taskSeq, taskHead };
}

/** A field in which a row says something else than the events. */
export interface ReplayDifference {
  /** The task's or the operation's id. */
  subject: string;
  field: string;
  row: string;
  replayed: string;
}

/** Holds a task's rows against its own events. Nothing found means that the rows could be thrown away and made again. */
export function compareWithReplay(
  task: TaskRow,
  operations: readonly OperationRow[],
  events: readonly EventRow[],
): ReplayDifference[] {
  const replayed = replayTask(events);
  const found: ReplayDifference[] = [];
  const compare = (subject: string, field: string, row: unknown, value: unknown) => {
    if (row !== value) found.push({ subject, field, row: String(row), replayed: String(value) });
  };
  compare(task.id, "state", task.state, replayed.state);
  compare(task.id, "stateVersion", task.stateVersion, replayed.stateVersion);
  compare(task.id, "taskSeq", task.taskSeq, replayed.taskSeq);
  compare(task.id, "taskHead", task.taskHead, replayed.taskHead);
  if (replayed.isContextKnown) {
    const keys = [...new Set([...Object.keys(task.context), ...Object.keys(replayed.context)])].sort();
    for (const key of keys) compare(task.id, `context.${key}`, task.context[key], replayed.context[key]);
  }
  const rows = new Set<string>(operations.map((operation) => operation.id));
  for (const operation of operations) {
    const told = replayed.operations.get(operation.id);
    compare(operation.id, "state", operation.state, told?.state ?? null);
    compare(operation.id, "settled", operation.settled, told?.settled ?? null);
  }
  for (const id of replayed.operations.keys()) if (!rows.has(id)) compare(id, "row", "missing", "present");
  return found;
}
