import { execFileSync, spawnSync } from "node:child_process";
import { createPrivateKey, generateKeyPairSync } from "node:crypto";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { EVIDENCE_NAMESPACE, signSsh, verifySsh } from "../../main/domain/sshsig";
import { readAllowedSigners } from "../../main/evidence/allowed-signers";
import { BAG } from "../../main/evidence/bag-layout";
import { fingerprintOfSigner, keyOfSeed, ownSigner, readPrivateKey } from "../../main/evidence/signing-key";
import { exported, failed, freshDir, type Made, verdictOn, workspaceWith } from "./bundle-kit";

/** What a stranger has: the bundle, a shell, and tools that know nothing of us. */
let made: Made;
let allowed: string;

beforeAll(async () => {
  made = await exported(await workspaceWith("2026-W30"));
  allowed = join(freshDir(), "allowed_signers");
  writeFileSync(allowed, `${made.allowed}\n`);
});

/** As in a plain container: no locale, no home. */
const shell = (cwd: string, command: string, ...args: string[]) =>
  spawnSync(command, args, { cwd, encoding: "utf8", env: { PATH: process.env.PATH ?? "", LC_ALL: "C" } });

function extracted(): string {
  const dir = freshDir();
  expect(shell(dir, "unzip", "-q", made.path).status).toBe(0);
  return join(dir, readdirSync(dir)[0] ?? "");
}

/**
 * What a validator of BagIt 1.0 does (RFC 8493, section 3), with `sha256sum` for the digests: the two validators that are
 * commonly used are not to be had everywhere the tests run.
 */
function bagItFaults(dir: string): string[] {
  const faults: string[] = [];
  const read = (name: string) => readFileSync(join(dir, name), "utf8");
  if (!/^BagIt-Version: 1\.0\nTag-File-Character-Encoding: UTF-8\n$/.test(read("bagit.txt"))) faults.push("bagit.txt");
  for (const manifest of ["manifest-sha256.txt", "tagmanifest-sha256.txt"]) {
    const sums = shell(dir, "sha256sum", "--check", "--strict", "--quiet", manifest);
    if (sums.status !== 0) faults.push(`${manifest}: ${sums.stdout}${sums.stderr}`);
  }
  const listed = read("manifest-sha256.txt")
    .trimEnd()
    .split("\n")
    .map((line) => line.slice(66))
    .sort();
  const files = readdirSync(join(dir, "data"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1));
  if (JSON.stringify(files.sort()) !== JSON.stringify(listed)) faults.push("payload files and manifest differ");
  const bytes = files.reduce((sum, name) => sum + readFileSync(join(dir, name)).length, 0);
  if (!read("bag-info.txt").includes(`\nPayload-Oxum: ${bytes}.${files.length}\n`)) faults.push("Payload-Oxum");
  for (const line of read("bag-info.txt").trimEnd().split("\n"))
    if (!/^[A-Za-z0-9-]+: \S.*$/.test(line)) faults.push(line);
  return faults;
}

const verifyScript = (dir: string, ...args: string[]) => shell(dir, "bash", "verify.sh", ...args);

