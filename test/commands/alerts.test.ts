import { describe, expect, test } from "vitest";
import { loadJournal } from "../../db/load-journal";
import { loadKeptRows } from "../../db/load-kept-rows";
import { openQueries } from "../../db/queries/open-queries";
import type { Desk } from "../../main/commands/desk";
import { type TellAlerts, tellAlerts } from "../../main/commands/tell-alerts";
import { alertsView } from "../../main/commands/views/alerts";
import type { Actor, AlertCommand, Command } from "../../main/domain/commands";
import { checkInvariants } from "../../main/domain/invariants";
import type { AlertRow } from "../../main/domain/records";
import type { OwedReview } from "../../main/domain/recovery-patterns";
import { BriefingWalk } from "../support/briefing-walk";
import { EDITOR, EXECUTOR, World } from "../support/world";

// Domain 10: what may happen to an alert, held by the handler and by the database alike.

const HOUR = 3_600_000;
type Without<T> = T extends unknown ? Omit<T, "taskId" | "alertId"> : never;

function violationsIn(world: World): string[] {
  const reader = world.openReader();
  return checkInvariants(loadJournal(reader), loadKeptRows(reader)).map(({ detail }) => detail);
}

/** An edition that is blocked because its deadline has passed. */
class BlockedDesk {
  readonly walk = new BriefingWalk(new World()).to("awaiting_content_approval");

  constructor() {
    this.block();
  }

  block(): void {
    const { world, taskId } = this.walk;
    const { task } = this.walk.view();
    world.now = Math.max(world.now, task.deadlineAt);
    world.must({ type: "transition", taskId, event: "DeadlineReached" }, "system", {
      expectedVersion: task.stateVersion,
    });
  }

  get alert(): AlertRow {
    const alert = this.walk.view().alerts().at(-1);
    if (!alert) throw new Error("the block made no alert");
    return alert;
  }

  do(command: Without<AlertCommand>, actor: Actor = EDITOR): string | string[] {
    const { world, taskId } = this.walk;
    const more = { expectedVersion: this.walk.view().task.stateVersion };
    const answer = world.execute({ ...command, taskId, alertId: this.alert.id } as AlertCommand, actor, more);
    return "unmet" in answer ? answer.unmet.map(({ code }) => code) : answer.result;
  }

  sql(change: string): void {
    this.walk.world.database.sqlite.prepare(`UPDATE alert SET ${change} WHERE id = ?`).run(this.alert.id);
  }

  violations(): string[] {
    return violationsIn(this.walk.world);
  }
}

const tell = { type: "tell_alert", to: "owner", how: "inbox" } as const;
const acknowledge = { type: "acknowledge_alert", note: "" } as const;
const settle = { type: "settle_alert" } as const;

