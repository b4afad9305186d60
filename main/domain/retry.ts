import type { Instant } from "./ids";

/** A retry policy as versioned data (domain 8). All durations in ms. */
export interface RetryPolicy {
  version: number;
  callTimeoutMs: number;
  /** Calls in all, the first included. */
  maxCalls: number;
  /** Waits before the 2nd, 3rd … call; the last one is repeated, doubling up to `maxWaitMs`. */
  waitsMs: readonly number[];
  /** Share of the wait that may be added, in percent: whole numbers, since hashed JSON has no floats. */
  jitterPercent: number;
  maxWaitMs: number;
  /** Time for the whole step, all calls and waits included. */
  stepMs: number;
  parallel: number;
}

export type RetryDecision =
  | { retry: true; at: Instant; baseDelayMs: number; hintMs: number | null; actualDelayMs: number }
  | { retry: false; why: "calls_spent" | "hint_too_long" | "step_deadline" | "task_budget" };

/**
 * Decides about one more call after a transient failure. A server's hint wins over the base delay; a wait longer than the
 * policy allows, or one that ends after the step's deadline, is not begun: `budget_exhausted` is an answer (domain 8).
 * @param random a number in [0, 1) for the jitter
 */
export function decideRetry(
  policy: RetryPolicy,
  input: {
    callsMade: number;
    hintMs: number | null;
    now: Instant;
    stepDeadlineAt: Instant;
    taskCallsLeft: number;
    random: number;
  },
): RetryDecision {
  if (input.callsMade >= policy.maxCalls) return { retry: false, why: "calls_spent" };
  if (input.taskCallsLeft <= 0) return { retry: false, why: "task_budget" };
  const baseDelayMs = baseDelayMsOf(policy, input.callsMade);
  const jittered = Math.round(baseDelayMs * (1 + (policy.jitterPercent / 100) * input.random));
  const actualDelayMs = input.hintMs ?? Math.min(jittered, policy.maxWaitMs);
  if (actualDelayMs > policy.maxWaitMs) return { retry: false, why: "hint_too_long" };
  const at = input.now + actualDelayMs;
  if (at >= input.stepDeadlineAt) return { retry: false, why: "step_deadline" };
  return { retry: true, at, baseDelayMs, hintMs: input.hintMs, actualDelayMs };
}

/** The wait before the next call, before jitter and hints. */
export function baseDelayMsOf(policy: RetryPolicy, callsMade: number): number {
  const given = policy.waitsMs[callsMade - 1];
  if (given !== undefined) return given;
  const last = policy.waitsMs[policy.waitsMs.length - 1] ?? 1_000;
  const doublings = callsMade - policy.waitsMs.length;
  return Math.min(last * 2 ** doublings, policy.maxWaitMs);
}

/** Calls of one task over all tools; past it every retry is refused, so that no loop can run all night (domain 8). */
export const TASK_CALL_BUDGET = 400;
