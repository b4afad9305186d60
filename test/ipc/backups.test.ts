import { readdirSync, rmSync } from "node:fs";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { createSystemClock } from "../../main/adapters/clock";
import { type BackupChoices, BackupDesk } from "../../main/compose/backup-desk";
import { backupHandlers } from "../../main/compose/backup-handlers";
import type { BackupOrder } from "../../main/compose/backup-report";
import { backupWorkspace } from "../../main/compose/backup-workspace";
import type { Handlers } from "../../main/shell/handlers";
import { answer } from "../../main/shell/ipc-answer";
import type { Channel, Output } from "../../preload/contract";
import { freshDir } from "../db/fixture";
import { World } from "../support/world";

const HOUR = 3_600_000;

/** Backups as the window asks for them; the child program's work is done here, on real files. */
class Desk {
  readonly world = new World();
  readonly into = freshDir();
  chosen: string | null = this.into;
  isIdle = true;
  /** What the child programs came to, in the order in which they were started. */
  readonly work: Promise<unknown>[] = [];
  choices: BackupChoices = { folder: null, keep: 2, results: [] };
  readonly desk = new BackupDesk({
    file: "backup.worker.cjs",
    startChild: () => this.child(),
    clock: createSystemClock(),
    store: {
      read: () => this.choices,
      write: (choices) => {
        this.choices = choices;
        return true;
      },
    },
    chooseFolder: async () => this.chosen,
    showFolder: () => undefined,
    place: () => ({ id: "world", dir: this.world.dir, now: () => this.world.now, isIdle: () => this.isIdle }),
    onChange: () => undefined,
  });
  private readonly handlers = Promise.resolve(backupHandlers(this.desk) as Handlers);

  ask<C extends Channel>(channel: C, input: unknown = {}): Promise<Output<C>> {
    return answer(channel, input, { handlers: this.handlers, report: () => undefined });
  }

  /** The desk looks at the clock, and what it begins is waited for. @returns how many backups there are */
  async look(later = 0): Promise<number> {
    this.world.now += later;
    this.desk.startIfDue();
    await Promise.all(this.work);
    return readdirSync(this.into).length;
  }

  private child() {
    let hear: (message: unknown) => void = () => undefined;
    return {
      send: (order: unknown) => {
        const made = backupWorkspace(order as BackupOrder, (progress) => hear(progress));
        this.work.push(made.then((result) => hear({ kind: "ended", result })));
      },
      onMessage: (listener: (message: unknown) => void) => {
        hear = listener;
      },
      onEnd: () => undefined,
      end: () => {
        hear = () => undefined;
      },
    };
  }
}

let desk: Desk;
beforeEach(() => {
  desk = new Desk();
  onTestFinished(() => desk.desk.stop());
});

describe("backups by themselves", () => {
  test("none until a folder is chosen; then once a day when nothing is on its way, and the newest stay", async () => {
    expect(await desk.look()).toBe(0);
    expect(desk.desk.health()).toEqual({ backupAt: null, backupFault: null, backupsOn: false });
    expect(await desk.ask("backups.choose")).toEqual({ result: "chosen" });
    desk.isIdle = false;
    expect(await desk.look()).toBe(0);
    desk.isIdle = true;
    expect(await desk.look()).toBe(1);
    const first = desk.world.now;
    expect(await desk.look(23 * HOUR)).toBe(1);
    expect(desk.desk.health()).toEqual({ backupAt: first, backupFault: null, backupsOn: true });
    expect(await desk.look(HOUR)).toBe(2);
    expect(await desk.look(24 * HOUR)).toBe(2);
    expect(await desk.ask("backups.get")).toMatchObject({ running: null, made: { removed: 1, count: 2 } });
  });

  test("one that failed keeps the one before, says why, and is tried again within the hour", async () => {
    await desk.ask("backups.choose");
    await desk.look();
    const madeAt = desk.world.now;
    rmSync(desk.into, { recursive: true });
    desk.world.now += 24 * HOUR;
    desk.desk.startIfDue();
    await Promise.all(desk.work);
    expect(desk.desk.health()).toEqual({ backupAt: madeAt, backupFault: "folder_missing", backupsOn: true });
    desk.world.now += HOUR / 2;
    desk.desk.startIfDue();
    expect(desk.work).toHaveLength(2);
    desk.world.now += HOUR / 2;
    desk.desk.startIfDue();
    expect(desk.work).toHaveLength(3);
    await Promise.all(desk.work);
  });

  test("a folder inside the workspace is refused, and one that is stopped is no backup", async () => {
    desk.chosen = desk.world.dir;
    expect(await desk.ask("backups.choose")).toEqual({ result: "inside_workspace" });
    desk.chosen = desk.into;
    await desk.ask("backups.choose");
    expect((await desk.ask("backups.start")).running).not.toBeNull();
    expect((await desk.ask("backups.cancel")).running).toBeNull();
    await Promise.all(desk.work);
    expect(await desk.ask("backups.get")).toMatchObject({ last: null, made: null });
  });
});
