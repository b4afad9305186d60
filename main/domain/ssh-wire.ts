import { createPublicKey, type KeyObject } from "node:crypto";

/** Ed25519 keys and length-prefixed strings as the SSH protocol writes them (RFC 4251, RFC 8709). */

export const KEY_TYPE = "ssh-ed25519";
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

/** The 32 bytes of an Ed25519 key, or the 64 of a signature, out of their wrapping; null for any other kind. */
export function unwrap(bytes: Buffer, length: number): Buffer | null {
  const reader = new SshReader(bytes);
  const type = reader.string()?.toString("latin1");
  const raw = reader.string();
  return type === KEY_TYPE && raw?.length === length && reader.isAtEnd() ? raw : null;
}

/** A wrapped public key as Node knows keys, or null where it is no Ed25519 key. */
export function asKeyObject(publicKey: Buffer): KeyObject | null {
  const raw = unwrap(publicKey, 32);
  return raw === null ? null : createPublicKey({ key: Buffer.concat([SPKI_PREFIX, raw]), format: "der", type: "spki" });
}
