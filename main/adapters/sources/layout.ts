import { createHash } from "node:crypto";
import type { Instant } from "../../domain/ids";
import type { ExtractedSource, SourceItem } from "../../domain/ports";
import { cleanLine } from "./clean-text";

/**
 * Extraction rule 1: from a parsed source to one plain text, so that a quote can name a span of it and anyone can derive
 * the same text again from the frozen bytes. Same bytes, same text, on every machine and at any time.
 *
 * 1. Bytes are decoded as `text-decoding.ts` says and parsed as `parser.ts` says.
 * 2. Characters stay as decoded (no Unicode normalising); `clean-text.ts` says which are dropped. HTML becomes text as
 *    `markup-text.ts` says: a line per block element, entities decoded, hidden and active elements left out.
 * 3. The text is: the source's title on one line; then for each item, in the source's order, an empty line, the item's
 *    title on one line and its text, one line per block, without empty lines; a first line that only repeats the title is
 *    left out. No line end after the last.
 * 4. An item's span begins with its title and ends with its text. Offsets are UTF-16 code units, end exclusive. An item
 *    without a title gets the first 80 characters of its text for one; an item with neither is left out.
 * 5. An item's key is its guid / id, else its address with fragment, else a digest of its words. A guid that is there but
 *    empty names nothing and is no key. Of several items with one key that are the same in title and text, one stays; of
 *    those that differ, the last keeps the bare key and the others get a digest of their words added, because feeds put
 *    new items first and an item's key must not change when another is put above it.
 *
 * A change of any of this is rule 2: quotes name the rule under which their offsets hold.
 */
export const EXTRACTION_RULE = 1;

/** An item as a parser found it. Title and text are clean already; `guid` is null when it is missing or empty. */
export interface ParsedItem {
  guid: string | null;
  title: string;
  text: string;
  url: string | null;
  publishedAt: Instant | null;
  links: readonly string[];
}

export interface ParsedSource {
  title: string;
  homepage: string | null;
  items: readonly ParsedItem[];
}

/** Lays a parsed source out by rule 1. Pure. */
export function layOut(source: ParsedSource, encoding: string): ExtractedSource {
  const title = cleanLine(source.title);
  const items: SourceItem[] = [];
  let text = title;
  for (const { item, key } of withKeys(source.items.map(titled).filter((one) => one.title !== ""))) {
    text += "\n\n";
    const start = text.length;
    text += item.text === "" ? item.title : `${item.title}\n${item.text}`;
    const { url, publishedAt, links } = item;
    items.push({ key, title: item.title, url, publishedAt, start, end: text.length, links });
  }
  return { rule: EXTRACTION_RULE, encoding, title, homepage: source.homepage, text, items };
}

/** Longest title made from an item's own text. */
const MADE_TITLE = 80;

function titled(item: ParsedItem): ParsedItem {
  const [first = "", ...others] = item.text.split("\n");
  // Many pages repeat the headline above the text. Twice in the layout, it would look like a sentence of the text.
  if (item.title !== "") return first === item.title ? { ...item, text: others.join("\n") } : item;
  // Whole characters only, and whole words where the language has them.
  const cut = [...first.slice(0, 4 * MADE_TITLE)].slice(0, MADE_TITLE).join("");
  const lastBlank = cut.lastIndexOf(" ");
  const atWord = cut === first || lastBlank < MADE_TITLE / 2 ? cut : cut.slice(0, lastBlank);
  return { ...item, title: atWord.trim() };
}

function withKeys(items: readonly ParsedItem[]): readonly { item: ParsedItem; key: string }[] {
  const kept: { item: ParsedItem; key: string }[] = [];
  const words = new Set<string>();
  for (const item of items) {
    const key = item.guid ?? item.url ?? `text:${digest(item)}`;
    const same = `${key}\n${digest(item)}`;
    if (words.has(same)) continue;
    words.add(same);
    kept.push({ item, key });
  }
  const last = new Map(kept.map((one, index) => [one.key, index]));
  return kept.map(({ item, key }, index) => ({ item, key: last.get(key) === index ? key : `${key}#${digest(item)}` }));
}

function digest(item: ParsedItem): string {
  return createHash("sha256").update(`${item.title}\n${item.text}`, "utf8").digest("hex").slice(0, 16);
}
