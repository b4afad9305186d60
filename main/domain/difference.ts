import type { OperationId } from "./ids";

/**
 * What a reconciliation finds different (domain 10):
 * - `missing`: what was confirmed is not there; `duplicate`: it is there more than once
 * - `content`, `identity`: the object holds another content, or carries another intent or task
 * - `not_applied`, `applied_twice`: a later phase is not among what the remote says it has carried out, or is twice
 * - `foreign_object`, `foreign_write`: somebody else's object in the place, somebody else's write on our object
 * - `live_page`: readers get something else than the journal says
 * - `audience`, `totals`, `outcomes`: the provider's recipients, their sum per outcome, or which recipient had which outcome
 * - `journal`: the journal does not keep one of its own promises
 */
export type DifferenceKind =
  | "missing"
  | "duplicate"
  | "content"
  | "identity"
  | "not_applied"
  | "applied_twice"
  | "foreign_object"
  | "foreign_write"
  | "live_page"
  | "audience"
  | "totals"
  | "outcomes"
  | "journal";

export interface Difference {
  kind: DifferenceKind;
  /** The operation whose effect it is about; null: no operation of ours accounts for it. */
  operationId: OperationId | null;
  /** The slot, the page's address, or what of the journal. */
  place: string;
  /** Hashes, keys of ours, counts: never content, and nothing that a remote wrote itself. */
  expected: string | null;
  found: string | null;
}
