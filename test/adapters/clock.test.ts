import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSystemClock } from "../../main/adapters/clock";

describe("the system clock", () => {
  beforeEach(
    () => void vi.useFakeTimers({ now: 1_000_000, toFake: ["Date", "performance", "setTimeout", "clearTimeout"] }),
  );
  afterEach(() => void vi.useRealTimers());

  it("tells wall time and a time that only grows", () => {
    const clock = createSystemClock();
    const before = clock.monotonic();
    vi.setSystemTime(500);
    expect(clock.now()).toBe(500);
    expect(clock.monotonic()).toBeGreaterThanOrEqual(before);
  });

  it("sleeps as long as asked, in chunks", async () => {
    const clock = createSystemClock();
    let isOver = false;
    void clock.sleep(25_000).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(24_999);
    expect(isOver).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(isOver).toBe(true);
  });

  it("notices within one chunk that the time passed while the machine slept", async () => {
    const clock = createSystemClock();
    let isOver = false;
    void clock.sleep(3_600_000).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(5_000);
    // Suspended for eight hours: the wall clock moved, timers and the monotonic clock did not.
    vi.setSystemTime(Date.now() + 8 * 3_600_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(isOver).toBe(true);
  });

  it("is not held up by a wall clock that was set back", async () => {
    const clock = createSystemClock();
    let isOver = false;
    void clock.sleep(20_000).then(() => {
      isOver = true;
    });
    await vi.advanceTimersByTimeAsync(1_000);
    vi.setSystemTime(Date.now() - 86_400_000);
    await vi.advanceTimersByTimeAsync(19_000);
    expect(isOver).toBe(true);
  });

  it("ends a sleep at once when its signal aborts, and keeps no timer", async () => {
    const clock = createSystemClock();
    const controller = new AbortController();
    const sleep = clock.sleep(60_000, controller.signal);
    controller.abort();
    await sleep;
    expect(vi.getTimerCount()).toBe(0);
    await clock.sleep(60_000, controller.signal);
  });

  it("aborts a call when its time is over, and not when it was cancelled", async () => {
    const clock = createSystemClock();
    const call = clock.timeout(2_000);
    const cancelled = clock.timeout(2_000);
    cancelled.cancel();
    await vi.advanceTimersByTimeAsync(2_000);
    expect(call.signal.aborted).toBe(true);
    expect(call.signal.reason).toMatchObject({ name: "TimeoutError" });
    expect(cancelled.signal.aborted).toBe(false);
  });

  it("takes no wait without a length", () => {
    expect(() => createSystemClock().timeout(Number.NaN)).toThrow("length");
  });
});
