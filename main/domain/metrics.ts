import type { Instant, TaskId } from "./ids";
import { median } from "./ledger";

const DAY_MS = 86_400_000;
const WEEK_MS = 7 * DAY_MS;

/** How far back a metric may be asked for, in days. */
export const METRIC_PERIODS = [7, 30, 90] as const;
export type MetricPeriod = (typeof METRIC_PERIODS)[number];

const TREND_WEEKS = 13;
/** What is read of the journal, whatever the period: the weeks of the trend, which cover the longest period. */
export const METRIC_WINDOW_MS = TREND_WEEKS * WEEK_MS;

/**
 * The metrics of domain section 11, each with what its value is: a share of its denominator, the median of durations, or how
 * many there are right now.
 */
export const METRICS = {
  retry_rate: "percent",
  retry_tasks: "percent",
  unknown_duration: "duration",
  approval_wait_content: "duration",
  approval_wait_send: "duration",
  recovery_success: "percent",
  duplicate_rate: "permille",
  mttr: "duration",
  backlog: "backlog",
  dead_letters_untouched: "percent",
  recurrence: "percent",
  human_minutes: "duration",
} as const;
export type MetricId = keyof typeof METRICS;
export type MetricKind = (typeof METRICS)[MetricId];

/** What one task (or one call, item or fault of it) adds to a metric. */
export interface MetricSample {
  /** Null where it is a number of a day, and rests on no single task. */
  taskId: TaskId | null;
  at: Instant;
  /** What it adds to the denominator, and how much of that to the numerator. */
  of: number;
  hits: number;
  /** How long it took; null where it is no duration, or has not come to its end. */
  ms: number | null;
}

export interface MetricRow extends MetricSample {
  taskId: TaskId;
}

export interface MetricWeek {
  from: Instant;
  numerator: number;
  denominator: number;
  /** Null where the week has no data. */
  value: number | null;
}

export interface Metric {
  id: MetricId;
  kind: MetricKind;
  numerator: number;
  denominator: number;
  /** A share from 0 to 1, a duration in ms or a count, by kind. Null without data: a denominator of zero is neither 0 % nor 100 %. */
  value: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  /** The longest: with a backlog, the oldest wait. */
  longestMs: number | null;
  /** The last 13 weeks, oldest first, whatever the period. */
  trend: readonly MetricWeek[];
  /** What it rests on: what counts in the numerator first, then the newest first. */
  rows: readonly MetricRow[];
}

/**
 * Counts one metric, pure.
 * @param samples everything of the last {@link METRIC_WINDOW_MS}; of a backlog also what is older and still open
 */
export function metricOf(id: MetricId, samples: readonly MetricSample[], days: MetricPeriod, now: Instant): Metric {
  const kind = METRICS[id];
  const since = now - days * DAY_MS;
  const first = now - METRIC_WINDOW_MS;
  const whole = nothingCounted();
  const weeks = Array.from({ length: TREND_WEEKS }, nothingCounted);
  const rows: MetricRow[] = [];
  for (const sample of samples) {
    const week = weeks[Math.ceil((sample.at - first) / WEEK_MS) - 1];
    if (week) count(week, sample);
    // What is open waits now, whenever it came.
    if (sample.at <= since && (kind !== "backlog" || sample.hits === 0)) continue;
    count(whole, sample);
    if (isOfTask(sample)) rows.push(sample);
  }
  const trend = weeks.map((counted, week): MetricWeek => {
    const { numerator, denominator, value } = summary(kind, counted);
    return { from: first + week * WEEK_MS, numerator, denominator, value };
  });
  rows.sort((a, b) => Math.sign(b.hits) - Math.sign(a.hits) || b.at - a.at);
  return { id, kind, ...summary(kind, whole), trend, rows };
}

const isOfTask = (sample: MetricSample): sample is MetricRow => sample.taskId !== null;

/** Added up one by one: an array for each step would cost more than all the rest where there are thousands of samples. */
interface Counted {
  numerator: number;
  denominator: number;
  durations: number[];
}

const nothingCounted = (): Counted => ({ numerator: 0, denominator: 0, durations: [] });

function count(counted: Counted, { hits, of, ms }: MetricSample): void {
  counted.numerator += hits;
  counted.denominator += of;
  if (ms !== null) counted.durations.push(ms);
}

function summary(kind: MetricKind, { numerator, denominator, durations }: Counted) {
  durations.sort((a, b) => a - b);
  const has = durations.length > 0;
  const p50Ms = has ? median(durations) : null;
  const share = denominator === 0 ? null : numerator / denominator;
  const open = denominator === 0 ? null : numerator;
  return {
    numerator,
    denominator,
    value: kind === "duration" ? p50Ms : kind === "backlog" ? open : share,
    p50Ms,
    p95Ms: has ? percentile(durations, 0.95) : null,
    longestMs: durations.at(-1) ?? null,
  };
}

/** The smallest value that is not less than this share of all (nearest rank): one that was really measured. */
const percentile = (sorted: readonly number[], share: number): number =>
  sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0;

/** One sample for each task out of several: hits and durations are added up, and it counts from its first moment. */
export function samplesPerTask(samples: readonly MetricSample[]): MetricSample[] {
  const tasks = new Map<TaskId, MetricSample>();
  for (const { taskId, at, hits, ms } of samples) {
    if (taskId === null) continue;
    const known = tasks.get(taskId) ?? { taskId, at, of: 1, hits: 0, ms: null };
    const total = ms === null ? known.ms : (known.ms ?? 0) + ms;
    const isHit = known.hits > 0 || hits > 0;
    tasks.set(taskId, { taskId, at: Math.min(known.at, at), of: 1, hits: isHit ? 1 : 0, ms: total });
  }
  return [...tasks.values()];
}
