import { readSync } from "node:fs";
import type { CrashPoints } from "../domain/ports";

const STDIN = 0;

/** Nothing happens at any point: what the app uses. */
export const noCrashPoints: CrashPoints = { reach: () => undefined };

/**
 * Kills this very process at the first time the named point is reached: SIGKILL, so that nothing is tidied up. Only the
 * headless crash runs make one; the app never does.
 */
export function crashAt(point: string): CrashPoints {
  return {
    reach: (reached) => {
      if (reached === point) process.kill(process.pid, "SIGKILL");
    },
  };
}

/** Kills this very process in the same way at the `count`-th point that it reaches, whichever that is. */
export function crashAfter(count: number): CrashPoints {
  let reached = 0;
  return {
    reach: () => {
      reached += 1;
      if (reached === count) process.kill(process.pid, "SIGKILL");
    },
  };
}

/**
 * Stands still the first time the named point is reached: says so, and blocks this process until a byte comes in. Whoever
 * started it changes the world in the meantime: fills the disk, takes rights away, lets another process go ahead.
 * @param tell hears the point's name before the process stands still
 */
export function pauseAt(point: string, tell: (point: string) => void): CrashPoints {
  let isOver = false;
  return {
    reach: (reached) => {
      if (isOver || reached !== point) return;
      isOver = true;
      tell(point);
      readSync(STDIN, new Uint8Array(1));
    },
  };
}

/** Notes the points in the order in which they are reached for the first time, and how often any was. */
export function recordPoints(): CrashPoints & { points(): readonly string[]; reached(): number } {
  const names = new Set<string>();
  let count = 0;
  return {
    reach: (point) => {
      names.add(point);
      count += 1;
    },
    points: () => [...names],
    reached: () => count,
  };
}
