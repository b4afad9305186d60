import type { Instant, TaskId } from "../../main/domain/ids";
import type { Sqlite } from "../connect";

/** Tasks with a confirmed effect that left, or that ended, since a moment; the oldest effect first. */
export function reconciliationCandidates(sqlite: Sqlite, since: Instant): TaskId[] {
  return sqlite
    .prepare<{ since: Instant }, TaskId>(
      `SELECT task.id FROM task JOIN operation o ON o.task_id = task.id
       WHERE o.state = 'confirmed'
         AND (o.request_sent_at >= @since
           OR (task.state IN ('succeeded', 'compensated', 'closed') AND task.state_since >= @since))
       GROUP BY task.id ORDER BY max(o.request_sent_at), task.id`,
    )
    .pluck()
    .all({ since });
}

/** One task's round as its event tells it. */
export interface RoundRow {
  at: Instant;
  isPutOff: 0 | 1;
  /** Canonical JSON; null once withheld. */
  payload: string | null;
}

/** A round takes minutes: what lies further apart is another one. */
const ONE_ROUND_MS = 3_600_000;

/** What the newest round put on record, task by task. By task, so that the index finds the few events of a long journal. */
export function newestRound(sqlite: Sqlite): RoundRow[] {
  const rows = sqlite
    .prepare<[], RoundRow>(
      `SELECT event.at, event.type = 'ReconciliationPutOff' AS isPutOff, payload
       FROM task CROSS JOIN event ON event.task_id = task.id
         AND event.type IN ('ReconciliationRoundRecorded', 'ReconciliationPutOff')
       ORDER BY event.seq`,
    )
    .all();
  const newest = rows.at(-1)?.at ?? 0;
  return rows.filter((row) => row.at > newest - ONE_ROUND_MS);
}
