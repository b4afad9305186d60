/**
 * Keeps characters as they were decoded, except those that show nothing and can deceive: control characters, and the
 * bidi embeddings, overrides and isolates that make a line read in another order than it is stored. Every kind of line
 * end becomes LF, a tab a space. Part of extraction rule 1; see `layout.ts`.
 */
export function cleanText(text: string): string {
  return (
    text
      .replace(/\r\n?|[\u0085\u2028\u2029\v\f]/g, "\n")
      .replace(/\t/g, " ")
      // biome-ignore lint/suspicious/noControlCharactersInRegex: removing control characters is the point.
      .replace(/[\u0000-\u0009\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069\uFFFE\uFFFF]/g, "")
      .replace(/\p{Surrogate}/gu, "\uFFFD")
  );
}

/** As {@link cleanText}, on one line with single spaces: titles. */
export function cleanLine(text: string): string {
  return cleanText(text)
    .replace(/[ \n]+/g, " ")
    .trim();
}

/** As {@link cleanText}, with single spaces, no blanks at the ends of lines and no empty lines: an item's text. */
export function cleanLines(text: string): string {
  return cleanText(text)
    .split("\n")
    .map((line) => line.replace(/ +/g, " ").trim())
    .filter((line) => line !== "")
    .join("\n");
}
