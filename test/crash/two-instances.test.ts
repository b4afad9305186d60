import { join } from "node:path";
import Database from "better-sqlite3";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { freshDir } from "../db/fixture";
import { openApp, pageOf } from "./editor";
import { BUILD_LIMIT_MS, expectGoodEnd, LIMIT_MS, openStage, provideProgram, SAMPLES } from "./stage";

beforeAll(provideProgram, BUILD_LIMIT_MS);

/** What the second of two scripts may be told: the other one has decided already, or goes first. */
const TOLD = /^(|.*(stale_version|illegal_transition|guard_failed|could not be started).*)$/s;

describe("two instances on one workspace", () => {
  test(
    "at the same time: lease and token decide, whoever comes second is told, and there is one of each",
    async () => {
      const [stage, dir] = [await openStage(), join(freshDir(), "workspace")];
      expect((await stage.run(dir, { more: ["--kill-at", "after-commit:TaskCreated"] })).signal).toBe("SIGKILL");
      const both = await Promise.all([stage.run(dir), stage.run(dir)]);
      for (const ended of both) expect(ended.errors).toMatch(TOLD);
      expect(await stage.run(dir)).toMatchObject({ code: 0 });
      await expectGoodEnd(stage, dir);
    },
    LIMIT_MS,
  );

  test(
    "the first stands still with its lease: the second is shown whose it is, takes over when it has run out, and the first writes nothing more",
    async () => {
      const [stage, data] = [await openStage(), freshDir()];
      const dir = join(data, "sandbox");
      let holder = "";
      const first = await stage.run(dir, {
        more: ["--pause-at", "after-commit:SourcesFrozen"],
        onPause: async (pid) => {
          holder = `executor:headless-${pid}`;
          const app = await openApp(data, SAMPLES);
          await app.handlers["sandbox.setClock"]({ skipsWaiting: false });
          const { live } = await app.handlers["today.get"]({});
          const run = await app.handlers["run.get"]({ taskId: live[0]?.taskId ?? "" });
          expect(run?.lease).toMatchObject({ owner: holder, token: 1 });
          expect(run?.lease?.expiresAt).toBeGreaterThan(run?.clock.now ?? Number.POSITIVE_INFINITY);
          app.stopNow();
          expect(await stage.run(dir)).toMatchObject({ code: 0, errors: "" });
        },
      });
      // It wakes with an old token, is refused, and finds the edition ended by the other.
      expect(first).toMatchObject({ code: 0, errors: expect.stringMatching(/^paused at .*\n$/) });
      await expectGoodEnd(stage, dir);
      const reader = new Database(join(dir, "journal.db"), { readonly: true });
      const claims = reader.prepare("SELECT payload FROM event WHERE type = 'LeaseClaimed' ORDER BY seq").pluck().all();
      const writers = reader.prepare("SELECT DISTINCT actor FROM event WHERE fencing_token > 1").pluck().all();
      reader.close();
      expect(claims.map((claim) => JSON.parse(String(claim)))[1]).toMatchObject({
        takeover: true,
        previousOwner: holder,
      });
      expect(writers).not.toContain(holder);
    },
    LIMIT_MS,
  );

  test(
    "another program holds the file: it is said to be in use, and nothing has to be repaired",
    async () => {
      const [stage, data] = [await openStage(), freshDir()];
      const [dir, path] = [join(data, "sandbox"), join(data, "sandbox/journal.db")];
      expect((await stage.run(dir, { more: ["--kill-at", "after-commit:DraftFrozen"] })).signal).toBe("SIGKILL");
      const other = new Database(path);
      onTestFinished(() => void other.close());
      other.pragma("locking_mode = exclusive");
      other.exec("BEGIN IMMEDIATE; UPDATE journal_state SET suppression_version = suppression_version; COMMIT");
      expect(await stage.run(dir)).toMatchObject({
        code: 1,
        errors: expect.stringContaining(`locked: ${path}: SQLITE_BUSY`),
      });
      const app = await openApp(data, SAMPLES);
      expect(pageOf(await app.handlers["app.bootstrap"]({}))).toMatchObject({
        ...{ code: "locked", path },
        en: {
          title: "The workspace is in use by another program",
          steps: [
            "Close the other window or program that uses this workspace.",
            "Then try again; nothing has to be repaired.",
          ],
        },
      });
      other.close();
      expect(pageOf(await app.handlers["app.retryOpen"]({}))).toBeNull();
      app.stopNow();
      expect(await stage.run(dir)).toMatchObject({ code: 0, errors: "" });
      await expectGoodEnd(stage, dir);
    },
    LIMIT_MS,
  );
});
