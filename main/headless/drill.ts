import type { z } from "zod";
import type { DrillOrder, DrillReport } from "../compose/drill-report";
import { allScenarios, baselines } from "../sandbox/scenarios/all";
import { drillFacts } from "./drill-facts";
import { openPlainStage, playIn } from "./scenarios-play";
import type { Step } from "./scenarios-watch";

/** More steps than this in one message would make whoever shows them stumble. */
const STEPS_AT_ONCE = 50;

/**
 * Plays the scenario that was ordered and tells of it: steps while it is played, then what it came to or why it could not be
 * played. Never throws.
 */
export async function playDrill(order: z.infer<typeof DrillOrder>, tell: (report: DrillReport) => void): Promise<void> {
  const scenario = [...allScenarios, ...baselines].find(({ id }) => id === order.scenario);
  if (scenario === undefined) return tell({ kind: "failed", reason: `no scenario is named ${order.scenario}` });
  const steps = new StepBatch((batch) => tell({ kind: "steps", steps: batch }));
  try {
    const { dir, samplesDir } = order;
    const step = (one: Step) => steps.add(one);
    const played = await playIn(scenario, { dir, samplesDir, openStage: openPlainStage, tell: step });
    steps.flush();
    tell({ kind: "played", facts: drillFacts(played, steps.events) });
  } catch (error) {
    steps.flush();
    tell({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
  }
}

/** Steps of one turn of the loop go out together. */
class StepBatch {
  events = 0;
  private waiting: Step[] = [];
  private isSet = false;

  constructor(private readonly send: (batch: Step[]) => void) {}

  add(step: Step): void {
    if (step.kind === "event") this.events += 1;
    this.waiting.push(step);
    if (this.waiting.length >= STEPS_AT_ONCE) return this.flush();
    if (this.isSet) return;
    this.isSet = true;
    setImmediate(() => this.flush());
  }

  flush(): void {
    this.isSet = false;
    if (this.waiting.length === 0) return;
    const batch = this.waiting;
    this.waiting = [];
    this.send(batch);
  }
}
