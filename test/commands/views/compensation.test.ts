import { describe, expect, test } from "vitest";
import type { Desk } from "../../../main/commands/desk";
import { startCompensation } from "../../../main/commands/start-compensation";
import { lookAtUndo } from "../../../main/compose/look-at-undo";
import { briefingRuntime } from "../../../main/pipeline/briefing/runtime";
import { Compensation, Today, UndoLook } from "../../../preload/contract";
import { UndoWorld } from "../../engine/compensator-world";
import { call } from "../../sandbox/world";
import { BriefingWalk } from "../../support/briefing-walk";
import { EDITOR, World } from "../../support/world";
import { worldViews } from "../../support/world-views";

const HOUR = 3_600_000;
const REFUSED = { on: "cms.status", fault: "status", params: { status: 503 } };

const shown = (world: World, taskId: string) => Compensation.parse(worldViews(world).compensation({ taskId }));
const entryOf = (world: UndoWorld, action: string) => {
  const found = shown(world.world, world.walk.taskId).entries.find((entry) => entry.action === action);
  if (!found) throw new Error(`the screen shows no ${action}`);
  return found;
};
const today = (world: World) => Today.parse(worldViews(world).today());
const codes = (unmet: readonly { code: string }[]) => unmet.map((one) => one.code);

/** What the person at the screen would be told by the remote now. */
async function look(world: UndoWorld, action: string) {
  const { walk } = world;
  const undo = briefingRuntime(walk.ports).undo;
  const place = { journal: world.world.journal, undoOf: () => undo };
  const asked = { taskId: walk.taskId as string, compensationId: world.entry(action).id as string };
  return UndoLook.nullable().parse(await lookAtUndo(place, { clock: world.clock }, asked));
}

describe("the plan before it starts", () => {
  test("of an unknown task is none, and of one that sent nothing is empty", () => {
    const world = new World();
    expect(worldViews(world).compensation({ taskId: "t-unknown" })).toBeNull();
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    const plan = shown(world, walk.taskId);
    expect(plan).toMatchObject({ phase: "before", entries: [], mailed: 0, start: { open: false } });
  });

  test("last in first out, each with what would become of it", async () => {
    const world = await UndoWorld.open();
    const walk = await world.mailed();
    const plan = shown(world.world, walk.taskId);
    expect(
      plan.entries.map(({ position, action, grade, prospect, status }) => [position, action, grade, prospect, status]),
    ).toEqual([
      [3, "tell_customers", "C", "person", "waiting"],
      [2, "stop_campaign", "B", "automatic", "waiting"],
      [1, "take_page_down", "B", "automatic", "waiting"],
    ]);
    expect(plan).toMatchObject({ phase: "before", finished: 0, start: { open: true, unmet: [] }, started: null });
    expect(plan.mailed).toBe(
      walk
        .view()
        .recipients()
        .filter((row) => row.outcome !== "excluded").length,
    );
    expect(plan.mailed).toBeGreaterThan(0);
    // A click with what is shown is applied, one with another plan or another edition is not.
    const desk: Desk = {
      actor: EDITOR,
      journal: world.world.journal,
      clock: world.clock,
      trusted: { read: () => world.world.trusted() },
      pipeline: null as never,
    };
    const click = { taskId: walk.taskId, expectedVersion: plan.stateVersion, planHash: plan.planHash, reason: "wrong" };
    expect(startCompensation(desk, { ...click, typed: "2026-W31" })).toMatchObject({
      result: "guard_failed",
      unmet: [{ code: "typed_confirmation_differs", values: { expected: "2026-W30" } }],
    });
    expect(startCompensation(desk, { ...click, planHash: "0".repeat(64), typed: "2026-W30" }).result).toBe(
      "guard_failed",
    );
    expect(walk.state).toBe("send_pending");
    expect(startCompensation(desk, { ...click, typed: "2026-W30" }).result).toBe("applied");
    expect(shown(world.world, walk.taskId)).toMatchObject({
      phase: "running",
      started: { by: EDITOR, reason: "wrong", planHash: plan.planHash },
      start: { open: false },
    });
  });

  test("the remote is asked what is there, and nothing is written down or changed by it", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    const before = walk.view().task.taskSeq;
    const contentHash = walk.operation("publish").contentHash;
    world.world.now += 10_000;
    expect(await look(world, "take_page_down")).toMatchObject({
      kind: "holds",
      at: world.world.now,
      seen: { remote: "published", remoteId: "18427", contentHash },
    });
    await call("POST", `${world.remote.url}/cms/posts/18427/status`, { key: "by hand", status: "draft" });
    world.world.now += 10_000;
    expect(await look(world, "take_page_down")).toMatchObject({ kind: "reached", seen: { remote: "draft" } });
    await world.fault({ on: "cms.query", fault: "status", params: { status: 503 }, times: 9 });
    expect(await look(world, "take_page_down")).toMatchObject({ kind: "failed" });
    expect(walk.view().task.taskSeq).toBe(before);
    expect((await world.remotely()).cms.statusCalls).toBe(1);
  });

  test("an edition that has ended is not undone any more: the plan stays to be read", () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("succeeded");
    const plan = shown(world, walk.taskId);
    expect(plan).toMatchObject({ phase: "over", start: { open: false } });
    expect(codes(plan.start.unmet)).toEqual(["state_is"]);
    expect(plan.entries).toHaveLength(3);
  });
});

