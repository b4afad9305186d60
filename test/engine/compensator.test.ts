import { describe, expect, test } from "vitest";
import { planHash } from "../../main/domain/compensation";
import { publishIntents } from "../../main/pipeline/briefing/publish";
import { call } from "../sandbox/world";
import { EDITOR } from "../support/world";
import { UndoWorld } from "./compensator-world";

interface Item {
  kind: string;
  subject: string;
  owner: string;
  backup_owner: string;
  stage: string;
}
interface Alert {
  code: string;
  urgency: string;
  details: string;
}

const REFUSED = { on: "cms.status", fault: "status", params: { status: 503 } };
const DONE_BY_CALL = ["CompensationStepBegun", "OperationPrepared", "RequestSent", "RemoteConfirmed"];

describe("a published page is taken down", () => {
  test("asked, called once, proved at its origin and in public; every step is a receipt", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    expect((await world.page()).status).toBe(200);
    walk.startCompensation("the price was wrong");
    await world.drive();
    expect(walk.state).toBe("compensated");
    expect((await world.page()).status).toBe(404);
    expect(world.told()).toEqual([
      "CompensationStarted",
      ...DONE_BY_CALL,
      "CompensationStepDone",
      // The website's replica lags two seconds behind its own write.
      "CompensationProbed",
      "CompensationStepDone",
      "CompensationStepDone",
      "CompensationEntryDone",
      "Compensated",
    ]);
    const undo = world.undo("take_page_down");
    expect(undo).toMatchObject({
      operationKey: `compensate:${walk.operation("publish").operationKey}:take_page_down:undo`,
      kind: "compensate",
      phase: "undo",
      state: "confirmed",
      compensationId: world.entry("take_page_down").id,
      remoteId: "18427",
    });
    const remote = await world.remotely();
    expect(remote.cms).toMatchObject({ createCalls: 1, updateCalls: 0, statusCalls: 1 });
    expect(remote.cms.objects).toMatchObject([{ status: "draft", appliedKeys: [undo?.operationKey] }]);
    expect(world.violations()).toEqual([]);
  });

  test("a stale cache is waited out, at the probe's pace", async () => {
    const world = await UndoWorld.open({ staleProbes: 2 });
    const walk = await world.published();
    walk.startCompensation();
    const startedAt = world.world.now;
    await world.drive();
    expect(walk.state).toBe("compensated");
    const probes = world.told().filter((type) => type === "CompensationProbed");
    expect(probes).toHaveLength(3);
    expect(world.world.now - startedAt).toBeGreaterThanOrEqual(2 * 20_000);
    expect((await world.remotely()).cms.statusCalls).toBe(1);
  });

  test("it is down already, by whom ever: no call, and proved all the same", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    await call("POST", `${world.remote.url}/cms/posts/18427/status`, { key: "by hand", status: "draft" });
    world.world.now += 10_000;
    walk.startCompensation();
    await world.drive();
    expect(walk.state).toBe("compensated");
    expect(world.undo("take_page_down")).toBeNull();
    expect((await world.remotely()).cms.statusCalls).toBe(1);
    expect(world.violations()).toEqual([]);
  });

  test("right after it was published the website does not show it yet: waited for, not taken for gone", async () => {
    const world = await UndoWorld.open();
    const walk = world.begin();
    walk.to("content_approved");
    await world.drive(world.executor(), "published");
    walk.startCompensation();
    await world.drive();
    expect(walk.state).toBe("compensated");
    expect((await world.page()).status).toBe(404);
    expect((await world.remotely()).cms.statusCalls).toBe(1);
  });
});

