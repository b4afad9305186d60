import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { filesOf, freshDir } from "../db/fixture";
import { asOrdinaryUser, giveToOrdinaryUser, isSuperuser, NOBODY } from "../support/ordinary-user";
import { openApp, pageOf } from "./editor";
import { mount } from "./small-disk";
import {
  BUILD_LIMIT_MS,
  expectGoodEnd,
  expectNothingLeft,
  LIMIT_MS,
  openStage,
  provideProgram,
  SAMPLES,
} from "./stage";

beforeAll(provideProgram, BUILD_LIMIT_MS);

/** Nobody is bound by permissions but an ordinary user: the superuser starts children as one. */
const uid = isSuperuser ? { uid: NOBODY } : {};
/** The folder's children are then an ordinary user's. */
function prepare(data: string): void {
  mkdirSync(join(data, "sandbox"));
  giveToOrdinaryUser(data);
}
const half = { more: ["--kill-at", "after-commit:DraftFrozen"], ...uid };

describe("a folder that can only be read", () => {
  test(
    "by its rights: nothing is changed, nothing leaves, and the page says what to do; writable again, the edition ends",
    async () => {
      const stage = await openStage();
      const data = freshDir();
      const dir = join(data, "sandbox");
      prepare(data);
      expect((await stage.run(dir, half)).signal).toBe("SIGKILL");
      const before = filesOf(dir);
      chmodSync(dir, 0o500);
      const ended = await stage.run(dir, uid);
      expect(ended).toMatchObject({ code: 1, errors: expect.stringContaining(`not_writable: ${dir}: EACCES`) });
      const page = await asOrdinaryUser(data, async () => {
        const app = await openApp(data, SAMPLES);
        return pageOf(await app.handlers["app.bootstrap"]({}));
      });
      expect(page).toMatchObject({
        ...{ code: "not_writable", path: dir },
        en: {
          title: "The workspace's folder cannot be written to",
          steps: ["Give your account the right to write to the folder.", "Then try again."],
        },
        zh: { title: "工作区文件夹无法写入" },
      });
      expect(filesOf(dir)).toEqual(before);
      await expectNothingLeft(stage);
      chmodSync(dir, 0o700);
      expect(await stage.run(dir, uid)).toMatchObject({ code: 0, errors: "" });
      await expectGoodEnd(stage, dir);
    },
    LIMIT_MS,
  );

  test(
    "the journal's file by its rights: it is named as what can only be read",
    async () => {
      const stage = await openStage();
      const data = freshDir();
      const [dir, path] = [join(data, "sandbox"), join(data, "sandbox/journal.db")];
      prepare(data);
      expect((await stage.run(dir, half)).signal).toBe("SIGKILL");
      chmodSync(path, 0o400);
      expect((await stage.run(dir, uid)).errors).toContain(`read_only: ${path}: EACCES`);
      chmodSync(path, 0o600);
      expect(await stage.run(dir, uid)).toMatchObject({ code: 0, errors: "" });
      await expectGoodEnd(stage, dir);
    },
    LIMIT_MS,
  );

  test(
    "by its file system: the same, for everybody",
    async () => {
      const root = freshDir();
      // Where nothing can be mounted, rights are all that makes a folder read-only, and those are tried above.
      if (!mount(root)) return;
      const stage = await openStage();
      const [data, dir] = [join(root, "data"), join(root, "data/sandbox")];
      expect((await stage.run(dir, { more: half.more })).signal).toBe("SIGKILL");
      const before = filesOf(dir);
      const remount = (how: string) => execFileSync("mount", ["-o", `remount,${how}`, root]);
      remount("ro");
      expect((await stage.run(dir)).errors).toContain(`read_only: ${dir}: EROFS`);
      const app = await openApp(data, SAMPLES);
      expect(pageOf(await app.handlers["app.bootstrap"]({}))).toMatchObject({
        ...{ code: "read_only", path: dir },
        en: { title: "The workspace can only be read" },
        zh: { title: "工作区只能读取" },
      });
      expect(filesOf(dir)).toEqual(before);
      await expectNothingLeft(stage);
      remount("rw");
      expect(await stage.run(dir)).toMatchObject({ code: 0, errors: "" });
      await expectGoodEnd(stage, dir);
    },
    LIMIT_MS,
  );
});
