import { groupBy } from "./invariants/snapshot";
import type { AdapterManifest, OperationPhase } from "./ports";

/** One external write of a pipeline's definition: in which step, through which adapter. */
export interface ExternalWrite {
  step: string;
  adapter: string;
  phase: OperationPhase;
}

export interface CoverageOf {
  covered: number;
  of: number;
  /** From 0 to 1; null where nothing is written. */
  share: number | null;
}

/** How many of a pipeline's external writes cannot happen twice unseen, in all and step by step. */
export interface IdempotencyCoverage extends CoverageOf {
  steps: readonly (CoverageOf & { step: string; uncovered: readonly string[] })[];
}

/** Below this an automatic retry becomes a person's confirmation (domain 11). */
export const COVERAGE_NEEDED = 0.8;

/** Named as the reason of the block that stands for the retry. */
export const COVERAGE_TOO_LOW = "idempotency_coverage";

/** The remote itself refuses a second one with this key, or tells by the key whether there is one. */
export const isCovered = ({ key, query }: Pick<AdapterManifest, "key" | "query">): boolean =>
  key.unique || query.reliable;

/**
 * Idempotency coverage (domain 11): external writes whose adapter carries a key that the remote heeds or can look by key, out of
 * all external writes of the definition.
 */
export function idempotencyCoverage(
  writes: readonly ExternalWrite[],
  manifestOf: (adapter: string) => AdapterManifest,
): IdempotencyCoverage {
  const judged = writes.map((write) => ({ ...write, isCovered: isCovered(manifestOf(write.adapter)) }));
  const steps = [...groupBy(judged, ({ step }) => step)].map(([step, ofStep]) => ({
    step,
    ...shareOf(ofStep),
    uncovered: ofStep.filter((write) => !write.isCovered).map(({ adapter, phase }) => `${adapter}/${phase}`),
  }));
  return { ...shareOf(judged), steps };
}

function shareOf(writes: readonly { isCovered: boolean }[]): CoverageOf {
  const covered = writes.filter((write) => write.isCovered).length;
  return { covered, of: writes.length, share: writes.length === 0 ? null : covered / writes.length };
}

/** Whether what was proven absent may be sent anew without a person. */
export const mayRetryByItself = ({ share }: CoverageOf): boolean => share === null || share >= COVERAGE_NEEDED;
