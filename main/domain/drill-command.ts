import type { DrillTrouble } from "./drill-trouble";
import type { Instant, TaskId } from "./ids";

/** About drills as people's work: the edition is the newest, whose people are the owners (domain section 10). */
export type DrillCommand =
  | { type: "report_drill"; taskId: TaskId; trouble: DrillTrouble }
  /** `playedAt`: when the play that passed was begun (ms UTC, real time). */
  | { type: "report_drill_passed"; taskId: TaskId; itemId: string; playedAt: Instant };
