import type { Scenario } from "../sandbox/scenarios/stage";
import { CrashingPlay, CrashPlan } from "./exhaustive-stage";
import { type Verdict, verdictOf } from "./exhaustive-verdict";
import { playScenario } from "./scenarios-play";

/** What came of a scenario in which one process died. */
export interface CrashOutcome {
  verdict: Verdict;
  /** How many points its processes passed in all. */
  points: number;
  /** Where it died; null: it ended before that point. */
  diedAt: string | null;
}

/** @param deadly the number of the point at which a process dies; 0: none does, and the points are counted */
export async function playWithCrash(scenario: Scenario, deadly: number, samplesDir: string): Promise<CrashOutcome> {
  const plan = new CrashPlan(deadly);
  const { outcome } = await playScenario(scenario, samplesDir, (input) => new CrashingPlay(input, plan));
  return { verdict: verdictOf(outcome), points: plan.passed, diedAt: plan.diedAt };
}
