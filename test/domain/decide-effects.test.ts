import { describe, expect, test } from "vitest";
import { decideTransition } from "../../main/domain/decide/transition";
import type { OperationRow, OperationState } from "../../main/domain/records";
import {
  approvalRow,
  attemptRow,
  contextAs,
  EDITOR,
  EXECUTOR,
  fakeView,
  HOUR,
  NOW,
  operationRow,
  stepRow,
  transition,
} from "./fake-view";
import { approvalTerms, audience, decideScene, furnish, furnishWayOut, intent, type Scene } from "./furnish";

// What an event brings along in its transaction besides the state: cancellations, ends, leases, stages, alerts.

function plan(scene: Scene) {
  const decision = decideScene(scene);
  if (!decision.ok) throw new Error(decision.refusal.unmet.map((missing) => missing.code).join());
  return decision.plan;
}
const withParts = (scene: Scene, parts: Scene["parts"]): Scene => ({
  ...scene,
  parts: { ...scene.parts, ...parts, task: { ...scene.parts.task, ...parts.task } },
});
const rows = (made: ReturnType<typeof plan>, table: string) => made.writes.filter((write) => write.table === table);

describe("leaving publishing or sending cancels what is prepared, in the same transaction", () => {
  const operations = (kind: "publish" | "send"): OperationRow[] => [
    operationRow({ kind, state: "confirmed" }),
    operationRow({ kind, phase: "trigger" }),
  ];
  test.each([
    ["publishing", "PublishBlocked", EXECUTOR, "publish"],
    ["sending", "SendBlocked", EXECUTOR, "send"],
    ["publishing", "DeadlineReached", "system", "publish"],
    ["publishing", "RetryScheduled", EXECUTOR, "publish"],
    ["publishing", "CompensationStarted", EDITOR, "publish"],
    ["sending", "ClosedProtectively", EDITOR, "send"],
  ] as const)("from %s by %s", (state, event, actor, kind) => {
    const made = plan(withParts(furnish(state, event, actor), { operations: operations(kind) }));
    const [, prepared] = operations(kind);
    expect(rows(made, "operation")).toEqual([
      {
        table: "operation",
        update: { id: prepared?.id, state: "cancelled", settled: true, nextLookAt: null },
        was: "prepared",
      },
    ]);
    expect(made.events.map((row) => row.type)).toEqual([event, "OperationCancelled"]);
  });

  test.each(["request_sent", "unknown", "confirmed", "not_found"] as const)("what is %s is left as it is", (state) => {
    const made = plan(
      withParts(furnish("publishing", "PublishBlocked", EXECUTOR), { operations: [operationRow({ state })] }),
    );
    expect(rows(made, "operation")).toEqual([]);
  });

  test("what stays in publishing cancels nothing", () => {
    const scene = furnish("publishing", "RevocationNoted");
    const operationsOut = [operationRow({ state: "unknown" }), operationRow({ phase: "publish" })];
    expect(rows(plan(withParts(scene, { operations: operationsOut })), "operation")).toEqual([]);
  });
});

