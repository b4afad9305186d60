import { type DrillPlay, type DutyStanding, failedDrills, hasPassed, isPersons } from "./drill-duty";
import { ledDrillOf } from "./drill-led";
import type { Instant } from "./ids";

/** Why a drill is nobody's success: it came to nothing, took too long, broke a promise, was wrongly decided, needed its author, or was never played. */
export const DRILL_TROUBLES = ["failed", "over_time", "violations", "decision", "memory", "overdue"] as const;
export type DrillTroubleKind = (typeof DRILL_TROUBLES)[number];

/** A drill that failed, or one that is owed and was not played in its time (domain section 10). */
export interface DrillTrouble {
  /** The scenario, or for `overdue` the duty. */
  about: string;
  why: DrillTroubleKind;
  /** When the failed play began, or by when the duty was due (ms UTC, real time). */
  since: Instant;
}

/** What a recovery item about it is named after, so that the same trouble is one item however often it is looked at. */
export const subjectOfTrouble = ({ about, why, since }: DrillTrouble): string => `${about}:${why}:${since}`;

/** @returns what an item is about, or null where its subject is none of ours. */
export function troubleOf(subject: string): DrillTrouble | null {
  const [about = "", why = "", since = ""] = subject.split(":");
  const kind = DRILL_TROUBLES.find((one) => one === why);
  return kind === undefined || !/^\d+$/.test(since) ? null : { about, why: kind, since: Number(since) };
}

/** Everything that is to be put right about the drills. @param plays newest first */
export function drillTroubles(plays: readonly DrillPlay[], duties: readonly DutyStanding[]): DrillTrouble[] {
  const failed = failedDrills(plays).map(({ scenario, at }) => {
    const play = plays.find((one) => one.scenario === scenario && one.startedAt === at);
    return { about: scenario, why: play === undefined ? ("failed" as const) : failureOf(play), since: at };
  });
  const overdue = duties
    .filter(({ standing }) => standing === "overdue")
    .map(({ name, dueAt }) => ({ about: name, why: "overdue" as const, since: dueAt }));
  return [...failed, ...overdue];
}

function failureOf({ outcome, violations, isDecidedRight }: DrillPlay): DrillTroubleKind {
  if (outcome === "over_time") return "over_time";
  if (outcome !== "played") return "failed";
  if (violations > 0) return "violations";
  return isDecidedRight === false ? "decision" : "memory";
}

/**
 * When a trouble was put right by playing: the same scenario to a good end, by a person where a person had failed, or the duty in
 * full.
 * @returns when that play was begun (ms UTC), or null: not yet
 */
export function playedSince(
  { about, why, since }: DrillTrouble,
  plays: readonly DrillPlay[],
  duties: readonly DutyStanding[],
): Instant | null {
  if (why === "overdue") {
    const duty = duties.find(({ name }) => name === about);
    return duty === undefined || duty.standing === "overdue" ? null : (duty.last?.at ?? null);
  }
  const failed = plays.find((play) => play.scenario === about && play.startedAt === since);
  // Plays are not kept for ever: of one that is gone, nobody knows that it was not a person's.
  const byPersons = failed === undefined ? ledDrillOf(about) !== null : isPersons(failed);
  const passed = plays.filter(
    (play) => play.scenario === about && play.startedAt > since && hasPassed(play) && (!byPersons || isPersons(play)),
  );
  return passed.length === 0 ? null : Math.max(...passed.map(({ startedAt }) => startedAt));
}
