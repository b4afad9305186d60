import { createHash } from "node:crypto";
import { canonicalText } from "./canonical-json";
import { asSha256, Bug, type Sha256 } from "./ids";

/**
 * Canonical JSON (RFC 8785). Numbers must be integers: no floats in hashed JSON (standards: evidence).
 * @throws Bug when the value has no JSON form.
 */
export function canonicalJson(value: unknown): string {
  const text = canonicalText(value);
  if (text === undefined) throw new Bug("value has no canonical JSON form");
  return text;
}

/** SHA-256 of bytes, or of a string's UTF-8 bytes. */
export function sha256(data: string | Uint8Array): Sha256 {
  return asSha256(createHash("sha256").update(data).digest("hex"));
}

/** A short id that depends on nothing but what it names, so that the same intent always has the same id. */
export function derivedId(prefix: string, ...parts: readonly (string | number)[]): string {
  return `${prefix}-${sha256(canonicalJson(parts)).slice(0, 24)}`;
}

/** The hash before the first: both chains begin with it. */
export const GENESIS: Sha256 = asSha256("0".repeat(64));
