import type { OperationKind } from "./ports";
import type { ApprovalScope, OperationRow, OperationState } from "./records";

/**
 * The operation machine (domain 6). A way that is not listed does not exist; the database holds the same list.
 */
export const OPERATION_TRANSITIONS: Readonly<Record<OperationState, readonly OperationState[]>> = {
  prepared: ["request_sent", "cancelled"],
  request_sent: ["confirmed", "rejected", "unknown", "prepared"],
  unknown: ["confirmed", "not_found", "conflict", "locked"],
  not_found: ["request_sent", "confirmed", "conflict"],
  confirmed: ["conflict"],
  rejected: ["prepared"],
  cancelled: ["prepared"],
  conflict: ["confirmed", "not_found"],
  locked: ["confirmed", "not_found"],
};

export const OPERATION_STATES = Object.keys(OPERATION_TRANSITIONS) as OperationState[];

export const canMove = (from: OperationState, to: OperationState): boolean => OPERATION_TRANSITIONS[from].includes(to);

/** Something of this operation is out there, or may be: it left and its end is not known for certain. */
export const isOut = (operation: Pick<OperationRow, "state">): boolean =>
  operation.state === "request_sent" ||
  operation.state === "unknown" ||
  operation.state === "conflict" ||
  operation.state === "locked";

/** Something reached the remote: protective closure and "nothing out" rules are over (domain 3). */
export const hasLeft = (operation: Pick<OperationRow, "state">): boolean =>
  isOut(operation) || operation.state === "confirmed";

/** Settled: confirmed, rejected, cancelled, or not found by a query past the adapter's horizon (domain 6). */
export function isSettled(state: OperationState, pastHorizon: boolean): boolean {
  return (
    state === "confirmed" || state === "rejected" || state === "cancelled" || (state === "not_found" && pastHorizon)
  );
}

/** The gate whose approval a write needs; null: none has a say over writes of this kind (I02, I04). */
export const approvalScopeOf = (kind: OperationKind): ApprovalScope | null =>
  kind === "effect" || kind === "compensate" ? null : kind;

/** A write that reaches customers' mailboxes: it asks for the proved page and for an account of every recipient. */
export const isMailing = (kind: OperationKind): boolean => kind === "send" || kind === "correct";
