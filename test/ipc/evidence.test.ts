import { execFileSync } from "node:child_process";
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { openEvidenceRows } from "../../db/evidence-rows";
import { createSystemClock } from "../../main/adapters/clock";
import { approvalSigner } from "../../main/compose/approval-signer";
import { BackgroundCheck } from "../../main/compose/background-check";
import { subjectOf } from "../../main/compose/evidence-subject";
import { sha256 } from "../../main/domain/hashing";
import type { TaskId } from "../../main/domain/ids";
import { keyOfSeed, readPrivateKey } from "../../main/evidence/signing-key";
import { openChainChecks } from "../../main/shell/chain-checks";
import { freshDir, verdictOn, workspaceWith } from "../evidence/bundle-kit";
import { EDITOR } from "../support/world";
import { Child, type DeskOptions, openDeskAt } from "./evidence-desk-kit";

const HOUR_MS = 3_600_000;
let workspace: string;
let other: string;
beforeAll(async () => {
  workspace = await workspaceWith("2026-W30");
  other = await workspaceWith("2026-W31");
}, 120_000);
afterAll(() => {
  for (const dir of [workspace, other]) rmSync(dir, { recursive: true, force: true });
});

const openDesk = ({ dir = workspace, ...options }: DeskOptions & { dir?: string } = {}) => openDeskAt(dir, options);

