import { describe, expect, test } from "vitest";
import type { Command } from "../../main/domain/commands";
import { decide } from "../../main/domain/decide";
import { sha256 } from "../../main/domain/hashing";
import { asCompensationId, asTaskId } from "../../main/domain/ids";
import type { OperationRow } from "../../main/domain/records";
import { TASK_CALL_BUDGET } from "../../main/domain/retry";
import {
  AUTOMATIC_STOP,
  approvalRow,
  attemptRow,
  compensationRow,
  contextAs,
  DEADLINE,
  EXECUTOR,
  fakeView,
  HOUR,
  incidentRow,
  lookRow,
  MINUTE,
  NOW,
  operationRow,
  otherHash,
  SENDABLE,
  type ViewParts,
} from "./fake-view";

// The commit before the bytes leave (I02, I04, I05, I07): everything is judged again, however short ago it was fine.

type Mark = Extract<Command, { type: "mark_request_sent" }>;
interface Scene {
  parts: ViewParts;
  command: Mark;
  context: ReturnType<typeof contextAs>;
}

function scene(operation: OperationRow, parts: ViewParts = {}): Scene {
  const { contentHash, pageUrl, bodyHash, audienceHash } = operation;
  const isPublish = operation.kind === "publish";
  return {
    parts: {
      task: { state: isPublish ? "publishing" : "sending", context: SENDABLE, leaseExpiresAt: NOW + MINUTE },
      operations: [operation],
      approvals: [approvalRow({ scope: isPublish ? "publish" : "send" })],
      compensations: [compensationRow({ id: operation.compensationId ?? asCompensationId("none") })],
      events: { PageVerified: NOW },
      ...parts,
    },
    command: {
      type: "mark_request_sent",
      taskId: asTaskId("t1"),
      operationId: operation.id,
      requestBytesHash: sha256("bytes"),
      recomputed: { contentHash, pageUrl, bodyHash, audienceHash },
      delay: { policyVersion: 1, baseDelayMs: 1_000, hintMs: 2_000, actualDelayMs: 2_500 },
    },
    context: contextAs(EXECUTOR),
  };
}
const publish = () => scene(operationRow());
const create = operationRow({ kind: "send", state: "confirmed" });
const trigger = operationRow({ kind: "send", phase: "trigger", afterId: create.id });
const mailing = () => {
  const made = scene(trigger);
  return { ...made, parts: { ...made.parts, operations: [create, trigger] } };
};

const decideScene = ({ parts, command, context }: Scene) => decide(fakeView(parts), command, context);
const codes = (made: Scene) => {
  const decision = decideScene(made);
  return decision.ok ? [] : decision.refusal.unmet.map((missing) => missing.code);
};
const withParts = (made: Scene, parts: ViewParts): Scene => ({
  ...made,
  parts: { ...made.parts, ...parts, task: { ...made.parts.task, ...parts.task } },
});
const withOperation = (made: Scene, change: Partial<OperationRow>): Scene => {
  const operations = made.parts.operations ?? [];
  const last = operations.at(-1) as OperationRow;
  return withParts(made, { operations: [...operations.slice(0, -1), { ...last, ...change }] });
};
const recomputed = (made: Scene, change: Partial<Mark["recomputed"]>): Scene => ({
  ...made,
  command: { ...made.command, recomputed: { ...made.command.recomputed, ...change } },
});
/** The moment of the command; the lease was kept alive until then. */
const at = (made: Scene, now: number, trustedAt = now): Scene => ({
  ...withParts(made, { task: { leaseExpiresAt: now + MINUTE } }),
  context: { ...made.context, now, trusted: { at: trustedAt, trusted: true, source: "test" } },
});

