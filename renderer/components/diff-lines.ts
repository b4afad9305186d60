import type { ContentReviewView } from "../stores/content-review";

export type DiffPart = ContentReviewView["diff"][number];

export interface DiffLine {
  /** What happened to the line as a whole: its sign. */
  kind: DiffPart["kind"] | "changed";
  parts: DiffPart[];
}

/** Lays a comparison out in lines: parts may begin and end anywhere, inside a word's line or many lines apart. */
export function diffLines(parts: readonly DiffPart[]): DiffLine[] {
  const lines: DiffPart[][] = [[]];
  for (const { kind, text } of parts) {
    const pieces = text.split("\n");
    pieces.forEach((piece, index) => {
      if (index > 0) lines.push([]);
      if (piece !== "") lines.at(-1)?.push({ kind, text: piece });
    });
  }
  // A text ends with a line end; the empty line after it is none.
  if (lines.at(-1)?.length === 0) lines.pop();
  return lines.map((line) => ({ kind: kindOf(line), parts: line }));
}

function kindOf(line: readonly DiffPart[]): DiffLine["kind"] {
  const kinds = new Set(line.map((part) => part.kind));
  if (kinds.size > 1) return "changed";
  return line[0]?.kind ?? "same";
}
