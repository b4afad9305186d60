import { createHash, type KeyObject, sign, verify } from "node:crypto";
import {
  KEY_TYPE,
  type PublicKey,
  type RawSignature,
  readPublicKey,
  readSignature,
  SshReader,
  sshPublicKey,
  sshString,
} from "./ssh-wire";

/**
 * Signatures as `ssh-keygen -Y` makes and takes them (OpenSSH, PROTOCOL.sshsig), with Ed25519 keys only, those of hardware
 * among them: what is signed is not the message but a short record of namespace and SHA-512.
 */

/** What a signature of ours is for. One made for another purpose is none. */
export const EVIDENCE_NAMESPACE = "evidence@imprimatur";
export const APPROVAL_NAMESPACE = "approval@imprimatur";
/** What one line of a file of allowed signers trusts an editor's key for. */
export const KEY_NAMESPACES = `${EVIDENCE_NAMESPACE},${APPROVAL_NAMESPACE}`;

const MAGIC = "SSHSIG";
const VERSION = 1;
const HASH = "sha512";
const COLUMNS = 70;
const BEGIN = "-----BEGIN SSH SIGNATURE-----";
const END = "-----END SSH SIGNATURE-----";

/** The flag of a hardware key's signature that says that somebody touched it (PROTOCOL.u2f). */
const USER_PRESENT = 0x01;

const sha256 = (bytes: Uint8Array | string): Buffer => createHash("sha256").update(bytes).digest();

/** The bytes that a key signs for a message: an agent is given these, and hashes them itself where its key is hardware. */
export function signedRecord(message: Uint8Array, namespace: string): Buffer {
  const digest = createHash(HASH).update(message).digest();
  return Buffer.concat([Buffer.from(MAGIC), sshString(namespace), sshString(""), sshString(HASH), sshString(digest)]);
}

/** A name that an allowed-signers file can hold as it stands: no blanks, commas, quotes or wildcards. */
export const isIdentity = (text: string): boolean => /^[\p{L}\p{N}@._:+-]{1,100}$/u.test(text);

/** As `ssh-keygen -l` shows a key: what two people compare by telephone. */
export const fingerprintOf = (publicKey: Uint8Array): string =>
  `SHA256:${sha256(publicKey).toString("base64").replace(/=+$/, "")}`;

/** Signs a message and returns the armoured signature, a last line end included. */
export function signSsh(message: Uint8Array, namespace: string, privateKey: KeyObject): string {
  const raw = sign(null, signedRecord(message, namespace), privateKey);
  const wrapped = Buffer.concat([sshString(KEY_TYPE), sshString(raw)]);
  return armouredSignature(sshPublicKey(privateKey), namespace, wrapped);
}

/** Puts a signature that a key gave into the form that `ssh-keygen -Y verify` takes. @param wrapped with its kind before it */
export function armouredSignature(publicKey: Uint8Array, namespace: string, wrapped: Uint8Array): string {
  const version = Buffer.alloc(4);
  version.writeUInt32BE(VERSION);
  const blob = Buffer.concat([
    Buffer.from(MAGIC),
    version,
    sshString(publicKey),
    sshString(namespace),
    sshString(""),
    sshString(HASH),
    sshString(wrapped),
  ]);
  return armour(blob);
}

function armour(blob: Buffer): string {
  const lines = blob.toString("base64").match(new RegExp(`.{1,${COLUMNS}}`, "g")) ?? [];
  return `${[BEGIN, ...lines, END].join("\n")}\n`;
}

export type SshVerdict =
  | { kind: "good"; publicKey: Buffer; fingerprint: string }
  | { kind: "bad"; detail: string; fingerprint: string | null };

/**
 * Whether the armoured text is a good signature of the message for the namespace, and by which key. That says nothing about
 * whose key it is: trust comes from a list of signers outside.
 */
export function verifySsh(message: Uint8Array, namespace: string, text: string): SshVerdict {
  const bad = (detail: string, fingerprint: string | null = null): SshVerdict => ({ kind: "bad", detail, fingerprint });
  const lines = text.split("\n");
  const blob = Buffer.from(lines.slice(1, lines.indexOf(END)).join(""), "base64");
  // One form only: what could be written in two ways could be changed without being noticed.
  if (lines[0] !== BEGIN || armour(blob) !== text) return bad("it is not an armoured SSH signature of 70 columns");
  const reader = new SshReader(blob);
  const magic = reader.take(MAGIC.length)?.toString("latin1");
  const version = reader.number();
  const [publicKey, space, reserved, hash, signature] = Array.from({ length: 5 }, () => reader.string());
  const isWhole = publicKey && space && reserved?.length === 0 && signature && reader.isAtEnd();
  if (magic !== MAGIC || version !== VERSION || !isWhole) return bad("it is not a version 1 SSH signature");
  const key = readPublicKey(publicKey);
  const made = readSignature(signature);
  if (key === null || made === null || (key.application === null) !== (made.touch === null))
    return bad("it is not made with an Ed25519 key");
  const fingerprint = fingerprintOf(publicKey);
  if (space.toString("utf8") !== namespace)
    return bad(`it was made for "${space.toString("utf8").slice(0, 60)}", not for "${namespace}"`, fingerprint);
  if (hash?.toString("latin1") !== HASH) return bad(`it uses another hash than ${HASH}`, fingerprint);
  if (!isOfRecord(signedRecord(message, namespace), key, made))
    return bad("it is not a signature of these bytes", fingerprint);
  // `ssh-keygen -Y verify` lets it pass: a key that signs untouched signs for whatever program is at the computer.
  return made.touch === null || ((made.touch[0] ?? 0) & USER_PRESENT) !== 0
    ? { kind: "good", publicKey, fingerprint }
    : bad("nobody touched the hardware key when it signed", fingerprint);
}

/** A hardware key signs the hashes of its application and of the record, with flags and counter between them. */
function isOfRecord(record: Buffer, { key, application }: PublicKey, { raw, touch }: RawSignature): boolean {
  const signed =
    application === null || touch === null ? record : Buffer.concat([sha256(application), touch, sha256(record)]);
  return verify(null, signed, key, raw);
}