describe("it starts from what a person has read", () => {
  test("another plan, no reason, nothing to undo, nobody's click", async () => {
    const world = await UndoWorld.open();
    const walk = world.begin();
    const begin = (reason: string, hash: string, actor: "system" | typeof EDITOR = EDITOR) =>
      world.world.execute(
        {
          type: "transition",
          taskId: walk.taskId,
          event: "CompensationStarted",
          reason,
          payload: { planHash: hash },
        },
        actor,
        { expectedVersion: walk.view().task.stateVersion },
      );
    const codes = (answer: ReturnType<typeof begin>) =>
      "unmet" in answer ? answer.unmet.map(({ code }) => code) : answer.result;
    walk.to("publishing");
    const hash = planHash(walk.view().compensations());
    expect(codes(begin("", hash))).toEqual(["reason_missing"]);
    expect(codes(begin("wrong", "another"))).toEqual(["undo_plan_changed"]);
    expect(codes(begin("wrong", hash, "system"))).toEqual(["person_required"]);
    expect(codes(begin("wrong", hash))).toBe("applied");
  });
});

describe("S45 and S46, an update", () => {
  async function updated(): Promise<UndoWorld> {
    const world = await UndoWorld.open();
    const first = await world.published();
    first.person({ type: "transition", taskId: first.taskId, event: "ClosedProtectively", reason: "a new version" });
    await world.published({ taskVersion: 2, supersedes: first.taskId }, "第二版");
    return world;
  }

  test("S45 it still is v30: pointed back to v29, the old page proved link by link", async () => {
    const world = await updated();
    const before = await world.remotely();
    expect(before.cms.objects).toMatchObject([{ revision: 2, title: "第二版" }]);
    world.walk.startCompensation();
    await world.drive();
    expect(world.walk.state).toBe("compensated");
    const [object] = (await world.remotely()).cms.objects;
    const [first] = world.walk.view().slotOperations(world.walk.operation("publish", "update").slot);
    expect(object).toMatchObject({ revision: 3, status: "published", contentHash: first?.contentHash });
    expect((await world.page()).text).not.toContain("第二版");
    expect(world.undo("point_page_back")).toMatchObject({ state: "confirmed", contentHash: first?.contentHash });
    expect(world.violations()).toEqual([]);
  });

  test("S46 v31 is there: nothing is overwritten, a forward fix is offered, a person closes it", async () => {
    const world = await updated();
    const v31 = {
      ...{ key: "somebody else's", expectedRevision: 2, title: "v31", html: "<p>v31</p>" },
      ...{ contentHash: "9".repeat(64), intentHash: "8".repeat(64), taskId: "another" },
    };
    const put = await call("PUT", `${world.remote.url}/cms/posts/18427`, v31);
    expect(put.status).toBe(200);
    world.world.now += 10_000;
    world.walk.startCompensation();
    await world.drive();
    expect(world.walk.state).toBe("compensating");
    expect(world.entry("point_page_back")).toMatchObject({
      state: "failed",
      code: "precondition_changed",
      stepsDone: 0,
    });
    expect(world.undo("point_page_back")).toBeNull();
    const remote = await world.remotely();
    expect(remote.cms.objects).toMatchObject([{ revision: 3, title: "v31" }]);
    expect(remote.cms).toMatchObject({ updateCalls: 2, statusCalls: 0 });
    const [item] = world.rows<Item>("recovery_item");
    expect(item).toMatchObject({
      kind: "compensation_failed",
      subject: "point_page_back: precondition_changed",
      owner: "editor",
      backup_owner: "backup_editor",
      stage: "to_triage",
    });
    const alert = world.rows<Alert>("alert").at(-1);
    expect(alert).toMatchObject({ code: "compensation_failed_precondition_changed", urgency: "five_minutes" });
    expect(JSON.parse(alert?.details ?? "{}")).toMatchObject({
      ways: ["new_version", "close_by_person"],
      seen: { revision: 3, contentHash: "9".repeat(64) },
    });
    expect(world.close("point_page_back", "v31 is right, v30 is gone with it").result).toBe("applied");
    await world.drive();
    expect(world.walk.state).toBe("compensated");
    expect(world.violations()).toEqual([]);
    // The forward fix is a new version; should it be undone, v30 is not put back by a program: it was withdrawn.
    const third = world.begin({ taskVersion: 3, supersedes: world.walk.taskId });
    third.to("awaiting_content_approval");
    const [fix] = publishIntents(third.ports, third.view());
    expect(fix).toMatchObject({ phase: "update", compensation: { action: "point_page_back", grade: "C" } });
  });

  test("v31 comes between the question and the call: the remote refuses, and it is asked again", async () => {
    const world = await updated();
    const { ports } = world.walk;
    const { send } = ports.cms.adapter;
    let isFirst = true;
    ports.cms.adapter.send = async (request, context) => {
      const v31 = {
        ...{ key: "somebody else's", expectedRevision: 2, title: "v31", html: "<p>v31</p>" },
        ...{ contentHash: "9".repeat(64), intentHash: "8".repeat(64), taskId: "another" },
      };
      if (isFirst) await call("PUT", `${world.remote.url}/cms/posts/18427`, v31);
      isFirst = false;
      return send.call(ports.cms.adapter, request, context);
    };
    world.walk.startCompensation();
    await world.drive();
    expect(world.entry("point_page_back")).toMatchObject({ state: "failed", code: "precondition_changed" });
    expect((await world.remotely()).cms.objects).toMatchObject([{ revision: 3, title: "v31" }]);
    expect(world.violations()).toEqual([]);
  });

  test("after a page was taken down, a new version updates it and puts it up again", async () => {
    const world = await UndoWorld.open();
    const first = await world.published();
    first.startCompensation();
    await world.drive();
    expect(first.state).toBe("compensated");
    const second = await world.published({ taskVersion: 2, supersedes: first.taskId }, "第二版");
    expect((await world.page()).text).toContain("第二版");
    expect(
      second
        .view()
        .operations()
        .map((row) => row.phase),
    ).toEqual(["update", "publish"]);
    const remote = await world.remotely();
    expect(remote.cms.objects).toMatchObject([{ revision: 2, status: "published" }]);
    second.startCompensation();
    await world.drive();
    expect(second.state).toBe("compensated");
    expect((await world.page()).status).toBe(404);
    expect(world.violations()).toEqual([]);
  });
});

