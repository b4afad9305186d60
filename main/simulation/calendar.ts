import type { Journal } from "../../db/journal";
import type { Sqlite } from "../../db/open";
import { openScheduleFires } from "../../db/schedule-fires";
import type { Clock, TrustedTime } from "../domain/ports";
import { Scheduler } from "../engine/scheduler";
import { briefingDefinition } from "../pipeline/briefing/definition";

/** Every world writes its editions in one language. */
export const LANGUAGE = "zh-CN";
export const WEEKLY = "weekly";
/** Five minutes after a week's programs usually start. */
const PATTERN = "5 8 * * 1";

/** The product's own scheduler as one process of a world has it: each has one, and all of them fire for the same Monday. */
export function openCalendar(parts: {
  sqlite: Sqlite;
  journal: Journal;
  clock: Clock;
  trusted: TrustedTime;
}): Scheduler {
  const { sqlite, journal, clock, trusted } = parts;
  const { zone } = briefingDefinition.deadlines;
  const schedule = { name: WEEKLY, pattern: PATTERN, zone, slot: "morning", activeFrom: 0 };
  const pipelines = [{ schedule, definition: briefingDefinition, language: LANGUAGE }];
  return new Scheduler({ pipelines, journal, fires: openScheduleFires(sqlite), clock, trusted });
}
