import type { Instant, TaskId } from "../../main/domain/ids";
import type { Queries } from "./open-queries";

export interface PreflightRows {
  /** Names of the journal's triggers and indexes, as they are in its file. */
  constraints: ReadonlySet<string>;
  lastRoundAt: Instant | null;
  /** By the name of their pipeline. */
  newestTasks: ReadonlyMap<string, { taskId: TaskId; edition: string }>;
}

/** What the pre-flight questions ask of the journal itself. */
export function readPreflightRows(queries: Queries): PreflightRows {
  return queries.consistent(() => ({
    constraints: new Set(
      queries
        .all<{ name: string }>("SELECT name FROM sqlite_schema WHERE type IN ('trigger', 'index')")
        .map(({ name }) => name),
    ),
    // By task, so that the index finds the few events of a long journal.
    lastRoundAt:
      queries.get<{ at: Instant }>(
        `SELECT event.at FROM task CROSS JOIN event ON event.task_id = task.id
           AND event.type = 'ReconciliationRoundRecorded' ORDER BY event.seq DESC LIMIT 1`,
      )?.at ?? null,
    newestTasks: new Map(
      queries
        .all<{ pipeline: string; taskId: TaskId; edition: string }>(
          // SQLite takes the bare columns from the row of the greatest value.
          "SELECT pipeline, id AS taskId, edition, max(created_at) FROM task GROUP BY pipeline",
        )
        .map(({ pipeline, taskId, edition }) => [pipeline, { taskId, edition }]),
    ),
  }));
}
