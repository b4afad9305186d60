import { join } from "node:path";
import type { Output } from "../../preload/contract";
import type { AgentKey } from "../adapters/ssh-agent";
import type { SignerRow } from "../domain/records";
import { fingerprintOf, KEY_NAMESPACES } from "../domain/sshsig";
import {
  allowedSignersLine,
  fingerprintOfSigner,
  keyOfSeed,
  type OwnSigner,
  ownSigner,
  type PublicSigner,
} from "../evidence/signing-key";
import type { AgentKeys } from "./agent-keys";
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

/** The key by which approvals are signed now, where it is an agent's. */
const heldByAgent = (agent: AgentKeys, registered: readonly SignerRow[]): AgentKey | null =>
  agent.find(registered.at(-1)?.fingerprint ?? "");

/**
 * Which key the child program is to sign with: the agent's where that is the registered one, otherwise that of this app, made
 * where there is none yet; null where it cannot be opened now. A key that was replaced signs no bundles either.
 */
export function keyOrder(
  key: EvidenceKey,
  place: KeyPlace,
  agent: AgentKeys,
  registered: readonly SignerRow[],
): Key | null {
  const held = heldByAgent(agent, registered);
  if (held !== null) return { from: "agent", fingerprint: fingerprintOf(held.publicKey) };
  const own = openSigner(key, place, true);
  const before = registered.slice(0, -1).map(({ fingerprint }) => fingerprint);
  if (own === null || before.includes(fingerprintOfSigner(own))) return null;
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
export const keychainSigner = (found: ReturnType<EvidenceKey["read"]>, { id }: KeyPlace): OwnSigner | null =>
  found.kind === "ready" ? ownSigner(identityIn(id), keyOfSeed(found.seed)) : null;

/** The key in the workspace's folder, which there is where no keychain could keep one. */
export function fileSigner({ dir, id }: KeyPlace, mayCreate: boolean): OwnSigner | null {
  const found = findSigner({ workspace: dir, workspaceId: id, kind: "sandbox", key: null, identity: null, mayCreate });
  return "signer" in found ? found.signer : null;
}

/**
 * The key that signs here: the keychain's, or the workspace's file where there is no keychain.
 * @returns null where it does not open, or there is none and none was to be made.
 */
export function openSigner(key: EvidenceKey, place: KeyPlace, mayCreate: boolean): OwnSigner | null {
  const found = mayCreate ? key.make() : key.read();
  return found.kind === "refused" ? fileSigner(place, mayCreate) : keychainSigner(found, place);
}

/** Whoever signs now as the page may see it: never the key itself. */
export function signerShown(
  key: EvidenceKey,
  place: KeyPlace,
  agent: AgentKeys,
  registered: readonly SignerRow[],
): Shown {
  const held = heldByAgent(agent, registered);
  if (held === null) return ownSignerShown(key, place);
  const kept = { where: "agent", refusal: null, file: null } as const;
  return { ...kept, ...publicPart({ identity: identityIn(place.id), publicKey: held.publicKey }) };
}

/** The app's own key, whether it signs now or not. */
export function ownSignerShown(
  key: EvidenceKey,
  { dir, id }: KeyPlace,
  { mayCreate = false }: { mayCreate?: boolean } = {},
): Shown {
  const found = mayCreate ? key.make() : key.read();
  const keychain = { where: "keychain", refusal: null, file: key.file } as const;
  if (found.kind === "ready") return { ...keychain, ...publicPart(ownSigner(identityIn(id), keyOfSeed(found.seed))) };
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

const publicPart = (signer: PublicSigner) => ({
  kind: "ready" as const,
  identity: signer.identity,
  fingerprint: fingerprintOfSigner(signer),
  allowedSigners: allowedSignersLine(signer, KEY_NAMESPACES),
});
