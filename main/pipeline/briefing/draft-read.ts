import type {
  DraftEdit,
  FactEdit,
  FactFault,
  FieldFault,
  FieldFaultKind,
  PickedQuote,
  QuoteSpan,
  ReadDraft,
  ReadFact,
} from "../../domain/draft-edit";
import { checkQuotes } from "./check-quotes";
import { checkDraft, type DraftDocument } from "./draft-schema";
import type { ThawedSource } from "./extracted-sources";

/** An edit with the words of its spans read from the frozen sources; a fact whose span is the draft's keeps what the draft says. */
export function readEdit(base: DraftDocument | null, edit: DraftEdit, sources: readonly ThawedSource[]): ReadDraft {
  return { ...edit, facts: edit.facts.map((fact) => readFact(base, fact, sources)) };
}

/** A frozen draft in the form in which it is edited. */
export function editOfDraft({ title, intro, email, facts }: DraftDocument): DraftEdit {
  return {
    ...{ title, intro, email },
    facts: facts.map(({ id, headline, statement, snapshotHash, start, end }) => ({
      ...{ id, headline, statement },
      span: { snapshotHash, start, end },
    })),
  };
}

function readFact(base: DraftDocument | null, fact: FactEdit, sources: readonly ThawedSource[]): ReadFact {
  const { id, headline, statement, span } = fact;
  const own = { id, headline, statement, span };
  const kept = base?.facts.find((one) => one.id === id && span !== null && isSameSpan(one, span));
  if (kept) return { ...own, quote: kept.quote, url: kept.url, sourceId: kept.sourceId };
  if (span === null) return { ...own, quote: "", url: "", sourceId: "" };
  return { ...own, ...wordsAt(span, sources) };
}

const isSameSpan = (one: QuoteSpan, other: QuoteSpan): boolean =>
  one.snapshotHash === other.snapshotHash && one.start === other.start && one.end === other.end;

function wordsAt(span: QuoteSpan, sources: readonly ThawedSource[]): Pick<ReadFact, "quote" | "url" | "sourceId"> {
  const source = sources.find(({ snapshotHash }) => snapshotHash === span.snapshotHash);
  if (!source?.extracted) return { quote: "", url: "", sourceId: source?.config.id ?? "" };
  const { text, items, homepage } = source.extracted;
  const item = items.find(({ start, end }) => start <= span.start && span.end <= end);
  return {
    quote: text.slice(span.start, span.end),
    url: item?.url ?? homepage ?? source.origin.finalUrl,
    sourceId: source.config.id,
  };
}

/** The words at a span, or why they cannot be quoted: by the same check that a draft has to pass. */
export function pickQuote(span: QuoteSpan, sources: readonly ThawedSource[]): PickedQuote {
  const fact = readFact(null, { id: "F1", headline: "", statement: "", span }, sources);
  const [fault] = quoteFaults([fact], sources);
  if (fault) return { kind: "fault", fault: fault.kind };
  const { quote, url, sourceId } = fact;
  return { kind: "picked", quote, url, sourceId };
}

/** What the check would say of the quotes: at most one fault a fact. */
export function quoteFaults(facts: readonly ReadFact[], sources: readonly ThawedSource[]): FactFault[] {
  const quoted = sources.map(({ config, snapshotHash, extracted }) => ({
    ...{ sourceId: config.id, snapshotHash, extracted },
  }));
  return facts.flatMap((fact): readonly FactFault[] => {
    const { id, span, quote, url, sourceId, headline, statement } = fact;
    if (span === null) return [{ factId: id, kind: "not_picked" }];
    const snapshotHash = span.snapshotHash as DraftDocument["facts"][number]["snapshotHash"];
    return checkQuotes([{ id, headline, statement, quote, url, sourceId, ...span, snapshotHash }], quoted);
  });
}

/** The draft that an edit makes, judged by the schema that every draft has to pass. */
export function documentOfEdit(
  language: string,
  { title, intro, email, facts }: ReadDraft,
): { draft: DraftDocument } | { faults: FieldFault[] } {
  const checked = checkDraft({
    ...{ language, title, intro, email },
    facts: facts.map(({ span, ...fact }) => ({ ...fact, ...span })),
  });
  if (checked.kind === "valid") return { draft: checked.draft };
  return { faults: checked.faults.map((line) => fieldFault(line, facts)) };
}

/** The schema's words for what an editor can bring about. */
const KINDS: Readonly<Record<string, FieldFaultKind>> = {
  "is too short": "missing",
  "is blank": "missing",
  "is too long": "too_long",
  "has control or direction-override characters": "unsafe",
  "has a broken character": "unsafe",
  "has a line break": "line_break",
};

/** Reads `facts.0.headline is too long` back into a fact, its field and what is wrong with it. */
function fieldFault(line: string, facts: readonly ReadFact[]): FieldFault {
  const [path = "", ...words] = line.split(" ");
  const kind = KINDS[words.join(" ")] ?? "not_allowed";
  const [, index, ofFact] = /^facts\.(\d+)(?:\.(\w+))?$/.exec(path) ?? [];
  if (index === undefined) return { factId: null, field: path, kind };
  return { factId: facts[Number(index)]?.id ?? null, field: ofFact ?? "fact", kind };
}

/** Fields that a picked quote fills: what is wrong with them is told as the quote's fault. */
const OF_QUOTE = ["snapshotHash", "start", "end", "quote", "url", "sourceId", "fact"];

/** Only what an editor can mend by writing. */
export const faultsOfWords = (faults: readonly FieldFault[], quotes: readonly FactFault[]): FieldFault[] =>
  faults.filter(({ factId, field }) => !(OF_QUOTE.includes(field) && quotes.some((fault) => fault.factId === factId)));
