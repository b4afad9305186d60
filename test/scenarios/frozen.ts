import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { differences, type Expected, readExpected } from "../../main/headless/scenarios-judge";
import { playScenario } from "../../main/headless/scenarios-play";
import type { Scenario } from "../../main/sandbox/scenarios/stage";

export const SAMPLES = join(import.meta.dirname, "../../main/sandbox/samples");

/** What was frozen about a scenario. */
export function frozen(id: string): Expected {
  const expected = readExpected(join(import.meta.dirname, "expected")).get(id);
  if (expected === undefined) throw new Error(`nothing was frozen about ${id}`);
  return expected;
}

/** A real server, a real journal and a real engine each: more than the usual time on a busy machine. */
const LIMIT_MS = 120_000;

/** Plays each scenario of a group and holds all of its outcome against what was frozen: the way there, not the end alone. */
export function holdAgainstFrozen(title: string, scenarios: readonly Scenario[]): void {
  describe(title, () => {
    for (const scenario of scenarios)
      test.concurrent(
        `${scenario.id} ${scenario.title.en}`,
        async () => {
          const expected = frozen(scenario.id);
          const { outcome } = await playScenario(scenario, SAMPLES);
          expect(differences(expected, outcome), scenario.fault.en).toEqual([]);
          expect(outcome).toEqual(expected);
        },
        LIMIT_MS,
      );
  });
}
