import { describe, expect, test } from "vitest";
import type { Actor } from "../../main/domain/commands";
import { decideEscalateBlocked } from "../../main/domain/decide/escalate";
import type { OperationId } from "../../main/domain/ids";
import { KEY_WINDOW_EXPIRED } from "../../main/domain/look";
import type { CoverageOf } from "../../main/domain/metrics-coverage";
import { type Action, earliest, nextAction, operationAction } from "../../main/domain/next-action";
import type { AdapterManifest } from "../../main/domain/ports";
import type { OperationRow, OperationState, RecoveryItemRow } from "../../main/domain/records";
import {
  AUTOMATIC_STOP,
  approvalRow,
  attemptRow,
  contextAs,
  fakeView,
  HOUR,
  lookRow,
  MINUTE,
  NOW,
  operationRow,
  SENDABLE,
  type ViewParts,
} from "./fake-view";

const STATE_SINCE = fakeView().task.stateSince;
const STAGE: Action = { do: "work", work: "stage" };
const moment = (now = NOW, inFlight: OperationId[] = []) => ({ now, trustedAt: now, inFlight: new Set(inFlight) });
const next = (parts: ViewParts, at = moment(), stage: Action = STAGE) =>
  nextAction(fakeView({ ...parts, task: { context: SENDABLE, ...parts.task } }), at, () => stage);

describe("what holds in every state comes before the stage", () => {
  test("nothing: the stage decides", () => expect(next({ task: { state: "collecting" } })).toEqual(STAGE));

  test.each(["succeeded", "compensated", "closed"])("%s: nothing, for ever", (state) => {
    expect(next({ task: { state }, operations: [operationRow({ state: "unknown", nextLookAt: NOW })] })).toEqual({
      do: "wait",
      until: null,
    });
  });

  test("a call without an answer that nobody waits for was interrupted, in whatever state the task is", () => {
    const operation = operationRow({ state: "request_sent" });
    for (const state of ["publishing", "blocked", "retry_wait", "compensating", "awaiting_send_approval"])
      expect(next({ task: { state }, operations: [operation] })).toEqual({
        do: "interrupted",
        operationId: operation.id,
      });
    expect(next({ task: { state: "publishing" }, operations: [operation] }, moment(NOW, [operation.id]))).toEqual(
      STAGE,
    );
  });

  test.each([
    ["unknown", NOW, true],
    ["unknown", NOW + 1, false],
    ["unknown", null, false],
    ["not_found", NOW, true],
    ["confirmed", NOW, true],
    ["confirmed", null, false],
    ["conflict", NOW, false],
    ["locked", NOW, false],
    ["prepared", NOW, false],
  ] as const)("a look at something %s, due %s: %s", (state, nextLookAt, isDue) => {
    const operation = operationRow({ state, nextLookAt, settled: state === "confirmed" || state === "not_found" });
    const action = next({ task: { state: "blocked", blockedReason: "deadline" }, operations: [operation] });
    expect(action.do === "look").toBe(isDue);
  });

  test("a blocked task waits for a person, for its expiry and for its next look", () => {
    const expiresAt = STATE_SINCE + HOUR;
    expect(next({ task: { state: "blocked", blockedReason: "auth" } })).toEqual({ do: "wait", until: expiresAt });
    const operation = operationRow({ state: "unknown", nextLookAt: NOW + MINUTE });
    expect(next({ task: { state: "blocked", blockedReason: "auth" }, operations: [operation] })).toEqual({
      do: "wait",
      until: NOW + MINUTE,
    });
  });
});

