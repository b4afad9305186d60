import { readDrillItems } from "../../db/queries/drill-items";
import { readNewestTask } from "../../db/queries/newest-task";
import type { Queries } from "../../db/queries/open-queries";
import type { DrillPlay, DutyStanding } from "../domain/drill-duty";
import { drillTroubles, playedSince, subjectOfTrouble, troubleOf } from "../domain/drill-trouble";
import { type Desk, executeFor } from "./desk";

/** What is known of the drills: every play, newest first, and how each duty stands. */
export interface DrillStanding {
  plays: readonly DrillPlay[];
  duties: readonly DutyStanding[];
}

/**
 * Brings what is wrong with the drills before people, through the journal (domain section 10): each failed or overdue drill once,
 * at the newest edition, whose people own it; and what a later play has put right. Drills are played beside the journal, so this
 * finds on the next pass whatever was played while none was open. Without any edition there is nobody to tell yet.
 */
export function reportDrills(desk: Desk, queries: Queries, { plays, duties }: DrillStanding): void {
  const items = readDrillItems(queries);
  const known = new Set(items.map(({ subject }) => subject));
  const taskId = readNewestTask(queries);
  for (const trouble of drillTroubles(plays, duties))
    if (taskId !== null && !known.has(subjectOfTrouble(trouble)))
      executeFor(desk, { type: "report_drill", taskId, trouble });
  for (const item of items) {
    const trouble = item.verification === null ? troubleOf(item.subject) : null;
    const playedAt = trouble && playedSince(trouble, plays, duties);
    if (playedAt !== null)
      executeFor(desk, { type: "report_drill_passed", taskId: item.taskId, itemId: item.id, playedAt });
  }
}
