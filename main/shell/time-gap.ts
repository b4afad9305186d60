/** Wall and monotonic time read in one moment. */
export interface ClockPair {
  wall: number;
  monotonic: number;
}

/** How often the clocks are compared. */
export const LOOK_EVERY_MS = 10_000;
/** A look that is late by this much was not merely waiting for a busy machine. */
const LATE_MS = 15_000;
/** The two clocks further apart than this between two looks: one of them stood still, or one was moved. */
const APART_MS = 5_000;

/**
 * Whether the machine slept, or its clock was moved, between two looks. Suspend and resume events get lost (lid closed
 * during a resume, a hibernation, a stopped virtual machine), so the clocks decide: on some systems the monotonic clock
 * stands still in a sleep, on others it runs and only the timer is late.
 */
export function hadGap(before: ClockPair, after: ClockPair): boolean {
  const wall = after.wall - before.wall;
  const monotonic = after.monotonic - before.monotonic;
  return Math.abs(wall - monotonic) > APART_MS || monotonic > LOOK_EVERY_MS + LATE_MS;
}

/** Awake for this long after a suspend was announced: it did not happen, or its end was lost. */
const STILL_AWAKE_MS = 30_000;
/** A resume that comes this soon after the last one is the same one: some runtimes fire each event twice. */
const SAME_RESUME_MS = 5_000;

export interface PowerWatch {
  suspendSeen(): void;
  resumeSeen(): void;
  /** The regular look. */
  look(): void;
}

/** Turns doubled and lost power events into pairs: one suspend, then one resume, always in this order. */
export function createPowerWatch(options: {
  read: () => ClockPair;
  onSuspend: () => void;
  onResume: () => void;
}): PowerWatch {
  let last = options.read();
  let suspendedAt: number | null = null;
  let resumedAt: number | null = null;
  const suspend = () => {
    if (suspendedAt !== null) return;
    suspendedAt = options.read().monotonic;
    options.onSuspend();
  };
  const resume = () => {
    suspend();
    suspendedAt = null;
    last = options.read();
    resumedAt = last.monotonic;
    options.onResume();
  };
  const isSame = () => resumedAt !== null && options.read().monotonic - resumedAt < SAME_RESUME_MS;
  return {
    suspendSeen: suspend,
    resumeSeen: () => {
      if (suspendedAt !== null || !isSame()) resume();
    },
    look: () => {
      const now = options.read();
      const slept = hadGap(last, now);
      const isAwake = suspendedAt !== null && now.monotonic - suspendedAt > STILL_AWAKE_MS;
      last = now;
      if (slept || isAwake) resume();
    },
  };
}
