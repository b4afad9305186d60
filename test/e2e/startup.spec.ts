import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, rmdirSync, writeSync } from "node:fs";
import path from "node:path";
import type { ElectronApplication, Page } from "@playwright/test";
import Database from "better-sqlite3";
import { close, expect, launch, test } from "./app";
import * as desk from "./desk";
import { journalPath, remoteRecords, remoteUrl } from "./remote";

/**
 * A journal that cannot be trusted opens nothing: the app says which file and why, leaves it as it is, and nothing leaves.
 * Every case starts from a workspace with an edition that waits, and ends with the good file put back and the app going on.
 */
interface Case {
  name: string;
  title: string;
  spoil(file: string): void;
  repair(file: string): void;
}

const setVersion = (file: string, change: number) => {
  const database = new Database(file);
  database.pragma(`user_version = ${Number(database.pragma("user_version", { simple: true })) + change}`);
  database.close();
};

const overwrite = (file: string, bytes: Uint8Array) => {
  const handle = openSync(file, "r+");
  writeSync(handle, bytes, 0, bytes.length, 0);
  closeSync(handle);
};

let kept = Buffer.alloc(0);
const CASES: Case[] = [
  {
    name: "a newer program wrote",
    title: "This workspace was written by a newer version",
    spoil: (file) => setVersion(file, 1000),
    repair: (file) => setVersion(file, -1000),
  },
  {
    name: "is damaged",
    title: "A file of the workspace is damaged",
    spoil: (file) => {
      kept = readFileSync(file);
      overwrite(file, Buffer.alloc(4096, 0x2e));
    },
    repair: (file) => overwrite(file, kept),
  },
  {
    name: "has a folder in its place",
    title: "The workspace could not be opened",
    spoil: (file) => {
      renameSync(file, `${file}.aside`);
      mkdirSync(file);
    },
    repair: (file) => {
      rmdirSync(file);
      renameSync(`${file}.aside`, file);
    },
  },
];

async function start(dataDir: string): Promise<{ app: ElectronApplication; page: Page }> {
  const app = await launch(dataDir);
  return { app, page: await app.firstWindow() };
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => !/-(wal|shm)$/.test(name))
    .sort();

for (const { name, title, spoil, repair } of CASES) {
  test(`a journal that ${name} is named on a page of its own and left alone`, async ({ app, win, dataDir }) => {
    await desk.openSandbox(win);
    await desk.startEdition(win);
    await desk.openWaiting(win, "Content approval");
    await close(app);
    const file = journalPath(dataDir);
    const folder = path.dirname(file);
    spoil(file);
    const names = filesIn(folder);
    const isFile = !name.includes("folder");
    const bytes = isFile ? readFileSync(file) : null;

    const { app: second, page } = await start(dataDir);
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
    await expect(page.getByText("Nothing is published or mailed while this stands.")).toBeVisible();
    await expect(page.getByRole("button", { name: `Copy File ${file}` })).toBeVisible();
    const again = page.getByRole("button", { name: "Try again" });
    await again.click();
    // The page stays while it is tried: what is repaired in the middle of a try would be half of two tries.
    await expect(again).toBeEnabled();
    await expect(page.getByRole("heading", { name: title, level: 1 })).toBeVisible();
    if (bytes !== null) expect(readFileSync(file).equals(bytes), "the file is as it was").toBe(true);
    expect(filesIn(folder)).toEqual(expect.arrayContaining(names));

    repair(file);
    await again.click();
    await desk.openWaiting(page, "Content approval");
    await desk.goTo(page, "Sandbox");
    const remote = await remoteRecords(await remoteUrl(page));
    expect(remote).toMatchObject({ cms: { createCalls: 0, objects: [] }, mail: { createCalls: 0, mailings: [] } });
    await close(second);
  });
}
