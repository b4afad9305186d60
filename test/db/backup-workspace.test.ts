import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { openBlobReader } from "../../db/blobs";
import { fsck } from "../../db/fsck";
import { openReader } from "../../db/open";
import { BackupManifest } from "../../main/compose/backup-folder";
import { backupWorkspace } from "../../main/compose/backup-workspace";
import { backupCommand } from "../../main/headless/backup-command";
import { finishedEdition } from "../break/finished-edition";
import { BriefingWalk } from "../support/briefing-walk";
import { MONDAY_8, World } from "../support/world";
import { filesOf, freshDir, open } from "./fixture";

let finished: string;
beforeAll(() => {
  finished = finishedEdition();
});

const DAY = 86_400_000;
const back = (into: string, more: Partial<Parameters<typeof backupWorkspace>[0]> = {}) =>
  backupWorkspace({ dir: finished, into, at: MONDAY_8, keep: null, ...more });

async function made(into: string, more: Parameters<typeof back>[1] = {}) {
  const record = await back(into, more);
  if (record.result === "failed") throw new Error(JSON.stringify(record));
  return record;
}

const manifestOf = (path: string) => BackupManifest.parse(JSON.parse(readFileSync(join(path, "backup.json"), "utf8")));

describe("a backup of a workspace", () => {
  test("is one whole folder that passes the full check, with the journal's head, and without keys and the note", async () => {
    const into = freshDir();
    writeFileSync(join(finished, "customers.key"), new Uint8Array(32).fill(7));
    const before = filesOf(finished);
    const record = await made(into);
    expect(readdirSync(into)).toEqual(["imprimatur-backup-world-2026-07-20T000000Z"]);
    expect(readdirSync(record.path).sort()).toEqual(["backup.json", "blobs", "journal.db"]);
    const report = fsck(record.path);
    expect(report.ok).toBe(true);
    expect(report.head).toEqual(fsck(finished).head);
    expect(manifestOf(record.path)).toMatchObject({ head: report.head, notHeld: ["customers.key", "signer.key"] });
    expect(openBlobReader(record.path).list()).toEqual(openBlobReader(finished).list());
    expect(filesOf(finished)).toEqual(before);
    rmSync(join(finished, "customers.key"));
  });

  test("of an open one, while it goes on: every backup is a moment that the journal had", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("collecting");
    const into = freshDir();
    const running = back(into, { dir: world.dir });
    walk.to("publishing");
    const record = await running;
    expect(record.result).toBe("made");
    if (record.result === "made") expect(fsck(record.path)).toMatchObject({ ok: true });
  });

  test("what the previous one holds is shared with it, and is not the workspace's own file", async () => {
    const into = freshDir();
    const first = await made(into);
    const second = await made(into, { at: MONDAY_8 + DAY });
    const [hash = ""] = openBlobReader(finished).list();
    const inode = (dir: string) => statSync(join(dir, "blobs", hash.slice(0, 2), hash.slice(2))).ino;
    expect(inode(second.path)).toBe(inode(first.path));
    expect(inode(second.path)).not.toBe(inode(finished));
    // One that rotted there is copied anew.
    writeFileSync(join(second.path, "blobs", hash.slice(0, 2), hash.slice(2)), "rotten");
    const third = await made(into, { at: MONDAY_8 + 2 * DAY });
    expect(fsck(third.path).ok).toBe(true);
  });

  test("the newest stay, a stranger's folder of that name stays, and what a dead process had begun goes", async () => {
    const into = freshDir();
    const begun = join(into, "imprimatur-backup-world-2026-07-01T000000Z.building-999999999");
    const strange = join(into, "imprimatur-backup-world-by-hand");
    for (const dir of [begun, strange]) mkdirSync(dir);
    await made(into);
    for (const day of [1, 2]) await made(into, { at: MONDAY_8 + day * DAY });
    const last = await made(into, { at: MONDAY_8 + 3 * DAY, keep: 2 });
    expect(last).toMatchObject({ removed: 2, count: 2 });
    expect(readdirSync(into).sort()).toEqual([
      "imprimatur-backup-world-2026-07-22T000000Z",
      "imprimatur-backup-world-2026-07-23T000000Z",
      "imprimatur-backup-world-by-hand",
    ]);
    expect(existsSync(begun)).toBe(false);
  });

  test("put back into a new folder it is known for a copy", async () => {
    const { path } = await made(freshDir());
    expect(open(path, { workspaceId: "other" })).toMatchObject({ workspaceId: "world", epochChange: "note_missing" });
  });
});

describe("no backup, and nothing half", () => {
  test("inside a workspace, through a link too, inside a backup, nowhere, and over one that is there", async () => {
    const into = freshDir();
    const inside = join(finished, "remote");
    mkdirSync(inside, { recursive: true });
    symlinkSync(inside, join(into, "link"));
    expect(await back(finished)).toMatchObject({ code: "inside_workspace" });
    expect(await back(join(into, "link"))).toMatchObject({ code: "inside_workspace" });
    expect(await back(join(into, "nowhere"))).toMatchObject({ code: "folder_missing" });
    const first = await made(into);
    expect(await back(first.path)).toMatchObject({ code: "inside_workspace" });
    const before = filesOf(first.path);
    expect(await back(into)).toMatchObject({ code: "exists", path: first.path });
    expect(filesOf(first.path)).toEqual(before);
    rmSync(inside, { recursive: true });
  });

  test("a frozen file that is damaged or gone: none, with its path, and the older ones stay whatever is to be kept", async () => {
    const into = freshDir();
    const dir = finishedEdition();
    await made(into, { dir });
    const elsewhere = freshDir();
    const [hash = ""] = openBlobReader(dir).list();
    const path = join(dir, "blobs", hash.slice(0, 2), hash.slice(2));
    writeFileSync(path, "other bytes");
    expect(await back(elsewhere, { dir })).toMatchObject({ code: "damaged", path });
    const reader = openReader(join(dir, "journal.db"));
    const named = reader.prepare("SELECT hash FROM artifact LIMIT 1").pluck().get() as string;
    reader.close();
    rmSync(join(dir, "blobs", named.slice(0, 2), named.slice(2)));
    if (named !== hash) writeFileSync(path, "");
    expect(await back(elsewhere, { dir })).toMatchObject({ result: "failed" });
    expect(await back(into, { dir, at: MONDAY_8 + DAY, keep: 1 })).toMatchObject({ code: "not_in_order" });
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readdirSync(into)).toHaveLength(1);
  });

  test("from the command line: what is wrong and what to do, exit 2 for the call and 1 for the rest", async () => {
    const said = { out: "", err: "" };
    const streams = { out: (text: string) => (said.out += text), err: (text: string) => (said.err += text) };
    const call = async (...args: string[]) => {
      Object.assign(said, { out: "", err: "" });
      return { code: await backupCommand(args, streams as never), ...said };
    };
    const into = freshDir();
    expect(await call(finished)).toMatchObject({
      code: 2,
      err: "backup: name the folder for the backup: --to FOLDER\n",
    });
    expect(await call(into, "--to", into)).toMatchObject({ code: 2 });
    const nowhere = await call(finished, "--to", join(into, "nowhere"));
    expect(nowhere).toMatchObject({ code: 1, out: "" });
    expect(nowhere.err).toContain("make it, or plug the drive in");
    const done = await call(finished, "--to", into, "--json");
    expect(JSON.parse(done.out)).toMatchObject({ ok: true, result: "made", removed: 0 });
    expect(done.code).toBe(0);
    expect(readdirSync(into)).toHaveLength(1);
  });
});
