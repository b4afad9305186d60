import { expect, test } from "vitest";
import { loadJournal } from "../../db/load-journal";
import { loadKeptRows } from "../../db/load-kept-rows";
import { openQueries } from "../../db/queries/open-queries";
import type { Desk } from "../../main/commands/desk";
import { tellAlerts } from "../../main/commands/tell-alerts";
import { recoveryView } from "../../main/commands/views/recovery";
import { DRILL_DUTIES, type DrillPlay, judgeDuty } from "../../main/domain/drill-duty";
import { checkInvariants } from "../../main/domain/invariants";
import type { RecoveryStage } from "../../main/domain/recovery";
import { BriefingWalk } from "../support/briefing-walk";
import { EDITOR, World } from "../support/world";

// Domain 10: a failed drill is somebody's work until a later play has put it right; one that needed its author has failed.

const DAY = 86_400_000;
const FIRST = Date.parse("2026-07-06T01:00:00Z");

const play = (more: Partial<DrillPlay> = {}): DrillPlay => ({
  ...{ scenario: "S13", startedAt: FIRST, outcome: "played", violations: 0, alone: true, isDecidedRight: true },
  ...more,
});

/** A workspace with editions, the drills played beside it, and the program's pass over both. */
class DrillDesk {
  readonly world = new World();
  private begun: BriefingWalk | null = null;
  /** Newest first. */
  plays: DrillPlay[] = [];
  since = Date.parse("2026-07-01T00:00:00Z");

  get walk(): BriefingWalk {
    this.begun ??= new BriefingWalk(this.world).to("drafting");
    return this.begun;
  }

  pass(): void {
    const { world, plays, since } = this;
    const trusted = { read: () => world.trusted() };
    const clock = { now: () => world.now } as Desk["clock"];
    const zone = "Asia/Shanghai";
    tellAlerts({
      desk: { actor: "system", journal: world.journal, clock, trusted } as Partial<Desk> as Desk,
      queries: this.queries,
      notifier: null,
      onNotifier: () => undefined,
      drills: () => ({
        plays,
        duties: DRILL_DUTIES.map((duty) => judgeDuty(duty, plays, { since, zone, now: FIRST + 14 * DAY })),
      }),
    });
  }

  get queries() {
    return openQueries(this.world.openReader(), (hash) => this.world.journal.definitionOf(hash));
  }

  get items() {
    return this.walk.view().recoveryItems();
  }

  get alerts() {
    return this.walk.view().alerts();
  }

  move(to: RecoveryStage): string | string[] {
    const [item] = this.items;
    if (!item) throw new Error("there is no item");
    const { taskId } = this.walk;
    const said = {
      note: "played it with Wang",
      minutes: 6,
      method: "went through the runbook",
      verification: "I saw it",
    };
    const answer = this.world.execute(
      { type: "move_recovery_item", taskId, itemId: item.id, from: item.stage, to, ...said },
      EDITOR,
      { expectedVersion: this.walk.view().task.stateVersion },
    );
    return "unmet" in answer ? answer.unmet.map(({ code }) => code) : answer.result;
  }

  violations(): string[] {
    const reader = this.world.openReader();
    return checkInvariants(loadJournal(reader), loadKeptRows(reader)).map(({ detail }) => detail);
  }
}

test("a drill that needed its author is one alert and one owned item, however often and by whomever it is looked at", () => {
  const desk = new DrillDesk();
  desk.plays = [play({ alone: false })];
  // Without any edition there is nobody yet whose work it is, and nothing is lost.
  desk.pass();
  expect(desk.queries.all("SELECT 1 FROM event WHERE type LIKE 'Drill%'")).toEqual([]);
  desk.walk.to("drafting");
  desk.pass();
  desk.pass();
  const { owner, backupOwner } = desk.walk.view().task;
  expect(desk.items).toMatchObject([
    { kind: "drill_failed", subject: `S13:memory:${FIRST}`, stage: "to_triage", owner, backupOwner },
  ]);
  expect(desk.alerts).toMatchObject([{ code: "drill_failed_S13", urgency: "working_hours", times: 1 }]);
  // The next edition's people are not told what this one's have on their board.
  new BriefingWalk(desk.world, { edition: "2026-W31" }).to("collecting");
  desk.pass();
  expect(desk.queries.all("SELECT 1 FROM recovery_item")).toHaveLength(1);
  expect(desk.violations()).toEqual([]);
});

