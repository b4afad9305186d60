import { createHash } from "node:crypto";
import { createRandomness } from "../adapters/randomness";
import { askTimestampServer } from "../adapters/timestamp-server";
import { readTimestamp, timestampRequest } from "../evidence/timestamp";
import type { Stamp } from "../evidence/write-bundle";

const NONCE_BYTES = 8;

/** Whether a time-stamp server can be asked at this address: over http too, since a stamp proves itself. */
export function isTimestampServer(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
}

/**
 * Lets a time-stamp server say when a signature was there. A server that is silent or answers nonsense costs the token and
 * never the bundle.
 * @param limitMs only a test names another
 */
export async function stampSignature(url: string, signature: Uint8Array, limitMs?: number): Promise<Stamp> {
  const hash = createHash("sha256").update(signature).digest();
  const nonce = Buffer.from(createRandomness().bytes(NONCE_BYTES));
  // A whole number above 0 that needs no byte before it.
  nonce[0] = ((nonce[0] ?? 0) & 0x3f) | 0x40;
  const answer = await askTimestampServer(url, timestampRequest(hash, nonce), limitMs);
  if (answer.kind === "failed") return { kind: "none", reason: answer.code };
  const read = readTimestamp(answer.bytes, hash);
  if (read.kind === "bad") return { kind: "none", reason: read.detail };
  if (read.nonce === null || !read.nonce.equals(nonce)) return { kind: "none", reason: "it answers another request" };
  return { kind: "stamped", at: read.at, answer: answer.bytes };
}