describe.each([
  ["a publishing request", publish],
  ["the start of a mailing", mailing],
] as const)("%s", (_name, make) => {
  test("may leave, and its try says by which approval, under which token, after which wait", () => {
    const decision = decideScene(make());
    if (!decision.ok) throw new Error(codes(make()).join());
    const scope = make().parts.task?.state === "publishing" ? "publish" : "send";
    expect(decision.plan.task).toEqual({ callsUsed: 1 });
    expect(decision.plan.events).toMatchObject([
      { type: "RequestSent", payload: { operationState: "request_sent", attempt: 1, approvalId: `ap-${scope}` } },
    ]);
    expect(decision.plan.writes).toMatchObject([
      {
        table: "operation",
        was: "prepared",
        update: { state: "request_sent", requestSentAt: NOW, requestBytesHash: sha256("bytes"), nextLookAt: null },
      },
      {
        table: "attempt",
        insert: {
          number: 1,
          approvalId: `ap-${scope}`,
          fencingToken: 3,
          baseDelayMs: 1_000,
          hintMs: 2_000,
          actualDelayMs: 2_500,
          endedAt: null,
          outcome: null,
        },
      },
    ]);
  });

  test.each(["request_sent", "unknown", "confirmed", "rejected", "cancelled", "conflict", "locked"] as const)(
    "not when it is %s",
    (state) => expect(codes(withOperation(make(), { state }))).toContain("operation_state_is"),
  );
  test("not when its absence is not proven, or in doubt again", () => {
    expect(codes(withOperation(make(), { state: "not_found", settled: false }))).toEqual(["operation_state_is"]);
    const doubted = { state: "not_found" as const, settled: true, nextLookAt: NOW };
    expect(codes(withOperation(make(), doubted))).toEqual(["operation_state_is"]);
    expect(codes(withOperation(make(), { ...doubted, nextLookAt: null }))).toEqual([]);
  });
  test.each(["content_approved", "published", "awaiting_send_approval", "blocked", "retry_wait", "send_pending"])(
    "not in %s, where nothing leaves",
    (state) => expect(codes(withParts(make(), { task: { state } }))).toContain("state_is"),
  );
  test("not while an incident freezes writes", () => {
    expect(codes(withParts(make(), { freezes: [incidentRow()] }))).toEqual(["writes_frozen"]);
  });
  test("not before the epoch is reconciled", () => {
    // Restored long before this edition was begun: else it would have to be looked up as well.
    const epoch = { epoch: 2, reconciled: 1, raisedAt: NOW - 9 * 24 * HOUR };
    expect(codes(withParts(make(), { epoch }))).toEqual(["epoch_not_reconciled"]);
  });
  test("not without trusted time", () => {
    const made = make();
    const context = { ...made.context, trusted: { ...made.context.trusted, trusted: false } };
    expect(codes({ ...made, context })).toEqual(["trusted_time_missing"]);
  });
  test("not without its undo on the stack", () => {
    expect(codes(withParts(make(), { compensations: [] }))).toEqual(["compensation_missing"]);
  });
  test("not when the task's calls are spent", () => {
    expect(codes(withParts(make(), { task: { callsUsed: TASK_CALL_BUDGET } }))).toEqual(["budget_left"]);
  });
  test("not with other bytes than the first time", () => {
    expect(codes(withOperation(make(), { requestBytesHash: otherHash("bytes") }))).toEqual(["package_changed"]);
    expect(codes(withOperation(make(), { requestBytesHash: sha256("bytes") }))).toEqual([]);
  });
  test.each([
    ["missing", [], "approval_missing"],
    ["revoked", [{ revokedAt: NOW }], "approval_revoked"],
    ["ended by a newer artifact", [{ endedAt: NOW }], "approval_outdated"],
    ["expired this very moment", [{ expiresAt: NOW }], "approval_expired"],
    ["under another hash rule", [{ hashRuleVersion: 1 }], "hash_rule_differs"],
  ] as const)("not when its approval is %s", (_what, changes, code) => {
    const made = make();
    const [living] = made.parts.approvals ?? [];
    const approvals = changes.map((change) => ({ ...approvalRow(), ...living, ...change }));
    expect(codes(withParts(made, { approvals }))).toEqual([code]);
  });
  test("by trusted time and no other", () => {
    const made = make();
    const expiresAt = NOW + MINUTE;
    const approvals = (made.parts.approvals ?? []).map((row) => ({ ...row, expiresAt }));
    expect(codes(at(withParts(made, { approvals }), NOW + 2 * MINUTE, NOW))).toEqual([]);
    expect(codes(at(withParts(made, { approvals }), NOW, expiresAt))).toEqual(["approval_expired"]);
  });
  test("not what a lost executor had prepared, before it was looked up", () => {
    const taken = withParts(make(), {
      task: { takeoverToken: 4, fencingToken: 4 },
      events: { PageVerified: NOW, LeaseClaimed: NOW },
    });
    const context = contextAs(EXECUTOR, { fencingToken: 4 });
    expect(codes({ ...taken, context })).toEqual(["operation_unsettled"]);
    const operation = taken.parts.operations?.at(-1) as OperationRow;
    expect(codes({ ...withParts(taken, { looks: [lookRow(operation)] }), context })).toEqual([]);
  });
  test.each(["conflict", "duplicate"] as const)("not when a look found a %s in its place", (verdict) => {
    const made = withOperation(make(), { looksUsed: 1 });
    const operation = made.parts.operations?.at(-1) as OperationRow;
    expect(codes(withParts(made, { looks: [lookRow(operation, { verdict, chosenRemoteId: "1" })] }))).toEqual([
      "slot_has_object",
    ]);
  });
  test("and everything that stands against it is said at once", () => {
    const made = withParts(make(), { approvals: [], freezes: [incidentRow()], compensations: [] });
    expect(codes(withOperation(made, { state: "unknown" }))).toEqual([
      "operation_state_is",
      "approval_missing",
      "writes_frozen",
      "compensation_missing",
    ]);
  });
});