describe("the checklist while it runs", () => {
  test("what only a person can do waits for the rest, is theirs with a time, and is closed with note and link", async () => {
    const world = await UndoWorld.open();
    const walk = await world.mailed();
    walk.startCompensation("the price was wrong");
    expect(entryOf(world, "tell_customers")).toMatchObject({
      status: "waiting",
      waitsFor: ["take_page_down", "stop_campaign"],
      close: { open: false },
    });
    expect(entryOf(world, "stop_campaign").status).toBe("undoing");
    expect(today(world.world).waiting).toEqual([]);
    await world.drive();
    expect(entryOf(world, "take_page_down")).toMatchObject({
      status: "done",
      answer: { kind: "holds", seen: { remote: "published", remoteId: "18427" } },
      canLook: false,
      steps: [
        { name: "take_page_down", state: "done", how: "confirmed", operationState: "confirmed" },
        { name: "origin_asked", state: "done", how: "proved", seen: { remote: "draft" } },
        { name: "public_page_proved", state: "done", how: "proved", seen: { httpStatus: 404 } },
      ],
    });
    expect(entryOf(world, "take_page_down").steps[2]?.evidence).toHaveLength(1);
    // Mailed already: nothing was to be stopped, and nothing was called.
    expect(entryOf(world, "stop_campaign")).toMatchObject({ status: "done", answer: { kind: "reached" } });
    const open = entryOf(world, "tell_customers");
    expect(open).toMatchObject({ status: "for_person", waitsFor: [], close: { open: true }, resume: { open: false } });
    const since = open.dueAt === null ? 0 : open.dueAt - 24 * HOUR;
    expect(today(world.world).waiting).toEqual([
      {
        taskId: walk.taskId,
        edition: "2026-W30",
        kind: "undo_by_person",
        blockedReason: null,
        undo: { action: "tell_customers", code: null },
        since,
        until: open.dueAt,
      },
    ]);
    expect(since).toBeGreaterThan(0);
    world.close("tell_customers", "told by letter", "https://desk.example/letters/7");
    await world.drive();
    const ended = shown(world.world, walk.taskId);
    expect(ended).toMatchObject({ phase: "ended", state: "compensated", finished: 3 });
    expect(ended.entries[0]).toMatchObject({
      status: "closed",
      steps: [{ name: "tell_customers", state: "done" }],
      closed: { by: EDITOR, note: "told by letter", evidence: "https://desk.example/letters/7" },
      dueAt: null,
    });
    expect(ended.endedAt).not.toBeNull();
    expect(today(world.world).waiting).toEqual([]);
  });

  test("a failed undo counts its tries, has an owner and a time, and goes on where it stopped", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    await world.fault({ ...REFUSED, times: 3 });
    walk.startCompensation();
    await world.drive();
    const failed = entryOf(world, "take_page_down");
    expect(failed).toMatchObject({
      ...{ status: "failed", attempts: 3, tries: 3, nextAt: null, owner: "editor" },
      ...{ resume: { open: true }, close: { open: true }, canLook: true },
      steps: [{ state: "failed" }, { state: "ahead" }, { state: "ahead" }],
    });
    expect(shown(world.world, walk.taskId).failures).toMatchObject({ today: 1 });
    expect(today(world.world).waiting).toMatchObject([
      { kind: "undo_failed", undo: { action: "take_page_down", code: failed.code }, until: failed.dueAt },
    ]);
    expect(failed.dueAt).not.toBeNull();
    world.resume("take_page_down");
    expect(entryOf(world, "take_page_down")).toMatchObject({ status: "undoing", attempts: 0, code: null });
    await world.drive();
    expect(shown(world.world, walk.taskId).state).toBe("compensated");
  });

  test("somebody's newer page is shown as such, with what was ours, and was not overwritten", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    const ours = walk.operation("publish").contentHash;
    const [object] = (await world.remotely()).cms.objects;
    const newer = {
      key: "v31",
      title: "v31",
      html: "<p>v31</p>",
      ...{ contentHash: "b".repeat(64), intentHash: "8".repeat(64), taskId: "another" },
      expectedRevision: object?.revision,
    };
    expect((await call("PUT", `${world.remote.url}/cms/posts/18427`, newer)).status).toBeLessThan(300);
    world.world.now += 10_000;
    walk.startCompensation();
    await world.drive();
    expect(entryOf(world, "take_page_down")).toMatchObject({
      status: "failed",
      code: "precondition_changed",
      answer: { kind: "changed", seen: { contentHash: "b".repeat(64), expected: ours } },
    });
    expect((await world.remotely()).cms.objects[0]?.contentHash).toBe("b".repeat(64));
  });
});