describe("an export through the bridge", () => {
  it("counts first, writes the whole file, remembers it, and what it wrote is valid and held against the journal", async () => {
    const { ask, settled, state, data, pushed, faults } = openDesk();
    const { taskId } = state;
    const planned = await ask("evidence.plan", { taskId, withBytes: true });
    if (planned.result !== "planned") throw new Error(planned.detail);
    expect(planned.plan.withheld.find(({ reason }) => reason === "licence")).toMatchObject({ files: 5 });
    const without = await ask("evidence.plan", { taskId, withBytes: false });
    expect(without).toMatchObject({
      plan: { journalFaults: [], included: [{ kind: "recovery-item", files: 1 }] },
    });

    expect(await ask("evidence.export", { taskId, withBytes: true })).toEqual({ result: "nothing_chosen" });
    state.chosen = join(data, "证据 'bundle'.zip");
    expect(await ask("evidence.export", { taskId, withBytes: true })).toEqual({ result: "started" });
    const { outcome, made, signer } = await settled();
    if (outcome?.kind !== "exported") throw new Error(JSON.stringify(outcome));
    const bytes = readFileSync(state.chosen);
    expect(outcome.bundle).toMatchObject({ file: state.chosen, bytes: bytes.length, sha256: sha256(bytes) });
    expect(made).toEqual([outcome.bundle]);
    expect(await verdictOn(state.chosen)).toMatchObject({
      valid: true,
      bag: outcome.bundle.bag,
      signer: { fingerprint: signer?.kind === "ready" ? signer.fingerprint : "" },
    });
    // What was read on the way is what had been counted.
    const counted = pushed.flatMap(({ work }) => (work === null ? [] : [work.of]));
    expect(counted.at(-1)).toBe(planned.plan.bytes);
    expect(readdirSync(data).sort()).toEqual(["bundles.json", "证据 'bundle'.zip"]);

    expect(await ask("evidence.open", { sha256: outcome.bundle.sha256 })).toEqual({ result: "started" });
    const { opened } = await settled();
    expect(opened).toMatchObject({ valid: true, comparison: { result: "same", events: outcome.bundle.events } });
    expect(opened?.facts?.tasks).toMatchObject([{ id: taskId, edition: "2026-W30", state: "succeeded" }]);
    expect(opened?.facts?.approvals).toHaveLength(2);
    expect(opened?.facts?.events.at(-1)).toMatchObject({ toState: "succeeded" });
    expect(faults).toEqual([]);
  });

  it("signs with the keychain's key where there is a keychain, keeps no key in the workspace, and stops when it is locked", async () => {
    const dir = await workspaceWith("2026-W30");
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    const { ask, settled, state, data } = openDesk({ hasKeychain: true, dir });
    state.chosen = join(data, "bundle.zip");
    expect((await ask("evidence.get", {})).signer).toMatchObject({ kind: "none", where: "keychain" });
    await ask("evidence.makeKey", {});
    const { signer } = await ask("evidence.get", {});
    if (signer?.kind !== "ready") throw new Error(signer?.kind);
    await ask("evidence.export", { taskId: state.taskId, withBytes: false });
    expect((await settled()).outcome).toMatchObject({
      kind: "exported",
      bundle: { fingerprint: signer.fingerprint },
    });
    expect(existsSync(join(dir, "signer.key"))).toBe(false);
    state.chosen = join(data, "allowed");
    expect(await ask("evidence.saveAllowedSigners", {})).toEqual({ result: "saved" });
    expect(readFileSync(state.chosen, "utf8")).toBe(`${signer.allowedSigners}\n`);

    state.keychain = false;
    expect((await ask("evidence.get", {})).signer).toMatchObject({ kind: "unavailable", code: "locked" });
    expect(await ask("evidence.export", { taskId: state.taskId, withBytes: false })).toEqual({ result: "no_key" });
  });

  it("leaves nothing when it is cancelled, when its program dies, and when the app ends", async () => {
    const slow = openDesk({ start: () => new Child() });
    const { ask, settled, state, data, children, desk } = slow;
    const { taskId } = state;
    state.chosen = join(data, "bundle.zip");
    const part = join(data, `.bundle.zip.${process.pid}.part`);
    const begin = async () => {
      expect(await ask("evidence.export", { taskId, withBytes: true })).toEqual({ result: "started" });
      writeFileSync(part, "half");
      const child = children.at(-1);
      if (child === undefined) throw new Error("no child");
      return child;
    };
    const first = await begin();
    expect(await ask("evidence.export", { taskId, withBytes: true })).toEqual({ result: "busy" });
    expect(await ask("evidence.open", { sha256: null })).toEqual({ result: "busy" });
    await ask("evidence.cancel", {});
    expect(first.orders.at(-1)).toEqual({ kind: "stop" });
    first.tell({ kind: "stopped" });
    expect((await settled()).outcome).toEqual({ kind: "cancelled", work: "export" });
    expect([first.isEnded, existsSync(part)]).toEqual([true, false]);

    (await begin()).die(9);
    expect((await settled()).outcome).toEqual({ kind: "failed", work: "export", detail: "ended_early 9" });
    expect(existsSync(part)).toBe(false);

    (await begin()).tell({ kind: "exported", sha256: "none" });
    expect((await settled()).outcome).toMatchObject({ kind: "failed", detail: "unreadable_report" });

    const last = await begin();
    desk.stop();
    expect([last.isEnded, existsSync(part), (await ask("evidence.get", {})).made]).toEqual([true, false, []]);
  });

  it("stops in the middle of the writing and leaves no file", async () => {
    const { ask, settled, state, data, children } = openDesk();
    state.chosen = join(data, "bundle.zip");
    await ask("evidence.export", { taskId: state.taskId, withBytes: true });
    await ask("evidence.cancel", {});
    expect((await settled()).outcome).toEqual({ kind: "cancelled", work: "export" });
    expect(readdirSync(data)).toEqual([]);
    expect(children[0]?.isEnded).toBe(true);
  });
});

describe("an export of a period", () => {
  it("goes by the days of the workspace's zone, is remembered as that period, and says where nothing happened", async () => {
    const { ask, settled, state, data } = openDesk();
    const opened = openEvidenceRows(workspace);
    if (opened.kind === "problem") throw new Error(opened.problem.detail);
    const at = opened.rows.readTask(state.taskId as TaskId).events[0]?.at ?? 0;
    opened.rows.close();
    // In Shanghai the day began eight hours earlier than in UTC.
    const day = (moved: number) => new Date(at + moved * HOUR_MS).toISOString().slice(0, 10);
    const choice = (from: string, to: string) => ({ from, to, withBytes: false });
    expect(await ask("evidence.plan", choice(day(8), day(8)))).toMatchObject({ plan: { label: "2026-W30" } });
    expect(await ask("evidence.plan", choice("2020-01-01", "2020-01-31"))).toEqual({
      result: "failed",
      detail: "no_tasks",
    });
    await expect(ask("evidence.plan", choice("2026-02-30", day(8)))).rejects.toThrow("bad_input: from");
    state.chosen = join(data, "period.zip");
    await ask("evidence.export", choice(day(8), day(8)));
    const { made } = await settled();
    expect(made).toMatchObject([{ taskId: "", of: `${day(8)}/${day(8)}` }]);
    expect((await verdictOn(state.chosen)).valid).toBe(true);
  });

  it("begins and ends a day by the clocks of the zone, also on a day of 23 hours", () => {
    const periodIn = (zone: string, from: string, to: string) =>
      subjectOf({ from, to, withBytes: false }, { editionOf: () => null, zone })?.selection;
    const at = (moment: string) => Date.parse(moment);
    expect(periodIn("Asia/Shanghai", "2026-02-28", "2026-02-28")).toEqual({
      kind: "period",
      from: at("2026-02-27T16:00:00Z"),
      before: at("2026-02-28T16:00:00Z"),
    });
    expect(periodIn("Europe/Berlin", "2026-03-29", "2026-03-29")).toEqual({
      kind: "period",
      from: at("2026-03-28T23:00:00Z"),
      before: at("2026-03-29T22:00:00Z"),
    });
  });

  it("of an incident asks for the incident, and for none of an edition that is not there", async () => {
    const { ask, state } = openDesk();
    const choice = { incidentId: "none", withBytes: false };
    expect(await ask("evidence.plan", { ...choice, taskId: state.taskId })).toMatchObject({ detail: "no_tasks" });
    expect(await ask("evidence.export", { ...choice, taskId: "gone" })).toEqual({ result: "not_found" });
  });
});

