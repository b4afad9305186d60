import type { InvariantId, Violation } from "../domain/invariants";

export interface WorldOptions {
  seed: number;
  /** Only the first so many faults; the rest of the world stays as it is. */
  faultLimit?: number;
  /** Remotes may carry a write out later than their declared horizon: outside of the promise. */
  beyondHorizon?: boolean;
  keepTrace?: boolean;
  /** This invariant's guard and database constraint are switched off. */
  broken?: InvariantId;
}

export interface WorldResult {
  seed: number;
  steps: number;
  faults: number;
  crashes: number;
  unknowns: number;
  reconciled: number;
  violations: readonly Violation[];
  /** Tasks that neither ended nor wait for a person although nothing goes wrong any more. */
  stuck: readonly string[];
  trace: readonly string[];
}
