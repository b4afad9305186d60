import { describe, expect, test } from "vitest";
import { briefingDefinition } from "../../../main/pipeline/briefing/definition";
import { Run } from "../../../preload/contract";
import { BriefingWalk } from "../../support/briefing-walk";
import { EXECUTOR, World } from "../../support/world";
import { worldViews } from "../../support/world-views";

const MINUTE = 60_000;
const run = async (world: World, taskId: string) => Run.parse(await worldViews(world).run({ taskId }));
type Found = Awaited<ReturnType<typeof run>>;
const way = (found: Found, event: string) => found.ways.find((one) => one.event === event);
const openWays = (found: Found) => found.ways.flatMap((one) => (one.open ? [`${one.event} → ${one.to}`] : []));
const codes = (unmet: { code: string }[] | undefined) => unmet?.map((one) => one.code);

describe("a run", () => {
  test("of an unknown task is none", async () => {
    expect(await worldViews(new World()).run({ taskId: "t-unknown" })).toBeNull();
  });

  test("has everything about a finished edition by its task id", async () => {
    const world = new World();
    world.must({ type: "suppress_recipient", recipientId: "R5", reason: "unsubscribed" }, "editor:lin");
    const walk = new BriefingWalk(world).to("send_pending");
    walk.account({ R1: "delivered", R2: "delivered", R3: "bounced" });
    walk.account({ R4: "complained" });
    const found = await run(world, walk.taskId);
    const { task } = walk.view();
    expect(found).toMatchObject({
      taskKey: "weekly-briefing:2026-W30:zh-CN",
      taskVersion: 1,
      state: "succeeded",
      resumeState: null,
      blocked: null,
      zone: "Asia/Shanghai",
      lease: null,
      ways: [],
    });
    expect(found.events).toHaveLength(task.taskSeq);
    expect(found.events.map((event) => event.seq)).toEqual(
      [...found.events.map((event) => event.seq)].sort((a, b) => a - b),
    );
    expect(found.events.at(-1)).toMatchObject({ type: "DeliveryAccounted", toState: "succeeded", hash: task.taskHead });
    expect(found.operations.map((row) => `${row.kind} ${row.phase} ${row.state}`)).toEqual([
      "publish create confirmed",
      "send create confirmed",
      "send trigger confirmed",
    ]);
    expect(found.approvals.map((row) => row.scope)).toEqual(["publish", "send"]);
    expect(new Set(found.artifacts.map((row) => row.kind))).toEqual(
      new Set([
        "source-snapshot",
        "draft",
        "link-report",
        "package",
        "page",
        "email-preview",
        "page-capture",
        "email",
        "audience",
      ]),
    );
    expect(found.recipients).toEqual({
      total: 5,
      accepted: 0,
      delivered: 2,
      bounced: 1,
      complained: 1,
      excluded: 1,
      closedByPerson: 0,
      unknown: 0,
    });
    expect(found.careQueue).toMatchObject([
      { recipientId: "R3", outcome: "bounced" },
      { recipientId: "R4", outcome: "complained" },
    ]);
    expect(found.sources.map((source) => source.id)).toEqual(["alpha", "beta", "gamma"]);
    expect(found.openRecipients).toBeUndefined();
  });

  test("shows who holds it, and waits nobody has begun", async () => {
    const world = new World();
    const walk = new BriefingWalk(world);
    expect(await run(world, walk.taskId)).toMatchObject({ lease: null, operations: [], approvals: [], artifacts: [] });
    expect((await run(world, walk.taskId)).sources.map((source) => source.state)).toEqual([
      "waiting",
      "waiting",
      "waiting",
    ]);
    walk.start();
    expect((await run(world, walk.taskId)).lease).toMatchObject({ owner: EXECUTOR, token: 1 });
  });

  test("names a source that is configured now and was not when it collected", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("drafting");
    const late = {
      id: "delta",
      title: "Delta",
      url: "https://delta.example/",
      format: "rss",
      licence: "CC0",
      required: false,
    } as const;
    const views = worldViews(world, { sources: async () => [late] });
    const { sources } = Run.parse(await views.run({ taskId: walk.taskId }));
    expect(sources.map((source) => [source.id, source.state, source.title])).toEqual([
      ["delta", "skipped", "Delta"],
      ["alpha", "frozen", "Alpha changelog"],
      ["beta", "frozen", "Beta 公告"],
      ["gamma", "frozen", "Gamma notes"],
    ]);
  });
});