describe("approvals", () => {
  const approvals = [approvalRow(), approvalRow({ scope: "send" })];
  const ended = (scene: Scene) =>
    rows(plan(withParts(scene, { approvals: scene.parts.approvals ?? approvals })), "approval").map((write) =>
      "update" in write && "endedAt" in write.update ? write.update.id : "",
    );
  test.each([
    ["ArtifactChanged", "content_approved", EDITOR],
    ["RecollectChosen", "content_approved", EDITOR],
    ["ContentRejected", "awaiting_content_approval", EDITOR],
  ] as const)("of the content end with %s: what they bound is off the table", (event, state, actor) => {
    expect(ended(furnish(state, event, actor))).toEqual(["ap-publish"]);
  });
  test.each([
    ["AudienceChanged", EXECUTOR],
    ["SendRejected", EDITOR],
    ["PageChanged", EXECUTOR],
  ] as const)("of the mailing end with %s", (event, actor) => {
    expect(ended(furnish("awaiting_send_approval", event, actor))).toEqual(["ap-send"]);
  });
  test("that were revoked or ended before are not touched again", () => {
    const gone = [approvalRow({ revokedAt: NOW - HOUR }), approvalRow({ endedAt: NOW - HOUR })];
    const scene = furnish("content_approved", "ArtifactChanged");
    expect(rows(plan(withParts(scene, { approvals: gone })), "approval")).toEqual([]);
  });
  test("an expired one ends for good", () => {
    expect(ended(furnish("content_approved", "ApprovalExpired", "system"))).toEqual(["ap-publish"]);
  });
  test("a revoked one keeps who and when, by trusted time", () => {
    const made = plan(furnish("content_approved", "ApprovalRevoked"));
    expect(rows(made, "approval")).toEqual([
      { table: "approval", update: { id: "ap-publish", revokedAt: NOW, revokedBy: EDITOR } },
    ]);
  });
  test("a given one is bound to the task, lives 24 h of trusted time, and is named in the context", () => {
    const scene = furnish("awaiting_content_approval", "ContentApproved");
    const trusted = { at: NOW - 5_000, trusted: true, source: "server" };
    const made = plan({ ...scene, context: { ...scene.context, trusted } });
    expect(rows(made, "approval")).toMatchObject([
      {
        insert: {
          scope: "publish",
          approver: EDITOR,
          issuedAt: NOW - 5_000,
          expiresAt: NOW - 5_000 + 24 * HOUR,
          timeSource: "server",
          zone: "Asia/Shanghai",
        },
      },
    ]);
    expect(made.events[0]?.payload).toMatchObject({ context: { publishApprovalId: expect.stringMatching(/^ap-/) } });
  });
  test("one given without measured time says so", () => {
    const scene = furnish("awaiting_content_approval", "ContentApproved");
    const trusted = { at: NOW, trusted: false, source: "wall-clock" };
    expect(rows(plan({ ...scene, context: { ...scene.context, trusted } }), "approval")).toMatchObject([
      { insert: { timeSource: "untrusted:wall-clock" } },
    ]);
  });
});

describe("the lease", () => {
  test.each([
    ["CheckPassed", "checking", EXECUTOR],
    ["SendReviewOpened", "published", EXECUTOR],
    ["SendAccepted", "sending", EXECUTOR],
    ["ObservationTimedOut", "send_pending", EXECUTOR],
    ["PublishBlocked", "publishing", EXECUTOR],
    ["RetryScheduled", "collecting", EXECUTOR],
    ["DeliveryAccounted", "send_pending", EXECUTOR],
    ["ClosedProtectively", "publishing", EDITOR],
  ] as const)("is given back by %s, after which nothing runs by itself", (event, state, actor) => {
    expect(plan(furnish(state, event, actor)).task).toMatchObject({ leaseOwner: null, leaseExpiresAt: null });
  });
  test.each([
    ["SourcesFrozen", "collecting"],
    ["PublishStarted", "content_approved"],
    ["Published", "publishing"],
  ] as const)("is kept through %s", (event, state) => {
    expect(plan(furnish(state, event, EXECUTOR)).task).not.toHaveProperty("leaseOwner");
  });
  test("its token is never touched by a transition", () => {
    for (const [event, state] of [
      ["SourcesFrozen", "collecting"],
      ["PublishBlocked", "publishing"],
    ] as const)
      expect(plan(furnish(state, event, EXECUTOR)).task).not.toHaveProperty("fencingToken");
  });
});

