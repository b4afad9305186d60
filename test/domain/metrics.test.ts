import { describe, expect, test } from "vitest";
import { asTaskId } from "../../main/domain/ids";
import { type MetricSample, metricOf, samplesPerTask } from "../../main/domain/metrics";
import { recurrenceSamples } from "../../main/domain/metrics-recurrence";
import type { PatternItem } from "../../main/domain/recovery-patterns";

const DAY = 86_400_000;
const NOW = 1_000 * DAY;

const sample = (daysAgo: number, more: Partial<MetricSample> = {}): MetricSample => ({
  ...{ taskId: asTaskId("t1"), at: NOW - daysAgo * DAY, of: 1, hits: 0, ms: null, ...more },
});

describe("a metric", () => {
  test("P50 is the middle or the mean of the two in the middle; P95 is one that was really measured", () => {
    const durations = (count: number) =>
      Array.from({ length: count }, (_, index) => sample(1, { hits: 1, ms: index + 1 }));
    // Of 1 … 20 the median is 10.5, and 19 of 20 (95 %) are at most 19; of 1 … 21 it takes 20 of them.
    expect(metricOf("mttr", durations(20), 7, NOW)).toMatchObject({ p50Ms: 10.5, p95Ms: 19, longestMs: 20 });
    expect(metricOf("mttr", durations(21), 7, NOW)).toMatchObject({ p50Ms: 11, p95Ms: 20 });
    expect(metricOf("mttr", durations(1), 7, NOW)).toMatchObject({ p50Ms: 1, p95Ms: 1 });
  });

  test("what did not come to its end counts in the denominator and in no duration", () => {
    const found = metricOf("mttr", [sample(1), sample(1, { hits: 1, ms: 4 })], 7, NOW);
    expect(found).toMatchObject({ numerator: 1, denominator: 2, value: 4 });
    expect(metricOf("mttr", [sample(1)], 7, NOW)).toMatchObject({ denominator: 1, value: null, p95Ms: null });
  });

  test("the period begins as many days back, to the moment", () => {
    const of = (days: 7 | 30 | 90) =>
      metricOf("recurrence", [sample(6.99), sample(7), sample(30), sample(89)], days, NOW);
    expect([of(7), of(30), of(90)].map(({ denominator }) => denominator)).toEqual([1, 2, 4]);
  });

  test("rests on rows: those that count first, then the newest; a day's number is none", () => {
    const rows = [
      sample(3),
      sample(2, { hits: 1 }),
      sample(1),
      sample(5, { hits: 2, of: 2 }),
      sample(1, { taskId: null }),
    ];
    const found = metricOf("retry_rate", rows, 7, NOW).rows;
    expect(found.map(({ at }) => (NOW - at) / DAY)).toEqual([2, 5, 1, 3]);
  });
});

test("samples of one edition add up: its time, its first moment, and once in the denominator", () => {
  const other = asTaskId("t2");
  const samples = [
    sample(1, { ms: 3 }),
    sample(2, { ms: 4, hits: 3 }),
    sample(3, { taskId: other }),
    sample(4, { taskId: null }),
  ];
  expect(samplesPerTask(samples)).toEqual([sample(2, { ms: 7, hits: 1 }), sample(3, { taskId: other })]);
});

test("recurrence: the same cause within thirty days, told from the same cause much later and from another one", () => {
  const item = (daysAgo: number, rawCode: string): PatternItem & { taskId: ReturnType<typeof asTaskId> } => ({
    ...{
      id: `i${daysAgo}`,
      kind: "dead_letter",
      stage: "to_triage",
      stageAt: null,
      method: null,
      subject: "s",
      action: "a",
    },
    ...{ taskId: asTaskId("t1"), errorClass: "transient", rawCode, createdAt: NOW - daysAgo * DAY },
  });
  // 100 days ago is before the time that is counted, but 75 is within 30 days of it. 40 is 35 days later: not a recurrence.
  const items = [
    item(100, "http_503"),
    item(75, "HTTP_503 "),
    item(40, "http_503"),
    item(39, "dns"),
    item(10, "http_503"),
  ];
  const found = recurrenceSamples(items, NOW - 91 * DAY);
  expect(found.map(({ at, hits }) => [(NOW - at) / DAY, hits])).toEqual([
    [75, 1],
    [40, 0],
    [39, 0],
    [10, 1],
  ]);
});
