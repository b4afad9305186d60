/** A stretch of the time axis without events, drawn as a break of fixed width: sleep, nights and long waits for a person. */
export interface Break {
  from: number;
  to: number;
}

export interface Scale {
  start: number;
  end: number;
  breaks: readonly Break[];
  /** What is drawn to scale: all of it without the breaks. */
  drawnMs: number;
  /** The place of a moment on the axis, 0 to 1. */
  place(at: number): number;
}

/** Shorter gaps are the work itself and stay to scale. */
const SHORTEST_BREAK_MS = 90_000;
/** More breaks than this would make the axis unreadable. */
const MOST_BREAKS = 6;
/** A gap that takes more than this part of the axis pushes everything else together. */
const DOMINANT = 0.22;
const BREAK_WIDTH = 0.035;

/**
 * Lays moments out on an axis. Gaps that dominate are cut out one after the other, the longest first, so that a minute of
 * publishing stays legible beside a night of waiting.
 */
export function timelineScale(moments: readonly number[]): Scale {
  const points = [...new Set(moments)].sort((a, b) => a - b);
  const start = points[0] ?? 0;
  const end = Math.max(points.at(-1) ?? 0, start + 1000);
  const gaps = points
    .slice(1)
    .map((to, index) => ({ from: points[index] as number, to }))
    .sort((a, b) => b.to - b.from - (a.to - a.from));
  const breaks: Break[] = [];
  let drawn = end - start;
  for (const gap of gaps) {
    const length = gap.to - gap.from;
    if (breaks.length >= MOST_BREAKS || length < SHORTEST_BREAK_MS || length < drawn * DOMINANT) break;
    breaks.push(gap);
    drawn -= length;
  }
  breaks.sort((a, b) => a.from - b.from);
  const drawnMs = Math.max(1, drawn);
  return { start, end, breaks, drawnMs, place: placer(start, drawnMs, breaks) };
}

function placer(start: number, drawn: number, breaks: readonly Break[]): (at: number) => number {
  const perMs = (1 - breaks.length * BREAK_WIDTH) / drawn;
  return (at) => {
    let x = 0;
    let from = start;
    for (const gap of breaks) {
      if (at <= gap.from) break;
      x += (gap.from - from) * perMs;
      if (at < gap.to) return x + ((at - gap.from) / (gap.to - gap.from)) * BREAK_WIDTH;
      x += BREAK_WIDTH;
      from = gap.to;
    }
    return Math.min(1, x + Math.max(0, at - from) * perMs);
  };
}
