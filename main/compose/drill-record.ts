import type { z } from "zod";
import type { DrillResult, DrillStep } from "../../preload/contract";
import type { DrillPlay } from "../domain/drill-duty";
import { type TimedStep, timeDrill } from "../domain/drill-timing";
import type { LedPlay } from "./drill-led-play";

/** What is kept of a play. */
export type DrillRecord = z.infer<typeof DrillResult>;
export type Step = z.infer<typeof DrillStep>;

/** As far as it decides whether the play counts. */
export const playOf = ({ scenario, startedAt, outcome, facts, runbook, led }: DrillRecord): DrillPlay => ({
  ...{ scenario, startedAt, outcome },
  violations: facts?.violations.length ?? 0,
  alone: runbook?.alone ?? null,
  isDecidedRight: led?.decisions.every(({ isRight }) => isRight),
});

/**
 * How long a play took, beside the one before it. A person is compared with a person, and the script with the script: they go by
 * different clocks.
 * @param results newest first
 */
export function timePlay(
  { scenario, steps, led }: { scenario: string; steps: readonly Step[]; led: LedPlay | null },
  results: readonly DrillRecord[],
): NonNullable<DrillRecord["timing"]> {
  const isMeasured = (result: DrillRecord) =>
    result.scenario === scenario && (result.led === null) === (led === null) && result.timing?.totalMs != null;
  const before = results.find(isMeasured);
  const timing = led?.time(scenario) ?? timeDrill(scenario, steps.flatMap(timedStep));
  return { ...timing, beforeMs: before?.timing?.totalMs ?? null };
}

const INTERRUPTS: readonly string[] = ["killed", "paused", "slept", "restored"];

/** What a play is timed by: its journal's events, and what stopped the program. */
function timedStep(step: Step): TimedStep[] {
  if (step.kind === "event") return [{ at: step.at, event: step.type }];
  return step.kind === "program" && INTERRUPTS.includes(step.what) ? [{ at: step.at, event: null }] : [];
}
