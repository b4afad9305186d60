import type { OperationRow } from "./timeline-rows";
import type { Scale } from "./timeline-scale";

type Dot = OperationRow["dots"][number];

/** One dot as drawn: the first of those that would lie over each other, and how many more until when. */
export interface DrawnDot extends Dot {
  place: number;
  more: number;
  until: number;
}

/** Dots nearer to each other than this part of the axis cannot be told apart: two pixels of a usual window. */
const APART = 1 / 400;

/**
 * The dots that can be told apart. What was tried a thousand times is a row of dots, not a thousand elements. Which dots lie
 * together depends on their time alone, in steps that double: while the axis grows, the same ones stay.
 */
export function drawnDots(dots: readonly Dot[], scale: Scale): DrawnDot[] {
  const stepMs = 2 ** Math.ceil(Math.log2(scale.drawnMs * APART));
  const drawn = new Map<string, DrawnDot>();
  for (const dot of dots) {
    const slot = `${dot.kind} ${Math.floor(dot.at / stepMs)}`;
    const there = drawn.get(slot);
    if (there) drawn.set(slot, { ...there, more: there.more + 1, until: Math.max(there.until, dot.at) });
    else drawn.set(slot, { ...dot, place: scale.place(dot.at), more: 0, until: dot.at });
  }
  return [...drawn.values()];
}
