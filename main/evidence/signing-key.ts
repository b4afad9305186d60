import { createPrivateKey, type KeyObject } from "node:crypto";
import { KEY_TYPE, keyTypeOf, SshReader, sshPublicKey, sshString } from "../domain/ssh-wire";
import { fingerprintOf, signSsh } from "../domain/sshsig";

/** The public side of whoever signs: a name that the allowed-signers file outside the bundle ties to the key. */
export interface PublicSigner {
  identity: string;
  /** In SSH wire form. */
  publicKey: Buffer;
}

export interface Signer extends PublicSigner {
  /** The armoured signature of a message. @throws SigningRefused where somebody else has the key and gives none. */
  sign(message: Uint8Array, namespace: string): string | Promise<string>;
}

/** A signer whose private key is at hand. */
export interface OwnSigner extends Signer {
  key: KeyObject;
}

/** Whoever has the key gave no signature. The message is a code: which of the ways in which that happens. */
export class SigningRefused extends Error {
  override readonly name = "SigningRefused";
}

export const ownSigner = (identity: string, key: KeyObject): OwnSigner => ({
  identity,
  key,
  publicKey: sshPublicKey(key),
  sign: (message, namespace) => signSsh(message, namespace, key),
});

/** What stands before the 32 bytes of an Ed25519 seed in PKCS #8 form (RFC 8410). */
const PKCS8_PREFIX = Buffer.from("302e020100300506032b657004220420", "hex");
const OPENSSH = /^-----BEGIN OPENSSH PRIVATE KEY-----\s+([A-Za-z0-9+/=\s]+)-----END OPENSSH PRIVATE KEY-----\s*$/;
const OPENSSH_MAGIC = "openssh-key-v1\0";

/** The Ed25519 key that 32 random bytes are. */
export const keyOfSeed = (seed: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PKCS8_PREFIX, seed]), format: "der", type: "pkcs8" });

/**
 * Reads a private key that somebody brought: Ed25519 without a passphrase, as `ssh-keygen -t ed25519` or
 * `openssl genpkey -algorithm ed25519` write it.
 * @returns null where the text is anything else.
 */
export function readPrivateKey(text: string): KeyObject | null {
  const openSsh = OPENSSH.exec(text)?.[1];
  if (openSsh !== undefined) return readOpenSsh(Buffer.from(openSsh, "base64"));
  try {
    const key = createPrivateKey(text);
    return key.asymmetricKeyType === "ed25519" ? key : null;
  } catch (error) {
    // Node names a dozen ways in which a text is no key; to the person it is one.
    if (error instanceof Error) return null;
    throw error;
  }
}

/** OpenSSH's own container (PROTOCOL.key), one key, not encrypted. */
function readOpenSsh(bytes: Buffer): KeyObject | null {
  const reader = new SshReader(bytes);
  if (reader.take(OPENSSH_MAGIC.length)?.toString("latin1") !== OPENSSH_MAGIC) return null;
  const [cipher] = [reader.string(), reader.string(), reader.string()];
  if (cipher?.toString("latin1") !== "none" || reader.number() !== 1) return null;
  reader.string();
  const secret = new SshReader(reader.string() ?? Buffer.alloc(0));
  const [first, second] = [secret.number(), secret.number()];
  const type = secret.string()?.toString("latin1");
  secret.string();
  const pair = secret.string();
  if (first !== second || type !== "ssh-ed25519" || pair?.length !== 64) return null;
  return keyOfSeed(pair.subarray(0, 32));
}

/**
 * The private key in OpenSSH's own container, without a passphrase: what `ssh-keygen` and `--key FILE` take. It is a secret in
 * plain text, for the file that its owner chose and nothing else.
 */
export function openSshPrivateKey({ identity, key, publicKey }: OwnSigner): string {
  const seed = key.export({ type: "pkcs8", format: "der" }).subarray(PKCS8_PREFIX.length);
  // Twice the same number tells a reader that it decrypted rightly; nothing is encrypted here.
  const check = publicKey.subarray(-4);
  const pair = sshString(Buffer.concat([seed, publicKey.subarray(-32)]));
  const rawPublicKey = sshString(publicKey.subarray(-32));
  const secret = Buffer.concat([check, check, sshString(KEY_TYPE), rawPublicKey, pair, sshString(identity)]);
  const padding = Buffer.from(Array.from({ length: -secret.length & 7 }, (_, index) => index + 1));
  const none = sshString("none");
  const count = Buffer.from([0, 0, 0, 1]);
  const container = Buffer.concat([
    ...[Buffer.from(OPENSSH_MAGIC, "latin1"), none, none, sshString(""), count],
    ...[sshString(publicKey), sshString(Buffer.concat([secret, padding]))],
  ]);
  const lines = container.toString("base64").match(/.{1,70}/g) ?? [];
  return ["-----BEGIN OPENSSH PRIVATE KEY-----", ...lines, "-----END OPENSSH PRIVATE KEY-----", ""].join("\n");
}

/** The signer's line for an allowed-signers file: what whoever verifies must have from elsewhere than the bundle. */
export const allowedSignersLine = ({ identity, publicKey }: PublicSigner, namespace: string): string =>
  `${identity} namespaces="${namespace}" ${keyTypeOf(publicKey)} ${publicKey.toString("base64")}`;

/** The key's fingerprint as `ssh-keygen -l` shows it. */
export const fingerprintOfSigner = ({ publicKey }: PublicSigner): string => fingerprintOf(publicKey);
