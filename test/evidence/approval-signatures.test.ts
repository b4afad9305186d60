import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { APPROVAL_NAMESPACE, EVIDENCE_NAMESPACE, signSsh } from "../../main/domain/sshsig";
import { BAG } from "../../main/evidence/bag-layout";
import { keyOfSeed } from "../../main/evidence/signing-key";
import {
  type Entry,
  exported,
  failed,
  freshDir,
  type Made,
  packed,
  recomputed,
  resigned,
  text,
  unpacked,
  verdictOn,
  withEntry,
} from "./bundle-kit";
import { signedWorkspace } from "./signed-workspace";

/** A bundle of an edition from before the first signing key and one from after it, and what may be done to its approvals. */
let made: Made;
let entries: Entry[];
/** The names of the approvals' records that are signed, and that are not. */
let signed: string[];
let unsigned: string[];

beforeAll(async () => {
  made = await exported(await signedWorkspace(), "--identity", "whoever@signs.bundles");
  entries = await unpacked(made.path);
  const statements = entries.map(({ name }) => name).filter((name) => name.endsWith(".statement.json"));
  const hasSignature = (name: string) => entries.some((entry) => entry.name === `${name}.sig`);
  signed = statements.filter(hasSignature).map((name) => name.replace(".statement.json", ""));
  unsigned = statements.filter((name) => !hasSignature(name)).map((name) => name.replace(".statement.json", ""));
}, 120_000);

const record = (name: string) => JSON.parse(text(entries, `${name}.json`));
const without = (from: readonly Entry[], name: string) => from.filter((entry) => entry.name !== name);
/** What whoever holds the bundle's own key could pass on. */
const verdictOf = async (changed: readonly Entry[]) =>
  verdictOn(await packed(resigned(recomputed(changed), made.seed)));
/** The signature exchanged wherever it stands: beside the statement and in the record. */
function withSignature(name: string, signature: string | null): Entry[] {
  const row = withEntry(
    entries,
    `${name}.json`,
    (before) => `${JSON.stringify({ ...JSON.parse(before), signature })}\n`,
  );
  const file = `${name}.statement.json.sig`;
  return signature === null ? without(row, file) : withEntry(row, file, () => signature);
}
const signWith = (name: string, seed: Uint8Array, namespace = APPROVAL_NAMESPACE) =>
  signSsh(Buffer.from(text(entries, `${name}.statement.json`)), namespace, keyOfSeed(seed));

describe("a bundle's approvals", () => {
  test("are signed from the first registered key on, and those before say that they are not and why", async () => {
    expect([signed.length, unsigned.length]).toEqual([2, 2]);
    const verdict = await verdictOn(made.path);
    expect(failed(verdict)).toEqual([]);
    const detail = verdict.checks.find(({ name }) => name === "approval_signatures")?.detail;
    expect(detail).toMatch(/^2 signed with SHA256:\S+; 2 not signed, because no signing key was registered/);
    for (const name of signed) expect(record(name).signedBy).toBe(verdict.signer?.fingerprint);
    const report = text(entries, BAG.report);
    expect(report.split(`<td><code>${verdict.signer?.fingerprint}</code></td>`)).toHaveLength(3);
    expect(report.split("未签名：批准时尚未登记签名密钥")).toHaveLength(3);
  });

  test.each<[string, () => Entry[], RegExp]>([
    [
      "a changed statement with its old signature",
      () => {
        const name = `${signed[0]}.statement.json`;
        return withEntry(entries, name, (words) => words.replace('"approver":"operator', '"approver":"0perator'));
      },
      /is not the statement agreed to|does not carry a signature of its statement/,
    ],
    [
      "a signature by another key",
      () => withSignature(signed[0] ?? "", signWith(signed[0] ?? "", Buffer.alloc(32, 7))),
      /does not carry a signature of its statement by the key that was registered then/,
    ],
    [
      "a signature that was made for a bundle",
      () => withSignature(signed[0] ?? "", signWith(signed[0] ?? "", made.seed, EVIDENCE_NAMESPACE)),
      /does not carry a signature of its statement by the key that was registered then/,
    ],
    [
      "another approval's signature",
      () => withSignature(signed[0] ?? "", text(entries, `${signed[1]}.statement.json.sig`)),
      /does not carry a signature of its statement by the key that was registered then/,
    ],
    [
      "the signature removed",
      () => withSignature(signed[0] ?? "", null),
      /is not signed, and the key SHA256:\S+ was registered before/,
    ],
    [
      "the signature's file removed",
      () => without(entries, `${signed[0]}.statement.json.sig`),
      /and the signature beside it differ/,
    ],
    [
      "a signature from before the first key",
      () => withSignature(unsigned[0] ?? "", signWith(unsigned[0] ?? "", made.seed)),
      /is signed, and no key was registered before/,
    ],
    [
      "another list of keys",
      () => withEntry(entries, BAG.approvalSigners, (lines) => `${lines}mallory ssh-ed25519 AAAA\n`),
      /allowed_signers is not the list of the keys that the journal registered/,
    ],
  ])("with %s are named, even where the right key signed for the bundle", async (_, change, said) => {
    const changed = change();
    const faults = failed(await verdictOf(changed));
    expect(faults.join("\n")).toMatch(said);
    expect(faults.every((fault) => fault.startsWith("approval"))).toBe(true);
  });

  test("without the contents of the event that registered the key were not looked at, and that is said", async () => {
    const body = entries.find(({ name, bytes }) => name.startsWith(BAG.bodies) && bytes.includes('"publicKey":'));
    const verdict = await verdictOf(without(entries, body?.name ?? ""));
    expect(failed(verdict)).toEqual([]);
    expect(verdict.checks.find(({ name }) => name === "approval_signatures")).toMatchObject({
      ok: null,
      detail: expect.stringMatching(/^not looked at: the signatures, since the contents of an event that registered/),
    });
  });

  test("without the contents of the events that gave them say that nobody can tell by whom", async () => {
    const given = entries.filter(({ name, bytes }) => name.startsWith(BAG.bodies) && bytes.includes('ApprovalId":"'));
    const verdict = await verdictOf(entries.filter((entry) => !given.includes(entry)));
    expect(failed(verdict)).toEqual([]);
    const open = verdict.checks.filter(({ ok }) => ok === null).map(({ name, detail }) => `${name}: ${detail}`);
    expect(open.join("\n")).toContain("approvals: not looked at: who gave 4 approvals, since");
    // Whether an unsigned one is from before the key, only its event could tell.
    expect(open.join("\n")).toContain("approval_signatures: not looked at: 2 signatures, since");
  });

  test.each([
    ["checkReceiptId", '"C-9"'],
    ["expiresAt", '"2030-01-01T00:00:00Z"'],
    ["issuedAt", '"2020-01-01T00:00:00Z"'],
    ["packageHash", `"${"0".repeat(64)}"`],
    ["hashRuleVersion", "9"],
  ])("whose record says another %s than the statement are named, though the right key signed", async (field, value) => {
    const name = `${signed[0]}.json`;
    const changed = withEntry(entries, name, (before) =>
      before.replace(new RegExp(`"${field}":[^,]*`), `"${field}":${value}`),
    );
    expect(failed(await verdictOf(changed))[0]).toBe(`approvals: ${name} and its statement differ in ${field}`);
  });
});

