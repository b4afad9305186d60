import { createHash } from "node:crypto";
import type { Extraction, SourceParser } from "../domain/ports";

/** Worlds and plays come by in thousands and read the same few dozen sources: more than that need not be kept. */
const KEPT = 500;

/**
 * A parser that remembers what it made of which bytes. What it answers is the same as without, frozen, so that a reader who changed
 * it would be found.
 */
export function rememberExtractions(parser: SourceParser): SourceParser {
  const known = new Map<string, Extraction>();
  return {
    extract: (input) => {
      const { bytes, contentType, finalUrl, format } = input;
      const key = [createHash("sha256").update(bytes).digest("base64"), contentType, finalUrl, format].join(" ");
      const remembered = known.get(key);
      if (remembered) return remembered;
      const extraction = deepFreeze(parser.extract(input));
      if (known.size >= KEPT) known.clear();
      known.set(key, extraction);
      return extraction;
    },
  };
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || ArrayBuffer.isView(value)) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
