import { DetectError, MalformedError, ParseError } from "feedsmith";
import type { Extraction, SourceFormat, SourceParser } from "../../domain/ports";
import { decodeText } from "../text-decoding";
import { readJson, readXmlFeed } from "./feed";
import { layOut, type ParsedSource } from "./layout";
import { hasTooManyTags, TooDeep } from "./markup-limits";
import { readPage } from "./page";
import { withoutSections } from "./sections";
import { findXmlFault } from "./xml-guard";

/** Why a snapshot yields no text. `detail` is ours, in English, and holds nothing of the source but an encoding's name. */
export type UnusableCode =
  | "empty"
  | "not_text"
  | "encoding_unsupported"
  | "encoding_unknown"
  | "entity_bomb"
  | "doctype_entities"
  | "cut_short"
  | "malformed"
  | "too_deep"
  | "too_complex"
  | "not_a_feed"
  | "not_a_page"
  | "no_text";

/** The parser of every kind of source; deterministic by extraction rule 1 (`layout.ts`). It keeps no state. */
export function createSourceParser(): SourceParser {
  return { extract };
}

type Kind = "xml" | "json" | "html";

function extract(input: Parameters<SourceParser["extract"]>[0]): Extraction {
  if (input.bytes.length === 0) return unusable("empty", "the body has no bytes");
  if (isBinaryType(input.contentType)) return unusable("not_text", "the answer is declared as no kind of text");
  const decoded = decodeText(input.bytes, input.contentType);
  if (decoded.kind === "undecodable") return unusable(decoded.code, decoded.detail);
  if (decoded.text.trim() === "") return unusable("empty", "the body has nothing but blanks");
  if (decoded.text.includes("\0")) return unusable("not_text", "the body has NUL characters");
  if (hasTooManyTags(decoded.text)) return unusable("too_complex", "the document has more tags than any honest source");
  const kind = kindOf(decoded.text);
  const mismatch = findMismatch(kind, input.format);
  if (mismatch !== null) return mismatch;
  if (kind === "xml") {
    const fault = findXmlFault(decoded.text);
    if (fault !== null) return unusable(fault.code, fault.detail);
  }
  const parsed = read(kind, decoded.text, input.finalUrl);
  if ("code" in parsed) return parsed;
  if (kind === "html" && parsed.items.length === 0) return unusable("no_text", "the page shows no text");
  return { kind: "extracted", source: layOut(parsed, decoded.encoding) };
}

function read(kind: Kind, text: string, url: string): ParsedSource | ReturnType<typeof unusable> {
  try {
    if (kind === "xml") return readXmlFeed(text, url);
    if (kind === "html") return readPage(text, url);
    return readJson(JSON.parse(text), url);
  } catch (error) {
    if (error instanceof DetectError) return unusable("not_a_feed", "no feed format was recognised");
    if (error instanceof SyntaxError)
      return unusable(isWholeJson(text) ? "malformed" : "cut_short", "the JSON does not parse");
    if (error instanceof MalformedError || error instanceof ParseError)
      return unusable("malformed", "the feed does not parse");
    // A RangeError is what a parser throws when its own call stack is used up.
    if (error instanceof TooDeep || error instanceof RangeError)
      return unusable("too_deep", "the document is nested too deeply");
    throw error;
  }
}

function isWholeJson(text: string): boolean {
  return /[}\]]\s*$/.test(text);
}

/** How much of a document is looked at to find its root element. */
const HEAD_CHARS = 65_536;

/** By content, since feeds are served as `text/html`, `text/plain` and worse. */
function kindOf(text: string): Kind {
  const head = text.trimStart().slice(0, HEAD_CHARS);
  if (head.startsWith("{") || head.startsWith("[")) return "json";
  // Comments, instructions and the document type may come before the root; the root element decides. A document type
  // with an internal subset may hide it: whatever defines entities is looked at as XML, and refused there.
  const prologue = withoutSections(withoutSections(head, "<!--", "-->"), "<?", "?>");
  const root = /<(?![?!/])(?:[\w.-]{1,40}:)?([A-Za-z][\w.-]{0,40})/.exec(prologue)?.[1] ?? "";
  return /^(?:rss|feed|RDF)$/i.test(root) || /^\s*<!DOCTYPE[^>]*\[/i.test(prologue) ? "xml" : "html";
}

function findMismatch(kind: Kind, format: SourceFormat): ReturnType<typeof unusable> | null {
  if (format === "auto") return null;
  if (format === "html") return kind === "html" ? null : unusable("not_a_page", "a page was expected and a feed came");
  // Which feed format it is does not matter; publishers change it without notice.
  return kind === "html"
    ? unusable("not_a_feed", "a feed was expected and something else came, perhaps an error page")
    : null;
}

function isBinaryType(contentType: string | null): boolean {
  const type = (contentType ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
  return (
    /^(?:image|audio|video|font)\//.test(type) ||
    /^application\/(?:pdf|zip|gzip|msword|vnd\.(?:ms|openxml|oasis))/.test(type)
  );
}

function unusable(
  code: UnusableCode,
  detail: string,
): Extract<Extraction, { kind: "unusable" }> & { code: UnusableCode } {
  return { kind: "unusable", code, detail };
}
