import type { Instant } from "./ids";

/** Calls to one dependency in a time: how many, and how many of them repeated one before. */
export interface CallCount {
  calls: number;
  again: number;
}

const DAY_MS = 24 * 3_600_000;

/** The time that is judged, and the time before it that tells what is usual (domain 10). */
export const RETRY_RECENT_MS = 7 * DAY_MS;
export const RETRY_BASELINE_MS = 28 * DAY_MS;

/** One hiccup a week is no trend, and a rate of a handful of calls is none either. */
const LEAST_AGAIN = 3;
const LEAST_BASELINE_CALLS = 10;
const TIMES_THE_USUAL = 2;

/** The code of the alert; the dependency's own name follows. */
export const RETRY_RATE = "retry_rate_";

/** From when on calls count as recent, and from when on as usual. */
export const retryWindows = (now: Instant): { recent: Instant; baseline: Instant } => ({
  recent: now - RETRY_RECENT_MS,
  baseline: now - RETRY_RECENT_MS - RETRY_BASELINE_MS,
});

/**
 * Whether a dependency's calls are repeated at twice the usual rate or more (domain 10). It is told about the dependency, and
 * never answered by more attempts. What is usual is not known before there were enough calls.
 */
export function isRetryRateDoubled(recent: CallCount, baseline: CallCount): boolean {
  if (recent.again < LEAST_AGAIN || recent.calls === 0 || baseline.calls < LEAST_BASELINE_CALLS) return false;
  return recent.again / recent.calls >= TIMES_THE_USUAL * (baseline.again / baseline.calls);
}
