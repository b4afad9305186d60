import { median, percentile, round } from "./stats";

/** Asks so many times, one after another. The first one prepares the statements, and is told apart. */
export async function timedReads(times: number, read: (turn: number) => unknown) {
  const took: number[] = [];
  for (let turn = 0; turn < times; turn += 1) {
    const start = performance.now();
    await read(turn);
    took.push(performance.now() - start);
  }
  const [firstMs = 0, ...rest] = took;
  return { p50Ms: round(median(rest), 2), p95Ms: round(percentile(rest, 0.95), 2), firstMs: round(firstMs, 2) };
}
