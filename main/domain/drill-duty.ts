import { ledDrillOf } from "./drill-led";
import type { Instant } from "./ids";
import { instantOf, localTimeOf } from "./schedule";

export type DrillDutyName = "unknown_publish" | "compensation" | "recoveries";

/** What has to be drilled how often, by the calendar of a zone (domain section 10). */
export interface DrillDuty {
  name: DrillDutyName;
  everyMonths: 1 | 3;
  /** How many plays a period asks for. */
  times: number;
  /** Any of these counts, played by a person. */
  scenarios: readonly string[];
}

const UNKNOWN_PUBLISH = ["S13", "S14", "S15", "S16"];
const COMPENSATION = ["S45", "S46", "S47", "S48"];
const PUBLISH_ERRORS = ["S17", "S18", "S19", "S20"];
const CRASHES = ["S21", "S22", "S23", "S24"];
const UNKNOWN_SEND = ["S37", "S38", "S39", "S40"];

/** The scenarios that hold for a pipeline that takes back by itself. */
export const COMPENSATION_SCENARIOS: readonly string[] = COMPENSATION;

/** The scenarios of everything that an edition recovers from. */
export const RECOVERY_SCENARIOS: readonly string[] = [
  ...CRASHES,
  ...UNKNOWN_SEND,
  ...PUBLISH_ERRORS,
  ...UNKNOWN_PUBLISH,
  ...COMPENSATION,
];

const ofPersons = (scenarios: readonly string[]) => scenarios.filter((id) => ledDrillOf(id) !== null);

/** A script that plays shows what the program can do; what is drilled is people (domain section 10: without its author's memory). */
export const DRILL_DUTIES: readonly DrillDuty[] = [
  { name: "unknown_publish", everyMonths: 1, times: 1, scenarios: ofPersons(UNKNOWN_PUBLISH) },
  { name: "compensation", everyMonths: 3, times: 1, scenarios: ofPersons(COMPENSATION) },
  {
    name: "recoveries",
    everyMonths: 1,
    times: 3,
    scenarios: ofPersons([...UNKNOWN_SEND, ...UNKNOWN_PUBLISH, ...COMPENSATION]),
  },
];

/** What a play came to, as far as it decides whether it counts. */
export interface DrillPlay {
  scenario: string;
  /** When it was begun (ms UTC, real time). */
  startedAt: Instant;
  outcome: "played" | "cancelled" | "over_time" | "failed";
  violations: number;
  /** Whether whoever played it got along with the runbook alone; null: nobody said. */
  alone: boolean | null;
  /** Whether a person who played it decided as the scenario expects; absent: a script decided. */
  isDecidedRight?: boolean | undefined;
}

/** Whether a play counts: to its end in time, no invariant broken, rightly decided, and nobody needed its author's memory (domain section 10). */
export const hasPassed = ({ outcome, violations, alone, isDecidedRight }: DrillPlay): boolean =>
  outcome === "played" && violations === 0 && alone !== false && isDecidedRight !== false;

/** Whether a person decided in it, and not the script. */
export const isPersons = ({ isDecidedRight }: DrillPlay): boolean => isDecidedRight !== undefined;

export interface DutyStanding {
  name: DrillDutyName;
  everyMonths: 1 | 3;
  times: number;
  /** Plays that count in the present period. */
  done: number;
  /** `overdue`: the period before this one ended without it, and it was not caught up with since. */
  standing: "done" | "due" | "overdue";
  /** By when it is due next (ms UTC): the end of a period; in the past where it is overdue. */
  dueAt: Instant;
  last: { scenario: string; at: Instant } | null;
  /** What to play next: never played first, then what lies longest back. */
  next: string;
}

/** When a period that lies so many periods after the present one begins. */
function periodStart(now: Instant, zone: string, everyMonths: number, after: number): Instant {
  const { year, month } = localTimeOf(now, zone);
  const first = Math.floor((month - 1) / everyMonths) * everyMonths + after * everyMonths;
  const date = new Date(Date.UTC(year, first, 1));
  const local = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: 1, hour: 0, minute: 0, second: 0 };
  return instantOf(local, zone);
}

/**
 * Judges one duty at a moment by the plays that are known. A period is owed when the program was there for the whole of it.
 * @param plays in any order; those that do not count are left out here
 * @param since from when on drills were owed at all (ms UTC)
 * @param zone IANA zone whose months count
 */
export function judgeDuty(
  duty: DrillDuty,
  plays: readonly DrillPlay[],
  { since, zone, now }: { since: Instant; zone: string; now: Instant },
): DutyStanding {
  const { name, everyMonths, times, scenarios } = duty;
  const passed = plays.filter((play) => scenarios.includes(play.scenario) && isPersons(play) && hasPassed(play));
  const startOf = (after: number) => periodStart(now, zone, everyMonths, after);
  const [before, begin, end] = [startOf(-1), startOf(0), startOf(1)];
  const countIn = (from: Instant, to: Instant) =>
    passed.filter(({ startedAt }) => startedAt >= from && startedAt < to).length;
  const done = countIn(begin, end);
  const isMissed = since <= before && countIn(before, begin) < times;
  const standing = done >= times ? "done" : isMissed ? "overdue" : "due";
  const dueAt = standing === "done" ? startOf(2) : standing === "overdue" ? begin : end;
  const newest = passed.reduce<DrillPlay | null>(
    (found, play) => (found === null || play.startedAt > found.startedAt ? play : found),
    null,
  );
  const last = newest && { scenario: newest.scenario, at: newest.startedAt };
  return { name, everyMonths, times, done, standing, dueAt, last, next: longestAgo(scenarios, passed) };
}

/**
 * The scenarios whose newest play failed, each once; a play that counts ends it. Where a person failed, a script that plays it well
 * ends nothing. One that was cancelled says nothing.
 * @param plays newest first
 */
export function failedDrills(plays: readonly DrillPlay[]): { scenario: string; at: Instant; isPersons: boolean }[] {
  const judged = plays.filter(({ outcome }) => outcome !== "cancelled").reverse();
  const newest = new Map(judged.map((play) => [`${play.scenario} ${isPersons(play)}`, play]));
  const failed = [...newest.values()]
    .filter((play) => !hasPassed(play) && !isMadeGood(play, newest))
    .sort((a, b) => a.startedAt - b.startedAt);
  const once = new Map(failed.map((play) => [play.scenario, play]));
  return [...once.values()]
    .map((play) => ({ scenario: play.scenario, at: play.startedAt, isPersons: isPersons(play) }))
    .sort((a, b) => b.at - a.at);
}

/** What a person played to a good end since does for the script as well. */
function isMadeGood(failed: DrillPlay, newest: ReadonlyMap<string, DrillPlay>): boolean {
  const byPerson = newest.get(`${failed.scenario} true`);
  return byPerson !== undefined && byPerson.startedAt > failed.startedAt && hasPassed(byPerson);
}

function longestAgo(scenarios: readonly string[], passed: readonly DrillPlay[]): string {
  const lastAt = (id: string) =>
    Math.max(0, ...passed.filter(({ scenario }) => scenario === id).map(({ startedAt }) => startedAt));
  return scenarios.reduce((oldest, id) => (lastAt(id) < lastAt(oldest) ? id : oldest));
}
