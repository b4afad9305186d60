import { type EditRun, shortestEdit } from "./shortest-edit";

/** One passage of a comparison. All but the added ones are the older text; all but the removed ones the newer. */
export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Cuts a text into pieces that join to it again: words, and what stands between them. */
export type Segment = (text: string) => string[];

/** A change of more lines than this is shown as one: an edition has a few hundred. */
const MOST_LINES = 600;
/** Words that may differ within one change before it is shown as a whole: such a passage was written anew. */
const MOST_WORDS = 400;
/** A passage of which less than this survives reads better as replaced than as a mosaic. */
const LEAST_SHARE = 0.35;
/** Longer passages are not cut into words at all; no paragraph of an edition comes near it. */
const LONGEST_PASSAGE = 20_000;

/**
 * Compares two texts line by line, and changed lines word by word. Work and memory are bounded whatever the texts are.
 * @param segment how words are told apart; the default knows the language's own rules, Chinese among them.
 */
export function diffTexts(older: string, newer: string, segment: Segment): DiffPart[] {
  const [a, b] = [linesOf(older), linesOf(newer)];
  const runs = shortestEdit(a, b, MOST_LINES);
  if (runs === null) return tidied(replaced(older, newer));
  const parts: DiffPart[] = [];
  for (let index = 0; index < runs.length; index += 1) {
    const run = runs[index] as EditRun;
    const next = runs[index + 1];
    if (run.kind === "removed" && next?.kind === "added") {
      parts.push(...diffWords(textOf(a, run), textOf(b, next), segment));
      index += 1;
    } else parts.push({ kind: run.kind, text: textOf(run.kind === "added" ? b : a, run) });
  }
  return tidied(parts);
}

const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

const textOf = (list: readonly string[], run: EditRun): string => list.slice(run.from, run.to).join("");

const replaced = (older: string, newer: string): DiffPart[] => [
  { kind: "removed", text: older },
  { kind: "added", text: newer },
];

function diffWords(older: string, newer: string, segment: Segment): DiffPart[] {
  if (older.length + newer.length > LONGEST_PASSAGE) return replaced(older, newer);
  const [a, b] = [segment(older), segment(newer)];
  const runs = shortestEdit(a, b, MOST_WORDS);
  if (runs === null) return replaced(older, newer);
  const parts = runs.map((run) => ({ kind: run.kind, text: textOf(run.kind === "added" ? b : a, run) }));
  const kept = parts.reduce((sum, part) => sum + (part.kind === "same" ? wordCharacters(part.text) : 0), 0);
  const most = Math.max(wordCharacters(older), wordCharacters(newer));
  return kept < most * LEAST_SHARE ? replaced(older, newer) : withoutIslands(parts);
}

const wordCharacters = (text: string): number => text.replace(/[\s\p{P}]+/gu, "").length;

/** A blank or a comma that happens to be the same between two changes tells nobody anything: it goes with the change. */
function withoutIslands(parts: readonly DiffPart[]): DiffPart[] {
  return parts.flatMap((part, index) => {
    const isIsland = part.kind === "same" && index > 0 && index < parts.length - 1 && wordCharacters(part.text) === 0;
    return isIsland && !part.text.includes("\n") ? replaced(part.text, part.text) : [part];
  });
}

/** Joins neighbours, and within one change puts all that went before all that came. */
function tidied(parts: readonly DiffPart[]): DiffPart[] {
  const result: DiffPart[] = [];
  let change = { removed: "", added: "" };
  const settle = () => {
    if (change.removed !== "") result.push({ kind: "removed", text: change.removed });
    if (change.added !== "") result.push({ kind: "added", text: change.added });
    change = { removed: "", added: "" };
  };
  for (const { kind, text } of parts) {
    if (text === "") continue;
    if (kind !== "same") {
      change[kind] += text;
      continue;
    }
    settle();
    const last = result.at(-1);
    if (last?.kind === "same") last.text += text;
    else result.push({ kind, text });
  }
  settle();
  return result;
}

/** Words by the language's own rules where the runtime knows them, else by the plain rule. */
export function segmenterFor(language: string): Segment {
  const Segmenter = (Intl as { Segmenter?: typeof Intl.Segmenter }).Segmenter;
  if (Segmenter === undefined) return segmentPlainly;
  const segmenter = new Segmenter(language, { granularity: "word" });
  return (text) => Array.from(segmenter.segment(text), (piece) => piece.segment);
}

const PLAIN_PIECE = (() => {
  const single = "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}";
  return new RegExp(`[${single}]|(?:(?![${single}])[\\p{L}\\p{N}\\p{M}])+|\\s+|.`, "gsu");
})();

/** Letters and digits make words, each Chinese character is one, and everything else stands for itself. */
export const segmentPlainly: Segment = (text) => text.match(PLAIN_PIECE) ?? [];
