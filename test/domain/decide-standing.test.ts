import { describe, expect, test } from "vitest";
import type { CommandContext } from "../../main/domain/commands";
import { decide, type TaskCommand } from "../../main/domain/decide";
import { sha256 } from "../../main/domain/hashing";
import { asOperationId, asTaskId } from "../../main/domain/ids";
import { LEASE_TTL_MS } from "../../main/domain/lease";
import type { OperationRow } from "../../main/domain/records";
import {
  attemptRow,
  contextAs,
  EDITOR,
  EXECUTOR,
  fakeView,
  MINUTE,
  NOW,
  operationRow,
  TOKEN,
  type taskRow,
} from "./fake-view";
import { furnish } from "./furnish";

// Who may speak at all: version, token, and which commands are only the lease holder's (I05, domain 4).

const taskId = asTaskId("t1");
const operationId = operationRow().id;
const delay = { policyVersion: 1, baseDelayMs: 0, hintMs: null, actualDelayMs: 0 };
const recomputed = { contentHash: null, pageUrl: null, bodyHash: null, audienceHash: null };
const look = {
  query: "q",
  able: true,
  verdict: "absent_yet" as const,
  objects: [],
  chosen: null,
  rawCode: null,
  nextLookAt: null,
  pastHorizon: false,
};

const EXECUTORS: readonly TaskCommand[] = [
  { type: "heartbeat", taskId },
  { type: "release_lease", taskId },
  { type: "record_step", taskId, step: "collecting", checkpoint: {}, calls: 1 },
  { type: "mark_request_sent", taskId, operationId, requestBytesHash: sha256("b"), recomputed, delay },
  {
    type: "record_answer",
    taskId,
    operationId,
    attempt: 1,
    outcome: "confirmed",
    remoteId: "1",
    url: null,
    error: null,
    firstLookAt: null,
  },
  { type: "note", taskId, event: "PageVerified", operationId: null, payload: {} },
];
const SHARED: readonly TaskCommand[] = [
  furnish("created", "CollectStarted").command,
  { type: "note", taskId, event: "EmailEdited", operationId: null, payload: {} },
  { type: "start_look", taskId, operationId, query: "q" },
  { type: "record_look", taskId, operationId, ...look },
  { type: "account_recipients", taskId, outcomes: [], nextObserveAt: null },
];
const nameOf = (command: TaskCommand) => ("event" in command ? `${command.type} ${command.event}` : command.type);
const refusal = (
  command: TaskCommand,
  context: CommandContext,
  task: Parameters<typeof taskRow>[0] = {},
  operations: readonly OperationRow[] = [],
) => {
  const decision = decide(fakeView({ task, operations }), command, context);
  return decision.ok ? null : decision.refusal;
};

describe.each([...EXECUTORS, ...SHARED].map((command) => ({ name: nameOf(command), command })))(
  "$name by an executor",
  ({ command }) => {
    test.each([
      ["without a token", contextAs(EXECUTOR, { fencingToken: undefined as never })],
      ["with an old token", contextAs(EXECUTOR, { fencingToken: TOKEN - 1 })],
      ["with a token of the future", contextAs(EXECUTOR, { fencingToken: TOKEN + 1 })],
      ["with another's token", contextAs("executor:b")],
      ["after its lease", contextAs(EXECUTOR, { now: NOW + MINUTE })],
    ])("%s is refused as stale_token, and told whose it is", (_name, context) => {
      expect(refusal(command, context)).toEqual({
        result: "stale_token",
        unmet: [{ code: "token_is", values: { token: TOKEN, owner: EXECUTOR } }],
      });
    });
  },
);

describe.each(EXECUTORS.map((command) => ({ name: nameOf(command), command })))("$name", ({ name, command }) => {
  test.each([EDITOR, "operator-script", "system", "scheduler"] as const)("is not for %s", (actor) => {
    const event = name.replace("note ", "");
    expect(refusal(command, contextAs(actor))).toEqual({
      result: "guard_failed",
      unmet: [{ code: "executor_required", values: { event } }],
    });
  });
});

describe("a version that is no longer the present one", () => {
  const versioned: readonly TaskCommand[] = [
    furnish("awaiting_content_approval", "ContentRejected").command,
    { type: "note", taskId, event: "EmailEdited", operationId: null, payload: {} },
    EXECUTORS[2] as TaskCommand,
    EXECUTORS[3] as TaskCommand,
    { type: "account_recipients", taskId, outcomes: [], nextObserveAt: null, evidence: "told" },
    { type: "give_verdict", taskId, operationId, verdict: "cannot_tell", remoteId: null, evidence: "told" },
  ];
  test.each(versioned.map((command) => ({ name: nameOf(command), command })))(
    "$name is refused as stale_version, and told where the task stands",
    ({ command }) => {
      const isExecutors = EXECUTORS.includes(command);
      for (const expectedVersion of [6, 8, undefined]) {
        const context = contextAs(isExecutors ? EXECUTOR : EDITOR, { expectedVersion: expectedVersion as never });
        expect(refusal(command, context, { state: "awaiting_content_approval" }, [operationRow()])).toEqual({
          result: "stale_version",
          unmet: [
            {
              code: "state_version_is",
              values: { expected: expectedVersion ?? -1, now: 7, state: "awaiting_content_approval" },
            },
          ],
        });
      }
    },
  );

  test("does not keep an answer from being saved: what happened outside is true whatever the state", () => {
    const sent = operationRow({ state: "request_sent" });
    const view = fakeView({ operations: [sent], attempts: [attemptRow(sent, { endedAt: null, outcome: null })] });
    const answer = EXECUTORS[4] as TaskCommand;
    expect(decide(view, answer, contextAs(EXECUTOR, { expectedVersion: 1 })).ok).toBe(true);
  });
});

