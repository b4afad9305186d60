/** A piece of HTML that is safe as it stands. Only `html` makes one, so that text of others never becomes markup. */
export class Html {
  constructor(readonly text: string) {}
}

type Part = Html | string | number | readonly Html[];

const ESCAPES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (typeof part === "object") return part.map(({ text }) => text).join("");
  return String(part)
    .replace(/[&<>"']/g, (char) => ESCAPES[char] ?? char)
    .replace(/[\p{Cc}\p{Bidi_Control}]/gu, " ");
}

/** Template tag: whatever is put in is escaped, unless it is HTML made by this same tag. */
export const html = (texts: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(texts.map((text, index) => text + (index < parts.length ? textOf(parts[index] as Part) : "")).join(""));