describe("stages", () => {
  const steps = (made: ReturnType<typeof plan>) =>
    rows(made, "step").map((write) => {
      const row = "upsert" in write && "round" in write.upsert ? write.upsert : null;
      return row && { name: row.name, round: row.round, ended: row.endedAt !== null, checkpoint: row.checkpoint };
    });

  test("entering one begins its first round, leaving it ends it", () => {
    const collected = furnish("collecting", "SourcesFrozen", EXECUTOR);
    expect(steps(plan(furnish("created", "CollectStarted", EXECUTOR)))).toEqual([
      { name: "collecting", round: 1, ended: false, checkpoint: {} },
    ]);
    expect(steps(plan(collected))).toMatchObject([
      { name: "collecting", round: 1, ended: true },
      { name: "drafting", round: 1, ended: false, checkpoint: {} },
    ]);
  });

  test("sent back it begins a new round from nothing", () => {
    const scene = withParts(furnish("awaiting_content_approval", "ContentRejected"), {
      steps: [stepRow("drafting", { repairs: 1 }, { round: 2, endedAt: NOW })],
    });
    expect(steps(plan(scene))).toEqual([{ name: "drafting", round: 3, ended: false, checkpoint: {} }]);
  });

  test("a missing source found again goes on with what was frozen", () => {
    const scene = withParts(furnishWayOut("source_missing", "collecting", "collecting"), {
      steps: [stepRow("collecting", { sources: "11 of 12" }, { endedAt: NOW })],
    });
    expect(steps(plan(scene))).toEqual([
      { name: "collecting", round: 2, ended: false, checkpoint: { sources: "11 of 12" } },
    ]);
  });

  test("waiting for a retry leaves it open, and the retry goes on in the same round", () => {
    const open = [stepRow("collecting", { sources: "3 of 12" })];
    const waiting = plan(withParts(furnish("collecting", "RetryScheduled", EXECUTOR), { steps: open }));
    expect(steps(waiting)).toEqual([]);
    expect(waiting.task).toMatchObject({ state: "retry_wait", resumeState: "collecting" });
    expect(steps(plan(withParts(furnish("retry_wait", "RetryDue", EXECUTOR), { steps: open })))).toEqual([]);
  });

  test("a deadline that passes while it waits ends the round it would have gone back to", () => {
    const open = [stepRow("collecting", { sources: "3 of 12" })];
    const made = plan(withParts(furnish("retry_wait", "DeadlineReached", "system"), { steps: open }));
    expect(made.task).toMatchObject({ state: "blocked", blockedReason: "deadline", resumeState: "collecting" });
    expect(steps(made)).toMatchObject([{ name: "collecting", ended: true }]);
  });
});

