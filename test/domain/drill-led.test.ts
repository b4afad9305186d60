import { describe, expect, it } from "vitest";
import { hasPassed } from "../../main/domain/drill-duty";
import { choiceId, DRILL_CASES, DRILL_WAYS, LED_DRILLS, ledDrillOf, rightChoices } from "../../main/domain/drill-led";
import { timePerson } from "../../main/domain/drill-timing";
import { drillTroubles } from "../../main/domain/drill-trouble";
import { allScenarios } from "../../main/sandbox/scenarios/all";

const ways: ReadonlySet<string> = new Set(DRILL_WAYS);

describe("a drill that a person can play", () => {
  it("is one of the scenarios, by a case that may be named, with choices that exist; all of group 4 are", () => {
    const known = new Set(allScenarios.map(({ id }) => id));
    for (const { scenario, kind, right, needed } of LED_DRILLS) {
      expect(known).toContain(scenario);
      expect(DRILL_CASES).toContain(kind);
      for (const choice of [...right, ...needed]) expect(ways).toContain(choice.split(" ")[0]);
      for (const choice of needed) expect(right).toContain(choice);
    }
    expect(new Set(LED_DRILLS.map(({ scenario }) => scenario)).size).toBe(LED_DRILLS.length);
    expect(["S13", "S14", "S15", "S16"].every((id) => ledDrillOf(id)?.kind === "unknown_publish")).toBe(true);
    expect(ledDrillOf("S01")).toBeNull();
  });

  it("takes an end for right only once nothing that it needs is left out, whatever else is offered", () => {
    const led = ledDrillOf("S46");
    if (led === null) throw new Error("S46 cannot be played by a person");
    const offered = ["resume_undo point_page_back", "close_undo point_page_back", "finish"];
    expect(rightChoices(led, offered, [])).toEqual(["close_undo point_page_back"]);
    expect(rightChoices(led, ["approve_send", "finish"], led.needed)).toEqual(["finish"]);
    expect(choiceId({ name: "close_incident", about: "18427" })).toBe("close_incident 18427");
  });

  it("is timed by the person's clock, against 16 minutes where it is the duplicate's", () => {
    const reached = { registered: 0, detected: 1_000, classified: 61_000, decided: 361_000, recovered: 362_000 };
    const open = timePerson("S13", reached);
    expect(open).toMatchObject({ stuck: "decided", totalMs: null, targetMs: 30 * 60_000 });
    expect(timePerson("S48", { ...reached, verified: 400_000 })).toMatchObject({
      ...{ totalMs: 399_000, targetMs: 16 * 60_000 },
    });
  });

  it("has failed where anything was wrongly decided, whatever end it came to", () => {
    const play = { scenario: "S13", startedAt: 5, outcome: "played", violations: 0, alone: true } as const;
    expect([true, undefined, false].map((isDecidedRight) => hasPassed({ ...play, isDecidedRight }))).toEqual([
      ...[true, true, false],
    ]);
    expect(drillTroubles([{ ...play, isDecidedRight: false }], [])).toEqual([
      { about: "S13", why: "decision", since: 5 },
    ]);
  });
});