describe("the check of both chains", () => {
  it("is remembered over a restart, for its own workspace", async () => {
    const data = freshDir();
    const file = join(data, "check.worker.cjs");
    const found = {
      kind: "found",
      damage: null,
      chainOk: true,
      detail: "50 events",
      events: 50,
      head: "",
      violations: 0,
    };
    writeFileSync(file, `require("node:worker_threads").parentPort.postMessage(${JSON.stringify(found)})`);
    const checkOf = (workspaceId: string, onFound: () => void = () => undefined) =>
      new BackgroundCheck({
        ...{ dir: data, file, clock: createSystemClock({ keepsProcess: true }), onFound },
        onFault: (error) => {
          throw error;
        },
        kept: { workspaceId, checks: openChainChecks(join(data, "checks.json"), () => undefined) },
      });
    const first = checkOf("w-1");
    expect(first.chain.last).toBeNull();
    await new Promise<void>((resolve) => {
      const running = checkOf("w-1", resolve);
      running.start();
    });
    expect(checkOf("w-1").chain.last).toMatchObject({ ok: true, events: 50, detail: "50 events" });
    expect(checkOf("w-2").chain.last).toBeNull();
  });
});

describe("a bundle that is opened", () => {
  it("is refused whole with any byte changed, and told apart when it is another workspace's", async () => {
    const { ask, settled, state, data } = openDesk();
    state.chosen = join(data, "bundle.zip");
    await ask("evidence.export", { taskId: state.taskId, withBytes: true });
    await settled();
    const bytes = readFileSync(state.chosen);
    for (const at of [10, bytes.length >> 1, bytes.length - 90]) {
      const changed = Buffer.from(bytes);
      changed[at] = (changed[at] ?? 0) ^ 1;
      state.chosen = join(freshDir(), `changed-${at}.zip`);
      writeFileSync(state.chosen, changed);
      await ask("evidence.open", { sha256: null });
      const { opened } = await settled();
      expect([at, opened?.valid, opened?.facts, opened?.comparison]).toEqual([at, false, null, null]);
      expect(opened?.checks.some(({ ok }) => !ok)).toBe(true);
    }
    const elsewhere = openDesk({ dir: other });
    elsewhere.state.chosen = join(data, "bundle.zip");
    await elsewhere.ask("evidence.open", { sha256: null });
    expect((await elsewhere.settled()).opened).toMatchObject({
      valid: true,
      comparison: { result: "other_workspace" },
    });
    await elsewhere.ask("evidence.check", {});
    expect(elsewhere.state.checks).toBe(1);
    await elsewhere.ask("evidence.putAway", {});
    expect((await elsewhere.ask("evidence.get", {})).opened).toBeNull();
  });

  it("that is no bundle, or is gone, says so", async () => {
    const { ask, settled, state, data } = openDesk();
    state.chosen = join(data, "letter.zip");
    writeFileSync(state.chosen, "Dear editor");
    await ask("evidence.open", { sha256: null });
    expect((await settled()).opened).toMatchObject({ valid: false, label: null, signer: null });
    state.chosen = join(data, "gone.zip");
    await ask("evidence.open", { sha256: null });
    expect((await settled()).outcome).toMatchObject({ kind: "failed", work: "open" });
    expect(await ask("evidence.open", { sha256: sha256("never made") })).toEqual({ result: "not_found" });
  });
});

