import { readEditions, readMetricSamples } from "../../../db/queries/metrics";
import { readStanding, type StandingRows } from "../../../db/queries/metrics-standing";
import { readItemsSince } from "../../../db/queries/recovery";
import type { Input, Output } from "../../../preload/contract";
import type { PipelineDefinition } from "../../domain/definition";
import { hasCome } from "../../domain/has-come";
import type { Instant, TaskId } from "../../domain/ids";
import {
  METRIC_WINDOW_MS,
  METRICS,
  type Metric,
  type MetricId,
  type MetricSample,
  metricOf,
} from "../../domain/metrics";
import { COVERAGE_NEEDED, idempotencyCoverage, mayRetryByItself } from "../../domain/metrics-coverage";
import { RECURRENCE_MS, recurrenceSamples } from "../../domain/metrics-recurrence";
import type { BreakerRow } from "../../domain/records";
import { TASK_CALL_BUDGET } from "../../domain/retry";
import { toPatternItem } from "../read-patterns";
import { preflightViews } from "./preflight";
import type { RunWorkflow, ViewPorts } from "./view-ports";

type Health = Output<"health.get">;

/** For how long a failed undo counts against what people can take in a day (domain 9). */
const DAY_MS = 86_400_000;

/** Of each metric; who wants more opens the recovery board or the journal. */
const ROWS_SHOWN = 20;

/** How healthy the workspace is: the metrics of domain section 11 with what each rests on, and what holds or limits it right now. */
export function healthView(ports: ViewPorts, asked: Input<"health.get">): Health {
  const clock = ports.clock();
  const { now } = clock;
  const { definition } = ports.start;
  const standing = readStanding(ports.queries, now - DAY_MS);
  return {
    clock,
    days: asked.days,
    metrics: metrics(ports, asked, now),
    coverage: ports.workflows.map((workflow) => coverageOf(workflow, standing)),
    preflight: preflightViews(ports),
    coverageNeeded: COVERAGE_NEEDED,
    breakers: standing.breakers.map((row) => ({ ...row, state: breakerState(row, now) })),
    budgets: {
      policies: policiesOf(definition),
      tasks: standing.tasks.map((task) => ({ ...task, of: TASK_CALL_BUDGET })),
    },
    journal: journalOf(ports, standing),
  };
}

function metrics(ports: ViewPorts, { days }: Input<"health.get">, now: Instant): Health["metrics"] {
  const { queries } = ports;
  const since = now - METRIC_WINDOW_MS;
  const items = readItemsSince(queries, since - RECURRENCE_MS);
  const recurrence = recurrenceSamples(
    items.map((row) => ({ ...toPatternItem(row), taskId: row.taskId })),
    since,
  );
  const samples: Readonly<Record<MetricId, readonly MetricSample[]>> = {
    ...readMetricSamples(queries, now),
    recurrence,
  };
  const counted = (Object.keys(METRICS) as MetricId[]).map((id) => metricOf(id, samples[id], days, now));
  const shown = counted.flatMap(({ rows }) => rows.slice(0, ROWS_SHOWN).map(({ taskId }) => taskId));
  const editions = readEditions(queries, [...new Set(shown)]);
  return counted.map((metric) => toMetric(metric, editions));
}

function toMetric(
  { rows, trend, ...metric }: Metric,
  editions: ReadonlyMap<TaskId, string>,
): Health["metrics"][number] {
  return {
    ...metric,
    trend: [...trend],
    rows: rows.slice(0, ROWS_SHOWN).map((row) => ({ ...row, edition: editions.get(row.taskId) ?? "" })),
    rowCount: rows.length,
  };
}

function coverageOf(
  { definition, writes, manifestOf }: RunWorkflow,
  { undoFailures }: StandingRows,
): Health["coverage"][number] {
  const { steps, ...coverage } = idempotencyCoverage(writes, manifestOf);
  const { undoFailuresPerDay: limit, owner } = definition;
  return {
    ...coverage,
    pipeline: definition.name,
    version: definition.version,
    retriesByItself: mayRetryByItself(coverage),
    undo: { failures: undoFailures, limit, owner, isWithheld: undoFailures >= limit },
    steps: steps.map((step) => ({ ...step, uncovered: [...step.uncovered] })),
  };
}

function breakerState({ openedAt, retryAt }: BreakerRow, now: Instant): Health["breakers"][number]["state"] {
  if (openedAt === null || retryAt === null) return "closed";
  return hasCome(retryAt, now) ? "half_open" : "open";
}

const policiesOf = ({ policies }: PipelineDefinition): Health["budgets"]["policies"] =>
  Object.entries(policies).map(([tool, { version, maxCalls, callTimeoutMs, stepMs, maxWaitMs }]) => ({
    ...{ tool, version, maxCalls, callTimeoutMs, stepMs },
    longestWaitMs: maxWaitMs,
  }));

function journalOf(ports: ViewPorts, { events, bytes }: StandingRows): Health["journal"] {
  return { events, bytes, ...ports.checks() };
}
