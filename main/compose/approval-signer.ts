import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { registerSigner } from "../commands/register-signer";
import type { ApprovalSigner } from "../commands/sign-approval";
import type { SignerRow } from "../domain/records";
import { APPROVAL_NAMESPACE, signSsh } from "../domain/sshsig";
import { unmet } from "../domain/unmet";
import { fingerprintOfSigner, type OwnSigner, type PublicSigner } from "../evidence/signing-key";
import type { AgentKeys } from "./agent-keys";
import { KEY_NAME } from "./evidence-key";
import { type EvidenceKey, fileSigner, type KeyPlace, keychainSigner, openSigner } from "./evidence-signer";
import type { Workspace } from "./workspace";

/** The place of an open workspace's key. */
export const placeOf = ({ dir, database }: Workspace): KeyPlace => ({ dir, id: database.workspaceId });

/** Every place is looked into: a keychain or an agent may have come or gone since the key was registered. */
export function approvalSigner(key: EvidenceKey, place: KeyPlace, agent?: AgentKeys): ApprovalSigner {
  return {
    open: ({ fingerprint }) => {
      const kept = key.read();
      const candidates = [keychainSigner(kept, place), fileSigner(place, false)].filter((signer) => signer !== null);
      const signer = candidates.find((candidate) => fingerprintOfSigner(candidate) === fingerprint);
      if (signer !== undefined)
        return { kind: "ready", sign: (statement) => signSsh(Buffer.from(statement), APPROVAL_NAMESPACE, signer.key) };
      const held = agent?.find(fingerprint) ?? null;
      if (agent && held) return { kind: "asked", ask: (statement) => agent.signApproval(held, statement) };
      // It may have been added since: whoever looks at the screen again finds it.
      void agent?.refresh();
      const missing = kept.kind === "refused" ? "signing_key_refused" : "signing_key_missing";
      const code =
        kept.kind === "locked" ? "signing_key_locked" : candidates.length > 0 ? "signing_key_other" : missing;
      return { kind: "unavailable", unmet: unmet(code, { fingerprint }) };
    },
  };
}

const NO_KEYCHAIN: EvidenceKey = {
  file: "",
  read: () => ({ kind: "refused", code: "no_keychain" }),
  make: () => ({ kind: "refused", code: "no_keychain" }),
};

/** Without a window there is no keychain: the workspace's own key signs, where that is the registered one. */
export const folderSigner = (workspace: Workspace): ApprovalSigner => approvalSigner(NO_KEYCHAIN, placeOf(workspace));

/** Without a window: a key of the workspace's folder that is not among the registered ones. */
export const newFolderSigner = (place: KeyPlace, registered: readonly SignerRow[]): OwnSigner | null =>
  newSigner(NO_KEYCHAIN, place, registered);

/** Without a window: a sandbox's own key, made and registered where the journal has none, so that approvals are signed. */
export const registerFolderKey = (workspace: Workspace): void => registerFirstKey(workspace, NO_KEYCHAIN);

/** What the journal is told of a key. */
export const publicPart = (signer: PublicSigner): Pick<SignerRow, "publicKey" | "identity" | "fingerprint"> => ({
  publicKey: signer.publicKey.toString("base64"),
  identity: signer.identity,
  fingerprint: fingerprintOfSigner(signer),
});

/**
 * A key that is not among the registered ones. The present one is put aside under another name, never deleted, where it is
 * registered already or does not open any more; what it signed stays verifiable by its public side.
 */
export function newSigner(key: EvidenceKey, place: KeyPlace, registered: readonly SignerRow[]): OwnSigner | null {
  const isNew = (signer: OwnSigner | null) =>
    signer !== null && !registered.some(({ fingerprint }) => fingerprint === fingerprintOfSigner(signer));
  const present = openSigner(key, place, true);
  if (isNew(present)) return present;
  if (key.read().kind === "refused") setAside(join(place.dir, KEY_NAME), registered.length);
  else setAside(key.file, registered.length);
  const made = openSigner(key, place, true);
  return isNew(made) ? made : null;
}

function setAside(file: string, count: number): void {
  if (existsSync(file)) renameSync(file, `${file}.until-key-${count + 1}`);
}

/** Why a program registers a key, as a code that the screens have words for. */
export const FIRST_KEY = "first_signing_key";

/** At the first start with a key: from then on approvals are signed. A journal that cannot be written is asked again next time. */
export function registerFirstKey(workspace: Workspace, key: EvidenceKey): void {
  if (workspace.journal.reader.signers().length > 0) return;
  const signer = openSigner(key, placeOf(workspace), true);
  if (signer !== null) registerSigner(workspace.desk("system"), { ...publicPart(signer), reason: FIRST_KEY });
}
