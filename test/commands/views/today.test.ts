import { describe, expect, test } from "vitest";
import { Today } from "../../../preload/contract";
import { BriefingWalk } from "../../support/briefing-walk";
import { MONDAY_8, World } from "../../support/world";
import { worldViews } from "../../support/world-views";

const MINUTE = 60_000;
const today = (world: World) => Today.parse(worldViews(world).today());

describe("what waits for the editor", () => {
  test("nothing, in a new journal; this week's edition can be started", () => {
    const found = today(new World());
    expect(found.waiting).toEqual([]);
    expect(found.live).toEqual([]);
    expect(found.startable).toEqual({ edition: "2026-W30", dueAt: Date.parse("2026-07-20T02:30:00Z") });
    expect(found.health).toMatchObject({ journalEvents: 0, unknownOutcomes: 0, openBreakers: [] });
  });

  test("a started edition is not offered again, whatever became of it", () => {
    const world = new World();
    const walk = new BriefingWalk(world);
    expect(today(world).startable).toBeNull();
    walk.person({ type: "transition", taskId: walk.taskId, event: "ClosedProtectively", reason: "holiday" });
    const found = today(world);
    expect(found.startable).toBeNull();
    expect(found.live).toEqual([]);
    expect(found.ended).toMatchObject([{ taskId: walk.taskId, edition: "2026-W30", state: "closed" }]);
  });

  test("the two gates, until their offer or the deadline is over", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    const { stateSince, deadlineAt } = walk.view().task;
    const about = { taskId: walk.taskId, edition: "2026-W30", blockedReason: null };
    expect(today(world).waiting).toEqual([
      // The automatic path stops ten minutes before the edition is due: after that nothing could be published any more.
      { ...about, kind: "content_approval", since: stateSince, until: deadlineAt - 10 * MINUTE },
    ]);
    walk.to("awaiting_send_approval");
    const since = walk.view().task.stateSince;
    expect(today(world).waiting).toEqual([{ ...about, kind: "send_approval", since, until: deadlineAt }]);
  });

  test("a far deadline leaves the offer's own day, at the gate that has one", () => {
    const world = new World();
    const walk = new BriefingWalk(world, { deadlineAt: MONDAY_8 + 72 * 60 * MINUTE }).to("awaiting_content_approval");
    expect(today(world).waiting[0]?.until).toBe(walk.view().task.stateSince + 24 * 60 * MINUTE);
    // Nobody has approved a mailing yet, so there is nothing that could expire: only the deadline closes the gate.
    walk.to("awaiting_send_approval");
    expect(today(world).waiting[0]?.until).toBe(walk.view().task.deadlineAt);
  });

  test("a rejected mailing that waits for new words", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_send_approval");
    const reject = { event: "SendRejected", reason: "typo", context: { sendRejected: 1 } };
    walk.person({ type: "transition", taskId: walk.taskId, ...reject });
    expect(today(world).waiting).toMatchObject([{ kind: "send_approval" }]);
    expect(today(world).live).toMatchObject([{ state: "published" }]);
  });

  test("a block with its reason and its time", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("collecting");
    walk.readSources({ alpha: { state: "failed", errorCode: "dns", nextAt: null } });
    const block = { event: "CollectBlocked", blockedReason: "source_missing" };
    walk.executor({ type: "transition", taskId: walk.taskId, ...block });
    const since = walk.view().task.stateSince;
    const until = since + 4 * 60 * MINUTE;
    expect(today(world).waiting).toMatchObject([{ kind: "blocked", blockedReason: "source_missing", since, until }]);
  });

  test("a call without an answer, once a minute has passed", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("publishing");
    const operation = walk.operation("publish");
    walk.markSent(operation);
    const sentAt = world.now;
    expect(today(world).waiting).toEqual([]);
    world.now = sentAt + MINUTE + 1;
    expect(today(world).waiting).toMatchObject([{ kind: "unknown_outcome", since: sentAt }]);
    walk.answer(operation.id, "unknown");
    const unknownAt = world.now;
    expect(today(world).waiting).toEqual([]);
    world.now = unknownAt + MINUTE + 1;
    expect(today(world).waiting).toMatchObject([{ kind: "unknown_outcome", since: unknownAt }]);
    walk.look(operation.id, "confirmed", { ids: ["18427"], url: walk.package().plannedUrl });
    expect(today(world).waiting).toEqual([]);
  });

  test("a locked call at once, and only once when the edition is blocked by it", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("publishing");
    const operation = walk.operation("publish");
    walk.markSent(operation);
    walk.answer(operation.id, "unknown");
    walk.look(operation.id, "locked");
    expect(today(world).waiting).toMatchObject([{ kind: "unknown_outcome" }]);
    const block = { event: "PublishBlocked", blockedReason: "outcome_unknown" };
    walk.executor({ type: "transition", taskId: walk.taskId, ...block });
    expect(today(world).waiting.map((item) => item.kind)).toEqual(["blocked"]);
  });

  test("late delivery reports", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("send_pending");
    world.now += 31 * MINUTE;
    walk.executor({ type: "transition", taskId: walk.taskId, event: "ObservationTimedOut" });
    expect(today(world).waiting).toMatchObject([{ kind: "observation", until: null }]);
  });

  test("an edition that nobody takes up", () => {
    const world = new World();
    const walk = new BriefingWalk(world);
    expect(today(world).waiting).toEqual([]);
    world.now += 2 * MINUTE;
    expect(today(world).waiting).toMatchObject([{ kind: "ready_to_start", until: walk.view().task.deadlineAt }]);
    walk.start();
    expect(today(world).waiting).toEqual([]);
  });

  test("the soonest limit comes first", () => {
    const world = new World();
    const late = new BriefingWalk(world, { edition: "2026-W31" }).to("awaiting_content_approval");
    const soon = new BriefingWalk(world, { edition: "2026-W30" }).to("awaiting_content_approval");
    expect(today(world).waiting.map((item) => item.taskId)).toEqual([soon.taskId, late.taskId]);
  });
});

