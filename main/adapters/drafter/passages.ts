import type { ExtractedSource, SourceItem } from "../../domain/ports";
import { type Span, splitSentences } from "./sentences";

/** What can be quoted of an item, and a sentence or two of it that say what changed. */
export interface Passage {
  quote: Span;
  statement: string;
  /** True when the item has no quotable sentence and its title had to serve. */
  isTitleOnly: boolean;
}

/** Shorter says nothing, longer is no quotation any more but a copy. */
const QUOTE_MIN = 20;
const QUOTE_MAX = 300;

/** What makes a sentence worth quoting: it tells a number, a date or a version. */
const TELLING = /\p{N}/u;

/**
 * Chooses the passage of an item: the first sentence that tells a number, else the first that fits; a sentence that is too
 * short is quoted with the next one of its line. The statement is the item's lead, that is its first sentences.
 * @returns null when nothing of it can be quoted.
 */
export function findPassage(source: ExtractedSource, item: SourceItem): Passage | null {
  const block = source.text.slice(item.start, item.end);
  const titleEnd = block.indexOf("\n") === -1 ? block.length : block.indexOf("\n");
  const lines = linesOf(block, titleEnd + 1, item.start);
  const spans = lines.flatMap(quotableSpans).filter((span) => isWhole(source.text, span));
  const quote = spans.find((span) => TELLING.test(source.text.slice(span.start, span.end))) ?? spans[0];
  const lead = spans[0];
  if (quote !== undefined && lead !== undefined) {
    const both = lengthened(lead, lines);
    const { start, end } = isWhole(source.text, both) ? both : lead;
    return { quote, statement: source.text.slice(start, end), isTitleOnly: false };
  }
  const title = { start: item.start, end: item.start + titleEnd };
  if (!fits(title) || !isWhole(source.text, title)) return null;
  return { quote: title, statement: item.title, isTitleOnly: true };
}

/** The sentences of each line of the item's body. */
function linesOf(block: string, bodyStart: number, from: number): readonly (readonly Span[])[] {
  let at = bodyStart;
  return block
    .slice(bodyStart)
    .split("\n")
    .map((line) => {
      const sentences = splitSentences(line, from + at);
      at += line.length + 1;
      return sentences;
    });
}

/** Sentences of a line that have the right length, alone or with the next one. */
function quotableSpans(sentences: readonly Span[]): readonly Span[] {
  const spans: Span[] = [];
  for (let index = 0; index < sentences.length; index += 1) {
    const sentence = sentences[index];
    const next = sentences[index + 1];
    if (sentence === undefined) continue;
    if (fits(sentence)) spans.push(sentence);
    else if (next !== undefined && sentence.end - sentence.start < QUOTE_MIN) {
      const both = { start: sentence.start, end: next.end };
      if (!fits(both)) continue;
      spans.push(both);
      index += 1;
    }
  }
  return spans;
}

/** The lead with the sentence after it on its line, where both together are still short. */
function lengthened(lead: Span, lines: readonly (readonly Span[])[]): Span {
  const next = lines.flatMap((line) => line.filter((_, index) => line[index - 1]?.end === lead.end))[0];
  const both = { start: lead.start, end: next?.end ?? lead.end };
  return fits(both) ? both : lead;
}

function fits(span: Span): boolean {
  const length = span.end - span.start;
  return length >= QUOTE_MIN && length <= QUOTE_MAX;
}

/** A sentence with a character that was lost in decoding is no exact quotation of anything. */
function isWhole(text: string, span: Span): boolean {
  return !text.slice(span.start, span.end).includes("\uFFFD");
}
