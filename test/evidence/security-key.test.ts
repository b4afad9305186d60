import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { decideRegisterSigner } from "../../main/domain/decide/register-signer";
import {
  APPROVAL_NAMESPACE,
  armouredSignature,
  EVIDENCE_NAMESPACE,
  fingerprintOf,
  signedRecord,
  verifySsh,
} from "../../main/domain/sshsig";
import { readAllowedSigners } from "../../main/evidence/allowed-signers";
import { approvalSignersFile } from "../../main/evidence/approval-signers";
import { VERIFY_SCRIPT } from "../../main/evidence/verify-script";
import { securityKey } from "../support/security-key";
import { freshDir } from "./bundle-kit";

/** A key of the kind that hardware holds, made in software: what it signs has the form of PROTOCOL.u2f. */
const hardware = securityKey(3);
const publicKey = hardware.publicKey.toString("base64");
const fingerprint = fingerprintOf(hardware.publicKey);
const line = approvalSignersFile([{ fingerprint, identity: "lin@desk", publicKey }]);
const MESSAGE = "the words agreed to";
const verdictOn = (armoured: string, message = MESSAGE, namespace = APPROVAL_NAMESPACE) =>
  verifySsh(Buffer.from(message), namespace, armoured);

function stockVerifies(armoured: string): boolean {
  const dir = freshDir();
  writeFileSync(join(dir, "signers"), line);
  writeFileSync(join(dir, "sig"), armoured);
  const args = ["-Y", "verify", "-f", "signers", "-I", "lin@desk", "-n", APPROVAL_NAMESPACE, "-s", "sig"];
  return spawnSync("ssh-keygen", args, { cwd: dir, input: MESSAGE }).status === 0;
}

/** What the function of verify.sh says of a signature's file. */
function touchedSays(armoured: string): string {
  const dir = freshDir();
  writeFileSync(join(dir, "a.sig"), armoured);
  const touched = /^touched\(\) \{\n[\s\S]*?^\}$/m.exec(VERIFY_SCRIPT)?.[0] ?? "";
  const script = `work=.; say() { echo "$1 $2"; }\n${touched}\ntouched a.sig`;
  return spawnSync("bash", ["-c", script], { cwd: dir, encoding: "utf8" }).stdout;
}

describe("the signature of a hardware key", () => {
  const good = hardware.signMessage(MESSAGE, APPROVAL_NAMESPACE);

  test("is good by our verifier and by stock ssh-keygen, which reads the key from our line", () => {
    expect(verdictOn(good)).toMatchObject({ kind: "good", fingerprint });
    expect(stockVerifies(good)).toBe(true);
    const read = readAllowedSigners(line);
    expect(read).toMatchObject({ kind: "read", signers: [{ principals: ["lin@desk"] }] });
    expect(read.kind === "read" && read.signers[0]?.publicKey.equals(hardware.publicKey)).toBe(true);
  });

  test("is bad over other words, for another purpose, and by another application", () => {
    expect(verdictOn(good, "other words").kind).toBe("bad");
    expect(verdictOn(good, MESSAGE, EVIDENCE_NAMESPACE).kind).toBe("bad");
    const elsewhere = securityKey(3, "ssh:elsewhere").sign(signedRecord(Buffer.from(MESSAGE), APPROVAL_NAMESPACE));
    const swapped = armouredSignature(hardware.publicKey, APPROVAL_NAMESPACE, elsewhere);
    expect(verdictOn(swapped)).toMatchObject({ kind: "bad", fingerprint });
  });

  test("is bad where nobody touched the key, although stock ssh-keygen lets it pass; verify.sh says so too", () => {
    const untouched = hardware.signMessage(MESSAGE, APPROVAL_NAMESPACE, 0);
    expect(verdictOn(untouched)).toMatchObject({ kind: "bad", detail: expect.stringContaining("nobody touched") });
    expect(stockVerifies(untouched)).toBe(true);
    expect(touchedSays(untouched)).toMatch(/^1 somebody touched/);
    expect(touchedSays(good)).toMatch(/^0 somebody touched/);
    expect(touchedSays(hardware.signMessage(MESSAGE, APPROVAL_NAMESPACE, 5))).toMatch(/^0 somebody touched/);
  });

  test("comes of a key that can be registered; one of another kind cannot", () => {
    const context = { actor: "system", now: 1, trusted: { at: 1, trusted: true, source: "test" } } as const;
    const register = (key: string) =>
      decideRegisterSigner([], { type: "register_signer", publicKey: key, identity: "lin@desk", reason: "a" }, context);
    expect(register(publicKey)).toMatchObject({ ok: true });
    const cut = hardware.publicKey.subarray(0, -8).toString("base64");
    expect(register(cut)).toMatchObject({ refusal: { unmet: [{ code: "signer_key_unreadable" }] } });
  });
});
