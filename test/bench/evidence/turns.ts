import { median, round } from "../stats";

/** Two ways to do the same, in turns: on a machine that others use as well, only the ratio of neighbours means anything. */
export interface Turn {
  ours(): Promise<void> | void;
  theirs(): Promise<void> | void;
}

/** How much faster ours is than theirs, by the median of the turns; a first one of each is not counted. */
export async function ratioInTurns({ ours, theirs }: Turn, turns: number) {
  const ratios: number[] = [];
  const times: { ours: number; theirs: number }[] = [];
  for (let turn = 0; turn <= turns; turn += 1) {
    // Whoever begins finds the caches of the other: each begins every second time.
    const isOursFirst = turn % 2 === 0;
    const first = await took(isOursFirst ? ours : theirs);
    const second = await took(isOursFirst ? theirs : ours);
    const pair = isOursFirst ? { ours: first, theirs: second } : { ours: second, theirs: first };
    if (turn === 0) continue;
    times.push(pair);
    ratios.push(pair.theirs / pair.ours);
  }
  return {
    ratio: round(median(ratios), 2),
    lowest: round(Math.min(...ratios), 2),
    highest: round(Math.max(...ratios), 2),
    oursMs: Math.round(median(times.map((time) => time.ours))),
    theirsMs: Math.round(median(times.map((time) => time.theirs))),
  };
}

async function took(work: () => Promise<void> | void): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
