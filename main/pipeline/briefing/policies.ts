import type { RetryPolicy } from "../../domain/retry";

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;

/** Sources: 20 s a call, 3 calls, about 30 s and 2 min between, 10 min at most, 15 min for the step, three at a time (domain 8). */
const SOURCES: RetryPolicy = {
  version: 1,
  callTimeoutMs: 20_000,
  maxCalls: 3,
  waitsMs: [30_000, 2 * MINUTE],
  jitterPercent: 20,
  maxWaitMs: 10 * MINUTE,
  stepMs: 15 * MINUTE,
  parallel: 3,
};

/** Elsewhere: 1 s, doubling to 60 s, 20 % jitter, 5 attempts (domain 8). */
const GENERAL: RetryPolicy = {
  version: 1,
  callTimeoutMs: 30_000,
  maxCalls: 5,
  waitsMs: [1_000],
  jitterPercent: 20,
  maxWaitMs: MINUTE,
  stepMs: 30 * MINUTE,
  parallel: 1,
};

/** Public page: a stale cache is waited out at a steady pace until the automatic stop (scenarios S29, S32). */
const PROBE: RetryPolicy = {
  ...GENERAL,
  callTimeoutMs: 20_000,
  maxCalls: 20,
  waitsMs: [20_000],
  maxWaitMs: 20_000,
  stepMs: HOUR,
};

const LINKS: RetryPolicy = { ...GENERAL, callTimeoutMs: 15_000, maxCalls: 1, parallel: 4 };

/** The briefing's policies by tool. */
export const briefingPolicies: Readonly<Record<string, RetryPolicy>> = {
  sources: SOURCES,
  general: GENERAL,
  probe: PROBE,
  links: LINKS,
};
