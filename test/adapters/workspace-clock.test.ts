import { describe, expect, it } from "vitest";
import { createWorkspaceClock, driveUntil } from "../../main/adapters/workspace-clock";

const START = Date.UTC(2026, 6, 20, 1, 0, 0);
const MINUTE = 60_000;

describe("the workspace clock that stands still", () => {
  it("moves only when moved, and its monotonic time moves along", async () => {
    const clock = createWorkspaceClock({ start: START });
    await new Promise((resolve) => setTimeout(resolve, 15));
    expect(clock.now()).toBe(START);
    void clock.advanceBy(90_000);
    expect(clock.now()).toBe(START + 90_000);
    expect(clock.monotonic()).toBe(90_000);
    await clock.advanceTo(START + 100_000);
    expect(clock.now()).toBe(START + 100_000);
  });

  it("never moves back", async () => {
    const clock = createWorkspaceClock({ start: START });
    await clock.advanceBy(5_000);
    await clock.advanceTo(START + 1_000);
    await clock.advanceBy(-3_000);
    expect(clock.now()).toBe(START + 5_000);
    await expect(clock.advanceTo(Number.POSITIVE_INFINITY)).rejects.toThrow("moment");
  });

  it("fires sleeps and time-outs in the order of time, ties in the order of setting", async () => {
    const clock = createWorkspaceClock({ start: START });
    const seen: string[] = [];
    const note = (name: string) => () => void seen.push(`${name}@${clock.now() - START}`);
    void clock.sleep(3_000).then(note("c"));
    void clock.sleep(1_000).then(note("a"));
    clock.timeout(2_000).signal.addEventListener("abort", note("b"));
    void clock.sleep(3_000).then(note("d"));
    expect(clock.pendingTimers).toBe(4);
    expect(clock.pendingTimeouts).toBe(1);
    await clock.advanceBy(10_000);
    expect(seen).toEqual(["a@1000", "b@2000", "c@3000", "d@3000"]);
    expect(clock.pendingTimers).toBe(0);
  });

  it("lets a chain of waits run at its own moments within one move", async () => {
    const clock = createWorkspaceClock({ start: START });
    const seen: number[] = [];
    const chain = (async () => {
      for (let turn = 0; turn < 4; turn++) {
        await clock.sleep(30_000);
        seen.push(clock.now() - START);
      }
    })();
    await clock.advanceBy(10 * MINUTE);
    await chain;
    expect(seen).toEqual([30_000, 60_000, 90_000, 120_000]);
    expect(clock.now()).toBe(START + 10 * MINUTE);
  });

  it("carries out overlapping moves one after the other", async () => {
    const clock = createWorkspaceClock({ start: START });
    const seen: number[] = [];
    void clock.sleep(1_000).then(() => seen.push(clock.now() - START));
    void clock.sleep(6_000).then(() => seen.push(clock.now() - START));
    await Promise.all([clock.advanceBy(5_000), clock.advanceBy(5_000)]);
    expect(seen).toEqual([1_000, 6_000]);
    expect(clock.now()).toBe(START + 10_000);
  });

  it("forgets cancelled time-outs and aborted sleeps", async () => {
    const clock = createWorkspaceClock({ start: START });
    const call = clock.timeout(1_000);
    call.cancel();
    const controller = new AbortController();
    const sleep = clock.sleep(2_000, controller.signal);
    controller.abort();
    await sleep;
    expect(clock.pendingTimers).toBe(0);
    expect(clock.nextTimerAt()).toBeNull();
    await clock.advanceBy(5_000);
    expect(call.signal.aborted).toBe(false);
  });

  it("says when the next wait is over, in whole milliseconds that really end it", async () => {
    const clock = createWorkspaceClock({ start: START });
    let isOver = false;
    void clock.sleep(1_234.5).then(() => {
      isOver = true;
    });
    const next = clock.nextTimerAt();
    expect(next).toBe(START + 1_235);
    await clock.advanceTo(next ?? 0);
    expect(isOver).toBe(true);
    expect(clock.now()).toBe(START + 1_235);
  });

  it("tells and keeps each move once, and survives a listener that throws", async () => {
    const kept: number[] = [];
    const told: number[] = [];
    const clock = createWorkspaceClock({ start: START, persist: (now) => void kept.push(now - START) });
    const stop = clock.onChange((now) => void told.push(now - START));
    await clock.advanceBy(1_000);
    await clock.advanceBy(0);
    stop();
    const broken = clock.onChange(() => {
      throw new Error("broken listener");
    });
    await expect(clock.advanceBy(500)).rejects.toThrow("broken listener");
    broken();
    await clock.advanceBy(500);
    expect(kept).toEqual([1_000, 1_500, 2_000]);
    expect(told).toEqual([1_000]);
  });
});

