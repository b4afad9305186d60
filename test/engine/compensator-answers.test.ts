import { describe, expect, test } from "vitest";
import { EDITOR } from "../support/world";
import { UndoWorld } from "./compensator-world";

/** What may become of an undo's own call: however it is lost, it has its effect once, and the journal knows. */
const LOST = [
  ["the line was cut before it arrived", { fault: "drop-before-commit" }, 2],
  ["the line was cut after it was done", { fault: "drop-after-commit" }, 1],
  ["no answer came, and nothing was done", { fault: "hang-before-commit" }, 2],
  ["no answer came, and it was done", { fault: "hang-after-commit" }, 1],
  ["the answer was cut in the middle", { fault: "cut-short" }, 1],
  ["done, then an error 500", { fault: "status-after-commit" }, 1],
  ["done, then no JSON", { fault: "unparsable" }, 1],
  ["refused at the door, come again", { fault: "status", params: { status: 503 } }, 2],
  ["slow down", { fault: "status", params: { status: 429, retryAfterSeconds: 7 } }, 2],
  ["done only a little later", { fault: "commit-later", params: { ms: 5_000 } }, 1],
  ["done only after it had been given up", { fault: "commit-later", params: { ms: 90_000 } }, 2],
] as const;

describe.each(LOST)("%s", (_what, rule, calls) => {
  test("the page is taken down once", async () => {
    const world = await UndoWorld.open();
    await world.published();
    world.world.now += 10_000;
    await world.fault({ on: "cms.status", times: 1, ...rule });
    world.walk.startCompensation();
    await world.drive();
    world.world.now += 120_000;
    const remote = await world.remotely();
    expect(world.walk.state).toBe("compensated");
    expect(remote.cms.statusCalls).toBe(calls);
    expect(remote.cms.objects).toMatchObject([
      { status: "draft", appliedKeys: [world.undo("take_page_down")?.operationKey] },
    ]);
    expect(world.violations()).toEqual([]);
  });

  test("the page is pointed back once", async () => {
    const world = await UndoWorld.open();
    const first = await world.published();
    first.person({ type: "transition", taskId: first.taskId, event: "ClosedProtectively", reason: "a new version" });
    await world.published({ taskVersion: 2, supersedes: first.taskId }, "第二版");
    world.world.now += 10_000;
    await world.fault({ on: "cms.update", times: 1, ...rule });
    world.walk.startCompensation();
    await world.drive();
    world.world.now += 120_000;
    await world.page();
    const remote = await world.remotely();
    const undo = world.undo("point_page_back");
    expect(world.walk.state).toBe("compensated");
    expect(remote.cms.updateCalls).toBe(1 + calls);
    const [object] = remote.cms.objects;
    expect(object).toMatchObject({ revision: 3, contentHash: undo?.contentHash });
    expect(object.appliedKeys.filter((key: string) => key === undo?.operationKey)).toHaveLength(1);
    expect(world.violations()).toEqual([]);
  });
});

