import type { Instant, TaskId } from "../../main/domain/ids";
import type { BreakerRow } from "../../main/domain/records";
import type { Queries } from "./open-queries";

export interface StandingRows {
  breakers: readonly BreakerRow[];
  /** Live tasks with the calls they have made. */
  tasks: readonly { taskId: TaskId; edition: string; used: number }[];
  /** Undos that the program gave up on since the moment that was asked for: what people had to see to. */
  undoFailures: number;
  events: number;
  /** Of the journal's file, without what still waits in the WAL. */
  bytes: number;
}

/** How the workspace stands right now, besides the metrics. @param undoneSince ms UTC */
export function readStanding(queries: Queries, undoneSince: Instant): StandingRows {
  return queries.consistent(() => ({
    breakers: queries.all<BreakerRow>(
      "SELECT host, failures, opened_at AS openedAt, retry_at AS retryAt FROM breaker ORDER BY host",
    ),
    tasks: queries.tasks.liveTasks().map((task) => ({ taskId: task.id, edition: task.edition, used: task.callsUsed })),
    undoFailures:
      queries.get<{ n: number }>(
        "SELECT count(*) AS n FROM recovery_item WHERE kind = 'compensation_failed' AND created_at > ?",
        undoneSince,
      )?.n ?? 0,
    // Numbered without a gap: the last number is how many there are.
    events: queries.get<{ n: number | null }>("SELECT max(seq) AS n FROM event")?.n ?? 0,
    bytes:
      queries.get<{ n: number }>("SELECT page_count * page_size AS n FROM pragma_page_count(), pragma_page_size()")
        ?.n ?? 0,
  }));
}
