/** A span of a frozen source's extracted text: UTF-16 offsets, end exclusive. The words are read there, never brought along. */
export interface QuoteSpan {
  snapshotHash: string;
  start: number;
  end: number;
}

/** A fact as an editor changes it. Without a span no quote was picked yet: it may be kept, never checked. */
export interface FactEdit {
  id: string;
  headline: string;
  statement: string;
  span: QuoteSpan | null;
}

/** Everything an editor may change of an edition before it is published (domain 3). */
export interface DraftEdit {
  title: string;
  intro: string;
  email: { subject: string; intro: string };
  /** The facts to keep, in their order. */
  facts: readonly FactEdit[];
}

/** A fact with what its span gives: the exact words, the address of the item they stand in, the source. Empty where it gives none. */
export interface ReadFact extends FactEdit {
  quote: string;
  url: string;
  sourceId: string;
}

export interface ReadDraft extends DraftEdit {
  facts: readonly ReadFact[];
}

/** Why a fact cannot go into a package, or why it stopped the one before. */
export type FactFaultKind =
  | "span_mismatch"
  | "source_missing"
  | "outside_item"
  | "empty_quote"
  | "not_picked"
  | "link_broken";

export interface FactFault {
  factId: string;
  kind: FactFaultKind;
}

/** `unsafe`: characters that control a terminal, turn the direction of a text, or have no form of their own. */
export type FieldFaultKind = "missing" | "too_long" | "unsafe" | "line_break" | "not_allowed";

/** What is wrong with the words of one field; never the words themselves. `factId` is null outside of facts. */
export interface FieldFault {
  factId: string | null;
  field: string;
  kind: FieldFaultKind;
}

/** A draft that is open for editing, and the working copy that was kept of it, if there is one. */
export interface OpenDraft {
  /** Null where nothing was drafted yet: then the edition is written from the sources. */
  hash: string | null;
  draft: ReadDraft;
  faults: readonly FactFault[];
  /** Sources of the present collection, which alone may be quoted. */
  sources: readonly { id: string; title: string; snapshotHash: string }[];
  working: WorkingDraft | null;
}

export interface WorkingDraft {
  hash: string;
  /** The draft it was begun on; another one than the present means that it was replaced meanwhile. */
  base: string | null;
  /** ms UTC of workspace time. */
  keptAt: number;
  draft: ReadDraft;
  faults: readonly FactFault[];
}

export type PickedQuote =
  | { kind: "picked"; quote: string; url: string; sourceId: string }
  | { kind: "fault"; fault: FactFaultKind };

/** What the editor had before them: held against what is there when the edit arrives. */
export interface EditSeen {
  draftHash: string | null;
  /** The working copy this window kept or took up; null where there was none. */
  workingHash: string | null;
}
