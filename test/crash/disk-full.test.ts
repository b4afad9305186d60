import { existsSync, mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { filesOf, freshDir } from "../db/fixture";
import { openApp, pageOf, waitUntil } from "./editor";
import { openSmallDisk, type SmallDisk } from "./small-disk";
import {
  BUILD_LIMIT_MS,
  expectGoodEnd,
  expectNothingLeft,
  LIMIT_MS,
  namesIn,
  openStage,
  provideProgram,
  SAMPLES,
  type Stage,
} from "./stage";

/** Where files cannot be limited from outside, `test/db` fails each call by itself. */
const describeHere = process.platform === "linux" ? describe : describe.skip;

beforeAll(provideProgram, BUILD_LIMIT_MS);

/** Starts the edition, fills the disk at a point, and lets it go on until it gives up. */
async function fillAt(stage: Stage, disk: SmallDisk, point: string) {
  let before: string[] = [];
  let wasPaused = false;
  const ended = await stage.run(disk.dir, {
    program: disk.program(),
    more: ["--pause-at", point],
    onPause: (pid) => {
      wasPaused = true;
      before = namesIn(disk.dir);
      disk.fill(pid);
    },
  });
  expect(wasPaused).toBe(true);
  return { ended, before };
}

/** Ended by the full disk, said by its name and with the file; whatever was there is still there, and nothing half-written. */
function expectGivenUp(disk: SmallDisk, { ended, before }: Awaited<ReturnType<typeof fillAt>>): void {
  expect(ended.code).toBe(1);
  // A limit on the length of a file is told from a full disk by the system, and by SQLite it is not.
  expect(ended.errors).toMatch(
    disk.kind === "mounted" ? `disk_full: ${disk.dir}/journal.db: ` : /disk_full: |disk I\/O error/,
  );
  const after = namesIn(disk.dir);
  expect(after).toEqual(expect.arrayContaining(before.filter((name) => !/-(wal|shm)$/.test(name))));
  expect(after.filter((name) => name.startsWith("blobs/") && name.endsWith(".tmp"))).toEqual([]);
}

async function freeAndEnd(stage: Stage, disk: SmallDisk): Promise<void> {
  disk.free();
  expect(await stage.run(disk.dir, { program: disk.program() })).toMatchObject({ code: 0, errors: "" });
  await expectGoodEnd(stage, disk.dir);
}

describeHere("the disk is full", () => {
  test(
    "J7 at open: every byte stays, nothing leaves, and the page says which; freed, the edition ends",
    async () => {
      const [stage, disk] = [await openStage(), openSmallDisk()];
      expect((await stage.run(disk.dir, { more: ["--kill-at", "after-commit:DraftFrozen"] })).signal).toBe("SIGKILL");
      const before = filesOf(disk.dir);
      disk.fill();
      const ended = await stage.run(disk.dir, { program: disk.program() });
      expect(ended.code).toBe(1);
      expect(ended.errors).toContain(`disk_full: ${disk.dir}: `);
      expect(filesOf(disk.dir)).toEqual(before);
      await expectNothingLeft(stage);
      await freeAndEnd(stage, disk);
    },
    LIMIT_MS,
  );

  test(
    "J7 at prepare: the intent cannot be written, so that nothing leaves; freed, the edition ends",
    async () => {
      const [stage, disk] = [await openStage(), openSmallDisk()];
      expectGivenUp(disk, await fillAt(stage, disk, "before-commit:PublishStarted"));
      await expectNothingLeft(stage);
      await freeAndEnd(stage, disk);
    },
    LIMIT_MS,
  );

  test(
    "between the intent and the request: what cannot be marked as sent is not sent",
    async () => {
      const [stage, disk] = [await openStage(), openSmallDisk()];
      expectGivenUp(disk, await fillAt(stage, disk, "before-commit:RequestSent:publish.create"));
      await expectNothingLeft(stage);
      await freeAndEnd(stage, disk);
    },
    LIMIT_MS,
  );

  test(
    "while the answer is on its way: it is asked for later, and the request is not sent again",
    async () => {
      const [stage, disk] = [await openStage(), openSmallDisk()];
      expectGivenUp(disk, await fillAt(stage, disk, "after-call:send.create"));
      expect(await stage.records()).toMatchObject({
        cms: { createCalls: 1 },
        mail: { createCalls: 1, triggerCalls: 0 },
      });
      await freeAndEnd(stage, disk);
    },
    LIMIT_MS,
  );

  test(
    "when a source is to be frozen: no torn bytes are left, and it is read again",
    async () => {
      const [stage, disk] = [await openStage(), openSmallDisk()];
      expectGivenUp(disk, await fillAt(stage, disk, "after-call:source"));
      await freeAndEnd(stage, disk);
    },
    LIMIT_MS,
  );
});

describeHere("the disk is full, in the app", () => {
  /** The remotes' own records lie elsewhere: theirs is another disk. */
  function userData(disk: SmallDisk): string {
    mkdirSync(join(disk.dir, "sandbox"));
    symlinkSync(freshDir(), join(disk.dir, "sandbox/remote"));
    return disk.dir;
  }
  const full = (path: string) => ({
    ...{ code: "disk_full", path },
    en: {
      title: "The disk is full",
      steps: ["Free some space. Imprimatur deletes nothing by itself.", "Then try again."],
    },
    zh: { title: "磁盘已满" },
  });

  test(
    "at a click: the answer says that nothing has left, and the page says why",
    async () => {
      const disk = openSmallDisk();
      const { handlers } = await openApp(userData(disk), SAMPLES);
      await handlers["workspace.openSandbox"]({});
      disk.fill(process.pid);
      const path = join(disk.dir, "sandbox/journal.db");
      const reply = await handlers["edition.start"]({ edition: "2026-W30" });
      await waitUntil(async () => (await handlers["app.bootstrap"]({})).problem !== null);
      const page = pageOf(await handlers["app.bootstrap"]({}));
      disk.free(process.pid);
      const code = disk.kind === "mounted" ? "SQLITE_FULL" : "SQLITE_IOERR_WRITE";
      expect(reply).toEqual({ result: "unavailable", code, path });
      expect(page).toMatchObject(disk.kind === "mounted" ? full(path) : { code: "unknown", path });
      expect(pageOf(await handlers["app.retryOpen"]({}))).toBeNull();
      expect((await handlers["today.get"]({})).startable?.edition).toBe("2026-W30");
    },
    LIMIT_MS,
  );

  test(
    "under an open workspace: the engine stops, the page says so, and after “try again” the edition goes on",
    async () => {
      const disk = openSmallDisk();
      const app = await openApp(userData(disk), SAMPLES);
      const { handlers } = app;
      await handlers["workspace.openSandbox"]({});
      await handlers["edition.start"]({ edition: "2026-W30" });
      disk.fill(process.pid);
      await waitUntil(async () => (await handlers["app.bootstrap"]({})).problem !== null);
      const stopped = await handlers["app.bootstrap"]({});
      const again = await handlers["app.retryOpen"]({});
      disk.free(process.pid);
      expect(stopped.workspace).toBeNull();
      if (disk.kind === "mounted") expect(pageOf(stopped)?.code).toBe("disk_full");
      expect(pageOf(again)).toMatchObject(full(join(disk.dir, "sandbox")));
      expect(pageOf(await handlers["app.retryOpen"]({}))).toBeNull();
      await waitUntil(async () => (await handlers["today.get"]({})).waiting[0]?.kind === "content_approval");
      expect(existsSync(join(disk.dir, "sandbox/journal.db"))).toBe(true);
      expect(readFileSync(join(disk.dir, "sandbox/workspace.json"), "utf8")).toContain('"epoch": 1');
    },
    LIMIT_MS,
  );
});
