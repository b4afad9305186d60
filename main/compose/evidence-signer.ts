import { join } from "node:path";
import type { Output } from "../../preload/contract";
import { EVIDENCE_NAMESPACE } from "../domain/sshsig";
import { allowedSignersLine, fingerprintOfSigner, keyOfSeed, type Signer } from "../evidence/signing-key";
import { findSigner, identityIn, KEY_NAME } from "./evidence-key";
import type { EvidenceOrder } from "./evidence-report";

type Shown = NonNullable<Output<"evidence.get">["signer"]>;
type Key = Extract<EvidenceOrder, { kind: "export" }>["key"];

/** The editor's key as the system's keychain keeps it. The shell brings it: nothing below knows a keychain. */
export interface EvidenceKey {
  /** The sealed file: useless without the keychain that sealed it. */
  file: string;
  /** `refused`: there is no keychain that could keep it, and none ever did. */
  read():
    | { kind: "ready"; seed: Uint8Array }
    | { kind: "none" }
    | { kind: "locked" }
    | { kind: "refused"; code: "plain_text_backend" | "no_keychain" };
  /** Makes one where there is none, and reads it. */
  make(): ReturnType<EvidenceKey["read"]>;
}

/** Which key the child program is to sign with, made where there is none yet; null where it cannot be opened now. */
export function keyOrder(key: EvidenceKey): Key | null {
  const found = key.make();
  if (found.kind === "ready") return { from: "keychain", seed: Buffer.from(found.seed).toString("hex") };
  return found.kind === "refused" ? { from: "workspace" } : null;
}

/** The signer as the page may see it: never the key itself. */
export function signerShown(
  key: EvidenceKey,
  { dir, id }: { dir: string; id: string },
  { mayCreate = false }: { mayCreate?: boolean } = {},
): Shown {
  const found = mayCreate ? key.make() : key.read();
  const keychain = { where: "keychain", refusal: null, file: key.file } as const;
  if (found.kind === "ready")
    return { ...keychain, ...publicPart({ identity: identityIn(id), key: keyOfSeed(found.seed) }) };
  if (found.kind === "locked") return { ...keychain, kind: "unavailable", code: "locked", detail: "" };
  if (found.kind === "none") return { ...keychain, kind: "none" };
  const file = join(dir, KEY_NAME);
  const inFile = { where: "workspace_file", refusal: found.code, file } as const;
  const signer = findSigner({
    ...{ workspace: dir, workspaceId: id, kind: "sandbox", key: null, identity: null, mayCreate },
  });
  if ("signer" in signer) return { ...inFile, ...publicPart(signer.signer) };
  return signer.isMissing
    ? { ...inFile, kind: "none" }
    : { ...inFile, kind: "unavailable", code: "file", detail: signer.wrong };
}

const publicPart = (signer: Signer) => ({
  kind: "ready" as const,
  identity: signer.identity,
  fingerprint: fingerprintOfSigner(signer),
  allowedSigners: allowedSignersLine(signer, EVIDENCE_NAMESPACE),
});