test("is proved by a later play to a good end alone, which also ends its alert", () => {
  const desk = new DrillDesk();
  desk.walk.to("drafting");
  desk.plays = [play({ outcome: "over_time" })];
  desk.pass();
  expect(desk.move("triaged")).toBe("applied");
  expect(desk.move("recovering")).toBe("applied");
  expect(desk.move("to_verify")).toBe("applied");
  expect(desk.move("closed")).toEqual(["drill_not_passed"]);
  desk.plays = [play({ startedAt: FIRST + DAY, violations: 1 }), ...desk.plays];
  desk.pass();
  expect(desk.items.map(({ subject }) => subject)).toEqual([`S13:over_time:${FIRST}`, `S13:violations:${FIRST + DAY}`]);
  expect(desk.move("closed")).toEqual(["drill_not_passed"]);

  desk.plays = [play({ startedAt: FIRST + 2 * DAY }), ...desk.plays];
  desk.pass();
  expect(desk.items).toMatchObject([
    { stage: "to_verify", verification: "S13 2026-07-08T01:00:00.000Z" },
    { stage: "to_triage", verification: "S13 2026-07-08T01:00:00.000Z" },
  ]);
  desk.pass();
  expect(desk.alerts.map(({ settledAt }) => settledAt)).toEqual([desk.world.now, desk.world.now]);
  expect(desk.move("closed")).toBe("applied");
  expect(desk.items[0]?.verification).toBe("S13 2026-07-08T01:00:00.000Z");
  expect(desk.violations()).toEqual([]);
});

test("an overdue duty is somebody's as well, until it is done; the board asks nobody to write what only playing proves", () => {
  const desk = new DrillDesk();
  desk.walk.to("drafting");
  desk.since = Date.parse("2026-05-01T00:00:00Z");
  desk.pass();
  expect(desk.items.map(({ subject }) => subject.split(":").slice(0, 2))).toEqual([
    ["unknown_publish", "overdue"],
    ["recoveries", "overdue"],
  ]);
  expect(desk.alerts.map(({ code }) => code).sort()).toEqual([
    "drill_overdue_recoveries",
    "drill_overdue_unknown_publish",
  ]);
  desk.plays = [play({ startedAt: FIRST + DAY })];
  desk.pass();
  expect(desk.items.map(({ verification }) => verification)).toEqual([
    "unknown_publish 2026-07-07T01:00:00.000Z",
    null,
  ]);
  for (const stage of ["triaged", "recovering", "to_verify"] as const) desk.move(stage);
  const clock = {
    now: desk.world.now,
    zone: "UTC",
    simulated: true,
    skipsWaiting: false,
    source: "test",
    trusted: true,
  };
  const ports = { queries: desk.queries, clock: () => clock } as Parameters<typeof recoveryView>[0];
  const [shown] = recoveryView(ports, { itemId: null }).items;
  expect(shown?.ways).toEqual([
    { to: "closed", asks: [] },
    { to: "recovering", asks: [] },
  ]);
});

test("is the program's to report, and not a person's", () => {
  const desk = new DrillDesk();
  const trouble = { about: "S13", why: "failed", since: FIRST } as const;
  const { taskId } = desk.walk;
  const expectedVersion = desk.walk.view().task.stateVersion;
  const refused = desk.world.execute({ type: "report_drill", taskId, trouble }, EDITOR, { expectedVersion });
  expect(refused).toMatchObject({ result: "guard_failed", unmet: [{ code: "executor_required" }] });
  const early = { type: "report_drill_passed", taskId, itemId: "ri-none", playedAt: FIRST } as const;
  expect(desk.world.execute(early, "system", { expectedVersion }).result).toBe("not_found");
});
