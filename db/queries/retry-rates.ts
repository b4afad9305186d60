import type { Instant, TaskId } from "../../main/domain/ids";
import { type CallCount, retryWindows } from "../../main/domain/retry-baseline";
import type { Queries } from "./open-queries";

/** How often calls to one source or remote were repeated lately, and before; with the newest task of which one was. */
export interface RetryRates {
  dependency: string;
  taskId: TaskId;
  recent: CallCount;
  baseline: CallCount;
}

interface Row {
  dependency: string;
  taskId: TaskId;
  calls: number;
  again: number;
  recentCalls: number;
  recentAgain: number;
}

/** Whatever had no call repeated lately is not asked about further: on most days that is everything. */
const RECENT = `
  SELECT json_extract(payload, '$.sourceId') AS dependency, task_id AS taskId
  FROM event INDEXED BY event_read_failed
  WHERE type = 'SourceReadFailed' AND at > :recent AND json_type(payload, '$.retry') = 'object'
  UNION ALL
  SELECT adapter, attempt.task_id FROM attempt JOIN operation ON operation.id = operation_id
  WHERE number > 1 AND started_at > :recent`;

const READS = `
  SELECT count(*) AS calls, coalesce(sum(again), 0) AS again, coalesce(sum(at > :recent), 0) AS recentCalls,
    coalesce(sum(again AND at > :recent), 0) AS recentAgain
  FROM (
    SELECT at, 0 AS again FROM event INDEXED BY event_measured
    WHERE type IN ('SourceFrozen', 'RequestSent', 'CompensationStarted', 'RecoveryItemMoved') AND type = 'SourceFrozen'
      AND at > :baseline AND json_extract(payload, '$.sourceId') = :dependency
    UNION ALL
    SELECT at, coalesce(json_type(payload, '$.retry'), 'null') = 'object' FROM event INDEXED BY event_read_failed
    WHERE type = 'SourceReadFailed' AND at > :baseline AND json_extract(payload, '$.sourceId') = :dependency
    UNION ALL
    SELECT started_at, number > 1
    FROM task INDEXED BY task_by_day CROSS JOIN operation ON operation.task_id = task.id
      CROSS JOIN attempt ON attempt.operation_id = operation.id
    WHERE task_version >= 1 AND created_at > :begun AND started_at > :baseline AND adapter = :dependency)`;

/** A task's calls come within days of its beginning. */
const LONGEST_TASK_MS = 14 * 86_400_000;

/** Every dependency of which a call was repeated in the last seven days, with the four weeks before them (domain 10). */
export function readRetryRates(queries: Queries, now: Instant): RetryRates[] {
  const since = retryWindows(now);
  return queries.consistent(() => {
    const lately = new Map(
      queries
        .every<Pick<Row, "dependency" | "taskId">>(RECENT, { recent: since.recent })
        .map(({ dependency, taskId }) => [dependency, taskId]),
    );
    return [...lately].flatMap(([dependency, taskId]) => {
      const [row] = queries.every<Row>(READS, {
        ...{ ...since, dependency, begun: since.baseline - LONGEST_TASK_MS },
      });
      if (!row) return [];
      const recent = { calls: row.recentCalls, again: row.recentAgain };
      const baseline = { calls: row.calls - row.recentCalls, again: row.again - row.recentAgain };
      return [{ dependency, taskId, recent, baseline }];
    });
  });
}