describe("stock ssh-keygen", () => {
  const shell = (cwd: string, command: string, args: readonly string[], input = "") =>
    spawnSync(command, args, { cwd, encoding: "utf8", input, env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C" } });
  function extracted(): string {
    const dir = freshDir();
    expect(shell(dir, "unzip", ["-q", made.path]).status).toBe(0);
    return join(dir, readdirSync(dir)[0] ?? "");
  }
  const verify = (dir: string, name: string, identity: string, space = APPROVAL_NAMESPACE) => {
    const args = ["-Y", "verify", "-f", BAG.approvalSigners, "-I", identity, "-n", space, "-s"];
    const statement = readFileSync(join(dir, `${name}.statement.json`), "utf8");
    return shell(dir, "ssh-keygen", [...args, `${name}.statement.json.sig`], statement);
  };

  test("accepts each signature by the commands of README-VERIFY.txt, whoever signed the bundle, and for nothing else", () => {
    const dir = extracted();
    const readme = readFileSync(join(dir, BAG.readme), "utf8");
    const half = (readme.split(/^-{112}$/m)[0] ?? "").replaceAll("\\\n", "");
    const [find = "", command = ""] = half.match(/^ {2}ssh-keygen .*ID\.statement\.json.*$/gm) ?? [];
    for (const name of signed) {
      const typed = (line: string) => line.replaceAll("data/approval/ID", name);
      const identity = shell(dir, "bash", ["-c", typed(find)]).stdout.trim();
      expect(shell(dir, "bash", ["-c", typed(command).replace("NAME", identity)])).toMatchObject({ status: 0 });
      expect(verify(dir, name, identity)).toMatchObject({ status: 0 });
      expect(verify(dir, name, identity, EVIDENCE_NAMESPACE).status).not.toBe(0);
      expect(verify(dir, name, "somebody@else").status).not.toBe(0);
    }
  });

  test("and verify.sh find every signature good, and say how many there are none of", () => {
    const { status, stdout } = shell(extracted(), "bash", [BAG.script]);
    expect(stdout).not.toContain("WRONG");
    expect(status).toBe(0);
    for (const name of signed) expect(stdout).toMatch(new RegExp(`ok +signed by editor@\\S+: ${name}.statement.json`));
    expect(stdout).toContain("note  2 approvals are not signed");
  });

  test.each<[string, (dir: string) => void, string]>([
    [
      "a changed statement",
      (dir) => writeFileSync(join(dir, `${signed[0]}.statement.json`), "{}"),
      "WRONG signed by editor@",
    ],
    [
      "a key that no event registered",
      (dir) => {
        const file = join(dir, BAG.approvalSigners);
        writeFileSync(file, `${readFileSync(file, "utf8")}mallory ssh-ed25519 AAAA\n`);
      },
      "WRONG the keys of approvals are those that the journal registered",
    ],
    [
      "a signature that was taken away",
      (dir) => rmSync(join(dir, `${signed[0]}.statement.json.sig`)),
      "WRONG not signed, as its record says too",
    ],
    ["a list of keys that is gone", (dir) => rmSync(join(dir, BAG.approvalSigners)), "WRONG the keys of approvals"],
  ])("and verify.sh find %s", (_, change, said) => {
    const dir = extracted();
    change(dir);
    const { status, stdout } = shell(dir, "bash", [BAG.script]);
    expect(status).toBe(1);
    expect(stdout).toContain(said);
  });
});
