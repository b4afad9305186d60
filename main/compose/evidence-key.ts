import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { openKeyFile } from "../adapters/secrets";
import { keyOfSeed, type OwnSigner, ownSigner, readPrivateKey } from "../evidence/signing-key";

/** The sandbox's key lies beside that of its customers: a practice workspace has no secrets, and needs no keychain. */
export const KEY_NAME = "signer.key";
/** No private key is longer; something else that was named by mistake is not read into memory. */
const MAX_KEY_BYTES = 16 * 1024;

/** Who an editor is, as long as nobody gave another name. */
export const identityIn = (workspaceId: string): string => `editor@${workspaceId}`;

export type SignerFound =
  | { signer: OwnSigner; keyFile: string; wasCreated: boolean }
  /** `isMissing`: there is none yet, and none was to be made. */
  | { wrong: string; isMissing?: boolean };

interface Asked {
  workspace: string;
  workspaceId: string;
  kind: "sandbox" | "real";
  key: string | null;
  identity: string | null;
  /** False: a key that is not there yet is not made. */
  mayCreate?: boolean;
}

/**
 * The key that signs: the one that was named, else the sandbox workspace's own, made at its first export, readable by its owner
 * alone. A real workspace's key belongs in the system's secret store, which there is none of without a window: there it has to
 * be named, so that no key of an editor ever lands in a folder by default.
 */
export function findSigner({ workspace, workspaceId, kind, key, identity, mayCreate = true }: Asked): SignerFound {
  if (key === null && kind === "real")
    return { wrong: "this is a real workspace: its key is not kept in the folder. Name yours: --key FILE" };
  const file = key ?? join(workspace, KEY_NAME);
  const name = identity ?? identityIn(workspaceId);
  if (key !== null && !statSync(key, { throwIfNoEntry: false })?.isFile())
    return { wrong: `--key ${key}: there is no such file. ssh-keygen -t ed25519 -N '' -f ${key} makes one` };
  const text = readText(file);
  if (text?.includes("-----BEGIN ")) {
    const privateKey = readPrivateKey(text);
    return privateKey === null
      ? { wrong: `${file}: this is no Ed25519 private key without a passphrase` }
      : { signer: ownSigner(name, privateKey), keyFile: file, wasCreated: false };
  }
  const opened = openKeyFile(file, { create: key === null && mayCreate });
  if (opened.kind === "ready")
    return { signer: ownSigner(name, keyOfSeed(opened.key)), keyFile: file, wasCreated: opened.wasCreated };
  const isMissing = opened.code === "key_missing";
  return { wrong: `${file}: ${opened.code.replaceAll("_", " ")}. Name another: --key FILE`, isMissing };
}

function readText(file: string): string | null {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= MAX_KEY_BYTES ? readFileSync(file, "latin1") : null;
}
