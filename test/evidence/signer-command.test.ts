import { execFileSync } from "node:child_process";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { fsck } from "../../db/fsck";
import { exportCommand } from "../../main/headless/export-command";
import { signerCommand } from "../../main/headless/signer-command";
import { type RealAgent, startAgent, startTouchAgent, type TouchAgent } from "../support/real-agent";
import { addEdition, exported, failed, freshDir, run, verdictOn } from "./bundle-kit";

/** One journal's keys from before the first to the third, without a window, with an edition between each. */
let dir: string;
let agents: (RealAgent | TouchAgent)[] = [];
afterEach(() => {
  for (const agent of agents) agent.stop();
  agents = [];
  delete process.env["SSH_AUTH_SOCK"];
});
beforeAll(async () => {
  dir = freshDir();
  await addEdition(dir, "2026-W30", "--unsigned");
}, 60_000);

const signer = (...args: string[]) => run(signerCommand, dir, ...args);
const keys = async (): Promise<{ fingerprint: string; reason: string; signsNow: boolean }[]> =>
  JSON.parse((await signer("list", "--json")).out).keys;
const signaturesOf = async (workspace: string) => {
  const verdict = await verdictOn((await exported(workspace)).path);
  expect(failed(verdict)).toEqual([]);
  return verdict.checks.find(({ name }) => name === "approval_signatures")?.detail;
};
const use = <T extends RealAgent | TouchAgent>(agent: T): T => {
  process.env["SSH_AUTH_SOCK"] = agent.address;
  agents.push(agent);
  return agent;
};

