import type { Instant } from "./ids";

/** What one round of a reconciliation came to (domain 10). */
export interface ReconciliationResult {
  at: Instant;
  tasks: number;
  /** Answers that were had, and how many differences they show. */
  checked: number;
  differences: number;
  /** Tasks that are asked about again, because a remote gave no answer or the budget was spent. */
  putOff: number;
  unreachable: readonly string[];
  /** Promises that the journal itself does not keep; null: not checked. */
  brokenPromises: number | null;
}
