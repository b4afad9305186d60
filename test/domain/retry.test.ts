import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { baseDelayMsOf, decideRetry } from "../../main/domain/retry";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { MINUTE, NOW } from "./fake-view";

const { sources, general } = briefingDefinition.policies as { sources: never; general: never };
const base = { callsMade: 1, hintMs: null, now: NOW, stepDeadlineAt: NOW + 15 * MINUTE, taskCallsLeft: 100, random: 0 };

describe("sources: 3 calls, about 30 s and 2 min between", () => {
  test("the waits", () => {
    expect(decideRetry(sources, base)).toMatchObject({ retry: true, at: NOW + 30_000, baseDelayMs: 30_000 });
    expect(decideRetry(sources, { ...base, callsMade: 2 })).toMatchObject({ retry: true, at: NOW + 2 * MINUTE });
  });
  test("no fourth call", () =>
    expect(decideRetry(sources, { ...base, callsMade: 3 })).toEqual({ retry: false, why: "calls_spent" }));
  test("after a crash that came after two, one is left (F4)", () => {
    expect(decideRetry(sources, { ...base, callsMade: 2 })).toMatchObject({ retry: true });
    expect(decideRetry(sources, { ...base, callsMade: 3 })).toMatchObject({ retry: false });
  });
  test("no wait over ten minutes, the server's hint included", () => {
    expect(decideRetry(sources, { ...base, hintMs: 10 * MINUTE })).toMatchObject({ retry: true, hintMs: 10 * MINUTE });
    expect(decideRetry(sources, { ...base, hintMs: 10 * MINUTE + 1 })).toEqual({ retry: false, why: "hint_too_long" });
  });
  test("none that would end with the step (S03)", () => {
    expect(decideRetry(sources, { ...base, hintMs: 5 * MINUTE, stepDeadlineAt: NOW + 5 * MINUTE })).toEqual({
      retry: false,
      why: "step_deadline",
    });
  });
  test("none where the task's calls are spent", () => {
    expect(decideRetry(sources, { ...base, taskCallsLeft: 0 })).toEqual({ retry: false, why: "task_budget" });
  });
});

describe("elsewhere: 1 s, doubling to 60 s", () => {
  test.each([
    [1, 1_000],
    [2, 2_000],
    [3, 4_000],
    [6, 32_000],
    [7, 60_000],
    [50, 60_000],
  ])("after call %d about %d ms", (callsMade, ms) => expect(baseDelayMsOf(general, callsMade)).toBe(ms));
  test("5 attempts", () => {
    expect(decideRetry(general, { ...base, callsMade: 4 })).toMatchObject({ retry: true });
    expect(decideRetry(general, { ...base, callsMade: 5 })).toEqual({ retry: false, why: "calls_spent" });
  });
});

test("a hint wins over the base delay, shorter or longer, and is kept in the receipt", () => {
  for (const hintMs of [0, 5_000, 45_000])
    expect(decideRetry(sources, { ...base, hintMs, random: 0.99 })).toEqual({
      retry: true,
      at: NOW + hintMs,
      baseDelayMs: 30_000,
      hintMs,
      actualDelayMs: hintMs,
    });
});

test("jitter adds up to a fifth and never takes away", () => {
  const calls = fc.integer({ min: 1, max: 4 });
  fc.assert(
    fc.property(calls, fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), (callsMade, random) => {
      const decision = decideRetry(general, { ...base, callsMade, random });
      if (!decision.retry) throw new Error("no retry");
      expect(decision.actualDelayMs).toBeGreaterThanOrEqual(decision.baseDelayMs);
      expect(decision.actualDelayMs).toBeLessThanOrEqual(Math.ceil(decision.baseDelayMs * 1.2));
      expect(Number.isInteger(decision.at)).toBe(true);
    }),
  );
});
