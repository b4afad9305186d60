import type { Handlers } from "./channel-handlers";
import type { DrillRunner } from "./drill-runner";

/** What the window asks of the drills. */
export const drillHandlers = (runner: DrillRunner): Pick<Handlers, Extract<keyof Handlers, `drills.${string}`>> => ({
  "drills.get": () => runner.get(),
  "drills.start": (wanted) => runner.start(wanted),
  "drills.cancel": () => runner.cancel(),
  "drills.judge": (judgement) => runner.judge(judgement),
  "drills.answer": (answer) => runner.answer(answer),
});