describe("a journal from before there were keys", () => {
  test("has none; one is registered in the middle, and what was approved before stays unsigned and says so", async () => {
    // As one from before migration 0040 as far as its events go: none tells of a key.
    expect(await signer("list")).toMatchObject({ code: 0, out: "no key is registered: approvals are not signed\n" });
    expect(await signer("replace", "--reason", "lost")).toMatchObject({ code: 1, err: /register does that/ });
    expect(await signer("register", "--json")).toMatchObject({ code: 0 });
    expect(await signer("register")).toMatchObject({ code: 1, err: /registered already/ });
    await addEdition(dir, "2026-W31");
    const [first] = await keys();
    expect(first).toMatchObject({ reason: "first_signing_key", signsNow: true });
    expect(await signaturesOf(dir)).toBe(
      `2 signed with ${first?.fingerprint}; 2 not signed, because no signing key was registered when they were given`,
    );
    expect(fsck(dir)).toMatchObject({ ok: true, violations: [] });
  }, 60_000);

  test("and one whose key was lost goes on with another one: what the lost one signed stays verifiable", async () => {
    const lost = freshDir();
    const signerOf = (...args: string[]) => run(signerCommand, lost, ...args);
    await addEdition(lost, "2026-W30");
    rmSync(join(lost, "signer.key"));
    // Nothing is approved any more, and the edition waits as it is.
    await expect(addEdition(lost, "2026-W31")).rejects.toThrow("signing_key_refused");
    expect(await signerOf("replace", "--reason", "the disk died")).toMatchObject({ code: 0 });
    await addEdition(lost, "2026-W31");
    const all = JSON.parse((await signerOf("list", "--json")).out).keys;
    expect(all.map(({ reason, signsNow }: (typeof all)[number]) => [reason, signsNow])).toEqual([
      ["first_signing_key", false],
      ["the disk died", true],
    ]);
    expect(await signaturesOf(lost)).toBe(`4 signed with ${all[0].fingerprint}, ${all[1].fingerprint}`);
    expect(fsck(lost)).toMatchObject({ ok: true, violations: [] });
  }, 60_000);

  test("takes a key of the ssh-agent, which then signs bundles: what stock tools and the checker accept", async () => {
    const real = use(startAgent("lin@desk"));
    expect(await signer("replace", "--agent", "--reason", "a key that leaves the disk")).toMatchObject({ code: 0 });
    const newest = (await keys()).at(-1)?.fingerprint ?? "";
    expect(execFileSync("ssh-keygen", ["-lf", "-"], { input: real.lines()[0] ?? "", encoding: "utf8" })).toContain(
      newest,
    );
    const path = join(freshDir(), "bundle.zip");
    expect(await run(exportCommand, dir, "--out", path, "--agent")).toMatchObject({ code: 0, err: "" });
    const verdict = await verdictOn(path);
    expect([failed(verdict), verdict.signer?.fingerprint]).toEqual([[], newest]);
    expect(await signer("replace", "--agent", newest, "--reason", "again")).toMatchObject({
      code: 1,
      err: /registered already/,
    });
  }, 60_000);

  test("is signed by a hardware key once it is touched, and not at all when it is not", async () => {
    const touch = use(await startTouchAgent());
    const asked = async () => {
      while (touch.waiting() === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    const out = join(freshDir(), "bundle.zip");
    const exporting = () => run(exportCommand, dir, "--out", out, "--agent", "--without-bytes");
    const [refused] = await Promise.all([exporting(), asked().then(() => touch.refuse())]);
    expect(refused).toMatchObject({ code: 1, err: /touch your key.*\n.*refused.*nothing was written/ });
    const [untouched] = await Promise.all([exporting(), asked().then(() => touch.touch(0))]);
    expect(untouched).toMatchObject({ code: 1, err: /none of its protocol|no signature/ });
    expect(readdirSync(join(out, ".."))).toEqual([]);
    const [made] = await Promise.all([exporting(), asked().then(() => touch.touch())]);
    expect(made).toMatchObject({ code: 0 });
    expect(failed(await verdictOn(out))).toEqual([]);
  }, 60_000);
});

describe("the signer command", () => {
  test.each<[string[], RegExp]>([
    [[], /one of list, register, replace/],
    [["forget"], /one of list, register, replace/],
    [["replace"], /--reason takes why/],
    [["list", "--key", "x"], /list takes no key/],
    [["list", "--reason", "x"], /list takes no --reason/],
    [["replace", "--key", "a", "--agent", "--reason", "x"], /name two keys/],
    [["replace", "--agent=MD5:1", "--reason", "x"], /--agent takes a fingerprint/],
    [["replace", "--key", "/no/such/key", "--reason", "x"], /there is no such file/],
    [["replace", "--agent", "--reason", "x"], /no ssh-agent is known here/],
    [["replace", "--reason", "x", "--identity", "a b"], /--identity takes a name/],
    [["register", "--colour"], /--colour/],
  ])("refuses %j, names what is wrong, and writes nothing", async (args, said) => {
    const before = await keys();
    const answer = await signer(...args);
    expect(answer).toMatchObject({ code: 2, out: "", err: said });
    expect(await keys()).toEqual(before);
  });

  test("needs a workspace", async () => {
    expect(await run(signerCommand, freshDir(), "list")).toMatchObject({ code: 2, err: /has no journal.db/ });
    expect(await run(signerCommand, "--help")).toMatchObject({ code: 0 });
  });
});

describe("a key that nobody registered", () => {
  const forged = "SHA256:forged";
  test.each<[string, string, RegExp]>([
    [
      "as a row",
      `INSERT INTO signer SELECT '${forged}', count(*) + 1, 'AAAA', 'mallory', 1, 'system', 'forged' FROM signer`,
      /no event registered the signing key SHA256:forged/,
    ],
    [
      "as an event's changed contents",
      `DROP TRIGGER i08_event_no_update; UPDATE event SET payload = replace(payload, 'editor@', 'mallory@') WHERE type = 'SignerRegistered'`,
      /is not the one that event \d+ registered|chain|contents/,
    ],
  ])("is found by the checker %s", async (_, sql, said) => {
    const copy = freshDir();
    execFileSync("cp", ["-r", `${dir}/.`, copy]);
    const database = new Database(join(copy, "journal.db"));
    database.exec(sql);
    database.close();
    const report = fsck(copy);
    expect(report.ok).toBe(false);
    expect(JSON.stringify(report.checks)).toMatch(said);
  });

  test("is a file of the workspace that was exchanged: it signs nothing", async () => {
    const copy = freshDir();
    execFileSync("cp", ["-r", `${dir}/.`, copy]);
    writeFileSync(join(copy, "signer.key"), Buffer.alloc(32, 9), { mode: 0o600 });
    await expect(addEdition(copy, "2026-W31", "--language", "en")).rejects.toThrow("signing_key_other");
  }, 60_000);
});