describe("the handler", () => {
  test("takes an alert through its life, and the rows are what the events tell", () => {
    const desk = new BlockedDesk();
    expect(desk.alert).toMatchObject({ code: "blocked_deadline", times: 1, toldAt: null, settledAt: null });
    expect(desk.do(tell, "system")).toBe("applied");
    const until = desk.walk.world.now + HOUR;
    expect(desk.do({ type: "snooze_alert", until })).toBe("applied");
    expect(desk.alert.snoozedUntil).toBe(until);
    expect(desk.violations()).toEqual([]);
    desk.walk.world.now = until;
    expect(desk.do(tell, "system")).toBe("applied");
    desk.walk.world.now += HOUR;
    expect(desk.do({ ...tell, to: "backup" }, "system")).toBe("applied");
    expect(desk.do({ ...acknowledge, note: "the deadline is moved" })).toBe("applied");
    const { toldAt, escalatedAt, snoozedUntil, acknowledgedBy } = desk.alert;
    expect({ snoozedUntil, acknowledgedBy }).toEqual({ snoozedUntil: null, acknowledgedBy: EDITOR });
    expect(escalatedAt).toBe(toldAt);
    expect(desk.violations()).toEqual([]);
  });

  test("tells only what is due, to whom it is due, and only as the program", () => {
    const desk = new BlockedDesk();
    expect(desk.do({ ...tell, to: "backup" }, "system")).toEqual(["not_due_yet"]);
    expect(desk.do(tell)).toEqual(["executor_required"]);
    expect(desk.do(tell, "system")).toBe("applied");
    expect(desk.do(tell, "system")).toEqual(["not_due_yet"]);
    expect(desk.do({ ...tell, to: "backup" }, "system")).toEqual(["not_due_yet"]);
  });

  test("takes a person's word alone for knowing of it and for being told later, and that within a day", () => {
    const desk = new BlockedDesk();
    const { now } = desk.walk.world;
    for (const actor of ["system", EXECUTOR] as const) {
      expect(desk.do(acknowledge, actor)).toEqual(["person_required"]);
      expect(desk.do({ type: "snooze_alert", until: now + HOUR }, actor)).toEqual(["person_required"]);
    }
    expect(desk.do({ type: "snooze_alert", until: now })).toEqual(["snooze_too_long"]);
    expect(desk.do({ type: "snooze_alert", until: now + 48 * HOUR })).toEqual(["snooze_too_long"]);
  });

  test("does not settle what is not over, nor touch what is done with", () => {
    const desk = new BlockedDesk();
    expect(desk.do(settle, "system")).toEqual(["alert_not_over"]);
    desk.do(acknowledge);
    for (const [command, actor] of [
      [acknowledge, EDITOR],
      [{ type: "snooze_alert", until: desk.walk.world.now + HOUR }, EDITOR],
      [tell, "system"],
      [settle, "system"],
    ] as const)
      expect(desk.do(command, actor)).toEqual(["alert_is_done"]);
  });

  test("makes the same alert about the same count while it is open, and another one after it was acknowledged", () => {
    const desk = new BlockedDesk();
    const reopen = () => {
      const { world, taskId } = desk.walk;
      const { task } = desk.walk.view();
      const newDeadlineAt = world.now + HOUR;
      world.must(
        {
          ...{ type: "transition", taskId, event: "Unblocked" },
          wayOut: { to: "awaiting_content_approval", evidence: "agreed", newDeadlineAt },
        },
        EDITOR,
        { expectedVersion: task.stateVersion },
      );
    };
    const first = desk.alert;
    reopen();
    desk.block();
    expect(desk.walk.view().alerts()).toHaveLength(1);
    expect(desk.alert).toMatchObject({ id: first.id, times: 2, at: first.at });
    expect(desk.alert.lastAt).toBeGreaterThan(first.at);
    expect(desk.violations()).toEqual([]);
    desk.do(acknowledge);
    reopen();
    desk.block();
    expect(desk.walk.view().alerts()).toHaveLength(2);
    expect(desk.alert).toMatchObject({ times: 1, acknowledgedAt: null });
  });
});

describe("the database by itself", () => {
  test.each([
    ["another code", "code = 'blocked_auth'", /what an alert is about never changes/],
    ["other details", "details = '{}'", /what an alert is about never changes/],
    ["fewer times", "times = 0", /./],
    ["acknowledged by nobody", "acknowledged_at = 1", /CHECK/],
    ["both acknowledged and over", "acknowledged_at = 1, acknowledged_by = 'x', settled_at = 1", /CHECK/],
    ["escalated without being told", "escalated_at = 1", /CHECK/],
  ])("refuses %s", (_what, change, said) => {
    const desk = new BlockedDesk();
    expect(() => desk.sql(change)).toThrow(said);
  });

  test("refuses to take back what was told, a second escalation, and any change of what is done with", () => {
    const desk = new BlockedDesk();
    desk.sql("told_at = 5");
    expect(() => desk.sql("told_at = NULL")).toThrow(/what was told stays told/);
    expect(() => desk.sql("told_at = 4")).toThrow(/what was told stays told/);
    desk.sql("escalated_at = 5");
    expect(() => desk.sql("escalated_at = 6")).toThrow(/it escalates once/);
    desk.sql("acknowledged_at = 6, acknowledged_by = 'editor:lin'");
    expect(() => desk.sql("snoozed_until = 9")).toThrow(/what is acknowledged or over stays so/);
  });

  test("refuses a second open alert about the same, one that begins as told, and to forget one", () => {
    const desk = new BlockedDesk();
    const { sqlite } = desk.walk.world.database;
    const insert = (id: string, more: string) =>
      sqlite.exec(`INSERT INTO alert (id, task_id, subject, code, urgency, at, details, last_at, told_at)
        SELECT '${id}', task_id, ${more} FROM alert LIMIT 1`);
    expect(() => insert("al-2", "subject, code, urgency, at, details, at, NULL")).toThrow(/UNIQUE/);
    expect(() => insert("al-3", "'other', code, urgency, at, details, at, at")).toThrow(/begins untold/);
    expect(() => sqlite.exec("DELETE FROM alert")).toThrow(/never deleted/);
  });

  test("is watched: a row changed around the handler is found by what the events say", () => {
    const desk = new BlockedDesk();
    desk.sql("told_at = 5, acknowledged_at = 6, acknowledged_by = 'editor:lin'");
    expect(desk.violations().map((detail) => detail.replace(/al-\w+/, "it"))).toEqual([
      "alert it told: the row says 5, the events nothing",
      "alert it acknowledged: the row says 6, the events nothing",
      "alert it acknowledged by: the row says editor:lin, the events nothing",
    ]);
  });
});