describe("the forward call is without an answer when undoing starts", () => {
  /** Undoing starts while the create is out and nobody knows. */
  async function unknown(fault: string): Promise<UndoWorld> {
    const world = await UndoWorld.open();
    const walk = world.begin();
    walk.to("content_approved");
    await world.fault({ on: "cms.create", fault, times: 1 });
    const executor = world.executor();
    await executor.runOnce();
    executor.releaseAll();
    expect(walk.operation("publish").state).toBe("unknown");
    walk.startCompensation();
    return world;
  }

  test("it had happened: found by asking, then undone", async () => {
    const world = await unknown("drop-after-commit");
    await world.drive();
    expect(world.walk.state).toBe("compensated");
    expect(world.entry("take_page_down").state).toBe("done");
    const told = world.told();
    expect(told.indexOf("ReconcileStarted")).toBeLessThan(told.indexOf("CompensationStepBegun"));
    const remote = await world.remotely();
    expect(remote.cms).toMatchObject({ createCalls: 1, statusCalls: 1 });
    expect(remote.cms.objects).toMatchObject([{ status: "draft" }]);
    expect(world.violations()).toEqual([]);
  });

  test("it had not: absent past the horizon, so no undo is called", async () => {
    const world = await unknown("drop-before-commit");
    await world.drive();
    expect(world.walk.state).toBe("compensated");
    expect(world.entry("take_page_down").state).toBe("not_needed");
    expect((await world.remotely()).cms).toMatchObject({ createCalls: 1, statusCalls: 0, objects: [] });
    expect(world.violations()).toEqual([]);
  });

  test("a trigger without an answer is asked about first; nothing is held back over it", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    await world.fault({ on: "mail.trigger", fault: "drop-after-commit", times: 1 });
    walk.approveSend();
    const executor = world.executor();
    for (let pass = 0; pass < 20 && walk.operation("send", "trigger").state !== "unknown"; pass += 1) {
      const dueAt = await executor.runOnce();
      if (walk.operation("send", "trigger").state !== "unknown")
        world.world.now = Math.max(dueAt ?? 0, world.world.now);
    }
    executor.releaseAll();
    walk.startCompensation();
    await world.drive();
    expect(world.entry("tell_customers").state).toBe("running");
    expect(world.entry("stop_campaign").state).toBe("done");
    expect((await world.remotely()).mail).toMatchObject({ triggerCalls: 1, statusCalls: 0 });
    expect(world.close("tell_customers").result).toBe("applied");
    await world.drive();
    expect(walk.state).toBe("compensated");
    expect(world.violations()).toEqual([]);
  });

  test("nobody can tell: a person's verdict comes first, and nothing is closed over it", async () => {
    const world = await unknown("drop-after-commit");
    await world.fault({ on: "cms.query", fault: "status", times: 99, params: { status: 503 } });
    await world.drive();
    const operation = world.walk.operation("publish");
    expect(operation.state).toBe("locked");
    expect(world.entry("take_page_down").state).toBe("registered");
    expect(world.close("take_page_down")).toMatchObject({ result: "guard_failed" });
    await fetch(`${world.remote.url}/control/faults`, { method: "DELETE" });
    world.walk.person({
      type: "give_verdict",
      taskId: world.walk.taskId,
      operationId: operation.id,
      verdict: "happened",
      remoteId: "18427",
      evidence: "seen on the site",
    });
    await world.drive();
    expect(world.walk.state).toBe("compensated");
    expect((await world.remotely()).cms.objects).toMatchObject([{ status: "draft" }]);
    expect(world.violations()).toEqual([]);
  });
});

describe("the call was prepared and never left", () => {
  test("undoing cancels it, needs no call, and nothing forward leaves any more", async () => {
    const world = await UndoWorld.open();
    const walk = world.begin();
    walk.to("publishing");
    walk.executor({ type: "release_lease", taskId: walk.taskId });
    walk.startCompensation();
    expect(walk.operation("publish").state).toBe("cancelled");
    await world.drive();
    expect(walk.state).toBe("compensated");
    expect(world.entry("take_page_down").state).toBe("not_needed");
    expect((await world.remotely()).cms).toMatchObject({ createCalls: 0, statusCalls: 0, queries: 0 });
    expect(world.violations()).toEqual([]);
  });
});

describe("several at once", () => {
  test("two executors on one journal undo once", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    walk.startCompensation();
    const both = [world.executor(), world.executor()];
    for (let pass = 0; pass < 60 && walk.state !== "compensated"; pass += 1) {
      const due = await Promise.all(both.map((executor) => executor.runOnce()));
      const next = Math.min(...due.filter((at) => at !== null));
      if (Number.isFinite(next)) world.world.now = Math.max(next, world.world.now + 1);
    }
    expect(walk.state).toBe("compensated");
    expect((await world.remotely()).cms.statusCalls).toBe(1);
    expect(world.violations()).toEqual([]);
  });

  const closed = (world: UndoWorld) =>
    world.world.execute(
      { type: "transition", taskId: world.walk.taskId, event: "ClosedProtectively", reason: "by hand" },
      EDITOR,
      { expectedVersion: world.walk.view().task.stateVersion },
    );

  test("protective closure is refused while an undo is out", async () => {
    const world = await UndoWorld.open();
    await world.published();
    world.world.now += 10_000;
    await world.fault({ on: "cms.status", fault: "drop-after-commit", times: 1 });
    world.walk.startCompensation();
    await world.executor().runOnce();
    expect(world.undo("take_page_down")?.state).toBe("unknown");
    expect(closed(world)).toMatchObject({ result: "guard_failed", unmet: [{ code: "operation_unsettled" }] });
  });

  test("it drops an undo that never left, and is the only thing that does", async () => {
    const world = await UndoWorld.open();
    await world.published();
    world.world.now += 10_000;
    await world.fault({ on: "cms.status", fault: "status", times: 1, params: { status: 503 } });
    world.walk.startCompensation();
    await world.executor().runOnce();
    expect(world.undo("take_page_down")?.state).toBe("prepared");
    expect(closed(world)).toMatchObject({ result: "applied", state: "closed" });
    expect(world.undo("take_page_down")?.state).toBe("cancelled");
    expect(world.violations()).toEqual([]);
  });
});
