/** A stretch of text by UTF-16 offsets, end exclusive. */
export interface Span {
  start: number;
  end: number;
}

/** Words that end in a full stop without ending a sentence. */
const ABBREVIATIONS = new Set(
  (
    "mr mrs ms dr prof st sr jr vs etc eg ie cf al approx dept inc ltd co corp jan feb mar apr jun jul aug " +
    "sep sept oct nov dec e.g i.e u.s u.k a.m p.m"
  ).split(" "),
);

/** Abbreviations only before a number: "no. 5", but not "He said no." */
const BEFORE_NUMBERS = new Set(["no", "nos", "nr", "vol", "fig", "figs", "p", "pp", "art", "sec"]);

/** Ends a sentence wherever it stands. A full-width full stop is never a decimal point. */
const CJK_END = /[。！？｡]/u;
const LATIN_END = /[.!?…]/u;
/** Quotation marks and brackets that close after the sentence's end and belong to it. */
const CLOSING = /["'”’»)\]」』】》〉）］]/u;

/**
 * Splits one line of text into sentences, without the runtime's segmenter, whose answers change with its ICU.
 * @param from offset of the line in the text its spans are to point into.
 * @returns spans without blanks around them, in order; together they hold every character that is not blank.
 */
export function splitSentences(line: string, from: number): readonly Span[] {
  const spans: Span[] = [];
  let start = 0;
  for (let at = 0; at < line.length; at += 1) {
    if (!endsAt(line, at)) continue;
    const end = endOfRun(line, at + 1);
    spans.push({ start, end });
    start = end;
    at = end - 1;
  }
  spans.push({ start, end: line.length });
  return spans
    .flatMap((span) => trimSpan(line, span))
    .map((span) => ({ start: span.start + from, end: span.end + from }));
}

/** "?!", "..." and closing quotation marks; a longer run is a rule drawn with dots, and looking at it would take for ever. */
const RUN_MAX = 8;

function endOfRun(line: string, from: number): number {
  let end = from;
  while (end < line.length && end < from + RUN_MAX && isEndOrClosing(line[end] ?? "")) end += 1;
  return end;
}

function isEndOrClosing(char: string): boolean {
  return CJK_END.test(char) || LATIN_END.test(char) || CLOSING.test(char);
}

function endsAt(line: string, at: number): boolean {
  const char = line[at] ?? "";
  if (CJK_END.test(char)) return true;
  if (!LATIN_END.test(char)) return false;
  const next = endOfRun(line, at + 1);
  if (next >= line.length) return true;
  // "v2.1", "example.org" and "Node.js" have no blank after the stop; Chinese text may follow a Latin stop at once.
  const after = line.slice(next, next + 20).trimStart();
  if (!/\s/u.test(line[next] ?? "")) return /^\p{Script=Han}/u.test(after) && char !== ".";
  if (char === "." && isAbbreviated(line.slice(Math.max(0, at - 20), at), after)) return false;
  return !/^\p{Ll}/u.test(after);
}

/** Whether the stop between these texts belongs to an abbreviation or an initial ("J. Smith"). */
function isAbbreviated(before: string, after: string): boolean {
  const word = /[\p{L}\p{N}.]*$/u.exec(before)?.[0] ?? "";
  if (BEFORE_NUMBERS.has(word.toLowerCase())) return /^\p{N}/u.test(after);
  return ABBREVIATIONS.has(word.toLowerCase()) || /^\p{Lu}$/u.test(word);
}

function trimSpan(line: string, span: Span): readonly Span[] {
  const text = line.slice(span.start, span.end);
  const lead = text.length - text.trimStart().length;
  const body = text.trim();
  return body === "" ? [] : [{ start: span.start + lead, end: span.start + lead + body.length }];
}