describe("the key that approvals are signed with", () => {
  it("is registered, replaced with a reason, and found again for what it is to sign", async () => {
    const { ask, key, place, registered, data } = openDesk({ hasKeychain: true });
    expect((await ask("evidence.get", {})).registered).toEqual([]);
    expect(await ask("evidence.registerKey", { reason: "first" })).toEqual({ result: "registered" });
    const first = registered()[0]?.fingerprint ?? "";
    expect(approvalSigner(key, place).open({ fingerprint: first }).kind).toBe("ready");
    expect(await ask("evidence.registerKey", { reason: "the laptop was stolen" })).toEqual({ result: "registered" });
    const { registered: shown, signer } = await ask("evidence.get", {});
    expect(shown.map(({ reason, by }) => [reason, by])).toEqual([
      ["the laptop was stolen", EDITOR],
      ["first", EDITOR],
    ]);
    expect(signer).toMatchObject({ kind: "ready", fingerprint: shown[0]?.fingerprint });
    // The old one is put aside, not deleted: whoever wants it back has it.
    expect(readdirSync(data).sort()).toEqual(["signer-key.sealed", "signer-key.sealed.until-key-2"]);
    expect(approvalSigner(key, place).open({ fingerprint: first })).toMatchObject({
      unmet: { code: "signing_key_other" },
    });
  });

  it("that does not open says so, and a new one in the workspace's folder takes its place only when a person says so", async () => {
    const { ask, key, place, registered, state } = openDesk({ hasKeychain: true, dir: freshWorkspace() });
    await ask("evidence.registerKey", { reason: "first" });
    const fingerprint = registered()[0]?.fingerprint ?? "";
    const open = () => approvalSigner(key, place).open({ fingerprint: registered().at(-1)?.fingerprint ?? "" });
    expect((await ask("evidence.get", {})).canSign).toBe(true);
    state.keychain = false;
    expect((await ask("evidence.get", {})).canSign).toBe(false);
    expect(open()).toMatchObject({ kind: "unavailable", unmet: { code: "signing_key_locked" } });
    expect(await ask("evidence.registerKey", { reason: "the keychain is gone" })).toEqual({ result: "registered" });
    expect(registered()).toHaveLength(2);
    expect(registered()[0]?.fingerprint).toBe(fingerprint);
    expect(open().kind).toBe("ready");
  });

  it("goes into a file of the person's choice, for its owner alone, as ssh-keygen reads it, and nowhere else", async () => {
    const { ask, data, state, pushed, key } = openDesk({ hasKeychain: true });
    expect(await ask("evidence.exportKey", {})).toEqual({ result: "no_key" });
    await ask("evidence.registerKey", { reason: "first" });
    expect(await ask("evidence.exportKey", {})).toEqual({ result: "nothing_chosen" });
    state.chosen = join(data, "chosen");
    expect(await ask("evidence.exportKey", {})).toEqual({ result: "saved" });
    expect(statSync(state.chosen).mode & 0o777).toBe(0o600);
    const text = readFileSync(state.chosen, "utf8");
    const read = key.read();
    if (read.kind !== "ready") throw new Error(read.kind);
    expect(readPrivateKey(text)?.equals(keyOfSeed(read.seed))).toBe(true);
    const { signer } = await ask("evidence.get", {});
    const publicLine = signer?.kind === "ready" ? signer.allowedSigners.split(" ").slice(-2).join(" ") : "";
    expect(execFileSync("ssh-keygen", ["-y", "-f", state.chosen], { encoding: "utf8" })).toContain(publicLine);
    const seed = Buffer.from(read.seed);
    for (const form of [seed.toString("hex"), seed.toString("base64"), text.split("\n")[2] ?? ""])
      expect(JSON.stringify(pushed)).not.toContain(form);
  });

  /** A copy to make keys in. */
  function freshWorkspace(): string {
    const dir = freshDir();
    cpSync(workspace, dir, { recursive: true });
    rmSync(join(dir, "signer.key"), { force: true });
    onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
    return dir;
  }
});