describe("stock tools", () => {
  test("accept the archive, every digest, the signature and the bag", () => {
    expect(shell("/", "unzip", "-tq", made.path).stdout).toContain("No errors");
    const dir = extracted();
    expect(bagItFaults(dir)).toEqual([]);
    const identity = /^Signer-Identity: (.*)$/m.exec(readFileSync(join(dir, "bag-info.txt"), "utf8"))?.[1] ?? "";
    const verify = (name: string, space: string) =>
      spawnSync(
        "ssh-keygen",
        ["-Y", "verify", "-f", allowed, "-I", name, "-n", space, "-s", "tagmanifest-sha256.txt.sig"],
        { cwd: dir, encoding: "utf8", input: readFileSync(join(dir, "tagmanifest-sha256.txt")) },
      );
    expect(verify(identity, EVIDENCE_NAMESPACE)).toMatchObject({ status: 0 });
    expect(verify(identity, EVIDENCE_NAMESPACE).stdout).toContain(
      `Good "${EVIDENCE_NAMESPACE}" signature for ${identity}`,
    );
    expect(verify("somebody@else", EVIDENCE_NAMESPACE).status).not.toBe(0);
    expect(verify(identity, "file").status).not.toBe(0);
  });

  test("are all that verify.sh takes, with and without a file of allowed signers", () => {
    const dir = extracted();
    const withFile = verifyScript(dir, allowed);
    expect(withFile.stdout).toContain("VALID");
    expect(withFile.stdout).not.toContain("WRONG");
    expect(withFile.status).toBe(0);
    const without = verifyScript(dir);
    expect(without.status).toBe(0);
    expect(without.stdout).toContain("whose key it is was NOT checked");
    expect(verifyScript(dir, allowed, "somebody@else").status).toBe(1);
  });

  test.each<[string, (dir: string) => void, string]>([
    [
      "a payload file edited",
      (dir) => appendFileSync(join(dir, "data/ledger.csv"), "x"),
      "changed or missing: data/ledger.csv",
    ],
    ["one added", (dir) => writeFileSync(join(dir, "data/new"), ""), "not listed: data/new"],
    ["one removed", (dir) => rmSync(join(dir, "data/report.html")), "missing: data/report.html"],
    [
      "one renamed",
      (dir) => renameSync(join(dir, "data/report.html"), join(dir, "data/r.html")),
      "not listed: data/r.html",
    ],
    [
      "bag-info edited",
      (dir) => appendFileSync(join(dir, "bag-info.txt"), "More: x\n"),
      "changed or missing: bag-info.txt",
    ],
    ["itself edited", (dir) => appendFileSync(join(dir, BAG.script), "# x\n"), `changed or missing: ${BAG.script}`],
    ["a link", (dir) => symlinkSync("/etc/passwd", join(dir, "data/link")), "no links"],
    ["a file beside the payload", (dir) => writeFileSync(join(dir, "NOTE.txt"), ""), "not listed: NOTE.txt"],
    [
      "the journal cut and every manifest made anew",
      (dir) => {
        const events = join(dir, "data/journal/events.jsonl");
        writeFileSync(events, readFileSync(events, "utf8").replace(/[^\n]*\n$/, ""));
        execFileSync(
          "bash",
          [
            "-c",
            "find data -type f | xargs sha256sum > manifest-sha256.txt; sha256sum bagit.txt bag-info.txt manifest-sha256.txt README-VERIFY.txt verify.sh > tagmanifest-sha256.txt",
          ],
          { cwd: dir },
        );
      },
      "the journal ends where",
    ],
  ])("find %s by verify.sh", (_, change, said) => {
    const dir = extracted();
    change(dir);
    const { status, stdout } = verifyScript(dir, allowed);
    expect(status).toBe(1);
    expect(stdout).toContain("NOT VALID");
    expect(stdout).toContain(said);
    // What follows is a file's name each time, and no word of the tool's own.
    const named = [...stdout.matchAll(/^ {6}changed or missing: (.*)$/gm)].map(([, name]) => name ?? "");
    expect(named.filter((name) => !/^[\w./-]+$/.test(name))).toEqual([]);
  });

  test("see another key than the bag names, also where no allowed signers are given", () => {
    const dir = extracted();
    expect(verifyScript(dir).stdout).toMatch(/^VALID$/m);
    const key = join(freshDir(), "key");
    const sign = `rm -f ${BAG.signature}; ssh-keygen -q -t ed25519 -N '' -f ${key}; ssh-keygen -q -Y sign -f ${key} -n ${EVIDENCE_NAMESPACE} ${BAG.tagManifest}`;
    execFileSync("bash", ["-c", sign], { cwd: dir, stdio: "pipe" });
    const { status, stdout } = verifyScript(dir);
    expect(status).toBe(1);
    expect(stdout).toContain("WRONG signed with the key that bag-info.txt names");
    expect(verifyScript(dir, "/no/such/signers").stdout).toContain("there is no such file of allowed signers");
  });

  test("take the commands of README-VERIFY.txt as they stand there, the same ones in both languages", () => {
    const dir = extracted();
    const halves = readFileSync(join(dir, BAG.readme), "utf8").split(/^-{112}$/m);
    const [english, chinese] = halves.map((half) => half.match(/^ {2}(?!SHA256:).*$/gm) ?? []);
    expect(chinese).toEqual(english);
    const typed = (english ?? []).join("\n").replaceAll("\\\n", "");
    const commands = typed.split("\n").filter((line) => !/openssl|ID\.statement|PAYLOADHASH/.test(line));
    expect(commands).toHaveLength(13);
    const lines = commands.map((line) => line.replaceAll("/tmp/", `${dir}/../`).replaceAll("ALLOWED_SIGNERS", allowed));
    const { stdout, status } = shell(dir, "bash", "-e", "-c", lines.join("\n"));
    expect(status).toBe(0);
    // The first line's hash is in the second line, and the last one's is what the bag says.
    const hashes = [...stdout.matchAll(/^([0-9a-f]{64}) {2}-$/gm)].map(([, hash]) => hash ?? "");
    expect(stdout).toContain(`"prevHash":"${hashes[0]}"`);
    expect(stdout).toContain(`Journal-Head-SHA256: ${hashes[1]}`);
    expect(stdout).toMatch(/^VALID$/m);
    expect(stdout.indexOf("sha256")).toBeLessThan(stdout.indexOf("VALID"));
  });

  test("may pack the bag anew, and it is still valid", async () => {
    const dir = extracted();
    const path = join(freshDir(), "again.zip");
    expect(shell(join(dir, ".."), "zip", "-qr", path, dir.split("/").pop() ?? "").status).toBe(0);
    const verdict = await verdictOn(path);
    expect(failed(verdict)).toEqual([]);
    expect(verdict.checks.find(({ name }) => name === "container")?.detail).toBe("packed anew by another program");
    const script = "import shutil,sys; shutil.make_archive(sys.argv[1][:-4], 'zip', sys.argv[2], sys.argv[3])";
    const byPython = join(freshDir(), "python.zip");
    execFileSync("python3", ["-c", script, byPython, join(dir, ".."), dir.split("/").pop() ?? ""]);
    expect(failed(await verdictOn(byPython))).toEqual([]);
  });
});

