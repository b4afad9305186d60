import type { ExtractedSource, Fact } from "../../domain/ports";

/**
 * Proves that every fact quotes what its frozen source says (domain 3, guard of CheckPassed). Pure: the caller extracts
 * the snapshots again from their frozen bytes, so that a quote is checked against the bytes and not against a memory of
 * them.
 */

export type QuoteFaultKind = "span_mismatch" | "source_missing" | "outside_item" | "empty_quote";

/** One fault of one fact. A fact has at most one: the first that makes the others meaningless. */
export interface QuoteFault {
  factId: string;
  kind: QuoteFaultKind;
}

/** A snapshot as extracted again. `extracted` is null when its bytes are damaged or no longer yield a text. */
export interface QuotedSource {
  sourceId: string;
  snapshotHash: string;
  extracted: ExtractedSource | null;
}

/**
 * @returns the faults in the facts' order; empty when every quote stands at its exact span inside one item of the
 * snapshot it names.
 */
export function checkQuotes(facts: readonly Fact[], sources: readonly QuotedSource[]): readonly QuoteFault[] {
  const faults: QuoteFault[] = [];
  for (const fact of facts) {
    const kind = judge(fact, sources);
    if (kind !== null) faults.push({ factId: fact.id, kind });
  }
  return faults;
}

function judge(fact: Fact, sources: readonly QuotedSource[]): QuoteFaultKind | null {
  // Both must agree: the right text under another source's name is a wrong citation.
  const source = sources.find((one) => one.sourceId === fact.sourceId && one.snapshotHash === fact.snapshotHash);
  if (source === undefined || source.extracted === null) return "source_missing";
  if (fact.quote.trim() === "" || fact.end <= fact.start) return "empty_quote";
  const { text, items } = source.extracted;
  if (!isOffset(fact.start) || !isOffset(fact.end) || fact.end > text.length) return "span_mismatch";
  // Exact, without any normalising: the span is evidence, and `quote` is that text (ports: Fact).
  if (text.slice(fact.start, fact.end) !== fact.quote) return "span_mismatch";
  // A span across two items joins words that nobody wrote together.
  if (!items.some((item) => item.start <= fact.start && fact.end <= item.end)) return "outside_item";
  return null;
}

function isOffset(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}
