import type { Sqlite } from "../../db/open";
import type { WorkspaceClock } from "../adapters/workspace-clock";
import type { TrustedTime } from "../domain/ports";
import type { Wall } from "./crash";
import type { Dice } from "./dice";
import type { Process } from "./process";

/** What befalls a whole machine. */
export interface Machine {
  clock: WorkspaceClock;
  dice: Dice;
  sqlite: Sqlite;
  wall: Wall;
  processes(): readonly Process[];
  /** True while an edition's faults last. */
  isRough(): boolean;
  note(text: string): void;
}

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** SQLite's own highest page count. */
const NO_LIMIT = 4_294_967_294;

/** Laptops that sleep, processes that stop and wake with an old token, disks that are full for a while, clocks nobody vouches for. */
export class Weather {
  private isTimeTrusted = true;

  constructor(private readonly machine: Machine) {}

  readonly trusted: TrustedTime = {
    read: () => ({
      at: this.machine.clock.now(),
      trusted: this.isTimeTrusted,
      source: this.isTimeTrusted ? "simulation" : "wall-clock",
    }),
  };

  /** Goes on for as long as an edition is rough; everything is given back at the end. */
  async blow(): Promise<void> {
    const { clock, dice } = this.machine;
    while (this.machine.isRough()) {
      await clock.sleep(dice.between(5, 40) * MINUTE);
      if (!this.machine.isRough()) break;
      const kind = dice.weighted(
        [
          ["stop", 4],
          ["sleep", 1],
          ["full", 2],
          ["clock", 2],
          ["jump", 2],
          ["calm", 4],
        ] as const,
        "calm",
      );
      if (kind === "stop") this.stopOne();
      if (kind === "sleep") this.sleepAll();
      if (kind === "full") this.fill();
      if (kind === "clock") this.doubtTime();
      if (kind === "jump") this.moveClock(dice.pick([-40, -5, 5, 40]) * MINUTE);
    }
  }

  /** One process stands still, often for longer than its lease, and wakes with what it knew. */
  private stopOne(): void {
    const { clock, dice, note } = this.machine;
    const [process] = dice.shuffled(this.machine.processes());
    if (!process) return;
    const ms = dice.between(20_000, 10 * MINUTE);
    note(`${process.name} stands still for ${ms} ms`);
    process.life.pause();
    void clock.sleep(ms).then(() => process.life.wake());
  }

  /** The lid is closed: the remotes go on without us. */
  private sleepAll(): void {
    const { clock, dice, note } = this.machine;
    const ms = dice.pick([110_000, HOUR, 8 * HOUR]);
    const asleep = [...this.machine.processes()];
    note(`the laptop sleeps for ${ms} ms`);
    for (const { life } of asleep) life.pause();
    void clock.sleep(ms).then(() => {
      for (const { life } of asleep) life.wake();
    });
  }

  private fill(): void {
    const { clock, dice, sqlite, note } = this.machine;
    note("the disk is full");
    sqlite.pragma(`max_page_count = ${String(sqlite.pragma("page_count", { simple: true }))}`);
    void clock.sleep(dice.between(10_000, 15 * MINUTE)).then(() => {
      note("the disk has room again");
      sqlite.pragma(`max_page_count = ${NO_LIMIT}`);
    });
  }

  /** Somebody sets the clock on the wall, and after a while it is set right. */
  moveClock(ms: number): void {
    const { clock, dice, wall, note } = this.machine;
    note(`the clock jumps by ${ms} ms`);
    wall.offsetMs = ms;
    void clock.sleep(dice.between(1, 25) * MINUTE).then(() => {
      note("the clock is set right");
      wall.offsetMs = 0;
    });
  }

  private doubtTime(): void {
    const { clock, dice, note } = this.machine;
    note("nobody vouches for the time");
    this.isTimeTrusted = false;
    void clock.sleep(dice.between(1, 20) * MINUTE).then(() => {
      this.isTimeTrusted = true;
    });
  }
}
