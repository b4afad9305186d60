import { createPublicKey, type KeyObject } from "node:crypto";

/** Ed25519 keys and length-prefixed strings as the SSH protocol writes them (RFC 4251, RFC 8709). */

export const KEY_TYPE = "ssh-ed25519";
/** Ed25519 in a hardware key (OpenSSH, PROTOCOL.u2f). */
export const SECURITY_KEY_TYPE = "sk-ssh-ed25519@openssh.com";
/** What stands before the 32 bytes of an Ed25519 key in SPKI form (RFC 8410). */
const SPKI_PREFIX = Buffer.from("302a300506032b6570032100", "hex");

/** A length-prefixed string. */
export function sshString(value: string | Uint8Array): Buffer {
  const bytes = typeof value === "string" ? Buffer.from(value, "utf8") : value;
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

/** Reads the fields of the protocol one after another; null at the first that is cut short. */
export class SshReader {
  private at = 0;

  constructor(private readonly bytes: Buffer) {}

  take(count: number): Buffer | null {
    if (this.at + count > this.bytes.length) return null;
    this.at += count;
    return this.bytes.subarray(this.at - count, this.at);
  }

  number(): number | null {
    return this.take(4)?.readUInt32BE() ?? null;
  }

  string(): Buffer | null {
    const length = this.number();
    return length === null ? null : this.take(length);
  }

  isAtEnd(): boolean {
    return this.at === this.bytes.length;
  }
}

/** The public half of a key, wrapped. */
export function sshPublicKey(key: KeyObject): Buffer {
  const raw = createPublicKey(key).export({ type: "spki", format: "der" }).subarray(SPKI_PREFIX.length);
  return Buffer.concat([sshString(KEY_TYPE), sshString(raw)]);
}

/** A public key as it signs. */
export interface PublicKey {
  key: KeyObject;
  /** For whom a hardware key made it, which goes into each of its signatures; null for a key of a file or keychain. */
  application: string | null;
}

/** Reads a wrapped public key; null where it is not one of the two kinds of Ed25519, or more than one. */
export function readPublicKey(publicKey: Buffer): PublicKey | null {
  const reader = new SshReader(publicKey);
  const type = reader.string()?.toString("latin1");
  const raw = reader.string();
  if (raw?.length !== 32) return null;
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: "der", type: "spki" });
  if (type === KEY_TYPE) return reader.isAtEnd() ? { key, application: null } : null;
  const application = reader.string()?.toString("utf8");
  return type === SECURITY_KEY_TYPE && application !== undefined && reader.isAtEnd() ? { key, application } : null;
}

/** The kind of a wrapped public key, as a file of allowed signers names it; what cannot be read is called the usual one. */
export const keyTypeOf = (publicKey: Buffer): string =>
  (readPublicKey(publicKey)?.application ?? null) === null ? KEY_TYPE : SECURITY_KEY_TYPE;

/** A signature out of its wrapping; `touch` is what a hardware key adds: a byte of flags and its counter. */
export interface RawSignature {
  raw: Buffer;
  touch: Buffer | null;
}

/** Reads a wrapped signature of one of the two kinds; null for any other. */
export function readSignature(bytes: Buffer): RawSignature | null {
  const reader = new SshReader(bytes);
  const type = reader.string()?.toString("latin1");
  const raw = reader.string();
  if (raw?.length !== 64) return null;
  if (type === KEY_TYPE) return reader.isAtEnd() ? { raw, touch: null } : null;
  const touch = reader.take(5);
  return type === SECURITY_KEY_TYPE && touch !== null && reader.isAtEnd() ? { raw, touch } : null;
}