describe("an operation of a run", () => {
  test("tells what was tried, what the looks saw, and when it was settled", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("publishing");
    const operation = walk.operation("publish");
    walk.markSent(operation);
    const sentAt = world.now;
    walk.answer(operation.id, "unknown", { code: "timeout" });
    walk.look(operation.id, "failed");
    walk.look(operation.id, "confirmed", { ids: ["18427"], url: walk.package().plannedUrl });
    const confirmedAt = world.now;
    const [found] = (await run(world, walk.taskId)).operations;
    expect(found).toMatchObject({
      state: "confirmed",
      remoteId: "18427",
      url: walk.package().plannedUrl,
      requestSentAt: sentAt,
      settledAt: confirmedAt,
      looksUsed: 2,
      lookBudget: 8,
      verdicts: [],
    });
    expect(found?.attempts).toMatchObject([
      { number: 1, at: sentAt, outcome: "unknown", code: "timeout", errorClass: "unknown_outcome", fencingToken: 2 },
    ]);
    expect(found?.looks.map((look) => [look.verdict, look.able])).toEqual([
      ["failed", false],
      ["confirmed", true],
    ]);
    expect(found?.looks[1]?.objects).toEqual([
      {
        remoteId: "18427",
        state: "published",
        url: walk.package().plannedUrl,
        keyEqual: true,
        intentEqual: true,
        contentEqual: true,
        taskEqual: null,
      },
    ]);
  });

  test("asks a person for a verdict where no query settles it any more, and only there", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("publishing");
    const operation = walk.operation("publish");
    walk.markSent(operation);
    walk.answer(operation.id, "unknown");
    expect((await run(world, walk.taskId)).operations[0]).toMatchObject({ verdicts: [], settledAt: null });
    walk.look(operation.id, "locked");
    const [locked] = (await run(world, walk.taskId)).operations;
    expect(locked?.verdicts).toEqual(["happened", "did_not_happen", "cannot_tell"]);
    const verdict = { verdict: "did_not_happen" as const, remoteId: null, evidence: "looked at the site" };
    walk.person({ type: "give_verdict", taskId: walk.taskId, operationId: operation.id, ...verdict });
    const givenAt = world.now;
    const [settled] = (await run(world, walk.taskId)).operations;
    expect(settled).toMatchObject({ state: "not_found", verdicts: [], settledAt: givenAt });
    walk.markSent(walk.operation("publish"));
    expect((await run(world, walk.taskId)).operations[0]).toMatchObject({ state: "request_sent", settledAt: null });
  });
});

describe("the state map", () => {
  test("shows every rule of the definition from the present state, once", async () => {
    const world = new World();
    const walk = new BriefingWalk(world);
    for (const state of ["created", "drafting", "awaiting_content_approval", "publishing", "send_pending"] as const) {
      const found = await run(world, walk.to(state).taskId);
      const rules = briefingDefinition.transitions.filter((rule) => rule.from.includes(state));
      expect(found.ways.map((one) => one.event)).toEqual(rules.map((rule) => rule.event));
    }
  });

  test("opens what could happen now and says of the rest what it lacks", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_content_approval");
    const found = await run(world, walk.taskId);
    expect(openWays(found)).toEqual([
      "ArtifactChanged → checking",
      "ContentApproved → content_approved",
      "ContentRejected → drafting",
      "RetryScheduled → retry_wait",
      "ClosedProtectively → closed",
    ]);
    expect(codes(way(found, "RecollectChosen")?.unmet)).toEqual(["source_change_not_warned"]);
    expect(codes(way(found, "DeadlineReached")?.unmet)).toEqual(["deadline_not_passed"]);
    expect(way(found, "ContentApproved")?.by).toBe("person");
    expect(way(found, "ArtifactChanged")?.by).toBe("either");
    expect(way(found, "DeadlineReached")?.by).toBe("executor");
  });

  test("knows that publishing could start, and what stops it", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("content_approved");
    expect(way(await run(world, walk.taskId), "PublishStarted")).toMatchObject({ open: true, to: "publishing" });
    world.isTimeTrusted = false;
    expect(codes(way(await run(world, walk.taskId), "PublishStarted")?.unmet)).toEqual(["trusted_time_missing"]);
    world.isTimeTrusted = true;
    world.now = walk.view().task.deadlineAt - 10 * MINUTE;
    expect(codes(way(await run(world, walk.taskId), "PublishStarted")?.unmet)).toEqual(["deadline_passed"]);
  });

  test("keeps a protective closing shut while something is out without an answer", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("publishing");
    expect(way(await run(world, walk.taskId), "ClosedProtectively")?.open).toBe(true);
    expect(way(await run(world, walk.taskId), "ApprovalRevoked")?.open).toBe(true);
    walk.markSent(walk.operation("publish"));
    const found = await run(world, walk.taskId);
    expect(codes(way(found, "ClosedProtectively")?.unmet)).toEqual(["operation_unsettled"]);
    expect(codes(way(found, "ApprovalRevoked")?.unmet)).toEqual(["something_is_out"]);
    expect(way(found, "RevocationNoted")).toMatchObject({ open: true, to: "publishing" });
    expect(codes(way(found, "Published")?.unmet)).toEqual(["operation_state_is", "page_not_verified"]);
  });

  test("opens the sending to a person at the send gate", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("awaiting_send_approval");
    expect(way(await run(world, walk.taskId), "SendApproved")).toMatchObject({
      open: true,
      by: "person",
      to: "sending",
    });
  });

  test("names the state that a retry goes back to", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("collecting");
    walk.readSources({ alpha: { state: "waiting", errorCode: "timeout", nextAt: world.now + MINUTE } });
    walk.executor({ type: "transition", taskId: walk.taskId, event: "RetryScheduled", retryAt: world.now + MINUTE });
    const found = await run(world, walk.taskId);
    expect(way(found, "RetryDue")).toMatchObject({ to: "collecting", open: false });
    expect(codes(way(found, "RetryDue")?.unmet)).toEqual(["retry_not_due"]);
  });
});