describe("a publishing request", () => {
  test("not with content that hashes to something else than what was approved", () => {
    const other = otherHash("content");
    expect(codes(recomputed(publish(), { contentHash: other }))).toEqual([
      "content_hash_differs",
      "content_hash_differs",
    ]);
  });
  test("not by the mailing's approval", () => {
    expect(codes(withParts(publish(), { approvals: [approvalRow({ scope: "send" })] }))).toEqual([
      "approval_other_gate",
    ]);
  });
  test("not after the automatic stop", () => {
    expect(codes(at(publish(), AUTOMATIC_STOP - 1, NOW))).toEqual([]);
    expect(codes(at(publish(), AUTOMATIC_STOP, NOW))).toEqual(["deadline_passed"]);
  });
});

describe("the start of a mailing", () => {
  test.each([
    ["pageUrl", "https://other", "page_url_differs"],
    ["bodyHash", otherHash("body"), "body_hash_differs"],
    ["audienceHash", otherHash("audience"), "audience_hash_differs"],
  ] as const)("not when %s, taken anew, is another (M3, S35)", (name, value, code) => {
    // Once against what the operation means, once against what was approved.
    expect(codes(recomputed(mailing(), { [name]: value }))).toEqual([code, code]);
  });
  test("not by the content's approval (D4)", () => {
    expect(codes(withParts(mailing(), { approvals: [approvalRow()] }))).toEqual(["approval_other_gate"]);
  });
  test("not before the public page was proved, for this very content", () => {
    expect(codes(withParts(mailing(), { events: {} }))).toEqual(["page_not_verified"]);
    const other = { ...SENDABLE, verifiedContentHash: otherHash("content") };
    expect(codes(withParts(mailing(), { task: { context: other } }))).toEqual(["page_not_verified"]);
  });
  test("not before the campaign is confirmed", () => {
    const [made] = [mailing()];
    for (const state of ["prepared", "unknown", "rejected"] as const)
      expect(codes(withParts(made, { operations: [{ ...create, state }, trigger] }))).toEqual([
        "predecessor_not_confirmed",
      ]);
  });
  test("not over a look at the campaign that is due, or whose looks are spent without having seen", () => {
    const made = mailing();
    const due = { ...create, nextLookAt: NOW };
    expect(codes(withParts(made, { operations: [due, trigger] }))).toEqual(["operation_unsettled"]);
    const looked = {
      operations: [{ ...create, looksUsed: 1 }, trigger],
      looks: [lookRow(create, { verdict: "locked", able: false })],
    };
    expect(codes(withParts(made, looked))).toEqual(["operation_unsettled"]);
  });
  test("up to the full deadline: a person has just decided", () => {
    expect(codes(at(mailing(), DEADLINE - 1, NOW))).toEqual([]);
    expect(codes(at(mailing(), DEADLINE, NOW))).toEqual(["deadline_passed"]);
  });
  test("never as an irreversible action in a chain", () => {
    const irreversible = compensationRow({ id: asCompensationId("cp-send-trigger"), grade: "D" });
    expect(codes(withParts(mailing(), { compensations: [irreversible] }))).toEqual(["grade_d_never_automatic"]);
  });
});

test("the second try is number two", () => {
  const made = publish();
  const operation = made.parts.operations?.[0] as OperationRow;
  const decision = decideScene(withParts(made, { attempts: [attemptRow(operation, { outcome: "not_sent" })] }));
  expect(decision).toMatchObject({ ok: true, plan: { writes: [{}, { insert: { number: 2 } }] } });
});
