import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { fsck } from "../../db/fsck";
import { AppBackend } from "../../main/compose/backend";
import { LedgerOrder } from "../../main/compose/ledger-report";
import { runLedger } from "../../main/headless/ledger-run";
import { parseMix } from "../../main/sandbox/ledger/mix";
import type { Output } from "../../preload/contract";
import { FakeChild } from "../support/fake-child";

const SAMPLES = join(import.meta.dirname, "../../main/sandbox/samples");
const LIMIT_MS = 120_000;

let userDataDir: string;
let backend: AppBackend;
let pushed: Output<"app.bootstrap">[];
let child: FakeChild;

function openBackend(): AppBackend {
  const opened = new AppBackend({
    userDataDir,
    version: "test",
    runtime: "test",
    preferences: {
      read: () => ({ language: "en", theme: "light" }),
      change: () => ({ language: "en", theme: "light" }),
    },
    showFolder: () => undefined,
    samplesDir: SAMPLES,
    startChild: () => {
      child = new FakeChild();
      return child;
    },
    drillResults: { read: () => [], add: () => undefined, replace: () => undefined },
    evidenceKey: { file: "", read: () => ({ kind: "none" }), make: () => ({ kind: "none" }) },
    timestampServer: { read: () => null, write: () => false },
    evidenceBundles: { read: () => [], add: () => undefined },
    chainChecks: { read: () => [], add: () => undefined },
    evidenceFiles: { chooseNew: async () => null, chooseBundle: async () => null, writeText: () => false },
  });
  opened.onPush((event, value) => {
    if (event === "workspace.changed") pushed.push(value as Output<"app.bootstrap">);
  });
  return opened;
}

beforeEach(() => {
  userDataDir = mkdtempSync(join(tmpdir(), "imprimatur-sample-"));
  pushed = [];
  backend = openBackend();
});
afterEach(async () => {
  await backend.finishThenStop();
  rmSync(userDataDir, { recursive: true, force: true, maxRetries: 5 });
});

const ledgers = () => pushed.map(({ ledger }) => ledger);
const folder = () => join(userDataDir, "sample-ledger");
const begunFolders = () => readdirSync(userDataDir).filter((name) => name.includes(".building-"));

/** Does what the child program does, with fewer weeks. */
async function makeTwoWeeks(): Promise<void> {
  const parsed = parseMix({ editions: 2, repairs: [2] });
  if (!("mix" in parsed)) throw new Error("the mix is wrong");
  const { mix } = parsed;
  const order = LedgerOrder.parse(child.orders.at(-1));
  const onWeek = (done: number) => child.tell({ kind: "week", done, of: 2 });
  await runLedger({ dir: order.dir, samplesDir: SAMPLES, mix, onWeek, signal: new AbortController().signal });
  child.tell({ kind: "built" });
}

test(
  "it is made beside the window, opened where nothing is open, and opened again at the next start",
  async () => {
    expect((await backend.handlers["workspace.openLedger"]({})).ledger).toMatchObject({ state: "building" });
    await makeTwoWeeks();
    await expect.poll(() => pushed.at(-1)?.workspace?.isSampleLedger, { timeout: 10_000 }).toBe(true);
    expect(ledgers().map(({ state, done }) => `${state} ${done}`)).toEqual([
      ...["building 0", "building 0", "building 1", "building 2"],
      "ready 0",
    ]);
    expect(child.isEnded).toBe(true);
    const today = await backend.handlers["today.get"]({});
    expect(today.ended.map(({ edition, state }) => `${edition} ${state}`)).toEqual([
      "2026-W02 succeeded",
      "2026-W01 succeeded",
    ]);
    await backend.finishThenStop();
    expect(fsck(folder())).toMatchObject({ ok: true });

    backend = openBackend();
    await backend.start();
    expect((await backend.handlers["app.bootstrap"]({})).workspace).toMatchObject({
      ...{ path: folder(), isSampleLedger: true, epoch: 1 },
    });
  },
  LIMIT_MS,
);

test(
  "with a workspace open it takes nobody away, and both can be changed between without touching each other",
  async () => {
    await backend.handlers["workspace.openSandbox"]({});
    await backend.handlers["workspace.openLedger"]({});
    await makeTwoWeeks();
    await expect.poll(() => pushed.at(-1)?.ledger.state).toBe("ready");
    expect(pushed.at(-1)?.workspace?.isSampleLedger).toBe(false);
    const events = fsck(folder()).events;
    const ledger = await backend.handlers["workspace.openLedger"]({});
    expect(ledger.workspace).toMatchObject({ isSampleLedger: true });
    const sandbox = await backend.handlers["workspace.openSandbox"]({});
    expect(sandbox.workspace).toMatchObject({ isSampleLedger: false, path: join(userDataDir, "sandbox") });
    // Being looked at is no reason to write.
    expect(fsck(folder()).events).toBe(events);
  },
  LIMIT_MS,
);

describe("when it comes to nothing", () => {
  test("cancelled, nothing of it is left and nothing is said to have failed", async () => {
    await backend.handlers["workspace.openLedger"]({});
    mkdirSync(join(userDataDir, "sample-ledger.building-abc", "blobs"), { recursive: true });
    child.tell({ kind: "week", done: 3, of: 30 });
    const { ledger } = await backend.handlers["workspace.cancelLedger"]({});
    expect(ledger).toEqual({ state: "absent", done: 0, of: 0, failed: null });
    expect(child.isEnded).toBe(true);
    expect(begunFolders()).toEqual([]);
    expect(existsSync(folder())).toBe(false);
  });

  test.each([
    ["said so", () => child.tell({ kind: "failed", reason: "disk full" }), "disk full"],
    ["died", () => child.die(9), "ended_early 9"],
    ["said what nobody understands", () => child.tell({ kind: "week", done: -1, of: 0 }), "unreadable_report"],
  ])("a program that %s: the reason is shown, and it can be tried again", async (_, fail, reason) => {
    await backend.handlers["workspace.openLedger"]({});
    fail();
    expect(ledgers().at(-1)).toEqual({ state: "absent", done: 0, of: 0, failed: reason });
    const again = await backend.handlers["workspace.openLedger"]({});
    expect(again.ledger).toMatchObject({ state: "building", failed: null });
  });

  test("what a killed program left is removed at the next start", async () => {
    mkdirSync(join(userDataDir, "sample-ledger.building-abc"));
    await backend.start();
    expect(begunFolders()).toEqual([]);
  });
});
