import { Dice } from "../simulation/dice";

/** A moment at which a child is killed: at the n-th commit or call that it passes, or so many real ms after it was started. */
export type Moment = { points: number } | { ms: number };

/** What the remotes do to one edition, and when its processes die, each after the other. */
export interface CrashPlan {
  seed: number;
  faults: readonly PlannedFault[];
  config: { visibilityDelayMs: number; staleProbes: number; bounces: number };
  moments: readonly Moment[];
}

interface PlannedFault {
  on: string;
  fault: string;
  times?: number;
  skip?: number;
  params?: object;
}

/** More would push the edition past its deadline by waiting for leases alone: that is a person's to see, and no failure. */
const KILLS_PER_EDITION = 5;

/** Both answers are always lost; how, differs. */
const LOST = ["hang-after-commit", "drop-after-commit", "cut-short", "unparsable", "status-after-commit"] as const;
/** Who says "too many requests" once or twice. */
const BUSY = [
  "source.read",
  "link.read",
  "cms.query",
  "mail.query",
  "mail.report",
  "cms.create",
  "mail.create",
] as const;
/** Proof that nothing was done, so that the same request may go again. */
const NOT_PROCESSED = '{"code":"too_many_requests","processed":false}';
/**
 * Longer than what an adapter expects (2 s), shorter than its horizon (60 s). A query that denies what it has had for longer is
 * beyond the promise, and after a kill every look is that late: so none does here.
 */
const SLOWEST_VISIBILITY_MS = 15_000;
/** In parts of a whole run, whose first fifth is the program's own start: five lives together come to about its end. */
const EARLIEST = 0.2;
const LATEST = 0.9;
const MOST_POINTS = 0.5;

/**
 * Everything about one edition from its seed, in thousands of forms.
 * @param whole a run without faults or kills on this machine: how many points it passes, and how long it takes (real ms)
 */
export function planCrashes(seed: number, whole: { reached: number; tookMs: number }): CrashPlan {
  const weather = new Dice(seed, 1);
  const deaths = new Dice(seed, 2);
  const busy = weather.pick(BUSY);
  const faults: PlannedFault[] = [
    {
      ...{ on: busy, fault: "status", times: weather.between(1, 2), skip: weather.between(0, 1) },
      params: { status: 429, retryAfterSeconds: 5, body: NOT_PROCESSED },
    },
    { on: "cms.create", fault: weather.pick(LOST) },
    { on: "mail.create", fault: weather.pick(LOST) },
  ];
  if (weather.chance(0.5)) faults.push({ on: "mail.trigger", fault: weather.pick(LOST) });
  return {
    seed,
    faults,
    config: {
      visibilityDelayMs: weather.between(2_000, SLOWEST_VISIBILITY_MS),
      staleProbes: weather.between(0, 3),
      bounces: weather.between(0, 2),
    },
    moments: Array.from({ length: KILLS_PER_EDITION }, () =>
      deaths.chance(0.5)
        ? { points: deaths.between(1, Math.ceil(whole.reached * MOST_POINTS)) }
        : { ms: Math.round(whole.tookMs * (EARLIEST + deaths.random.next() * (LATEST - EARLIEST))) },
    ),
  };
}
