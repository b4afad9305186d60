import { withoutSections } from "./sections";

/**
 * Refuses XML that defines entities, before any parser sees it (case H12). A parser's own limits would either let a bomb
 * through or count the honest `&amp;` of a long article against it; without definitions there is nothing to expand, and
 * any number of `&amp;` is fine. An external DTD (`PUBLIC "-//Netscape…"`) is allowed: nothing ever loads it.
 */
export type XmlFault = { code: "entity_bomb" | "doctype_entities" | "cut_short"; detail: string };

/** @returns the fault, or null when the text may be parsed as a feed. */
export function findXmlFault(text: string): XmlFault | null {
  const subset = doctypeOf(text);
  const definitions = subset.match(/<!ENTITY\s+(?:%\s+)?[^>]*/gi) ?? [];
  if (definitions.length > 0) {
    const nested = definitions.some((one) =>
      /["'][^"']*[&%][A-Za-z_:][\w.:-]*;/.test(one.replace(/&(?:amp|lt|gt|quot|apos);/g, "")),
    );
    const detail = `the document type defines ${definitions.length} entities`;
    return nested
      ? { code: "entity_bomb", detail: `${detail}, some in terms of others` }
      : { code: "doctype_entities", detail };
  }
  // A parser may take a document type wherever it stands, so one after the prologue is none that we looked into.
  if (/<!DOCTYPE/i.test(withoutCharacterData(text.slice(subset.length)))) {
    return { code: "doctype_entities", detail: "a document type stands inside the document" };
  }
  if (!isClosed(text)) return { code: "cut_short", detail: "the document ends before its root element does" };
  return null;
}

/** Everything from the start to the end of the document type declaration; empty when there is none. */
function doctypeOf(text: string): string {
  let at = 0;
  for (;;) {
    const rest = /\S/.exec(text.slice(at, at + 4096));
    if (rest === null) return "";
    at += rest.index;
    if (text.startsWith("<?", at)) at = after(text, "?>", at);
    else if (text.startsWith("<!--", at)) at = after(text, "-->", at);
    else if (/^<!DOCTYPE/i.test(text.slice(at, at + 9))) return text.slice(0, endOfDoctype(text, at));
    else return "";
  }
}

function endOfDoctype(text: string, from: number): number {
  let quote = "";
  let depth = 0;
  for (let at = from; at < text.length; at += 1) {
    const char = text[at] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (text.startsWith("<!--", at)) at = after(text, "-->", at) - 1;
    else if (char === '"' || char === "'") quote = char;
    else if (char === "[") depth += 1;
    else if (char === "]") depth -= 1;
    else if (char === ">" && depth <= 0) return at + 1;
  }
  return text.length;
}

function after(text: string, mark: string, from: number): number {
  const found = text.indexOf(mark, from);
  return found === -1 ? text.length : found + mark.length;
}

function withoutCharacterData(text: string): string {
  return withoutSections(withoutSections(text, "<![CDATA[", "]]>"), "<!--", "-->");
}

/** The last markup but comments and processing instructions must end the root: a feed cut in the middle does not. */
function isClosed(text: string): boolean {
  let end = text;
  for (;;) {
    end = end.trimEnd();
    const opening = end.endsWith("-->") ? "<!--" : end.endsWith("?>") ? "<?" : null;
    if (opening === null) return /<\/(?:[\w.-]+:)?(?:rss|feed|RDF)\s*>$/i.test(end.slice(-200));
    const from = end.lastIndexOf(opening);
    if (from === -1) return false;
    end = end.slice(0, from);
  }
}
