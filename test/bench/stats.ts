/** The value below which `share` of the sorted samples lie; 0 for no samples. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((a, b) => a - b);
  const index = Math.min(sorted.length - 1, Math.max(0, Math.ceil(share * sorted.length) - 1));
  return sorted[index] ?? 0;
}

export const median = (samples: readonly number[]): number => percentile(samples, 0.5);

export const sum = (samples: readonly number[]): number => samples.reduce((total, sample) => total + sample, 0);

/** To as many places as the machine's noise is worth. */
export function round(value: number, places = 3): number {
  const scale = 10 ** places;
  return Math.round(value * scale) / scale;
}

/** How long `work` took, in ms. */
export function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}