describe("a block that outlives its expiry (domain 3)", () => {
  const task = { state: "blocked", blockedReason: "auth" };
  const item = () => {
    const made = decideEscalateBlocked(fakeView({ task }), contextAs("system", { now: STATE_SINCE + HOUR }));
    const [write] = made.ok ? made.plan.writes : [];
    return (write as unknown as { insertIfNew: RecoveryItemRow }).insertIfNew;
  };

  test("is told again at that moment, and not before", () => {
    expect(next({ task }, moment(STATE_SINCE + HOUR))).toEqual({ do: "escalate" });
    expect(next({ task }, moment(STATE_SINCE + HOUR - 1))).toMatchObject({ do: "wait" });
  });

  test("once: what has its item waits for a person alone; a block after it is another one", () => {
    const recoveryItems = [item()];
    expect(next({ task, recoveryItems }, moment(STATE_SINCE + HOUR))).toEqual({ do: "wait", until: null });
    const again = { ...task, stateVersion: 9 };
    expect(next({ task: again, recoveryItems }, moment(STATE_SINCE + HOUR))).toEqual({ do: "escalate" });
  });

  test("makes an item with an owner, a backup and a due time, and an alert that says what is needed", () => {
    const context = contextAs("system", { now: STATE_SINCE + HOUR });
    const made = decideEscalateBlocked(fakeView({ task }), context);
    if (!made.ok) throw new Error("refused");
    expect(made.plan.task).toEqual({});
    expect(made.plan.events).toMatchObject([{ type: "BlockedExpired", reason: "auth" }]);
    const owned = { kind: "blocked_expired", stage: "to_triage", owner: "account_owner", backupOwner: "backup_editor" };
    const [first, second] = made.plan.writes;
    expect(first).toMatchObject({ insertIfNew: { ...owned, subject: "auth", dueAt: context.now + HOUR } });
    expect(second).toMatchObject({ raise: { code: "blocked_expired", urgency: "one_hour" } });
    expect(JSON.parse((second as { raise: { details: string } }).raise.details)).toMatchObject({
      ...{ reason: "auth", blockedSince: STATE_SINCE, owner: "account_owner", backupOwner: "backup_editor" },
      evidenceNeeded: fakeView().definition.blocked["auth"]?.evidenceNeeded,
    });
  });

  test("is refused before its time, twice, to a person, and where nothing is blocked", () => {
    const context = contextAs("system", { now: STATE_SINCE + HOUR });
    const refused = (parts: ViewParts, more = context) => decideEscalateBlocked(fakeView(parts), more);
    const codes = (code: string) => ({ ok: false, refusal: { unmet: [{ code }] } });
    expect(refused({ task }, { ...context, now: STATE_SINCE + HOUR - 1 })).toMatchObject(codes("not_due_yet"));
    expect(refused({ task, recoveryItems: [item()] })).toMatchObject(codes("block_escalated_already"));
    expect(refused({ task }, { ...context, actor: "editor:lin" })).toMatchObject(codes("executor_required"));
    expect(refused({ task: { state: "publishing" } })).toMatchObject(codes("state_is"));
  });
});

describe("swept by nobody's click (D9)", () => {
  const sweep = (event: string) => ({ do: "transition", intent: { event }, as: "system" });

  test("an approval whose time is over, where nothing is out", () => {
    const parts = { task: { state: "content_approved" }, approvals: [approvalRow({ expiresAt: NOW })] };
    expect(next(parts)).toEqual(sweep("ApprovalExpired"));
    expect(next({ ...parts, approvals: [approvalRow({ expiresAt: NOW + 1 })] })).toEqual(STAGE);
  });
  test("a package that nobody approved for 24 h", () => {
    const task = { state: "awaiting_content_approval", stateSince: NOW - 24 * HOUR };
    expect(next({ task })).toEqual(sweep("ApprovalExpired"));
    expect(next({ task: { ...task, stateSince: NOW - 24 * HOUR + 1 } })).toEqual(STAGE);
  });
  test("not while something is out: it is settled first", () => {
    const approvals = [approvalRow({ expiresAt: NOW })];
    const out = operationRow({ state: "unknown", nextLookAt: NOW + MINUTE });
    expect(next({ task: { state: "publishing" }, approvals, operations: [out] })).toEqual(STAGE);
  });
  test("by trusted time: a wall clock that is ahead sweeps nothing", () => {
    const parts = { task: { state: "content_approved" }, approvals: [approvalRow({ expiresAt: NOW + HOUR })] };
    expect(next(parts, { now: NOW + MINUTE, trustedAt: NOW, inFlight: new Set() })).toEqual(STAGE);
    expect(next(parts, { now: NOW, trustedAt: NOW + HOUR, inFlight: new Set() })).toEqual(sweep("ApprovalExpired"));
  });
  test("the deadline: at the automatic stop, or at the very end where a person is waited for", () => {
    expect(next({ task: { state: "collecting" } }, moment(AUTOMATIC_STOP))).toEqual(sweep("DeadlineReached"));
    expect(next({ task: { state: "collecting" } }, moment(AUTOMATIC_STOP - 1))).toEqual(STAGE);
    expect(next({ task: { state: "awaiting_send_approval" } }, moment(AUTOMATIC_STOP))).toEqual(STAGE);
    const end = moment(AUTOMATIC_STOP + 10 * MINUTE);
    expect(next({ task: { state: "awaiting_send_approval" } }, end)).toEqual(sweep("DeadlineReached"));
  });
  test("not over a mailing that is out", () => {
    const end = moment(AUTOMATIC_STOP + 10 * MINUTE);
    const out = operationRow({ kind: "send", state: "unknown", nextLookAt: AUTOMATIC_STOP + HOUR });
    expect(next({ task: { state: "sending" }, operations: [out] }, end)).toEqual(STAGE);
    expect(next({ task: { state: "sending" } }, end)).toEqual(sweep("DeadlineReached"));
  });
  test("a task that waits is woken for whichever comes first", () => {
    const wait: Action = { do: "wait", until: NOW + 5 * HOUR };
    expect(next({ task: { state: "collecting" } }, moment(), wait)).toEqual({ do: "wait", until: AUTOMATIC_STOP });
    const approvals = [approvalRow({ expiresAt: NOW + MINUTE })];
    expect(next({ task: { state: "content_approved" }, approvals }, moment(), wait)).toEqual({
      do: "wait",
      until: NOW + MINUTE,
    });
  });
});

