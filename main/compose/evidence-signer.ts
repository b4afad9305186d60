import { join } from "node:path";
import type { Output } from "../../preload/contract";
import { KEY_NAMESPACES } from "../domain/sshsig";
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

/** Whose key it is: the open workspace's folder and id. */
export interface KeyPlace {
  dir: string;
  id: string;
}

/** What the keychain gave, as a signer. */
export const keychainSigner = (found: ReturnType<EvidenceKey["read"]>, { id }: KeyPlace): Signer | null =>
  found.kind === "ready" ? { identity: identityIn(id), key: keyOfSeed(found.seed) } : null;

/** The key in the workspace's folder, which there is where no keychain could keep one. */
export function fileSigner({ dir, id }: KeyPlace, mayCreate: boolean): Signer | null {
  const found = findSigner({ workspace: dir, workspaceId: id, kind: "sandbox", key: null, identity: null, mayCreate });
  return "signer" in found ? found.signer : null;
}

/**
 * The key that signs here: the keychain's, or the workspace's file where there is no keychain.
 * @returns null where it does not open, or there is none and none was to be made.
 */
export function openSigner(key: EvidenceKey, place: KeyPlace, mayCreate: boolean): Signer | null {
  const found = mayCreate ? key.make() : key.read();
  return found.kind === "refused" ? fileSigner(place, mayCreate) : keychainSigner(found, place);
}

/** The signer as the page may see it: never the key itself. */
export function signerShown(
  key: EvidenceKey,
  { dir, id }: KeyPlace,
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
  allowedSigners: allowedSignersLine(signer, KEY_NAMESPACES),
});
