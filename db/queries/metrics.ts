import type { Instant, TaskId } from "../../main/domain/ids";
import { METRIC_WINDOW_MS, type MetricId, type MetricSample, samplesPerTask } from "../../main/domain/metrics";
import { type FaultMark, faultSamples } from "../../main/domain/metrics-faults";
import {
  APPROVAL_WAITS,
  BACKLOG,
  CALLS,
  DEAD_LETTERS,
  DUPLICATES,
  FAULT_MARKS,
  MINUTES,
  RECOVERIES,
  TASKS,
  UNKNOWNS,
} from "./metrics-sql";
import type { Queries } from "./open-queries";

/**
 * What each metric of domain section 11 is counted from, straight from events, operations and recovery items: no counter is kept
 * anywhere. Recurrence is asked of the recovery board's own rows.
 */
export type MetricSamples = Readonly<Record<Exclude<MetricId, "recurrence">, readonly MetricSample[]>>;

/** The samples of the last {@link METRIC_WINDOW_MS}, at one moment of the journal. */
export function readMetricSamples(queries: Queries, now: Instant): MetricSamples {
  const since = now - METRIC_WINDOW_MS;
  const ask = <Row = MetricSample>(sql: string, more = {}) => queries.every<Row>(sql, { since, ...more });
  return queries.consistent(() => {
    const calls = ask(CALLS, { now });
    const content = ask(APPROVAL_WAITS, { type: "ContentApproved" });
    const send = ask(APPROVAL_WAITS, { type: "SendApproved" });
    return {
      retry_rate: calls,
      retry_tasks: withRetry(ask(TASKS), calls),
      unknown_duration: ask(UNKNOWNS),
      approval_wait_content: content,
      approval_wait_send: send,
      recovery_success: ask(RECOVERIES),
      duplicate_rate: ask(DUPLICATES, { now }),
      mttr: faultSamples(ask<FaultMark>(FAULT_MARKS)).filter(({ at }) => at > since),
      backlog: ask(BACKLOG, { now }),
      dead_letters_untouched: ask(DEAD_LETTERS, { now }),
      human_minutes: samplesPerTask([...content, ...send, ...ask(MINUTES)]),
    };
  });
}

/** Tasks, and in the numerator those of them of which a call was made again. */
function withRetry(tasks: MetricSample[], calls: readonly MetricSample[]): MetricSample[] {
  const again = new Set(calls.filter(({ hits }) => hits > 0).map(({ taskId }) => taskId));
  for (const task of tasks) if (again.has(task.taskId)) task.hits = 1;
  return tasks;
}

/** The editions of the tasks that a screen names. */
export function readEditions(queries: Queries, taskIds: readonly TaskId[]): ReadonlyMap<TaskId, string> {
  const rows = queries.all<{ id: TaskId; edition: string }>(
    "SELECT task.id, task.edition FROM json_each(?) asked CROSS JOIN task ON task.id = asked.value",
    JSON.stringify(taskIds),
  );
  return new Map(rows.map(({ id, edition }) => [id, edition]));
}
