/**
 * Removes sections such as comments from a text. By search and not by a regular expression: `<!--[\s\S]*?-->` takes
 * quadratic time on a text that opens many and closes none. What is opened and never closed ends the text.
 */
export function withoutSections(text: string, open: string, close: string): string {
  const parts: string[] = [];
  let at = 0;
  for (;;) {
    const from = text.indexOf(open, at);
    if (from === -1) break;
    parts.push(text.slice(at, from));
    const end = text.indexOf(close, from + open.length);
    if (end === -1) return parts.join("");
    at = end + close.length;
  }
  parts.push(text.slice(at));
  return parts.join("");
}

/** Removes characters of a set from both ends. By hand, because `[set]+$` takes quadratic time on a run in the middle. */
export function trimChars(text: string, chars: string): string {
  let start = 0;
  let end = text.length;
  while (start < end && chars.includes(text[start] ?? "")) start += 1;
  while (end > start && chars.includes(text[end - 1] ?? "")) end -= 1;
  return text.slice(start, end);
}