describe("signatures", () => {
  const message = Buffer.from("what is signed\n");

  function sshKey(): { file: string; allowed: string } {
    const dir = freshDir();
    mkdirSync(dir, { recursive: true });
    const file = join(dir, "id");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "", "-C", "lin", "-f", file]);
    return { file, allowed: `lin@example.org ${readFileSync(`${file}.pub`, "utf8")}` };
  }

  test("of ssh-keygen are read, and ours with its key are the same bytes", () => {
    const { file } = sshKey();
    const theirs = execFileSync("ssh-keygen", ["-Y", "sign", "-q", "-n", EVIDENCE_NAMESPACE, "-f", file], {
      input: message,
      encoding: "utf8",
    });
    const key = readPrivateKey(readFileSync(file, "utf8"));
    if (key === null) throw new Error("the key was not read");
    expect(signSsh(message, EVIDENCE_NAMESPACE, key)).toBe(theirs);
    const shown = execFileSync("ssh-keygen", ["-l", "-f", `${file}.pub`], { encoding: "utf8" });
    const fingerprint = fingerprintOfSigner(ownSigner("lin", key));
    expect(shown).toContain(fingerprint);
    expect(verifySsh(message, EVIDENCE_NAMESPACE, theirs)).toMatchObject({ kind: "good", fingerprint });
  });

  test("in any other form, of other bytes or for another purpose are bad", () => {
    const key = keyOfSeed(Buffer.alloc(32, 1));
    const good = signSsh(message, EVIDENCE_NAMESPACE, key);
    const kindOf = (text: string, of = message, space = EVIDENCE_NAMESPACE) => verifySsh(of, space, text).kind;
    expect(kindOf(good)).toBe("good");
    expect(kindOf(good, Buffer.from("what is signed"))).toBe("bad");
    expect(kindOf(good, message, "file")).toBe("bad");
    for (const other of [
      `${good}\n`,
      good.replace("\n", "\r\n"),
      good.trimEnd(),
      ` ${good}`,
      "",
      "-----BEGIN SSH SIGNATURE-----\n-----END SSH SIGNATURE-----\n",
    ])
      expect(kindOf(other), JSON.stringify(other.slice(0, 40))).toBe("bad");
  });

  test("take keys of ssh-keygen and openssl, and no others", () => {
    expect(readPrivateKey(readFileSync(sshKey().file, "utf8"))?.asymmetricKeyType).toBe("ed25519");
    const pem = execFileSync("openssl", ["genpkey", "-algorithm", "ed25519"], { encoding: "utf8" });
    expect(readPrivateKey(pem)?.equals(createPrivateKey(pem))).toBe(true);
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ type: "pkcs8", format: "pem" });
    expect(readPrivateKey(String(rsa))).toBeNull();
    const locked = join(freshDir(), "locked");
    execFileSync("ssh-keygen", ["-q", "-t", "ed25519", "-N", "a passphrase", "-f", locked]);
    expect(readPrivateKey(readFileSync(locked, "utf8"))).toBeNull();
    expect(readPrivateKey("no key")).toBeNull();
  });

  test("are trusted by a file as ssh-keygen reads it, and not by options that are not understood", () => {
    const { allowed } = sshKey();
    expect(readAllowedSigners(`# mine\n\n${allowed}`)).toMatchObject({
      kind: "read",
      signers: [{ principals: ["lin@example.org"], namespaces: null }],
    });
    expect(readAllowedSigners(allowed.replace("ssh-ed25519", 'namespaces="a,b" ssh-ed25519'))).toMatchObject({
      signers: [{ namespaces: ["a", "b"] }],
    });
    expect(readAllowedSigners(allowed.replace("ssh-ed25519", 'valid-before="20200101" ssh-ed25519')).kind).toBe(
      "refused",
    );
    expect(readAllowedSigners("nonsense").kind).toBe("refused");
  });
});
