import type { Instant, OperationId } from "./ids";

/** In which part of an outside call something went wrong. The same raw code means different things per phase (domain 7). */
export type CallPhase = "read" | "before_send" | "after_send" | "query";

/** The eight classes of domain section 7. The class decides who acts first. */
export type ErrorClass =
  | "transient"
  | "permanent_input"
  | "auth"
  | "business_conflict"
  | "unknown_outcome"
  | "partial"
  | "invariant_violation"
  | "unclassified";

export type ErrorOwner = "executor" | "content_owner" | "account_owner" | "editor" | "incident_owner";

export type NextAction =
  | "retry_in_budget"
  | "stop_and_correct_input"
  | "stop_and_sign_in"
  | "stop_for_editor"
  | "query_first"
  | "reconcile_then_decide"
  | "freeze_and_open_incident";

/** First action and owner per class (domain 7). `unclassified` is treated as an unknown outcome, owned by the incident owner. */
export const ERROR_RULES: Readonly<Record<ErrorClass, { owner: ErrorOwner; nextAction: NextAction }>> = {
  transient: { owner: "executor", nextAction: "retry_in_budget" },
  permanent_input: { owner: "content_owner", nextAction: "stop_and_correct_input" },
  auth: { owner: "account_owner", nextAction: "stop_and_sign_in" },
  business_conflict: { owner: "editor", nextAction: "stop_for_editor" },
  unknown_outcome: { owner: "executor", nextAction: "query_first" },
  partial: { owner: "executor", nextAction: "reconcile_then_decide" },
  invariant_violation: { owner: "incident_owner", nextAction: "freeze_and_open_incident" },
  unclassified: { owner: "incident_owner", nextAction: "query_first" },
};

/** What the wire said, reduced to codes. Never carries text of the remote: it is untrusted and may hold customer content. */
export interface RawError {
  phase: CallPhase;
  /** A stable code: `ECONNRESET`, `http_503`, `timeout`, `unparsable`, `dns`, … */
  code: string;
  httpStatus: number | null;
  /** The remote's own reference (request id), where it gave one; printable ASCII, 120 characters at most. */
  reference: string | null;
  /** The server's hint (`Retry-After`), in ms from the answer. */
  retryAfterMs: number | null;
}

/** An error as a record: class, tool, operation, attempt, raw code and reference, next action, owner (domain 7). */
export interface ClassifiedError extends RawError {
  class: ErrorClass;
  owner: ErrorOwner;
  nextAction: NextAction;
  tool: string;
  operationId: OperationId | null;
  attempt: number;
  at: Instant;
}

/** One row of an adapter's versioned error table; the first row that matches decides. */
export interface ErrorRule {
  phase: CallPhase;
  /** An exact code, or `*` for any. */
  code: string;
  class: ErrorClass;
}

export interface ErrorTable {
  version: number;
  rules: readonly ErrorRule[];
}

/**
 * Looks a raw error up in an adapter's table. What no row names is `unclassified`, never "probably fine".
 * Source: domain section 7.
 */
export function classify(table: ErrorTable, raw: RawError): ErrorClass {
  const row = table.rules.find((rule) => rule.phase === raw.phase && (rule.code === raw.code || rule.code === "*"));
  return row?.class ?? "unclassified";
}

/** Completes a raw error into the record that is stored and shown. */
export function toClassifiedError(
  table: ErrorTable,
  raw: RawError,
  where: { tool: string; operationId: OperationId | null; attempt: number; at: Instant },
): ClassifiedError {
  const cls = classify(table, raw);
  return { ...raw, class: cls, ...ERROR_RULES[cls], ...where };
}
