import type { Instant, TaskId } from "./ids";
import type { MetricSample } from "./metrics";
import { causeOf, fingerprintOf, type PatternItem } from "./recovery-patterns";

/** What comes again within this time was not ended by what was done about it (domain 11). */
export const RECURRENCE_MS = 30 * 86_400_000;

/**
 * Recovery items, and those of them whose cause had come before within 30 days.
 * @param items the oldest first, from {@link RECURRENCE_MS} before `since` on
 */
export function recurrenceSamples(
  items: readonly (PatternItem & { taskId: TaskId })[],
  since: Instant,
): MetricSample[] {
  const last = new Map<string, Instant>();
  const samples: MetricSample[] = [];
  for (const item of items) {
    const { taskId, createdAt: at } = item;
    const cause = fingerprintOf(causeOf(item));
    const before = last.get(cause);
    last.set(cause, at);
    const hits = before !== undefined && at - before <= RECURRENCE_MS ? 1 : 0;
    if (at > since) samples.push({ taskId, at, of: 1, hits, ms: null });
  }
  return samples;
}
