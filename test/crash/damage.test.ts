import { readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { fsck } from "../../db/fsck";
import { createSystemClock } from "../../main/adapters/clock";
import { BackgroundCheck } from "../../main/compose/background-check";
import { problemOfFault } from "../../main/compose/problem-of-fault";
import { filesOf, freshDir } from "../db/fixture";
import { openApp, pageOf, waitUntil } from "./editor";
import {
  BUILD_LIMIT_MS,
  BUILT,
  command,
  expectGoodEnd,
  expectNothingLeft,
  LIMIT_MS,
  openStage,
  provideProgram,
  SAMPLES,
  type Stage,
} from "./stage";

beforeAll(provideProgram, BUILD_LIMIT_MS);

const PAGE_BYTES = 4096;
const DAMAGED = {
  ...{ code: "damaged" },
  en: {
    title: "A file of the workspace is damaged",
    steps: [
      "Keep the file: copy it to a safe place before anything else.",
      "Restore the latest backup next to it. After a restore everything recent is reconciled before anything leaves.",
      "Check the disk.",
    ],
  },
  zh: { title: "工作区的一个文件已损坏" },
};

/** A workspace below a user's data, whose edition was killed at a point. */
async function killedAt(point: string): Promise<{ stage: Stage; data: string; dir: string; path: string }> {
  const [stage, data] = [await openStage(), freshDir()];
  const dir = join(data, "sandbox");
  await kill(stage, dir, point);
  return { stage, data, dir, path: join(dir, "journal.db") };
}

async function kill(stage: Stage, dir: string, point: string): Promise<void> {
  expect((await stage.run(dir, { more: ["--kill-at", point] })).signal).toBe("SIGKILL");
}

/** As the last one to close it would: what lies in the WAL goes into the file. */
function checkpoint(path: string): void {
  const sqlite = new Database(path);
  sqlite.pragma("wal_checkpoint(TRUNCATE)");
  sqlite.close();
}

/** The child refuses to begin, in so many words, and not a byte of the workspace is another one afterwards. */
async function expectRefused(stage: Stage, dir: string, words: string): Promise<void> {
  const before = filesOf(dir);
  const ended = await stage.run(dir);
  expect(ended).toMatchObject({ code: 1, errors: expect.stringContaining(words) });
  expect(filesOf(dir)).toEqual(before);
}

async function pageAt(data: string) {
  const app = await openApp(data, SAMPLES);
  return pageOf(await app.handlers["app.bootstrap"]({}));
}

const failedChecks = (dir: string) => fsck(dir).checks.filter((check) => !check.ok);

/** So begins what only the event of a frozen source says; the rows beside it name the source otherwise. */
const OF_AN_EVENT = '"httpStatus":200,"sourceId":"court';

describe("a damaged page", () => {
  const flipMiddlePage = (path: string) => {
    const bytes = readFileSync(path);
    const at = Math.floor(bytes.length / PAGE_BYTES / 2) * PAGE_BYTES;
    writeFileSync(
      path,
      Buffer.from(bytes.map((byte, index) => (index >= at && index < at + PAGE_BYTES ? byte ^ 0xff : byte))),
    );
  };

  test(
    "is found at the start: the engine does not begin, fsck names it, nothing is written",
    async () => {
      const { stage, data, dir, path } = await killedAt("after-commit:DraftFrozen");
      checkpoint(path);
      flipMiddlePage(path);
      await expectRefused(stage, dir, `damaged: ${path}: `);
      await expectNothingLeft(stage);
      expect(await pageAt(data)).toMatchObject({ ...DAMAGED, path });
      const { code, stdout } = await command("fsck", dir, "--json");
      expect(code).toBe(1);
      expect((JSON.parse(stdout) as { checks: { name: string; ok: boolean }[] }).checks).toContainEqual(
        expect.objectContaining({ name: "integrity", ok: false }),
      );
    },
    LIMIT_MS,
  );

  test(
    "in a journal too large to be read at the start is found behind the open window, which then gives way to the same page",
    async () => {
      const { dir, path } = await killedAt("after-commit:DraftFrozen");
      checkpoint(path);
      flipMiddlePage(path);
      const faults: unknown[] = [];
      const check = new BackgroundCheck({
        ...{ dir, clock: createSystemClock(), file: join(BUILT, "check.worker.cjs") },
        onFound: () => faults.push("nothing found"),
        onFault: (error) => faults.push(error),
      });
      onTestFinished(() => check.stop());
      check.start();
      await waitUntil(async () => faults.length > 0);
      expect(problemOfFault(faults[0], path)).toMatchObject({ code: "damaged", path });
    },
    LIMIT_MS,
  );

  test(
    "whose structure is whole, with another letter in an old event: the chain says which event",
    async () => {
      const { stage, data, dir, path } = await killedAt("after-commit:DraftFrozen");
      checkpoint(path);
      const text = readFileSync(path, "latin1");
      const letter = text.indexOf(OF_AN_EVENT) + OF_AN_EVENT.length - 1;
      expect(letter).toBeGreaterThan(OF_AN_EVENT.length);
      writeFileSync(path, Buffer.from(`${text.slice(0, letter)}X${text.slice(letter + 1)}`, "latin1"));
      await expectRefused(stage, dir, `chain_broken: ${path}: `);
      expect(await pageAt(data)).toMatchObject({
        ...{ code: "chain_broken", path },
        en: { title: "The journal's chain does not verify" },
        zh: { title: "日志的链校验不通过" },
      });
      expect(failedChecks(dir)).toContainEqual({
        ...{ name: "chain", ok: false },
        detail: expect.stringMatching(/^event \d+ of t-/),
      });
    },
    LIMIT_MS,
  );
});

describe("torn frozen bytes", () => {
  const tears: Readonly<Record<string, (file: string) => void>> = {
    truncated: (file) => truncateSync(file, Math.floor(readFileSync(file).length / 2)),
    changed: (file) =>
      writeFileSync(
        file,
        readFileSync(file).map((byte, index) => (index === 5 ? byte ^ 1 : byte)),
      ),
    gone: (file) => rmSync(file),
  };
  for (const [how, tear] of Object.entries(tears))
    test(
      `${how}: nothing is approved or sent without them, and the page names the file; put back, the edition ends`,
      async () => {
        const { stage, data, dir, path } = await killedAt("after-commit:CheckPassed");
        const reader = new Database(path, { readonly: true });
        const task = reader.prepare<[], { id: string; context: string; version: number }>(
          "SELECT id, context, state_version AS version FROM task",
        );
        const { id: taskId, context, version: expectedVersion } = task.get() ?? { id: "", context: "{}", version: 0 };
        reader.close();
        const { packageHash, contentHash } = JSON.parse(context) as Record<string, string>;
        const blob = join(dir, "blobs", String(packageHash).slice(0, 2), String(packageHash).slice(2));
        const whole = readFileSync(blob);
        tear(blob);
        const torn = how === "gone" ? null : readFileSync(blob);
        const reason = how === "gone" ? "missing" : "differs";

        const ended = await stage.run(dir);
        expect(ended).toMatchObject({
          code: 1,
          errors: expect.stringContaining(`damaged: ${blob}: BLOB_DAMAGED: ${reason}`),
        });
        await expectNothingLeft(stage);
        expect(failedChecks(dir)).toEqual([{ name: "blobs", ok: false, detail: `${reason} ${packageHash}` }]);

        const { handlers } = await openApp(data, SAMPLES);
        await expect(
          handlers["contentReview.approve"]({
            ...{ taskId, expectedVersion, packageHash: String(packageHash), contentHash: String(contentHash) },
            ...{ acknowledgedWarnings: [], readSections: ["all"], comparedWith: { choice: "nothing", hash: null } },
          }),
        ).rejects.toThrow(reason);
        expect(pageOf(await handlers["app.bootstrap"]({}))).toMatchObject({ ...DAMAGED, path: blob });
        if (torn !== null) expect(readFileSync(blob)).toEqual(torn);

        writeFileSync(blob, whole);
        expect(await stage.run(dir)).toMatchObject({ code: 0, errors: "" });
        await expectGoodEnd(stage, dir);
      },
      LIMIT_MS,
    );
});

describe("the WAL is missing after a kill", () => {
  const loseWal = (path: string) => rmSync(`${path}-wal`);

  test(
    "with all that the journal held: it is not begun anew, since something had left",
    async () => {
      const { stage, data, dir, path } = await killedAt("after-call:publish.create");
      loseWal(path);
      await expectRefused(stage, dir, `damaged: ${path}: the journal is empty, but it held `);
      expect(await pageAt(data)).toMatchObject({ ...DAMAGED, path });
      expect(failedChecks(dir).map((check) => check.name)).toEqual(["file"]);
      expect((await stage.records()).cms).toMatchObject({ createCalls: 1, objects: [{ status: "published" }] });
    },
    LIMIT_MS,
  );

  test(
    "with what came last: known as a journal that had been further, and what it would send is looked for first",
    async () => {
      const { stage, dir, path } = await killedAt("after-commit:CheckPassed");
      checkpoint(path);
      await kill(stage, dir, "after-call:publish.create");
      loseWal(path);
      const ended = await stage.run(dir);
      expect(ended).toMatchObject({ code: 1, errors: expect.stringContaining("blocked: remote_conflict") });
      const report = await stage.report(dir);
      expect(report).toMatchObject({ state: "blocked", blockedReason: "remote_conflict", violationsFound: [] });
      expect((await stage.records()).cms).toMatchObject({ createCalls: 1, objects: [{ status: "published" }] });
      const reader = new Database(path, { readonly: true });
      const raised = reader.prepare("SELECT reason FROM event WHERE type = 'EpochRaised'").pluck().all();
      reader.close();
      expect(raised).toEqual(['"journal_behind"']);
    },
    LIMIT_MS,
  );
});
