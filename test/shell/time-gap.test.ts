import { describe, expect, it } from "vitest";
import { createPowerWatch, hadGap, LOOK_EVERY_MS } from "../../main/shell/time-gap";

const HOUR = 3_600_000;

/** A machine whose monotonic clock stands still in a sleep, or, like some, runs on. */
function createMachine(countsSleep = false) {
  let wall = 1_000_000;
  let monotonic = 0;
  const calls: string[] = [];
  const watch = createPowerWatch({
    read: () => ({ wall, monotonic }),
    onSuspend: () => void calls.push("suspend"),
    onResume: () => void calls.push("resume"),
  });
  const pass = (ms: number) => {
    wall += ms;
    monotonic += ms;
  };
  return {
    watch,
    calls,
    pass,
    sleep: (ms: number) => {
      wall += ms;
      if (countsSleep) monotonic += ms;
    },
    moveWall: (ms: number) => {
      wall += ms;
    },
    tick: (times = 1) => {
      for (let turn = 0; turn < times; turn++) {
        pass(LOOK_EVERY_MS);
        watch.look();
      }
    },
  };
}

describe("gaps", () => {
  it("are not a busy machine or a clock that is set by a second", () => {
    const before = { wall: 0, monotonic: 0 };
    expect(hadGap(before, { wall: 10_400, monotonic: 10_000 })).toBe(false);
    expect(hadGap(before, { wall: 18_000, monotonic: 18_000 })).toBe(false);
    expect(hadGap(before, { wall: 9_000, monotonic: 10_000 })).toBe(false);
  });

  it("are a sleep on either kind of clock, and a clock that was moved", () => {
    const before = { wall: 0, monotonic: 0 };
    expect(hadGap(before, { wall: HOUR, monotonic: 10_000 })).toBe(true);
    expect(hadGap(before, { wall: HOUR, monotonic: HOUR })).toBe(true);
    expect(hadGap(before, { wall: -HOUR, monotonic: 10_000 })).toBe(true);
  });
});

describe("power events", () => {
  it("come in pairs, though each fires twice", () => {
    const machine = createMachine();
    machine.tick(3);
    machine.watch.suspendSeen();
    machine.watch.suspendSeen();
    machine.sleep(8 * HOUR);
    machine.watch.resumeSeen();
    machine.pass(200);
    machine.watch.resumeSeen();
    machine.tick(5);
    expect(machine.calls).toEqual(["suspend", "resume"]);
  });

  it.each([false, true])("are made up for by the clocks when they are lost (clock counts sleep: %s)", (countsSleep) => {
    const machine = createMachine(countsSleep);
    machine.tick(2);
    machine.sleep(HOUR);
    machine.tick(3);
    expect(machine.calls).toEqual(["suspend", "resume"]);
  });

  it("are told once when the look comes before the event", () => {
    const machine = createMachine();
    machine.watch.suspendSeen();
    machine.sleep(HOUR);
    machine.tick();
    machine.watch.resumeSeen();
    expect(machine.calls).toEqual(["suspend", "resume"]);
  });

  it("do not leave the program asleep when the suspend did not happen or its end was lost", () => {
    const machine = createMachine();
    machine.watch.suspendSeen();
    machine.tick(3);
    expect(machine.calls).toEqual(["suspend"]);
    machine.tick(1);
    expect(machine.calls).toEqual(["suspend", "resume"]);
  });

  it("take a resume without its suspend for a sleep, and two sleeps for two", () => {
    const machine = createMachine();
    machine.sleep(HOUR);
    machine.watch.resumeSeen();
    machine.tick(2);
    machine.watch.suspendSeen();
    machine.sleep(HOUR);
    machine.watch.resumeSeen();
    expect(machine.calls).toEqual(["suspend", "resume", "suspend", "resume"]);
  });

  it("are looked for after a moved clock, too: whatever was due must be looked at again", () => {
    const machine = createMachine();
    machine.moveWall(365 * 24 * HOUR);
    machine.tick();
    machine.moveWall(-365 * 24 * HOUR);
    machine.tick();
    expect(machine.calls).toEqual(["suspend", "resume", "suspend", "resume"]);
  });
});
