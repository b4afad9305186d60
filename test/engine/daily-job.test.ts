import { describe, expect, test } from "vitest";
import { openScheduleFires } from "../../db/schedule-fires";
import type { Clock } from "../../main/domain/ports";
import { Scheduler } from "../../main/engine/scheduler";
import { ReconciledWorld } from "./daily-reconciliation-world";

const ZONE = "Asia/Shanghai";
const HOUR = 3_600_000;

/** Nine in the morning of the day that the clock is in. */
const nineOn = (now: number): number => {
  const day = new Date(now + 8 * HOUR).toISOString().slice(0, 10);
  return Date.parse(`${day}T09:00:00+08:00`);
};

function scheduled(world: ReconciledWorld, run: () => Promise<boolean>) {
  const { database } = world.undo.world;
  const clock: Clock = { ...world.undo.clock, now: () => world.undo.world.now };
  const schedule = { name: "reconciliation", pattern: "0 9 * * *", zone: ZONE, slot: "reconciliation", activeFrom: 0 };
  return new Scheduler({
    pipelines: [],
    jobs: [{ schedule, run }],
    journal: { execute: () => Promise.reject(new Error("no edition is due")) as never },
    fires: openScheduleFires(database.sqlite),
    clock,
    trusted: { read: () => world.undo.world.trusted() },
  });
}

/** Lets what was begun come to its end. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

describe("the daily job", () => {
  test("begins at nine, once a day, also with two schedulers and after a restart", async () => {
    const world = await ReconciledWorld.open();
    const { world: time } = world.undo;
    time.now = nineOn(time.now) - 1;
    const job = world.job();
    const rounds: Promise<boolean>[] = [];
    const run = () => {
      const round = job.runDaily();
      rounds.push(round);
      return round;
    };
    const scheduler = scheduled(world, run);
    // Yesterday's nine is more than twelve hours ago: nothing is caught up with.
    scheduler.runOnce();
    expect(rounds).toEqual([]);
    time.now += 1;
    scheduler.runOnce();
    scheduler.runOnce();
    expect(rounds).toHaveLength(1);
    expect(await Promise.all(rounds)).toEqual([true]);
    await settle();
    scheduler.runOnce();
    scheduled(world, run).runOnce();
    expect(rounds).toHaveLength(1);
    expect(world.rounds()).toHaveLength(1);
    time.now += 24 * HOUR;
    scheduler.runOnce();
    expect(rounds).toHaveLength(2);
    await rounds[1];
    expect(world.rounds()).toHaveLength(1);
  });

  test("cut off by the program's end it is not done for the day, and begins again at the next start", async () => {
    const world = await ReconciledWorld.open();
    const { world: time } = world.undo;
    time.now = nineOn(time.now);
    const cut = world.job();
    const scheduler = scheduled(world, async () => {
      await cut.stop();
      return cut.runDaily();
    });
    scheduler.runOnce();
    await settle();
    await settle();
    expect([world.looks(), world.rounds()]).toEqual([[], []]);
    const rounds: Promise<boolean>[] = [];
    scheduled(world, () => {
      const round = world.job().runDaily();
      rounds.push(round);
      return round;
    }).runOnce();
    expect(await Promise.all(rounds)).toEqual([true]);
    expect(world.rounds()).toHaveLength(1);
  });

  test("what it breaks on is told to the next pass, and not swallowed", async () => {
    const world = await ReconciledWorld.open();
    const { world: time } = world.undo;
    time.now = nineOn(time.now);
    const scheduler = scheduled(world, () => Promise.reject(new Error("the disk is full")));
    scheduler.runOnce();
    await settle();
    expect(() => scheduler.runOnce()).toThrow("the disk is full");
  });
});
