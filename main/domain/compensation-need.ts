import { isAutomatic, isFinished, undoOrder } from "./compensation";
import { forwardState, undoOperation } from "./compensation-forward";
import type { CompensationStep } from "./compensation-step";
import { needsLookFirst } from "./decide/request-sent";
import { isEpochOpen } from "./epoch";
import { hasCome } from "./has-come";
import { assertNever, Bug, type Instant } from "./ids";
import type { CompensationRow, OperationRow } from "./records";
import { looksSincePrepared, type TaskView } from "./view";

/** What one entry of the stack needs next. Data, so that the executor, the screens and the tests ask the same question. */
export type EntryNeed =
  | { kind: "nothing" }
  /** Nobody but a person carries it on: failed, of grade C or D, or its forward operation waits for a verdict. */
  | { kind: "person" }
  | { kind: "wait"; until: Instant | null }
  /** Its forward operation never left: nothing is to be undone. */
  | { kind: "skip" }
  /** People have enough undone things on their hands today: this one is left to them before anything is tried. */
  | { kind: "withhold" }
  /** It is a person's turn now, and they have not been told yet. */
  | { kind: "hand_over" }
  | { kind: "look"; operation: OperationRow }
  /** The precondition is asked, then the call is made. */
  | { kind: "call"; step: CompensationStep; operation: OperationRow | null }
  /** A call came to nothing and was not counted yet. */
  | { kind: "judge"; operation: OperationRow }
  | { kind: "confirmed"; operation: OperationRow }
  | { kind: "prove"; step: CompensationStep };

/** The first step that is not done. @throws Bug where all are: then the entry is done and asks for nothing. */
export function presentStep(entry: CompensationRow): CompensationStep {
  const step = entry.steps[entry.stepsDone];
  if (!step) throw new Bug(`the undo entry ${entry.id} has no step ${entry.stepsDone}`);
  return step;
}

/** What an entry needs at a moment. */
export function entryNeed(view: TaskView, entry: CompensationRow, now: Instant): EntryNeed {
  if (isFinished(entry)) return { kind: "nothing" };
  if (entry.state === "failed") return { kind: "person" };
  const forward = forwardState(view, entry);
  if (forward === "unsettled") return { kind: "wait", until: null };
  if (forward === "for_person") return { kind: "person" };
  // After a restored backup "it never left" is only what this copy of the journal remembers (domain 5).
  if (forward === "never_left") return isEpochOpen(view) ? { kind: "wait", until: null } : { kind: "skip" };
  if (!isAutomatic(entry) || presentStep(entry).kind === "person") return personNeed(view, entry);
  if (entry.state === "registered" && isTooMuch(view, now)) return { kind: "withhold" };
  const step = presentStep(entry);
  if (step.kind === "call") return callNeed(view, entry, step, now);
  return due(entry, now) ?? { kind: "prove", step };
}

const DAY_MS = 86_400_000;

/** Only what was not begun is withheld: what a person has resumed, they have decided about (domain 9). */
const isTooMuch = (view: TaskView, now: Instant): boolean =>
  view.undoFailures(now - DAY_MS) >= view.definition.undoFailuresPerDay;

function personNeed(view: TaskView, entry: CompensationRow): EntryNeed {
  const isTold = entry.state === "running";
  return isTold || waitsForOthers(view, entry).length > 0 ? { kind: "person" } : { kind: "hand_over" };
}

/** The entries whose end has to be there before this one may be closed: the proof comes before the telling (domain 9). */
export function waitsForOthers(view: TaskView, entry: CompensationRow): readonly CompensationRow[] {
  const isLast = (row: CompensationRow) => row.steps[row.stepsDone]?.waitsForOthers === true;
  if (!isLast(entry)) return [];
  return view.compensations().filter((row) => row.id !== entry.id && !isFinished(row) && !isLast(row));
}

function callNeed(view: TaskView, entry: CompensationRow, step: CompensationStep, now: Instant): EntryNeed {
  const operation = undoOperation(view, entry, step);
  if (operation === null) return due(entry, now) ?? { kind: "call", step, operation };
  const { state, settled, nextLookAt } = operation;
  switch (state) {
    case "confirmed":
      return { kind: "confirmed", operation };
    case "request_sent":
      return { kind: "wait", until: null };
    case "unknown":
      return { kind: "wait", until: nextLookAt };
    case "conflict":
    case "locked":
      return { kind: "judge", operation };
    case "not_found":
      // Not settled or with a look due it is no proof of absence; the reconciler asks.
      if (!settled || nextLookAt !== null) return { kind: "wait", until: nextLookAt };
      return openNeed(view, entry, step, operation, now);
    case "prepared":
    case "rejected":
    case "cancelled":
      return openNeed(view, entry, step, operation, now);
    default:
      return assertNever(state, "operation state");
  }
}

/** It is not out: a try that failed is counted first, what a lost executor left is looked up, then it may go. */
function openNeed(
  view: TaskView,
  entry: CompensationRow,
  step: CompensationStep,
  operation: OperationRow,
  now: Instant,
): EntryNeed {
  if (view.attempts(operation.id).length > entry.callsJudged) return { kind: "judge", operation };
  if (looksSincePrepared(view, operation).at(-1)?.verdict === "locked") return { kind: "judge", operation };
  if (needsLookFirst(view, operation)) return soon(operation.nextLookAt, now) ?? { kind: "look", operation };
  return due(entry, now) ?? { kind: "call", step, operation };
}

const soon = (until: Instant | null, now: Instant): EntryNeed | null =>
  until !== null && !hasCome(until, now) ? { kind: "wait", until } : null;

/** The wait before the next try stands in the row, so that a restart neither forgets nor shortens it. */
const due = (entry: CompensationRow, now: Instant): EntryNeed | null => soon(entry.nextAt, now);

/**
 * The entry whose turn it is, last in first out: entries that came to their end or wait for a person hold nobody up, everything
 * else does, also while it waits for an answer or for its next try.
 */
export function entryInTurn(view: TaskView, now: Instant): { entry: CompensationRow; need: EntryNeed } | null {
  for (const entry of undoOrder(view.compensations())) {
    const need = entryNeed(view, entry, now);
    if (need.kind !== "nothing" && need.kind !== "person") return { entry, need };
  }
  return null;
}
