import canonicalize from "canonicalize";
import { HASH_RULE_VERSION } from "../../domain/hash-rule";
import { Bug, type Sha256 } from "../../domain/ids";
import type { Fact } from "../../domain/ports";
import type { DraftDocument } from "./draft-schema";

/**
 * The edition as content, and the value that hash rule 2 hashes (domain 1).
 *
 * Rule 2. In: title, language, body (intro and facts in their order), citations, links. Out: build time, renderer
 * version, the key comment, and the edition's own id, which the approval binds beside the hash. Every string is put in
 * NFC, line ends become LF, blanks (space, tab, Unicode space separators) at the end of a line and line ends at the end
 * of a text are cut. Then canonical JSON (RFC 8785) in UTF-8. Values under different rules are never compared, so any
 * change here is rule 3.
 */
/** Where a fact comes from, to be printed beside it and to be proven: the exact span of the frozen snapshot. */
export interface Citation {
  factId: string;
  sourceId: string;
  title: string;
  url: string;
  licence: string;
  snapshotHash: Sha256;
  /** UTF-16 offsets in the extracted text, end exclusive. */
  start: number;
  end: number;
}

/** One edition's content. Everything a reader sees of it, and nothing about how it was built. */
export interface EditionDocument {
  edition: string;
  language: string;
  title: string;
  intro: string;
  facts: readonly Fact[];
  citations: readonly Citation[];
  /** Every distinct absolute address the page shows: each fact's, then each cited source's page. */
  links: readonly string[];
}

/** What is known of a source that may be cited. `homepage` is the page a reader can open; the feed's address if null. */
export interface CitedSource {
  id: string;
  title: string;
  url: string;
  licence: string;
  homepage: string | null;
}

/**
 * Puts a draft and its sources together.
 * @returns the document. A fact of an unknown source gets no citation; `checkQuotes` reports it as `source_missing`.
 */
export function buildEditionDocument(input: {
  edition: string;
  draft: DraftDocument;
  sources: readonly CitedSource[];
}): EditionDocument {
  const sources = new Map(input.sources.map((source) => [source.id, source]));
  const citations: Citation[] = [];
  for (const fact of input.draft.facts) {
    const source = sources.get(fact.sourceId);
    if (source === undefined) continue;
    citations.push({
      factId: fact.id,
      sourceId: source.id,
      title: source.title,
      url: absolute(source.homepage ?? source.url),
      licence: source.licence,
      snapshotHash: fact.snapshotHash,
      start: fact.start,
      end: fact.end,
    });
  }
  const facts = input.draft.facts.map((fact) => ({ ...fact, url: absolute(fact.url) }));
  const links = [...new Set([...facts.map((fact) => fact.url), ...citations.map((citation) => citation.url)])];
  const { language, title, intro } = input.draft;
  return { edition: input.edition, language, title, intro, facts, citations, links };
}

/** Writes an address the way browsers do, so that a page's `href`s can be compared as strings. */
function absolute(url: string): string {
  try {
    return new URL(url).href;
  } catch {
    throw new Bug("a draft or source with an address that is not absolute passed its schema");
  }
}

/** NFC, LF, trailing blanks cut: the text part of rule 2. */
export function normaliseText(text: string): string {
  return text
    .normalize("NFC")
    .replace(/\r\n?/g, "\n")
    .replace(/[\p{Zs}\t]+(?=\n|$)/gu, "")
    .replace(/\n+$/, "");
}

type Json = string | number | null | readonly Json[] | { readonly [key: string]: Json };

function normaliseValue(value: Json): Json {
  if (typeof value === "string") return normaliseText(value);
  if (value === null || typeof value === "number") return value;
  if (isList(value)) return value.map(normaliseValue);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, normaliseValue(inner)]));
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/**
 * The value that rule 2 hashes, before it is written as canonical JSON.
 * Fields are picked by name: a field added to the document later must not slip into the hash of an old rule.
 */
export function contentHashInput(document: EditionDocument): Json {
  return normaliseValue({
    rule: HASH_RULE_VERSION,
    title: document.title,
    language: document.language,
    body: {
      intro: document.intro,
      facts: document.facts.map(({ id, headline, statement, quote, url }) => ({ id, headline, statement, quote, url })),
    },
    citations: document.citations.map(({ factId, sourceId, title, url, licence, snapshotHash, start, end }) => ({
      factId,
      sourceId,
      title,
      url,
      licence,
      snapshotHash,
      start,
      end,
    })),
    links: [...document.links],
  });
}

/**
 * The bytes whose SHA-256 is the content hash under rule 2.
 * @throws Bug when a string has a lone surrogate: no bytes could stand for it, and the schema refuses it before.
 */
export function canonicalContentBytes(document: EditionDocument): Uint8Array {
  return canonicalBytes(contentHashInput(document));
}

/** Canonical JSON (RFC 8785) of a value, in UTF-8, with every string normalised by the text part of rule 2. */
export function canonicalBytes(value: Json): Uint8Array {
  let json: string | undefined;
  try {
    json = canonicalize(normaliseValue(value));
  } catch {
    json = undefined;
  }
  if (json === undefined) throw new Bug("a value without a canonical form was to be hashed");
  return new TextEncoder().encode(json);
}