describe("blocked", () => {
  test.each([
    ["ApprovalExpired", "content_approved", "system", "approval_expired"],
    ["ApprovalRevoked", "content_approved", EDITOR, "approval_revoked"],
    ["DeadlineReached", "collecting", "system", "deadline"],
    ["PageChanged", "awaiting_send_approval", EXECUTOR, "page_mismatch"],
    ["AccountMismatch", "send_pending", EXECUTOR, "account_mismatch"],
    ["CollectBlocked", "collecting", EXECUTOR, "source_missing"],
    ["DraftBlocked", "drafting", EXECUTOR, "draft_structure"],
    ["CheckBlocked", "checking", EXECUTOR, "fact_evidence"],
    ["SendBlocked", "sending", EXECUTOR, "auth"],
  ] as const)(
    "by %s in %s remembers why and where, and tells somebody within five minutes",
    (event, state, actor, reason) => {
      const made = plan(furnish(state, event, actor));
      expect(made.task).toMatchObject({ state: "blocked", blockedReason: reason, resumeState: state });
      expect(rows(made, "alert")).toMatchObject([
        { raise: { code: `blocked_${reason}`, urgency: "five_minutes", at: NOW } },
      ]);
    },
  );

  test("led out says by which reason's way", () => {
    const made = plan(furnishWayOut("outcome_unknown", "publishing", "publishing"));
    expect(made.task).toMatchObject({ state: "publishing", blockedReason: null, resumeState: null });
    expect(made.events[0]).toMatchObject({
      type: "Unblocked",
      reason: "seen with my own eyes",
      payload: { context: { unblockedReason: "outcome_unknown" } },
    });
  });

  test("a new deadline set by a person becomes the task's", () => {
    const scene = furnishWayOut("deadline", "publishing", "publishing");
    const wayOut = { to: "publishing", evidence: "agreed with the readers", newDeadlineAt: NOW + 5 * HOUR };
    const made = plan({ ...scene, command: transition("Unblocked", { wayOut }) });
    expect(made.task).toMatchObject({ state: "publishing", deadlineAt: NOW + 5 * HOUR });
    expect(made.events[0]?.payload).toMatchObject({ newDeadlineAt: NOW + 5 * HOUR });
  });

  test("prepares anew what the way out brings along", () => {
    const before = operationRow({ state: "rejected", intentHash: undefined as never });
    const scene = furnishWayOut("auth", "publishing", "publishing");
    const [row] = rows(plan({ ...scene, command: { ...scene.command, operations: [intent()] } }), "operation");
    expect(row).toMatchObject({ insert: { operationKey: before.operationKey, state: "prepared" } });
  });

  describe("for tries that are spent", () => {
    const block = (state: OperationState, attempts: number, reason = "outcome_unknown") => {
      const operation = operationRow({ state, settled: state === "not_found" });
      const scene = furnish("publishing", "PublishBlocked", EXECUTOR);
      const made = plan({
        ...withParts(scene, {
          operations: [operation],
          attempts: Array.from({ length: attempts }, (_, index) =>
            attemptRow(operation, { number: index + 1, errorClass: "transient" }),
          ),
        }),
        command: transition("PublishBlocked", { blockedReason: reason }),
      });
      return rows(made, "recovery_item");
    };
    test.each(["prepared", "not_found"] as const)("is a dead letter with an owner: what is %s", (state) => {
      expect(block(state, 5)).toMatchObject([
        {
          insertIfNew: {
            kind: "dead_letter",
            stage: "to_triage",
            owner: "editor",
            backupOwner: "backup_editor",
            errorClass: "transient",
            dueAt: NOW + HOUR,
          },
        },
      ]);
    });
    test("what was never tried is none, nor what a look has locked, nor another reason's", () => {
      expect(block("prepared", 0)).toEqual([]);
      expect(block("locked", 1)).toEqual([]);
      expect(block("prepared", 5, "auth")).toEqual([]);
    });
  });
});

describe("the audience", () => {
  test("is not brought anew by any event once a mailing has left", () => {
    const trigger = operationRow({ kind: "send", phase: "trigger", state: "unknown" });
    const scene = withParts(furnish("awaiting_send_approval", "AudienceChanged", EXECUTOR), { operations: [trigger] });
    expect(decideScene(scene)).toMatchObject({ ok: false, refusal: { unmet: [{ code: "something_is_out" }] } });
    const campaign = operationRow({ kind: "send", state: "confirmed" });
    expect(decideScene(withParts(scene, { operations: [campaign] })).ok).toBe(true);
  });

  test("counted anew takes the place of the old one, accounts and all", () => {
    const made = plan(furnish("awaiting_send_approval", "AudienceChanged", EXECUTOR));
    expect(rows(made, "audience_snapshot")).toMatchObject([
      { insertIfNew: { audienceHash: audience.snapshot.audienceHash } },
    ]);
    const accounts = rows(made, "recipient_account");
    expect(accounts[0]).toEqual({ table: "recipient_account", clear: "t1" });
    expect(accounts.slice(1)).toHaveLength(3);
  });
});

test("an approval that does not fit leaves nothing behind", () => {
  const scene = furnish("awaiting_content_approval", "ContentApproved");
  const command = { ...scene.command, approval: approvalTerms("send") };
  const decision = decideTransition(fakeView(scene.parts), command, contextAs(EDITOR));
  expect(decision).toMatchObject({ ok: false });
  expect(decision).not.toHaveProperty("plan");
});
