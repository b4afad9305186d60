import canonicalize from "canonicalize";

/**
 * Canonical JSON (RFC 8785) of a value, or undefined where it has no JSON form.
 *
 * `JSON.stringify` writes the very bytes that the standard asks for, provided that the keys come in order; and it does so ten
 * times as fast as a walk in JavaScript. So what is plain is put in order and written by it, and everything out of the
 * ordinary is left to the reference implementation, which also says what is wrong with it.
 */
export function canonicalText(value: unknown): string | undefined {
  const plain = inOrder(value, 0);
  if (plain === NOT_PLAIN) return canonicalize(value);
  const text = JSON.stringify(plain);
  // Half a character, which the standard forbids, is written as an escape. So is a backslash before "ud", which it does not.
  return text === undefined || text.includes("\\ud") ? canonicalize(value) : text;
}

const NOT_PLAIN = Symbol("not plain");
/** Deeper than anything of ours; a value that contains itself is deeper than everything. */
const MAX_DEPTH = 32;

/** The value with its keys in order, itself where they are already; `NOT_PLAIN` for what `JSON.stringify` would treat in a way of its own. */
function inOrder(value: unknown, depth: number): unknown {
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value === "number") return Number.isFinite(value) ? value : NOT_PLAIN;
  if (typeof value !== "object" || depth > MAX_DEPTH || "toJSON" in value) return NOT_PLAIN;
  return Array.isArray(value) ? listInOrder(value, depth) : objectInOrder(value, depth);
}

function listInOrder(list: readonly unknown[], depth: number): unknown {
  let copy: unknown[] | null = null;
  for (let index = 0; index < list.length; index += 1) {
    const ordered = inOrder(list[index], depth + 1);
    if (ordered === NOT_PLAIN) return NOT_PLAIN;
    if (ordered === list[index]) continue;
    copy ??= [...list];
    copy[index] = ordered;
  }
  return copy ?? list;
}

function objectInOrder(value: object, depth: number): unknown {
  const given = value as Record<string, unknown>;
  const keys = Object.keys(given);
  const isInOrder = isSorted(keys);
  if (!isInOrder) keys.sort();
  let copy: Record<string, unknown> | null = isInOrder ? null : {};
  for (const [index, key] of keys.entries()) {
    // Keys that look like numbers come first whatever is done, and this one sets the prototype.
    if (key === "__proto__" || (key <= "9~" && /^\d/.test(key))) return NOT_PLAIN;
    const member = given[key];
    // Left out by both.
    if (member === undefined) continue;
    const ordered = inOrder(member, depth + 1);
    if (ordered === NOT_PLAIN) return NOT_PLAIN;
    if (ordered !== member && copy === null) {
      copy = {};
      for (const before of keys.slice(0, index)) copy[before] = given[before];
    }
    if (copy !== null) copy[key] = ordered;
  }
  return copy ?? given;
}

/** By UTF-16 units, as the standard has it and `sort` does. */
function isSorted(keys: readonly string[]): boolean {
  for (let index = 1; index < keys.length; index += 1)
    if ((keys[index - 1] as string) > (keys[index] as string)) return false;
  return true;
}
