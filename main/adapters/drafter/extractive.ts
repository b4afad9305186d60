import type { Sha256 } from "../../domain/ids";
import type { CallContext, Drafter, DraftInput, DraftResult, Fact, SourceItem } from "../../domain/ports";
import { findPassage, type Passage } from "./passages";
import { wordsFor } from "./templates";

/**
 * Writes a draft out of the sources' own sentences. It invents no word, needs no network and gives the same draft for the
 * same input, so it serves offline, in tests, and as what the editor starts from.
 *
 * Choice: of each source the new items, newest first; then one item of each source in the configured order, round after
 * round, until there are enough, so that no source fills the edition. Items of which only the title can be quoted wait until nothing
 * better is left; an item that says what a chosen one says (same address or same headline) is passed over. With fewer usable
 * changes than wanted the draft has fewer facts, and the pipeline says so.
 */
export function createExtractiveDrafter(): Drafter {
  const draft = async (input: DraftInput, context: CallContext): Promise<DraftResult> => {
    const facts = chooseFacts(input, context.now);
    const lead = facts[0]?.headline ?? "";
    const sources = new Set(facts.map((fact) => fact.sourceId)).size;
    const words = wordsFor({ edition: input.edition, language: input.language, facts: facts.length, sources, lead });
    return { kind: "drafted", raw: { language: input.language, ...words, facts } };
  };
  // Deterministic: a second try says what the first said, and if that was wrong a person must see it.
  return { name: "extractive", draft, repair: (input, _faults, context) => draft(input, context) };
}

/** Longest address the schema takes; one hostile item must not spoil the whole draft. */
const URL_MAX = 2000;

/** Longest headline the schema takes is 300; a title beyond this is a paragraph. */
const HEADLINE_MAX = 160;

interface Candidate {
  sourceId: string;
  snapshotHash: Sha256;
  item: SourceItem;
  passage: Passage;
  quote: string;
  url: string;
}

type DraftSource = DraftInput["sources"][number];

function chooseFacts(input: DraftInput, now: number): readonly Fact[] {
  const queues = input.sources.map((source) => candidatesOf(source, now));
  const rounds = [false, true].flatMap((isTitleOnly) =>
    inTurns(queues.map((queue) => queue.filter((one) => one.passage.isTitleOnly === isTitleOnly))),
  );
  const chosen: Candidate[] = [];
  for (const candidate of rounds) {
    if (chosen.length >= input.wanted) break;
    if (!chosen.some((one) => tellsTheSame(one, candidate))) chosen.push(candidate);
  }
  return chosen.map(toFact);
}

/** One source may well have all its changes at one address; two sources with one address have found the same thing. */
function tellsTheSame(one: Candidate, other: Candidate): boolean {
  if (one.item.title.toLowerCase() === other.item.title.toLowerCase()) return true;
  return one.url === other.url && one.sourceId !== other.sourceId;
}

/** The first of every queue, then the second of every queue, and so on. */
function inTurns<T>(queues: readonly (readonly T[])[]): readonly T[] {
  const longest = Math.max(0, ...queues.map((queue) => queue.length));
  return Array.from({ length: longest }, (_, turn) => queues.flatMap((queue) => queue.slice(turn, turn + 1))).flat();
}

function candidatesOf(source: DraftSource, now: number): readonly Candidate[] {
  const fresh = new Set(source.newItemKeys);
  const { extracted, config, snapshotHash } = source;
  return extracted.items
    .filter((item) => fresh.has(item.key))
    .map((item, index) => ({ item, index, rank: rankOf(item, now) }))
    .sort((a, b) => b.rank - a.rank || a.index - b.index)
    .flatMap(({ item }) => {
      const passage = findPassage(extracted, item);
      if (passage === null) return [];
      const quote = extracted.text.slice(passage.quote.start, passage.quote.end);
      const url = [item.url, extracted.homepage].find((one) => one !== null && one.length <= URL_MAX) ?? config.url;
      return [{ sourceId: config.id, snapshotHash, item, passage, quote, url }];
    });
}

/** A date in the future is a mistake or a trick to stay on top; it counts as now. No date comes last. */
function rankOf(item: SourceItem, now: number): number {
  return item.publishedAt === null ? Number.NEGATIVE_INFINITY : Math.min(item.publishedAt, now);
}

function toFact(candidate: Candidate, index: number): Fact {
  const { item, passage, quote, sourceId, snapshotHash, url } = candidate;
  const { start, end } = passage.quote;
  return {
    id: `F${index + 1}`,
    headline: headlineOf(item.title),
    statement: passage.statement,
    sourceId,
    snapshotHash,
    start,
    end,
    quote,
    url,
  };
}

function headlineOf(title: string): string {
  const chars = [...title.trim()];
  return chars.length <= HEADLINE_MAX
    ? chars.join("")
    : `${chars
        .slice(0, HEADLINE_MAX - 1)
        .join("")
        .trimEnd()}…`;
}