describe("a waiting retry", () => {
  test("resumes when it is due", () => {
    expect(next({ task: { state: "retry_wait", resumeState: "collecting", retryAt: NOW } })).toEqual({
      do: "transition",
      intent: { event: "RetryDue" },
      as: "executor",
    });
    expect(next({ task: { state: "retry_wait", resumeState: "collecting", retryAt: NOW + 1 } })).toEqual({
      do: "wait",
      until: NOW + 1,
    });
  });
});

test("the earliest of some moments", () => {
  expect(earliest(null, 3, 2, null)).toBe(2);
  expect(earliest(null, null)).toBeNull();
  expect(earliest()).toBeNull();
});

// ------------------------------------------------------------------------------------- carrying operations out

interface Rules {
  resendAfterProvenAbsent?: boolean;
  keyRetentionMs?: number | null;
}
const manifest =
  ({ resendAfterProvenAbsent = true, keyRetentionMs = null }: Rules = {}) =>
  () =>
    ({ retry: { resendAfterProvenAbsent, maxAttempts: 5 }, query: { keyRetentionMs } }) as AdapterManifest;

const carry = (parts: ViewParts, rules: Rules = {}, at = moment(), coverage?: CoverageOf) => {
  const view = fakeView({ ...parts, task: { state: "publishing", context: SENDABLE, ...parts.task } });
  return operationAction(view, view.operations(), at, "PublishBlocked", manifest(rules), coverage);
};
const blocked = (blockedReason: string) => ({
  do: "transition",
  intent: { event: "PublishBlocked", blockedReason },
  as: "executor",
});
const tries = (operation: OperationRow, count: number) =>
  Array.from({ length: count }, (_, index) =>
    attemptRow(operation, { number: index + 1, startedAt: operation.preparedAt + index }),
  );

describe("operations are carried out in their order", () => {
  const [create, trigger] = [operationRow({ kind: "send" }), operationRow({ kind: "send", phase: "trigger" })];
  const inState = (operation: OperationRow, state: OperationState) => ({ ...operation, state, settled: true });

  test("the first that is not confirmed", () => {
    expect(carry({ operations: [create, trigger] })).toEqual({ do: "send", operationId: create.id });
    expect(carry({ operations: [inState(create, "confirmed"), trigger] })).toEqual({
      do: "send",
      operationId: trigger.id,
    });
  });
  test("not over a look at the one before that is due, or whose looks are spent without having seen", () => {
    const after = { ...trigger, afterId: create.id };
    const due = { ...inState(create, "confirmed"), nextLookAt: NOW + 2_000 };
    expect(carry({ operations: [due, after] })).toEqual({ do: "wait", until: NOW + 2_000 });
    const looked = { ...inState(create, "confirmed"), looksUsed: 1 };
    const spent = [lookRow(create, { verdict: "locked", able: false })];
    expect(carry({ operations: [looked, after], looks: spent })).toEqual(blocked("outcome_unknown"));
    const judged = { ...looked, lastObservedAt: NOW };
    expect(carry({ operations: [judged, after], looks: spent })).toEqual({ do: "send", operationId: trigger.id });
    const again = [...spent, lookRow(create, { verdict: "confirmed" })];
    expect(carry({ operations: [looked, after], looks: again })).toEqual({ do: "send", operationId: trigger.id });
  });
  test("nothing is left when every one is", () => {
    expect(carry({ operations: [inState(create, "confirmed"), inState(trigger, "confirmed")] })).toBeNull();
    expect(carry({ operations: [] })).toBeNull();
  });
});

