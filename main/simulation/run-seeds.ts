import type { Violation } from "../domain/invariants";
import { World } from "./world";
import type { WorldOptions } from "./world-options";

/** Which worlds to live through, and how. */
export interface SeedRange {
  from: number;
  /** How many seeds in all, of which this shard lives every `shards`-th. */
  count: number;
  shard: number;
  shards: number;
  options: Omit<WorldOptions, "seed" | "keepTrace">;
}

export interface SeedFault {
  seed: number;
  faults: number;
  violations: readonly Violation[];
  stuck: readonly string[];
}

export interface SeedTotals {
  seeds: number;
  steps: number;
  crashes: number;
  unknowns: number;
  reconciled: number;
  violations: number;
  stuck: number;
  /** Seeds without a crash or without an unknown outcome: there should be none. */
  tame: number;
  /** The worlds in which something was found, by seed; only the first ones are kept. */
  found: readonly SeedFault[];
}

const NONE: SeedTotals = {
  ...{ seeds: 0, steps: 0, crashes: 0, unknowns: 0, reconciled: 0, violations: 0, stuck: 0, tame: 0 },
  found: [],
};
/** More are counted, but nobody reads them. */
const FOUND_KEPT = 20;

/** Lives through a shard's worlds, one after the other. */
export async function runSeeds(range: SeedRange): Promise<SeedTotals> {
  let totals = NONE;
  for (let index = range.shard; index < range.count; index += range.shards) {
    const world = new World({ ...range.options, seed: range.from + index });
    const { seed, steps, crashes, unknowns, reconciled, faults, violations, stuck } = await world.run();
    world.close();
    const isFound = violations.length + stuck.length > 0;
    totals = addTotals(totals, {
      ...{ seeds: 1, steps, crashes, unknowns, reconciled },
      violations: violations.length,
      stuck: stuck.length,
      tame: !isFound && (crashes === 0 || unknowns === 0) ? 1 : 0,
      found: isFound ? [{ seed, faults, violations, stuck }] : [],
    });
  }
  return totals;
}

export function addTotals(a: SeedTotals, b: SeedTotals): SeedTotals {
  return {
    seeds: a.seeds + b.seeds,
    steps: a.steps + b.steps,
    crashes: a.crashes + b.crashes,
    unknowns: a.unknowns + b.unknowns,
    reconciled: a.reconciled + b.reconciled,
    violations: a.violations + b.violations,
    stuck: a.stuck + b.stuck,
    tame: a.tame + b.tame,
    found: [...a.found, ...b.found].sort((x, y) => x.seed - y.seed).slice(0, FOUND_KEPT),
  };
}

/** How many faults a violation needs at the least: each try lives through the world again, with fewer of them. */
export async function shrink(options: Omit<WorldOptions, "keepTrace">, faults: number): Promise<number> {
  let low = 0;
  let high = faults;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const world = new World({ ...options, faultLimit: middle });
    const { violations, stuck } = await world.run();
    world.close();
    if (violations.length + stuck.length > 0) high = middle;
    else low = middle + 1;
  }
  return high;
}