describe("what happens now", () => {
  test("is a line per live edition with the newest event that means something", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("drafting");
    const { stateSince, deadlineAt, stateVersion } = walk.view().task;
    expect(today(world).live).toEqual([
      {
        taskId: walk.taskId,
        edition: "2026-W30",
        state: "drafting",
        stateVersion,
        since: stateSince,
        deadlineAt,
        nextAt: null,
        detail: "SourcesFrozen",
      },
    ]);
  });

  test("names the next moment at which something happens by itself", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("collecting");
    const retryAt = world.now + 30_000;
    walk.readSources({ alpha: { state: "waiting", errorCode: "timeout", nextAt: retryAt } });
    walk.executor({ type: "transition", taskId: walk.taskId, event: "RetryScheduled", retryAt });
    expect(today(world).live).toMatchObject([{ state: "retry_wait", nextAt: retryAt }]);
  });

  test("counts a probe in publishing only, and a look wherever one is due", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("publishing");
    const operation = walk.operation("publish");
    walk.markSent(operation);
    walk.answer(operation.id, "unknown");
    const { nextLookAt } = walk.operation("publish");
    expect(nextLookAt).not.toBeNull();
    expect(today(world).live).toMatchObject([{ nextAt: nextLookAt }]);
    walk.look(operation.id, "confirmed", { ids: ["18427"], url: walk.package().plannedUrl });
    walk.prove("<main data-imprimatur><h1>an older page</h1></main>");
    expect(today(world).live).toMatchObject([{ nextAt: walk.view().task.context["nextProbeAt"] }]);
    walk.prove();
    walk.executor({ type: "transition", taskId: walk.taskId, event: "Published" });
    expect(today(world).live).toMatchObject([{ state: "published", nextAt: null }]);
    walk.to("send_pending");
    walk.account({ R1: "delivered" });
    expect(today(world).live).toMatchObject([{ nextAt: walk.view().task.context["nextObserveAt"] }]);
  });
});

describe("how healthy it is", () => {
  test("counts unknown outcomes, open and reconciled, and places with two objects", () => {
    const world = new World();
    const clean = new BriefingWalk(world, { edition: "2026-W29" }).to("publishing");
    const first = clean.operation("publish");
    clean.markSent(first);
    clean.answer(first.id, "unknown");
    expect(today(world).health).toMatchObject({ unknownOutcomes: 1, unknownsReconciled: 0 });
    clean.look(first.id, "confirmed", { ids: ["18427"], url: clean.package().plannedUrl });
    expect(today(world).health).toMatchObject({ unknownOutcomes: 0, unknownsReconciled: 1, duplicateObjects: 0 });
    const doubled = new BriefingWalk(world).to("publishing");
    const second = doubled.operation("publish");
    doubled.markSent(second);
    doubled.answer(second.id, "unknown");
    doubled.look(second.id, "duplicate", { ids: ["18428", "18429"] });
    expect(today(world).health).toMatchObject({ unknownOutcomes: 1, unknownsReconciled: 1, duplicateObjects: 1 });
  });

  test("counts every event, and passes on what the checkers last found", () => {
    const world = new World();
    new BriefingWalk(world).to("succeeded");
    const events = world.database.sqlite.prepare("SELECT count(*) FROM event").pluck().get();
    const checks = () => ({
      chainVerifiedAt: MONDAY_8,
      invariantViolations: 0,
      backupAt: null,
      backupFault: null,
      backupsOn: false,
    });
    const { health } = Today.parse(worldViews(world, { checks }).today());
    expect(health).toMatchObject({ journalEvents: events, chainVerifiedAt: MONDAY_8, invariantViolations: 0 });
  });

  test("names hosts that are not called at present", () => {
    const world = new World();
    const insert = world.database.sqlite.prepare("INSERT INTO breaker VALUES (?, 5, ?, ?)");
    insert.run("alpha.example", world.now, world.now + MINUTE);
    insert.run("beta.example", world.now - 2 * MINUTE, world.now - MINUTE);
    expect(today(world).health.openBreakers).toEqual(["alpha.example"]);
  });
});

test("of ended editions the last forty are told, newest first", () => {
  const world = new World();
  const weeks = Array.from({ length: 42 }, (_, index) => `2026-W${String(10 + index)}`);
  for (const edition of weeks) {
    const walk = new BriefingWalk(world, { edition });
    if (edition === "2026-W15") walk.to("succeeded");
    else walk.person({ type: "transition", taskId: walk.taskId, event: "ClosedProtectively", reason: "test" });
  }
  const { ended } = today(world);
  expect(ended.map((row) => row.edition)).toEqual(weeks.slice(2).reverse());
  expect(ended.find((row) => row.edition === "2026-W15")?.state).toBe("succeeded");
});