describe("a prepared operation", () => {
  const operation = operationRow();
  const { id } = operation;
  test("is sent", () => expect(carry({ operations: [operation] })).toEqual({ do: "send", operationId: id }));
  test("waits as long as the server asked, also over a restart", () => {
    const hinted = operationRow({ nextLookAt: NOW + 45_000 });
    expect(carry({ operations: [hinted] })).toEqual({ do: "wait", until: NOW + 45_000 });
    expect(carry({ operations: [hinted] }, {}, moment(NOW + 45_000))).toEqual({ do: "send", operationId: id });
  });

  test("of a lost executor is looked up before it may leave", () => {
    const inherited = { task: { takeoverToken: 4, fencingToken: 4 }, events: { LeaseClaimed: NOW - 5_000 } };
    const parts = { ...inherited, operations: [operation] };
    expect(carry(parts)).toEqual({ do: "look", operationId: id });
    expect(carry({ ...parts, looks: [lookRow(operation)] })).toEqual({ do: "send", operationId: id });
    const before = lookRow(operation, { at: NOW - 5_001 });
    expect(carry({ ...parts, looks: [before] })).toEqual({ do: "look", operationId: id });
    const blind = lookRow(operation, { able: false, verdict: "failed" });
    expect(carry({ ...parts, looks: [blind] })).toEqual({ do: "look", operationId: id });
    const paced = operationRow({ nextLookAt: NOW + 4_000 });
    expect(carry({ ...parts, operations: [paced], looks: [blind] })).toEqual({ do: "wait", until: NOW + 4_000 });
  });

  test("is looked up where an answer came too late to be believed", () => {
    const parts = { operations: [operation], attempts: tries(operation, 1), events: { LateAnswerKept: NOW - 5_000 } };
    expect(carry(parts)).toEqual({ do: "look", operationId: id });
    expect(carry({ ...parts, looks: [lookRow(operation)] })).toEqual({ do: "send", operationId: id });
    // Of an operation that never left no answer can come.
    expect(carry({ ...parts, attempts: [] })).toEqual({ do: "send", operationId: id });
  });

  test("is looked up where it is older than a restored backup", () => {
    const parts = { operations: [operation], epoch: { epoch: 2, reconciled: 2, raisedAt: NOW - MINUTE } };
    expect(carry(parts)).toEqual({ do: "look", operationId: id });
    // Begun anew after it, the outside may have it already from before; a week later that is over.
    expect(carry({ ...parts, task: { createdAt: NOW - MINUTE + 1 } })).toEqual({ do: "look", operationId: id });
    const longAgo = { epoch: 2, reconciled: 2, raisedAt: NOW - 9 * 24 * 60 * MINUTE };
    expect(carry({ ...parts, epoch: longAgo, task: { createdAt: NOW - MINUTE } })).toEqual({
      do: "send",
      operationId: id,
    });
  });

  test.each([
    ["conflict", "remote_conflict"],
    ["duplicate", "remote_conflict"],
  ] as const)("for which a look said %s goes to a person as %s", (verdict, reason) => {
    const looked = operationRow({ looksUsed: 1 });
    expect(carry({ operations: [looked], looks: [lookRow(looked, { verdict })] })).toEqual(blocked(reason));
  });

  test("is not held back by what was seen before a person led the task back to it", () => {
    const again = operationRow({ looksUsed: 0 });
    const looks = [lookRow(again, { verdict: "conflict" })];
    expect(carry({ operations: [again], looks })).toEqual({ do: "send", operationId: id });
  });

  test("is tried five times and then goes to a person", () => {
    expect(carry({ operations: [operation], attempts: tries(operation, 4) })).toEqual({ do: "send", operationId: id });
    expect(carry({ operations: [operation], attempts: tries(operation, 5) })).toEqual(blocked("outcome_unknown"));
  });

  test("has a fresh budget once it was prepared anew", () => {
    const again = operationRow({ preparedAt: NOW });
    expect(carry({ operations: [again], attempts: tries(operation, 5) })).toEqual({ do: "send", operationId: id });
  });
});