/** A pass of the program over the alerts of a world, with nobody to be told outside of the window. */
function roundIn(world: World): TellAlerts {
  const desk = { actor: "system", journal: world.journal, clock: { now: () => world.now } } as Partial<Desk>;
  return {
    desk: { ...desk, trusted: { read: () => world.trusted() } } as Desk,
    queries: openQueries(world.openReader(), (hash) => world.journal.definitionOf(hash)),
    notifier: null,
    onNotifier: () => undefined,
  };
}

/** What the inbox shows as open. */
function openIn(world: World, { queries }: TellAlerts) {
  const clock = { now: world.now, zone: "UTC", simulated: true, skipsWaiting: false, source: "test", trusted: true };
  const trusted = { read: () => world.trusted() };
  return alertsView({ queries, clock: () => clock, trusted }, { state: "works", at: null }).open;
}

describe("a trouble that recurs", () => {
  /** An edition that ended with so many bounces, which are one cause. */
  function bounces(count: number) {
    const world = new World();
    const walk = new BriefingWalk(world).to("send_pending");
    const ids = walk.view().recipients();
    walk.account(
      Object.fromEntries(
        ids.map(({ recipientId }, index) => [recipientId, index < count ? "bounced" : "delivered"] as const),
      ),
    );
    const round = roundIn(world);
    const told = () =>
      walk
        .view()
        .alerts()
        .filter(({ code }) => code === "review_owed");
    return { world, walk, round, told };
  }

  /** A person takes the newest item through all its stages to its review. */
  function review({ world, walk, told }: ReturnType<typeof bounces>): string {
    const itemId = told()[0]?.subject ?? "";
    const more = { method: "called", verification: "answered", review: "test: three-bounces" };
    for (const to of ["triaged", "recovering", "to_verify", "closed", "reviewed"] as const) {
      const from =
        walk
          .view()
          .recoveryItems()
          .find(({ id }) => id === itemId)?.stage ?? "to_triage";
      world.must(
        { type: "move_recovery_item", taskId: walk.taskId, itemId, from, to, note: "seen", minutes: 1, ...more },
        EDITOR,
        { expectedVersion: walk.view().task.stateVersion },
      );
    }
    return itemId;
  }

  test("three times in seven days is told about until somebody has reviewed it, by the item that proves it", () => {
    const desk = bounces(3);
    const { world, round, told } = desk;
    tellAlerts(round);
    tellAlerts(round);
    expect(told()).toMatchObject([{ code: "review_owed", urgency: "working_hours", times: 1 }]);
    const shown = openIn(world, round).find(({ code }) => code === "review_owed");
    expect(shown).toMatchObject({
      ...{ todo: "review_cause", itemId: told()[0]?.subject, owner: "editor" },
      recurs: { kind: "customer_care", action: "bounced", lastWeek: 3, review: "due" },
    });
    world.now += HOUR;
    const reviewedItem = review(desk);
    tellAlerts(round);
    expect(told()).toMatchObject([{ settledAt: world.now, acknowledgedAt: null }]);
    const settled = loadJournal(world.database.sqlite).events.find(({ type }) => type === "AlertSettled");
    expect(settled?.payload).toContain(reviewedItem);
    expect(violationsIn(world)).toEqual([]);
  });

  test("is told about again a week after somebody only acknowledged it", () => {
    const { world, walk, round, told } = bounces(3);
    tellAlerts(round);
    world.must({ type: "acknowledge_alert", taskId: walk.taskId, alertId: told()[0]?.id ?? "", note: "" }, EDITOR, {
      expectedVersion: walk.view().task.stateVersion,
    });
    tellAlerts(round);
    expect(told()).toHaveLength(1);
    world.now += 7 * 24 * HOUR;
    tellAlerts(round);
    expect(told()).toMatchObject([{ acknowledgedBy: EDITOR }, { acknowledgedAt: null }]);
    expect(violationsIn(world)).toEqual([]);
  });

  test("twice is no pattern, and another's alert is not settled by naming an item", () => {
    const { walk, round, told, world } = bounces(2);
    tellAlerts(round);
    expect(told()).toEqual([]);
    const blocked = new BlockedDesk();
    expect(blocked.do({ type: "settle_alert", reviewedItem: "ri-1" }, "system")).toEqual(["alert_not_over"]);
    const owed = {
      ...{
        cause: { kind: "customer_care", errorClass: null, action: "bounced", code: null },
        lastWeek: 3,
        lastMonth: 3,
      },
      review: "due",
    } as const satisfies OwedReview;
    const { taskId } = walk;
    const answer = world.execute({ type: "report_review_owed", taskId, itemId: "ri-1", owed }, "system", {
      expectedVersion: walk.view().task.stateVersion,
    });
    expect(answer.result).toBe("not_found");
  });
});

