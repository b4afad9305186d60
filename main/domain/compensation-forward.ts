import { compensationIdOf } from "./compensation";
import type { CompensationStep } from "./compensation-step";
import { compensateIntentKey, operationKeyOf } from "./keys";
import type { CompensationRow, OperationRow } from "./records";
import type { TaskView } from "./view";

/**
 * What became of the forward operations of an entry: nothing ever left · the outside is still being asked · only a person can
 * say · something is out there and has to be undone.
 */
export type ForwardState = "never_left" | "unsettled" | "for_person" | "happened";

/** The operations an entry undoes: one, or the phases and children that share it (domain 2, I07). */
export const forwardOperations = (view: TaskView, entry: CompensationRow): readonly OperationRow[] =>
  view.operations().filter((row) => row.compensationId === entry.id && row.kind !== "compensate");

/** Judged from the journal alone. As long as one of several is being asked about, nothing is undone (domain 9). */
export function forwardState(view: TaskView, entry: CompensationRow): ForwardState {
  const states = forwardOperations(view, entry);
  // With a look due (a late answer came) an absence is no longer proven.
  const isAsked = ({ state, settled, nextLookAt }: OperationRow) =>
    state === "request_sent" || state === "unknown" || (state === "not_found" && (!settled || nextLookAt !== null));
  if (states.some(isAsked)) return "unsettled";
  if (states.some(({ state }) => state === "conflict" || state === "locked")) return "for_person";
  return states.some(({ state }) => state === "confirmed") ? "happened" : "never_left";
}

/** The key of the operation that registered the entry, which names all undo of it. */
export function forwardKeyOf(view: TaskView, entry: CompensationRow): string | null {
  const forward = forwardOperations(view, entry);
  const first = forward.find((row) => compensationIdOf(row.taskId, row.operationKey) === entry.id);
  return first?.operationKey ?? null;
}

/** The intent of a call step: `compensate:{forward operation's key}:{action}` (domain 6). */
export function undoIntentKey(view: TaskView, entry: CompensationRow, step: CompensationStep): string | null {
  const forwardKey = forwardKeyOf(view, entry);
  return forwardKey === null ? null : compensateIntentKey(forwardKey, step.name);
}

/** The operation of a call step, or null while it was never prepared. */
export function undoOperation(view: TaskView, entry: CompensationRow, step: CompensationStep): OperationRow | null {
  const intentKey = undoIntentKey(view, entry, step);
  if (intentKey === null) return null;
  const key = operationKeyOf(intentKey, "undo", null);
  return view.operations().find((row) => row.operationKey === key) ?? null;
}