describe("the workspace clock that flows", () => {
  it("flows with real time, adds the jumps, and wakes sleepers by itself", async () => {
    const clock = createWorkspaceClock({ start: START, rate: 1 });
    await clock.sleep(20);
    expect(clock.now() - START).toBeGreaterThanOrEqual(20);
    await clock.advanceBy(60 * MINUTE);
    expect(clock.now() - START).toBeGreaterThanOrEqual(60 * MINUTE + 20);
    expect(clock.now() - START).toBeLessThan(61 * MINUTE);
    const before = clock.monotonic();
    let isOver = false;
    void clock.sleep(30 * MINUTE).then(() => {
      isOver = true;
    });
    await clock.advanceTo(clock.nextTimerAt() ?? 0);
    expect(isOver).toBe(true);
    expect(clock.monotonic() - before).toBeGreaterThanOrEqual(30 * MINUTE);
    clock.stop();
  });

  it("never shows a moment earlier than the one it was moved to", async () => {
    const clock = createWorkspaceClock({ start: START, rate: 1 });
    for (let turn = 1; turn < 200; turn++) {
      const target = START + turn * MINUTE + turn;
      void clock.advanceTo(target);
      expect(clock.now()).toBeGreaterThanOrEqual(target);
    }
    clock.stop();
  });
});

describe("driving the clock", () => {
  const withheldNever = () => Promise.resolve(false);

  it("skips a long backoff at once when everybody only sleeps", async () => {
    const clock = createWorkspaceClock({ start: START });
    const work = async () => {
      await clock.sleep(30_000);
      await clock.sleep(2 * MINUTE);
      return clock.now() - START;
    };
    await expect(driveUntil(work(), { clock, isWithheld: withheldNever })).resolves.toBe(150_000);
  });

  it("lets a withheld answer time out, one timer at a time", async () => {
    const clock = createWorkspaceClock({ start: START });
    let isWithheld = false;
    const ticks: number[] = [];
    const call = () =>
      new Promise<string>((_resolve, reject) => {
        isWithheld = true;
        const { signal } = clock.timeout(30_000);
        signal.addEventListener("abort", () => {
          isWithheld = false;
          reject(new Error("unknown"));
        });
      });
    const beat = (async () => {
      for (let turn = 0; turn < 2; turn++) {
        await clock.sleep(10_000);
        ticks.push(clock.now() - START);
      }
    })();
    const driven = driveUntil(call(), { clock, isWithheld: async () => isWithheld, idleMs: 60_000 });
    await expect(driven).rejects.toThrow("unknown");
    await beat;
    expect(ticks).toEqual([10_000, 20_000]);
    expect(clock.now()).toBe(START + 30_000);
  });

  it("does not let a call time out that is really under way", async () => {
    const clock = createWorkspaceClock({ start: START });
    const call = async () => {
      const { signal, cancel } = clock.timeout(20_000);
      await new Promise((resolve) => setTimeout(resolve, 200));
      cancel();
      return signal.aborted;
    };
    await expect(driveUntil(call(), { clock, isWithheld: withheldNever, idleMs: 5_000 })).resolves.toBe(false);
    expect(clock.now()).toBe(START);
  });

  it("moves after a while in which nothing happened, even if the remote cannot be asked", async () => {
    const clock = createWorkspaceClock({ start: START });
    const call = new Promise<string>((resolve) => {
      clock.timeout(20_000).signal.addEventListener("abort", () => resolve("timed out"));
    });
    const isWithheld = () => Promise.reject(new Error("remote is down"));
    await expect(driveUntil(call, { clock, isWithheld, idleMs: 100 })).resolves.toBe("timed out");
  });

  it("does not move past a moment that it may not pass", async () => {
    const clock = createWorkspaceClock({ start: START });
    const controller = new AbortController();
    const wait = clock.sleep(MINUTE, controller.signal);
    setTimeout(() => controller.abort(), 300);
    await driveUntil(wait, { clock, isWithheld: withheldNever, mayMove: () => false });
    expect(clock.now()).toBe(START);
  });
});
