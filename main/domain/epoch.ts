import type { OperationRow, OperationState } from "./records";
import type { TaskView } from "./view";

/** Where the outside may know more than a restored journal. Conflict and locked are a person's, the rest never left. */
const ASKED_ABOUT: readonly OperationState[] = ["prepared", "unknown", "not_found", "confirmed"];

/** After a restored backup this is open until everything recent was asked about (domain 5). */
export const isEpochOpen = (view: TaskView): boolean => view.epoch().reconciled < view.epoch().epoch;

/** An operation of the task that nobody has asked the remote about since the journal was restored; null when there is none. */
export function operationToReconcile(view: TaskView): OperationRow | null {
  const { raisedAt } = view.epoch();
  if (!isEpochOpen(view) || raisedAt === null) return null;
  const isAsked = (operation: OperationRow) =>
    view.looks(operation.id).some((look) => look.at >= raisedAt && look.able && look.verdict !== "failed");
  return view.operations().find((row) => ASKED_ABOUT.includes(row.state) && !isAsked(row)) ?? null;
}

/** Whether a task leaves nothing to be asked: no call without an answer, and every operation looked at. */
export const isReconciled = (view: TaskView): boolean =>
  operationToReconcile(view) === null &&
  view.operations().every((row) => row.state !== "request_sent" && row.state !== "unknown");