describe.each(["prepared", "not_found"] as const)("where every look at a %s operation fails", (state) => {
  const operation = operationRow({ state, settled: true, looksUsed: 12, requestSentAt: NOW - HOUR });
  const { id } = operation;
  const inherited = { task: { takeoverToken: 4, fencingToken: 4 }, events: { LeaseClaimed: NOW - 5_000 } };
  const parts = {
    ...{ operations: [operation], looks: [lookRow(operation, { able: false, verdict: "locked" })] },
    ...(state === "prepared" ? {} : { attempts: tries(operation, 1) }),
    operationEvents: { [`OperationLocked ${id}`]: { seq: 40, actor: "executor:a" as const } },
  };

  test("a person is asked, instead of the remote again and again", () => {
    expect(carry({ ...inherited, ...parts })).toEqual(blocked("outcome_unknown"));
  });
  test("and once they led the task on, it is looked at once more", () => {
    const events = { ...inherited.events, Unblocked: 41 };
    expect(carry({ ...inherited, ...parts, events })).toEqual({ do: "look", operationId: id });
    const again = { [`OperationLocked ${id}`]: { seq: 42, actor: "executor:a" as const } };
    expect(carry({ ...inherited, ...parts, events, operationEvents: again })).toEqual(blocked("outcome_unknown"));
  });
  test("a restored journal goes on asking, at its own pace", () => {
    const restored = { ...parts, epoch: { epoch: 2, reconciled: 1, raisedAt: NOW - MINUTE } };
    const task = { state: "publishing" };
    const at = parts.looks[0]?.at ?? 0;
    expect(next({ ...restored, task })).toEqual({ do: "wait", until: at + 15 * MINUTE });
    expect(next({ ...restored, task }, moment(at + 15 * MINUTE))).toEqual({ do: "look", operationId: id });
  });
});

