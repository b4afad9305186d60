import { describe, expect, it } from "vitest";
import {
  DRILL_DUTIES,
  type DrillDutyName,
  type DrillPlay,
  failedDrills,
  judgeDuty,
  RECOVERY_SCENARIOS,
} from "../../main/domain/drill-duty";
import { ledDrillOf } from "../../main/domain/drill-led";
import { playedSince } from "../../main/domain/drill-trouble";
import { allScenarios } from "../../main/sandbox/scenarios/all";

// Domain 10: unknown publish monthly, compensation quarterly, three recoveries a month.

const ZONE = "Asia/Shanghai";
/** Months are Shanghai's, whose midnight is eight hours before that of UTC. */
const at = (text: string): number => Date.parse(`${text}+08:00`);
const play = (scenario: string, when: string, about: Partial<DrillPlay> = {}): DrillPlay => ({
  ...{ scenario, startedAt: at(when), outcome: "played", violations: 0, alone: null, isDecidedRight: true, ...about },
});
const NOW = at("2026-11-20T09:00");
const judge = (name: DrillDutyName, plays: readonly DrillPlay[], since = at("2026-01-01T00:00"), now = NOW) => {
  const duty = DRILL_DUTIES.find((one) => one.name === name);
  if (duty === undefined) throw new Error(name);
  return judgeDuty(duty, plays, { since, zone: ZONE, now });
};

describe("a drill that is owed every month", () => {
  it("is due until the month's end where the program is new, and overdue where a whole month went by without it", () => {
    expect(judge("unknown_publish", [], at("2026-10-02T00:00"))).toMatchObject({
      ...{ standing: "due", done: 0, times: 1, dueAt: at("2026-12-01T00:00"), last: null, next: "S13" },
    });
    expect(judge("unknown_publish", [], at("2026-10-01T00:00"))).toMatchObject({
      ...{ standing: "overdue", dueAt: at("2026-11-01T00:00") },
    });
    expect(judge("unknown_publish", [play("S13", "2026-10-31T23:59")])).toMatchObject({
      ...{ standing: "due", dueAt: at("2026-12-01T00:00"), next: "S14" },
    });
  });

  it("is done by one of its scenarios, on the clocks of the zone, and next due a month later", () => {
    const done = judge("unknown_publish", [play("S16", "2026-11-01T00:00"), play("S14", "2026-10-05T10:00")]);
    expect(done).toMatchObject({ standing: "done", done: 1, dueAt: at("2027-01-01T00:00"), next: "S13" });
    expect(done.last).toEqual({ scenario: "S16", at: at("2026-11-01T00:00") });
    // Still October in Shanghai, and of another group.
    expect(judge("unknown_publish", [play("S13", "2026-10-31T23:59"), play("S17", "2026-11-02T00:00")]).done).toBe(0);
  });

  it("is not done by a play that was cancelled, failed, ran over its time, broke an invariant, was decided wrongly or needed its author", () => {
    const plays = (["cancelled", "failed", "over_time"] as const).map((outcome) =>
      play("S13", "2026-11-03T10:00", { outcome }),
    );
    const broken = [{ violations: 1 }, { alone: false }, { isDecidedRight: false }].map((about) =>
      play("S13", "2026-11-04T10:00", about),
    );
    expect(judge("unknown_publish", [play("S13", "2026-11-05T10:00", { alone: true })]).done).toBe(1);
    expect(judge("unknown_publish", [...plays, ...broken])).toMatchObject({
      ...{ standing: "overdue", done: 0, last: null },
    });
  });
});

it("three recoveries a month are counted, whichever they are", () => {
  const two = [play("S38", "2026-11-02T10:00"), play("S37", "2026-11-03T10:00")];
  expect(judge("recoveries", two, NOW)).toMatchObject({ standing: "due", done: 2, times: 3, next: "S40" });
  const three = [...two, play("S45", "2026-11-04T10:00")];
  expect(judge("recoveries", three)).toMatchObject({ standing: "done", done: 3, dueAt: at("2027-01-01T00:00") });
  // Two in a month that asks for three are a month missed.
  expect(judge("recoveries", two, undefined, at("2026-12-05T00:00"))).toMatchObject({ standing: "overdue", done: 0 });
});

it("compensation is owed by quarter, over the turn of a year as well", () => {
  const last = [play("S48", "2026-10-01T00:00")];
  expect(judge("compensation", last)).toMatchObject({ standing: "done", dueAt: at("2027-04-01T00:00") });
  expect(judge("compensation", last, undefined, at("2027-02-10T00:00"))).toMatchObject({
    ...{ standing: "due", dueAt: at("2027-04-01T00:00"), next: "S45" },
  });
  expect(judge("compensation", last, undefined, at("2027-04-01T00:00"))).toMatchObject({
    ...{ standing: "overdue", dueAt: at("2027-04-01T00:00") },
  });
});

it("a failed drill stands once, until a play of the same scenario counts", () => {
  const broken = play("S13", "2026-11-03T10:00", { violations: 2 });
  const slow = play("S13", "2026-11-04T10:00", { outcome: "over_time" });
  const other = play("S17", "2026-11-05T10:00", { outcome: "failed" });
  const cancelled = play("S13", "2026-11-06T10:00", { outcome: "cancelled" });
  expect(failedDrills([cancelled, other, slow, broken])).toEqual([
    { scenario: "S17", at: at("2026-11-05T10:00"), isPersons: true },
    { scenario: "S13", at: at("2026-11-04T10:00"), isPersons: true },
  ]);
  const again = play("S13", "2026-11-07T10:00");
  expect(failedDrills([again, cancelled, other, slow, broken]).map(({ scenario }) => scenario)).toEqual(["S17"]);
});

it("the script's play counts for no duty, and ends no person's failure; a person's ends the script's", () => {
  const script = (when: string, about: Partial<DrillPlay> = {}) =>
    play("S13", when, { isDecidedRight: undefined, ...about });
  expect(judge("unknown_publish", [script("2026-11-03T10:00")])).toMatchObject({ done: 0, last: null });
  const person = play("S13", "2026-11-04T10:00", { alone: false });
  const failure = { scenario: "S13", at: person.startedAt, isPersons: true };
  expect(failedDrills([script("2026-11-05T10:00"), person])).toEqual([failure]);
  const brokenRun = script("2026-11-06T10:00", { violations: 1 });
  expect(failedDrills([brokenRun, play("S13", "2026-11-05T10:00")])).toMatchObject([{ isPersons: false }]);
  expect(failedDrills([play("S13", "2026-11-07T10:00"), brokenRun])).toEqual([]);
  const trouble = { about: "S13", why: "memory", since: person.startedAt } as const;
  expect(playedSince(trouble, [script("2026-11-05T10:00"), person], [])).toBeNull();
  expect(playedSince(trouble, [play("S13", "2026-11-06T10:00"), person], [])).toBe(at("2026-11-06T10:00"));
  // The play itself is not kept any more.
  expect(playedSince(trouble, [script("2026-11-05T10:00")], [])).toBeNull();
  expect(
    playedSince({ ...trouble, about: "S21" }, [play("S21", "2026-11-05T10:00", { isDecidedRight: undefined })], []),
  ).toBe(at("2026-11-05T10:00"));
});

it("names scenarios that there are, and that a person can play", () => {
  const known = new Set(allScenarios.map(({ id }) => id));
  expect(RECOVERY_SCENARIOS.filter((id) => !known.has(id))).toEqual([]);
  for (const { scenarios } of DRILL_DUTIES) expect(scenarios.filter((id) => ledDrillOf(id) === null)).toEqual([]);
});