test("a person needs no token, and an executor's does not help them", () => {
  const scene = furnish("awaiting_content_approval", "ContentRejected");
  const lapsed = { ...scene.parts.task, leaseOwner: null, leaseExpiresAt: null };
  expect(decide(fakeView({ ...scene.parts, task: lapsed }), scene.command, contextAs(EDITOR)).ok).toBe(true);
});

test("what there is not is not found", () => {
  const none = asOperationId("op-none");
  const commands: TaskCommand[] = [
    { ...(EXECUTORS[3] as Extract<TaskCommand, { type: "mark_request_sent" }>), operationId: none },
    { ...(EXECUTORS[4] as Extract<TaskCommand, { type: "record_answer" }>), operationId: none },
    { type: "start_look", taskId, operationId: none, query: "q" },
    { type: "record_look", taskId, operationId: none, ...look },
    { type: "keep_late_answer", taskId, operationId: none, oldToken: 1, outcome: "confirmed", remoteId: null },
  ];
  for (const command of commands)
    expect(refusal(command, contextAs(EXECUTOR))).toEqual({
      result: "not_found",
      unmet: [{ code: "operation_not_found", values: {} }],
    });
});

describe("a lease", () => {
  const claim: TaskCommand = { type: "claim_lease", taskId };
  const plan = (task: Parameters<typeof taskRow>[0], context: CommandContext, command: TaskCommand = claim) => {
    const decision = decide(fakeView({ task }), command, context);
    if (!decision.ok) throw new Error(decision.refusal.unmet.map((missing) => missing.code).join());
    return decision.plan;
  };
  const free = { leaseOwner: null, leaseExpiresAt: null };

  test("that nobody has is claimed with the next token", () => {
    const claimed = plan(free, contextAs(EXECUTOR));
    expect(claimed.task).toEqual({
      fencingToken: TOKEN + 1,
      leaseOwner: EXECUTOR,
      leaseExpiresAt: NOW + LEASE_TTL_MS,
      lastHeartbeatAt: NOW,
    });
    expect(claimed.events[0]).toMatchObject({ type: "LeaseClaimed", payload: { takeover: false, token: TOKEN + 1 } });
  });

  test("that ran out is taken over, and who had it and when they last lived is kept", () => {
    const over = { leaseOwner: "executor:b", leaseExpiresAt: NOW, lastHeartbeatAt: NOW - 90_000 };
    const taken = plan(over, contextAs(EXECUTOR));
    expect(taken.task.takeoverToken).toBe(TOKEN + 1);
    expect(taken.events[0]?.payload).toEqual({
      owner: EXECUTOR,
      token: TOKEN + 1,
      takeover: true,
      previousOwner: "executor:b",
      previousHeartbeatAt: NOW - 90_000,
    });
  });

  test("one's own that ran out is a takeover as well: a sleep is no accident, and what was prepared is looked up", () => {
    const over = { leaseOwner: EXECUTOR, leaseExpiresAt: NOW };
    expect(plan(over, contextAs(EXECUTOR)).task).toMatchObject({ fencingToken: TOKEN + 1, takeoverToken: TOKEN + 1 });
  });

  test("that is held is refused, and told by whom and till when", () => {
    expect(refusal(claim, contextAs("executor:b"))).toEqual({
      result: "guard_failed",
      unmet: [{ code: "lease_held", values: { owner: EXECUTOR, until: NOW + MINUTE } }],
    });
    expect(refusal(claim, contextAs(EXECUTOR))?.unmet[0]?.code).toBe("lease_held");
  });

  test.each(["succeeded", "compensated", "closed"])("of a task that is %s is nobody's", (state) => {
    expect(refusal(claim, contextAs(EXECUTOR), { state, ...free })?.result).toBe("illegal_transition");
  });

  test.each([EDITOR, "system", "scheduler", "operator-script"] as const)("is not for %s", (actor) => {
    expect(refusal(claim, contextAs(actor), free)?.unmet[0]?.code).toBe("executor_required");
  });

  test("is prolonged by a heartbeat, which leaves no event", () => {
    const beaten = plan({}, contextAs(EXECUTOR, { now: NOW + 30_000 }), { type: "heartbeat", taskId });
    expect(beaten).toEqual({
      task: { leaseExpiresAt: NOW + 30_000 + LEASE_TTL_MS, lastHeartbeatAt: NOW + 30_000 },
      events: [],
      writes: [],
    });
  });

  test("is given back, and the token stays", () => {
    const released = plan({}, contextAs(EXECUTOR), { type: "release_lease", taskId });
    expect(released.task).toEqual({ leaseOwner: null, leaseExpiresAt: null });
    expect(released.events.map((event) => event.type)).toEqual(["LeaseReleased"]);
  });
});
