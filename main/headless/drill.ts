import type { z } from "zod";
import { DrillOrder, type DrillReport } from "../compose/drill-report";
import { type LedDrill, ledDrillOf } from "../domain/drill-led";
import { allScenarios, baselines } from "../sandbox/scenarios/all";
import type { Scenario } from "../sandbox/scenarios/stage";
import { drillFacts } from "./drill-facts";
import { Person, playLed } from "./drill-led";
import { LedStage } from "./drill-led-stage";
import { openPlainStage, type Played, playIn, type Setting } from "./scenarios-play";
import type { Step } from "./scenarios-watch";

/** More steps than this in one message would make whoever shows them stumble. */
const STEPS_AT_ONCE = 50;

/**
 * What the child program does with what it is told: the first message is the order, each one after it a person's answer.
 * @param tell hears of the play: steps while it is played, what the person is asked, then what it came to or why it could not be played
 */
export function openDrill(tell: (report: DrillReport) => void): (message: unknown) => void {
  const person = new Person(tell);
  let isOrdered = false;
  return (message) => {
    if (isOrdered) return person.hear(message);
    isOrdered = true;
    void playDrill(DrillOrder.parse(message), person, tell);
  };
}

async function playDrill(
  order: z.infer<typeof DrillOrder>,
  person: Person,
  tell: (report: DrillReport) => void,
): Promise<void> {
  const scenario = [...allScenarios, ...baselines].find(({ id }) => id === order.scenario);
  if (scenario === undefined) return tell({ kind: "failed", reason: `no scenario is named ${order.scenario}` });
  const led = order.led === true ? ledDrillOf(scenario.id) : null;
  const steps = new StepBatch((batch) => tell({ kind: "steps", steps: batch }));
  person.beforeAsking(() => steps.flush());
  try {
    const { dir, samplesDir } = order;
    const setting = { dir, samplesDir, tell: (one: Step) => steps.add(one) };
    const played =
      led === null
        ? await playIn(scenario, { ...setting, openStage: openPlainStage })
        : await playByPerson(scenario, setting, { led, person });
    steps.flush();
    tell({ kind: "played", facts: drillFacts(played, steps.events) });
  } catch (error) {
    steps.flush();
    tell({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
  }
}

/** The same scenario in the same kind of workspace, with a person's decisions in the place of the script's. */
function playByPerson(
  scenario: Scenario,
  setting: Omit<Setting, "openStage">,
  { led, person }: { led: LedDrill; person: Person },
): Promise<Played> {
  const opened: LedStage[] = [];
  const openStage: Setting["openStage"] = (input) => {
    const stage = new LedStage(input);
    opened.push(stage);
    return stage;
  };
  const play = async () => {
    for (const stage of opened) await playLed(stage, scenario, led, person);
  };
  return playIn({ ...scenario, play }, { ...setting, openStage });
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
