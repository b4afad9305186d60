/** One piece of a long text, short enough to be laid out by itself. */
export interface Line {
  /** Where it begins in the whole text, in UTF-16 units. */
  start: number;
  text: string;
}

/** Long enough for any honest paragraph; a source without line ends would otherwise be one row of megabytes. */
const LONGEST = 600;

/** Cuts a text into lines, and lines without end into pieces, never inside a surrogate pair. */
export function splitLines(text: string): Line[] {
  const lines: Line[] = [];
  let start = 0;
  for (const whole of text.split("\n")) {
    let at = 0;
    do {
      const piece = whole.slice(at, pieceEnd(whole, at));
      lines.push({ start: start + at, text: piece });
      at += piece.length;
    } while (at < whole.length);
    start += whole.length + 1;
  }
  return lines;
}

function pieceEnd(text: string, from: number): number {
  const end = from + LONGEST;
  if (end >= text.length) return text.length;
  const space = text.lastIndexOf(" ", end);
  if (space > from + LONGEST / 2) return space + 1;
  const code = text.charCodeAt(end);
  return code >= 0xdc00 && code <= 0xdfff ? end - 1 : end;
}

/** The line in which a place of the text stands. */
export function lineAt(lines: readonly Line[], place: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((lines[middle] as Line).start <= place) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where a quote really stands: at the place the fact names, elsewhere, or nowhere. Never trusts offsets without the words. */
export function findQuote(
  text: string,
  quote: string,
  start: number,
  end: number,
): { start: number; end: number; as: "named" | "moved" } | null {
  if (text.slice(start, end) === quote) return { start, end, as: "named" };
  const found = quote === "" ? -1 : text.indexOf(quote);
  return found < 0 ? null : { start: found, end: found + quote.length, as: "moved" };
}
