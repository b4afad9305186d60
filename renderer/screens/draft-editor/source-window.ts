/** How much of a source is laid out at once: more than a quote and its surroundings, little enough for a slow machine. */
export const WINDOW = 20_000;
/** How much of what stands before a place is shown with it. */
const LEAD = 240;

/**
 * Characters that are not seen, or that make others be read otherwise than they stand, each as one visible sign: places in the
 * text stay what they are.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: showing control characters is the point.
const UNSEEN = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u200E\u200F\u2028-\u202E\u2066-\u2069\uFEFF]/g;

const signOf = (character: string): string => {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? "\u2421" : "\uFFFD";
};

/** A text as it can be shown and selected, with every place where it was. */
export const showText = (text: string): string => text.replace(UNSEEN, signOf);

/** Whether a text has characters that are shown as signs. */
export const hasUnseen = (text: string): boolean => showText(text) !== text;

/** Where a window begins so that a place stands near its top: at the beginning of a line, where one is near. */
export function windowFrom(text: string, place: number): number {
  const from = Math.max(0, Math.min(place, text.length - 1) - LEAD);
  if (from === 0) return 0;
  const line = text.indexOf("\n", from);
  const start = line >= 0 && line < place ? line + 1 : from;
  return wholePlace(text, start);
}

/** A place moved on where it would stand inside a character. */
export const wholePlace = (text: string, place: number): number => (isInsidePair(text, place) ? place + 1 : place);

/** Where a window that begins at `from` ends, never inside a character. */
export function windowEnd(text: string, from: number): number {
  const end = Math.min(text.length, from + WINDOW);
  return isInsidePair(text, end) ? end - 1 : end;
}

function isInsidePair(text: string, place: number): boolean {
  const code = text.charCodeAt(place);
  return code >= 0xdc00 && code <= 0xdfff && place > 0;
}

/** A selection without the blanks at its ends; null where nothing is left. */
export function trimSpan(text: string, start: number, end: number): { start: number; end: number } | null {
  const words = text.slice(start, end);
  const kept = words.trim();
  if (kept === "") return null;
  const lead = words.length - words.trimStart().length;
  return { start: start + lead, end: start + lead + kept.length };
}

/** The next place of some words after a place, whatever their case, going on from the top. */
export function findWords(text: string, words: string, after: number): { start: number; end: number } | null {
  if (words.trim() === "") return null;
  const pattern = new RegExp(words.trim().replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");
  pattern.lastIndex = after;
  const found = pattern.exec(text) ?? restart(pattern, text);
  return found === null ? null : { start: found.index, end: found.index + found[0].length };
}

function restart(pattern: RegExp, text: string): RegExpExecArray | null {
  pattern.lastIndex = 0;
  return pattern.exec(text);
}
