import type { CrashPoints } from "../domain/ports";

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

/** Notes the points in the order in which they are reached for the first time. */
export function recordPoints(): CrashPoints & { points(): readonly string[] } {
  const reached = new Set<string>();
  return { reach: (point) => void reached.add(point), points: () => [...reached] };
}
