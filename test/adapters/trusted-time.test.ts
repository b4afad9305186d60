import { describe, expect, it } from "vitest";
import { createMeasuredTime, createWorkspaceTime } from "../../main/adapters/trusted-time";

const TRUE_START = Date.UTC(2026, 6, 20, 1, 0, 0);
const YEAR = 365 * 86_400_000;
const HOUR = 3_600_000;

/** A machine whose wall clock can be moved and which can sleep, beside the true time that its servers know. */
function createMachine(wallError = 0) {
  let trueMs = 0;
  let wallOffset = wallError;
  let slept = 0;
  const clock = { now: () => TRUE_START + trueMs + wallOffset, monotonic: () => 1_000 + trueMs - slept };
  const time = createMeasuredTime(clock);
  return {
    time,
    trueNow: () => TRUE_START + trueMs,
    run: (ms: number) => {
      trueMs += ms;
    },
    sleep: (ms: number) => {
      trueMs += ms;
      slept += ms;
    },
    moveWall: (ms: number) => {
      wallOffset += ms;
    },
    /** One answer from a server whose clock is wrong by `serverError`. */
    ask: (source = "a.example", serverError = 0, roundTripMs = 80) => {
      const sent = clock.monotonic();
      trueMs += roundTripMs / 2;
      const header = new Date(TRUE_START + trueMs + serverError).toUTCString();
      trueMs += roundTripMs / 2;
      time.observe(header, sent, clock.monotonic(), source);
    },
  };
}

const offBy = (machine: ReturnType<typeof createMachine>) => Math.abs(machine.time.read().at - machine.trueNow());

describe("measured time", () => {
  it("is the wall clock, not trusted, while nothing was measured", () => {
    const machine = createMachine();
    expect(machine.time.read()).toMatchObject({ trusted: false, source: "wall-clock", at: machine.trueNow() });
  });

  it("comes from the server, with its uncertainty, whatever the wall clock says", () => {
    const machine = createMachine(-3 * HOUR);
    machine.ask();
    const reading = machine.time.read();
    expect(reading).toMatchObject({ trusted: true, source: "a.example" });
    expect(reading.uncertaintyMs).toBeLessThanOrEqual(540);
    expect(offBy(machine)).toBeLessThanOrEqual(540);
  });

  it("gets more certain by further answers and less by age, until it must be measured again", () => {
    const machine = createMachine();
    machine.ask();
    const first = machine.time.read().uncertaintyMs ?? 0;
    for (let turn = 0; turn < 20; turn++) {
      machine.run(1_137);
      machine.ask();
    }
    expect(machine.time.read().uncertaintyMs ?? 0).toBeLessThan(first / 2);
    machine.run(48 * HOUR);
    expect(machine.time.read().trusted).toBe(false);
    machine.ask();
    expect(machine.time.read().trusted).toBe(true);
  });

  it("notices a wall clock a year ahead and then a year back, and keeps the true time (C8)", () => {
    const machine = createMachine();
    const jumps: number[] = [];
    machine.time.onJump((ms) => void jumps.push(ms));
    machine.ask();
    machine.run(HOUR);
    expect(machine.time.read().trusted).toBe(true);

    machine.moveWall(YEAR);
    expect(machine.time.read().trusted).toBe(false);
    expect(offBy(machine)).toBeLessThanOrEqual(1_000);
    machine.run(HOUR);
    expect(machine.time.read().trusted).toBe(false);

    machine.moveWall(-YEAR);
    expect(machine.time.read().trusted).toBe(false);
    expect(offBy(machine)).toBeLessThanOrEqual(1_000);
    expect(jumps.map((ms) => Math.round(ms))).toEqual([YEAR, -YEAR]);

    machine.ask();
    expect(machine.time.read().trusted).toBe(true);
    expect(offBy(machine)).toBeLessThanOrEqual(540);
  });

  it("does not trust itself after a sleep that the monotonic clock missed, and is never ahead of the truth", () => {
    const machine = createMachine();
    machine.ask();
    machine.sleep(8 * HOUR);
    const reading = machine.time.read();
    expect(reading.trusted).toBe(false);
    expect(reading.at).toBeLessThanOrEqual(machine.trueNow() + 540);
    machine.ask();
    expect(machine.time.read().trusted).toBe(true);
  });

  it("is suspect when told of a sleep, even if the wall clock was set back by the same amount", () => {
    const machine = createMachine();
    machine.ask();
    machine.sleep(HOUR);
    machine.moveWall(-HOUR);
    machine.time.suspect();
    expect(machine.time.read().trusted).toBe(false);
  });

  it("takes slow honest drift and corrections below two seconds for no jump", () => {
    const machine = createMachine();
    machine.ask();
    for (let hour = 0; hour < 10; hour++) {
      machine.run(HOUR);
      machine.moveWall(150);
      expect(machine.time.read().trusted).toBe(true);
    }
    machine.moveWall(1_900);
    expect(machine.time.read().trusted).toBe(true);
  });

  it("adds up small moves that together are a jump", () => {
    const machine = createMachine();
    machine.ask();
    for (let turn = 0; turn < 3; turn++) {
      machine.run(30_000);
      machine.moveWall(1_500);
      machine.time.compare();
    }
    expect(machine.time.read().trusted).toBe(false);
  });

  it("is not turned by one server with a wrong clock, but by two that agree", () => {
    const machine = createMachine();
    machine.ask("wrong.example", HOUR);
    machine.ask("a.example");
    expect(offBy(machine)).toBeGreaterThan(HOUR - 1_000);
    machine.ask("a.example");
    expect(offBy(machine)).toBeGreaterThan(HOUR - 1_000);
    machine.ask("b.example");
    expect(offBy(machine)).toBeLessThanOrEqual(540);
    machine.ask("wrong.example", HOUR);
    expect(offBy(machine)).toBeLessThanOrEqual(540);
    expect(machine.time.read().trusted).toBe(true);
  });

  it("leaves aside what is no HTTP date, and answers too slow to measure with", () => {
    const machine = createMachine();
    for (const header of [
      "",
      "tomorrow",
      "2026-07-20T01:00:00Z",
      "Mon, 20 Jul 2026 01:00:00 +0800",
      "Mon, 99 Xyz 2026 01:00:00 GMT",
    ])
      machine.time.observe(header, 1_000, 1_050);
    machine.time.observe(new Date(TRUE_START).toUTCString(), 2_000, 1_000);
    machine.ask("slow.example", 0, 30_000);
    expect(machine.time.read().source).toBe("wall-clock");
  });
});

describe("workspace time", () => {
  it("is the workspace's own clock, and trusted", () => {
    expect(createWorkspaceTime({ now: () => 42 }).read()).toEqual({ at: 42, trusted: true, source: "workspace-clock" });
  });
});