describe("S47, a step that fails", () => {
  test("the third step of an entry: it stays open there, and goes on from there when a person says so", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    await world.fault({ on: "site.read", fault: "status", times: 20, params: { status: 500 } });
    walk.startCompensation();
    await world.drive();
    expect(walk.state).toBe("compensating");
    expect(world.entry("take_page_down")).toMatchObject({
      state: "failed",
      stepsDone: 2,
      code: "http_500",
      attempts: 20,
    });
    expect(world.resume("take_page_down", "").result).toBe("guard_failed");
    expect(world.resume("take_page_down").result).toBe("applied");
    await world.drive();
    expect(walk.state).toBe("compensated");
    const done = world.told().filter((type) => type === "CompensationStepDone");
    expect(done).toHaveLength(3);
    expect((await world.remotely()).cms.statusCalls).toBe(1);
    expect(world.violations()).toEqual([]);
  });

  test("G2 the undo's target always fails: three tries, a work item with an owner, the others go on", async () => {
    const world = await UndoWorld.open();
    await started(world);
    await world.fault({ on: "mail.status", fault: "status", times: 99, params: { status: 503 } });
    world.walk.startCompensation();
    const startedAt = world.world.now;
    await world.drive();
    expect(world.entry("stop_campaign")).toMatchObject({ state: "failed", attempts: 3, stepsDone: 0 });
    const remote = await world.remotely();
    expect(remote.mail.statusCalls).toBe(3);
    // One second, then two, each with half of its jitter: the general policy's own waits.
    expect(world.world.now - startedAt).toBeGreaterThanOrEqual(3_000);
    expect(world.rows<Item>("recovery_item")).toMatchObject([
      { kind: "compensation_failed", owner: "editor", stage: "to_triage" },
    ]);
    expect(world.rows<Alert>("alert").at(-1)?.code).toMatch(/^compensation_failed_/);
    expect(world.entry("take_page_down").state).toBe("done");
    expect(world.entry("tell_customers").state).toBe("not_needed");
    expect(world.walk.state).toBe("compensating");
    expect(world.close("stop_campaign", "", "").result).toBe("guard_failed");
    expect(world.close("stop_campaign", "deleted by hand", "https://mail.example/log/1").result).toBe("applied");
    await world.drive();
    expect(world.walk.state).toBe("compensated");
    expect(world.violations()).toEqual([]);
  });

  test("no second try where it would come to the same: signed out, then resumed at the same step", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    await world.fault({ on: "cms.status", fault: "auth", times: 1 });
    walk.startCompensation();
    await world.drive();
    expect(world.entry("take_page_down")).toMatchObject({ state: "failed", attempts: 1, code: "http_401" });
    expect((await world.remotely()).cms.statusCalls).toBe(1);
    expect(world.resume("take_page_down", "signed in again").result).toBe("applied");
    await world.drive();
    expect(walk.state).toBe("compensated");
    expect((await world.remotely()).cms.statusCalls).toBe(2);
    expect(world.violations()).toEqual([]);
  });

  test("the question before the call always fails: tries as well, and nothing is called", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    await world.fault({ on: "cms.query", fault: "status", times: 99, params: { status: 503 } });
    walk.startCompensation();
    await world.drive();
    expect(world.entry("take_page_down")).toMatchObject({ state: "failed", attempts: 3, code: "http_503" });
    expect((await world.remotely()).cms.statusCalls).toBe(0);
    expect((await world.page()).status).toBe(200);
  });

  test("three failed undos today: the next one is left to a person before anything is tried", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    const item = (id: number, at: number) =>
      world.world.database.sqlite
        .prepare(
          "INSERT INTO recovery_item (id, task_id, kind, stage, subject, owner, backup_owner, created_at, due_at) VALUES (?, ?, 'compensation_failed', 'to_triage', 'x', 'o', 'b', ?, ?)",
        )
        .run(`ri-${id}`, walk.taskId, at, at);
    for (const id of [1, 2, 3]) item(id, world.world.now - 3_600_000 * id);
    walk.startCompensation();
    await world.drive();
    expect(world.entry("take_page_down")).toMatchObject({ state: "failed", code: "undo_failures_spent", attempts: 0 });
    expect(world.rows<Item>("recovery_item").at(-1)).toMatchObject({ kind: "compensation_manual", owner: "editor" });
    expect((await world.remotely()).cms.statusCalls).toBe(0);
    expect(world.resume("take_page_down", "I have looked: let it").result).toBe("applied");
    await world.drive();
    expect(walk.state).toBe("compensated");
    expect(world.violations()).toEqual([]);
  });

  test("nobody can say what became of an undo: a person's verdict comes before anything else", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    world.world.now += 10_000;
    await world.fault({ on: "cms.status", fault: "drop-after-commit", times: 1 });
    walk.startCompensation();
    await world.executor().runOnce();
    await world.fault({ on: "cms.query", fault: "status", times: 99, params: { status: 503 } });
    await world.drive();
    const undo = world.undo("take_page_down");
    expect(undo?.state).toBe("locked");
    expect(world.entry("take_page_down")).toMatchObject({ state: "failed", code: "outcome_locked" });
    // Closed by a person or not: with a call that nobody can account for it is not over.
    expect(world.close("take_page_down").result).toBe("applied");
    await fetch(`${world.remote.url}/control/faults`, { method: "DELETE" });
    await world.drive();
    expect(walk.state).toBe("compensating");
    if (!undo) throw new Error("no undo");
    const seen = { verdict: "happened" as const, remoteId: "18427", evidence: "the page is gone" };
    walk.person({ type: "give_verdict", taskId: walk.taskId, operationId: undo.id, ...seen });
    await world.drive();
    expect(walk.state).toBe("compensated");
    expect((await world.remotely()).cms.statusCalls).toBe(1);
    expect(world.violations()).toEqual([]);
  });

  test("the wait before the next try survives a restart, and so does the count", async () => {
    const world = await UndoWorld.open();
    const walk = await world.published();
    await world.fault({ ...REFUSED, times: 2 });
    world.world.now += 10_000;
    walk.startCompensation();
    const first = world.executor();
    const dueAt = await first.runOnce();
    expect(world.entry("take_page_down")).toMatchObject({ attempts: 1, state: "running" });
    first.releaseAll();
    const next = world.entry("take_page_down").nextAt;
    expect(next).not.toBeNull();
    expect(next).toBeGreaterThan(world.world.now);
    expect(dueAt).toBe(next);
    const second = world.executor();
    await second.runOnce();
    expect((await world.remotely()).cms.statusCalls).toBe(1);
    await world.drive(second);
    expect(walk.state).toBe("compensated");
    expect((await world.remotely()).cms.statusCalls).toBe(3);
  });
});