test("an incident about the journal itself is told at the newest edition, once", () => {
  const world = new World();
  const { journal } = world;
  const context = { actor: "system", now: world.now, trusted: world.trusted() } as const;
  const found = { scope: "all", scopeValue: "chain", operationId: null, reason: "event 7 does not follow" } as const;
  const open = { type: "open_incident", taskId: null, rule: "chain_break", kind: "damaged_journal", ...found } as const;
  expect(journal.execute(open, context).result).toBe("applied");
  const round = roundIn(world);
  tellAlerts(round);
  const walk = new BriefingWalk(world).to("collecting");
  tellAlerts(round);
  tellAlerts(round);
  const told = () => walk.view().alerts();
  expect(told()).toMatchObject([{ code: "incident_opened", urgency: "five_minutes", times: 1, settledAt: null }]);
  expect(openIn(world, round)).toMatchObject([
    { todo: "follow_runbook", freezes: [{ rule: "chain_break", scope: "all" }] },
  ]);
  expect(violationsIn(world)).toEqual([]);
});

describe("a dependency that needs ever more attempts", () => {
  const DAY = 24 * HOUR;

  /** A week-old edition whose reads of one source came at once, and today's, whose reads were repeated. */
  function readings(usual: number, again: number) {
    const world = new World();
    const walk = new BriefingWalk(world).to("collecting");
    const step = (type: string, retry: object | null) =>
      walk.executor({
        ...{ type: "record_step", taskId: walk.taskId, step: "collecting", calls: 1 },
        checkpoint: walk.view().step("collecting") ?? {},
        event: { type, payload: { sourceId: "cahiers", retry }, evidenceRefs: [] },
      } as Command);
    for (let read = 0; read < usual; read += 1) step("SourceFrozen", null);
    world.now += 8 * DAY;
    for (let read = 0; read < again; read += 1) step("SourceReadFailed", { at: world.now });
    const round = roundIn(world);
    const told = () =>
      walk
        .view()
        .alerts()
        .filter(({ code }) => code.startsWith("retry_rate_"));
    return { world, round, told };
  }

  test("is told about by name and with its numbers, once in seven days", () => {
    const { world, round, told } = readings(12, 3);
    tellAlerts(round);
    tellAlerts(round);
    expect(told()).toMatchObject([{ code: "retry_rate_cahiers", urgency: "working_hours", times: 1 }]);
    expect(violationsIn(world)).toEqual([]);
    const alert = openIn(world, round).find(({ code }) => code === "retry_rate_cahiers");
    expect(alert).toMatchObject({
      todo: "look_at_dependency",
      retries: { recent: { calls: 3, again: 3 }, baseline: { calls: 12, again: 0 } },
    });
  });

  test("is not told about where it is as usual, or what is usual is not known", () => {
    for (const [usual, again] of [
      [12, 2],
      [9, 3],
    ] as const) {
      const { round, told } = readings(usual, again);
      tellAlerts(round);
      expect(told()).toEqual([]);
    }
  });
});
