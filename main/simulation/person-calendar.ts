import type { Desk } from "../commands/desk";
import { startEdition } from "../commands/start-edition";
import type { Scheduler } from "../engine/scheduler";
import { briefingDefinition } from "../pipeline/briefing/definition";
import { LANGUAGE, WEEKLY } from "./calendar";

interface Around {
  /** True while the clock on the wall shows the time that it is. */
  isClockRight(): boolean;
  edition(): string;
  note(text: string): void;
}

/** Looks at the clock where the program asks, and begins by hand what came too late to begin by itself (case C8). */
export function lookAtCalendar(around: Around, desk: Desk, scheduler: Scheduler): void {
  const status = scheduler.status().find(({ name }) => name === WEEKLY);
  if (!status) return;
  if (status.paused !== null && around.isClockRight()) {
    scheduler.resume(WEEKLY);
    around.note(`the clock is right: ${status.paused.reason} by ${status.paused.movedMs} ms`);
  }
  if (status.missed === null) return;
  const wanted = { edition: around.edition(), language: LANGUAGE };
  const answer = startEdition({ ...desk, definition: briefingDefinition }, wanted);
  if (answer.result === "applied") around.note(`begins by hand what the timer missed at ${status.missed.key}`);
}