/** The campaign is there, its start was refused: blocked, with three entries of which the top never left. */
async function started(world: UndoWorld): Promise<void> {
  const walk = await world.published();
  await world.fault({ on: "mail.trigger", fault: "auth", times: 1 });
  walk.approveSend();
  await world.drive(world.executor(), "blocked");
  expect(walk.state).toBe("blocked");
}

describe("a mailing", () => {
  test("not started yet: held back, the page taken down, nobody to be told", async () => {
    const world = await UndoWorld.open();
    await started(world);
    world.walk.startCompensation();
    await world.drive();
    expect(world.walk.state).toBe("compensated");
    const remote = await world.remotely();
    expect(remote.mail).toMatchObject({ triggerCalls: 1, statusCalls: 1, mailings: [] });
    expect(remote.mail.campaigns).toMatchObject([{ status: "cancelled" }]);
    const order = world.told().filter((type) => /NotNeeded|EntryDone/.test(type));
    expect(order).toEqual(["CompensationNotNeeded", "CompensationEntryDone", "CompensationEntryDone"]);
    expect(world.violations()).toEqual([]);
  });

  test("mailed: nothing to hold back; telling the customers waits for the proof and for a person", async () => {
    const world = await UndoWorld.open();
    const walk = await world.mailed();
    walk.startCompensation();
    const early = world.close("tell_customers");
    expect(early).toMatchObject({ result: "guard_failed" });
    expect("unmet" in early ? early.unmet.map(({ code, values }) => [code, values["first"]]) : []).toEqual([
      ["compensation_waits_for", "take_page_down"],
      ["compensation_waits_for", "stop_campaign"],
    ]);
    await world.drive();
    expect(walk.state).toBe("compensating");
    expect(world.entry("take_page_down").state).toBe("done");
    expect(world.entry("stop_campaign")).toMatchObject({ state: "done" });
    expect(world.undo("stop_campaign")).toBeNull();
    expect(world.entry("tell_customers").state).toBe("running");
    expect(world.told().at(-1)).toBe("CompensationHandedOver");
    expect(world.rows<Item>("recovery_item").at(-1)).toMatchObject({ kind: "compensation_manual", owner: "editor" });
    expect(world.rows<Alert>("alert").at(-1)).toMatchObject({ code: "compensation_manual", urgency: "one_hour" });
    expect(world.close("tell_customers", " ", " ").result).toBe("guard_failed");
    expect(world.close("tell_customers").result).toBe("applied");
    await world.drive();
    expect(walk.state).toBe("compensated");
    expect((await world.remotely()).mail).toMatchObject({ triggerCalls: 1, statusCalls: 0 });
    expect(world.violations()).toEqual([]);
  });

  test("no person closes what the program is at, and no program what is a person's", async () => {
    const world = await UndoWorld.open();
    const walk = await world.mailed();
    walk.startCompensation();
    expect(world.close("take_page_down")).toMatchObject({ result: "guard_failed" });
    expect(world.resume("take_page_down")).toMatchObject({ result: "guard_failed" });
    const { id } = world.entry("tell_customers");
    for (const type of ["skip_compensation", "hand_over_compensation"] as const) {
      const answer = walk.tryExecutor({ type, taskId: walk.taskId, compensationId: id });
      expect(answer, type).toMatchObject({ result: "guard_failed" });
    }
  });
});