describe("a blocked run", () => {
  async function blockedBy(reason: string) {
    const world = new World();
    const walk = new BriefingWalk(world).to("publishing");
    const operation = walk.operation("publish");
    walk.markSent(operation);
    walk.answer(operation.id, "rejected", { code: "http_401", httpStatus: 401 });
    walk.executor({ type: "transition", taskId: walk.taskId, event: "PublishBlocked", blockedReason: reason });
    return { world, walk, found: await run(world, walk.taskId) };
  }

  test("names owner, evidence, time and every way out, open or shut", async () => {
    const { walk, found } = await blockedBy("auth");
    expect(found.blocked).toEqual({
      reason: "auth",
      owner: "account_owner",
      evidenceNeeded: ["signed_in_again"],
      waysOut: [{ to: "publishing", needsDeadline: false, open: true, unmet: [] }],
      expiresAt: walk.view().task.stateSince + 60 * MINUTE,
    });
    expect(found).toMatchObject({ state: "blocked", resumeState: "publishing" });
    expect(openWays(found)).toEqual([
      "Unblocked → publishing",
      "CompensationStarted → compensating",
      "ClosedProtectively → closed",
    ]);
  });

  test("has a way shut while an operation is not settled", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("publishing");
    const operation = walk.operation("publish");
    walk.markSent(operation);
    walk.answer(operation.id, "unknown");
    walk.look(operation.id, "locked");
    walk.executor({
      type: "transition",
      taskId: walk.taskId,
      event: "PublishBlocked",
      blockedReason: "outcome_unknown",
    });
    const { blocked } = await run(world, walk.taskId);
    expect(blocked?.waysOut).toMatchObject([
      { to: "publishing", open: false, unmet: [{ code: "operation_unsettled" }] },
    ]);
  });

  test("asks for a new deadline where the old one has passed", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("drafting");
    world.now = walk.view().task.deadlineAt;
    walk.system({ type: "transition", taskId: walk.taskId, event: "DeadlineReached" });
    const { blocked } = await run(world, walk.taskId);
    expect(blocked?.waysOut).toEqual([{ to: "drafting", needsDeadline: true, open: true, unmet: [] }]);
  });

  test("asks for the edited draft where a fact has no evidence", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("checking");
    walk.executor({ type: "transition", taskId: walk.taskId, event: "CheckBlocked", blockedReason: "fact_evidence" });
    const { blocked } = await run(world, walk.taskId);
    expect(blocked?.waysOut).toMatchObject([{ to: "drafting", open: false, unmet: [{ code: "draft_missing" }] }]);
  });

  test("leads back to its own gate after an approval ran out, never to an approved state", async () => {
    const world = new World();
    const walk = new BriefingWalk(world, { deadlineAt: world.now + 3 * 24 * 60 * MINUTE }).to(
      "awaiting_content_approval",
    );
    world.now += 24 * 60 * MINUTE;
    walk.system({ type: "transition", taskId: walk.taskId, event: "ApprovalExpired" });
    const { blocked } = await run(world, walk.taskId);
    expect(blocked?.waysOut.map((one) => [one.to, one.open])).toEqual([
      ["collecting", true],
      ["checking", true],
    ]);
  });
});

describe("recipients of a run", () => {
  test("that are open may be accounted for by a person once reports are late", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("send_pending");
    walk.account({ R1: "delivered", R2: "accepted" });
    expect((await run(world, walk.taskId)).openRecipients).toBeUndefined();
    world.now += 31 * MINUTE;
    walk.executor({ type: "transition", taskId: walk.taskId, event: "ObservationTimedOut" });
    const found = await run(world, walk.taskId);
    expect(found.openRecipients).toEqual(["R2", "R3", "R4", "R5"]);
    expect(found.recipients).toMatchObject({ total: 5, delivered: 1, accepted: 1, unknown: 3 });
    expect(codes(way(found, "DeliveryAccounted")?.unmet)).toEqual(["recipients_unaccounted"]);
  });

  test("of a provider that never reports may be accounted for at once", async () => {
    const world = new World();
    const walk = new BriefingWalk(world).to("send_pending");
    const plain = worldViews(world);
    const silent = worldViews(world, {
      manifestOf: (adapter) => ({ ...plain.ports.manifestOf(adapter), deliveryObservable: false }),
    });
    expect(Run.parse(await silent.run({ taskId: walk.taskId })).openRecipients).toHaveLength(5);
  });
});