describe("an operation whose absence is proven", () => {
  const absent = operationRow({ state: "not_found", settled: true, looksUsed: 3, requestSentAt: NOW - HOUR });
  const { id } = absent;
  const looks = [lookRow(absent, { verdict: "not_found" })];
  const attempts = tries(absent, 1);
  const parts = { operations: [absent], looks, attempts };

  test("is sent again by the adapter's declared rule", () => {
    expect(carry(parts)).toEqual({ do: "send", operationId: id });
    expect(carry(parts, { resendAfterProvenAbsent: false })).toEqual(blocked("outcome_unknown"));
  });
  test("or because a person's verdict said so", () => {
    const saidBy = (actor: Actor) => ({ operationEvents: { [`RemoteNotFound ${id}`]: { seq: 9, actor } } });
    const judged = { ...parts, looks: [lookRow(absent, { verdict: "locked" })] };
    const rules = { resendAfterProvenAbsent: false, keyRetentionMs: MINUTE };
    expect(carry({ ...judged, ...saidBy("editor:lin") }, rules)).toEqual({ do: "send", operationId: id });
    expect(carry({ ...judged, ...saidBy("executor:a") }, { resendAfterProvenAbsent: false })).toEqual(
      blocked("outcome_unknown"),
    );
  });
  test("not by itself where less than 80 % of the pipeline's writes are covered: the block says why, and a person confirms", () => {
    const low = { covered: 3, of: 4, share: 0.75 };
    const block = blocked("outcome_unknown");
    const withReason = { ...block, intent: { ...block.intent, reason: "idempotency_coverage" } };
    expect(carry(parts, {}, moment(), low)).toEqual(withReason);
    expect(carry(parts, {}, moment(), { covered: 4, of: 5, share: 0.8 })).toEqual({ do: "send", operationId: id });
    const task = { context: { ...SENDABLE, unblockedReason: "outcome_unknown" } };
    const led = { ...parts, task, events: { Unblocked: NOW } };
    expect(carry(led, {}, moment(), low)).toEqual({ do: "send", operationId: id });
    // What was never sent is no retry.
    expect(carry({ operations: [operationRow()] }, {}, moment(), low)).toMatchObject({ do: "send" });
  });
  test("and not because the newest look said that the remote has forgotten the key meanwhile", () => {
    const locked = { ...parts, looks: [...looks, lookRow(absent, { verdict: "locked", rawCode: KEY_WINDOW_EXPIRED })] };
    expect(carry(locked, { keyRetentionMs: MINUTE })).toEqual(blocked("key_window_expired"));
  });
  test("or because a person led the task out of this very doubt since, once", () => {
    const task = { context: { ...SENDABLE, unblockedReason: "outcome_unknown" } };
    const led = { ...parts, task, events: { Unblocked: NOW } };
    expect(carry(led, { resendAfterProvenAbsent: false })).toEqual({ do: "send", operationId: id });
    const triedSince = [...attempts, attemptRow(absent, { number: 2, startedAt: NOW + 1 })];
    expect(carry({ ...led, attempts: triedSince }, { resendAfterProvenAbsent: false })).toEqual(
      blocked("outcome_unknown"),
    );
    const deadline = { ...led, task: { context: { ...SENDABLE, unblockedReason: "deadline" } } };
    expect(carry(deadline, { resendAfterProvenAbsent: false })).toEqual(blocked("outcome_unknown"));
  });
  test("not past the remote's memory of the key (E5)", () => {
    expect(carry(parts, { keyRetentionMs: HOUR + 6 * MINUTE })).toEqual({ do: "send", operationId: id });
    expect(carry(parts, { keyRetentionMs: HOUR + 5 * MINUTE })).toEqual(blocked("key_window_expired"));
  });
  test("not while a late answer is to be looked into", () => {
    const doubted = { ...absent, nextLookAt: NOW + 1 };
    expect(carry({ ...parts, operations: [doubted] })).toEqual({ do: "wait", until: NOW + 1 });
  });
  test("not by a new executor before it has looked for itself", () => {
    const taken = { ...parts, task: { takeoverToken: 4, fencingToken: 4 }, events: { LeaseClaimed: NOW + 1 } };
    expect(carry(taken)).toEqual({ do: "look", operationId: id });
  });
  test("not a sixth time, unless a person has led the task back", () => {
    expect(carry({ ...parts, attempts: tries(absent, 5) })).toEqual(blocked("outcome_unknown"));
    const led = { ...parts, attempts: tries(absent, 5), events: { Unblocked: NOW } };
    expect(carry(led)).toEqual({ do: "send", operationId: id });
  });
});

describe("the others", () => {
  const look = (operation: OperationRow, more: Parameters<typeof lookRow>[1]) => [lookRow(operation, more)];
  test.each([
    ["request_sent", null, null],
    ["unknown", NOW + 5_000, NOW + 5_000],
  ] as const)("%s: wait", (state, nextLookAt, until) => {
    expect(carry({ operations: [operationRow({ state, nextLookAt })] })).toEqual({ do: "wait", until });
  });
  test("a conflict, and a duplicate through its incident", () => {
    const operation = operationRow({ state: "conflict", looksUsed: 1 });
    const operations = [operation];
    expect(carry({ operations, looks: look(operation, { verdict: "conflict" }) })).toEqual(blocked("remote_conflict"));
    expect(carry({ operations, looks: look(operation, { verdict: "duplicate" }) })).toEqual(
      blocked("duplicate_remote"),
    );
  });
  test("locked: for want of a query, or because the key was forgotten", () => {
    const operation = operationRow({ state: "locked", looksUsed: 1 });
    const operations = [operation];
    expect(carry({ operations, looks: look(operation, { verdict: "locked" }) })).toEqual(blocked("outcome_unknown"));
    const forgotten = look(operation, { verdict: "locked", rawCode: "key_window_expired" });
    expect(carry({ operations, looks: forgotten })).toEqual(blocked("key_window_expired"));
  });
  test("rejected: signed out (S19), or refused for what it is", () => {
    const operation = operationRow({ state: "rejected" });
    const as = (errorClass: "auth" | "permanent_input") => ({
      operations: [operation],
      attempts: [attemptRow(operation, { outcome: "rejected", errorClass })],
    });
    expect(carry(as("auth"))).toEqual(blocked("auth"));
    expect(carry(as("permanent_input"))).toEqual(blocked("remote_conflict"));
  });
});
