import { describe, expect, test } from "vitest";
import type { Command, ComparedObject } from "../../main/domain/commands";
import { decide } from "../../main/domain/decide";
import { asOperationId, asTaskId } from "../../main/domain/ids";
import type { LookVerdict, OperationRow, OperationState } from "../../main/domain/records";
import {
  attemptRow,
  contextAs,
  EDITOR,
  EXECUTOR,
  fakeView,
  HOUR,
  incidentRow,
  lookRow,
  MINUTE,
  NOW,
  operationRow,
  TASK_KEY,
  TOKEN,
  type ViewParts,
} from "./fake-view";

// What became of a request: its answer, an answer that came too late, looks, and a person's verdict (domain 6).

const taskId = asTaskId("t1");
type Answer = Extract<Command, { type: "record_answer" }>;
type Look = Extract<Command, { type: "record_look" }>;

function plan(command: Parameters<typeof decide>[1], operation: OperationRow, given: ViewParts = {}, actor = EXECUTOR) {
  // A request that was sent has a try that is under way.
  const attempts = [attemptRow(operation, { endedAt: null, outcome: null })];
  const parts = { attempts, ...given };
  const decision = decide(
    fakeView({ operations: [operation], ...parts }),
    command,
    contextAs(actor as typeof EXECUTOR),
  );
  if (!decision.ok) throw new Error(decision.refusal.unmet.map((missing) => missing.code).join());
  return decision.plan;
}
const updateOf = (made: ReturnType<typeof plan>) => {
  const write = made.writes.find((row) => row.table === "operation" && "update" in row);
  return write && "update" in write ? (write.update as Partial<OperationRow>) : null;
};
const tables = (made: ReturnType<typeof plan>) => made.writes.map((write) => write.table);

describe("an answer", () => {
  const sent = operationRow({ state: "request_sent" });
  const answer = (outcome: Answer["outcome"], more: Partial<Answer> = {}): Answer => ({
    type: "record_answer",
    taskId,
    operationId: sent.id,
    attempt: 1,
    outcome,
    remoteId: null,
    url: null,
    error: null,
    firstLookAt: null,
    ...more,
  });

  test("yes: the remote id is saved before the task moves", () => {
    const made = plan(answer("confirmed", { remoteId: "18427", url: "https://site.example/w30" }), sent);
    expect(made.task).toEqual({});
    expect(made.events).toMatchObject([
      { type: "RemoteConfirmed", payload: { operationState: "confirmed", by: "answer" } },
    ]);
    expect(updateOf(made)).toMatchObject({ state: "confirmed", settled: true, remoteId: "18427" });
    expect(made.writes).toContainEqual(
      expect.objectContaining({ close: expect.objectContaining({ outcome: "confirmed", endedAt: NOW }) }),
    );
  });
  test("no: it is rejected and settled", () => {
    const made = plan(answer("rejected"), sent);
    expect(made.events[0]?.type).toBe("OperationRejected");
    expect(updateOf(made)).toMatchObject({ state: "rejected", settled: true });
  });
  test("none: it is unknown, never failed, and looked into", () => {
    const made = plan(answer("unknown", { firstLookAt: NOW + 2_000 }), sent);
    expect(made.events[0]?.type).toBe("OutcomeUnknown");
    expect(updateOf(made)).toMatchObject({
      state: "unknown",
      settled: false,
      nextLookAt: NOW + 2_000,
      unknownSince: NOW,
    });
    expect(made.task).toEqual({});
  });
  test("never left: prepared again, in its old place and under the present token", () => {
    const made = plan(answer("not_sent", { firstLookAt: NOW + 1_000 }), sent);
    expect(made.events[0]?.type).toBe("OperationPrepared");
    expect(updateOf(made)).toEqual({
      id: sent.id,
      state: "prepared",
      settled: false,
      nextLookAt: NOW + 1_000,
      preparedToken: TOKEN,
    });
  });

  test.each(["prepared", "unknown", "confirmed", "rejected", "not_found", "conflict", "locked", "cancelled"] as const)(
    "to something %s is refused: it has no call under way",
    (state) => {
      const decision = decide(
        fakeView({ operations: [operationRow({ state })] }),
        answer("confirmed"),
        contextAs(EXECUTOR),
      );
      expect(decision).toMatchObject({
        ok: false,
        refusal: { unmet: [{ code: "operation_state_is", values: { state } }] },
      });
    },
  );

  test.each([
    ["an earlier try", 1, [{ number: 1 }, { number: 2, endedAt: null }]],
    ["a try that has ended", 1, [{ number: 1 }]],
    ["a try that never was", 3, [{ number: 1, endedAt: null }]],
  ])("to %s is refused", (_name, attempt, tries) => {
    const attempts = tries.map((more) => attemptRow(sent, more));
    const view = fakeView({ operations: [sent], attempts });
    expect(decide(view, answer("confirmed", { attempt }), contextAs(EXECUTOR))).toMatchObject({
      ok: false,
      refusal: { result: "guard_failed", unmet: [{ code: "operation_state_is" }] },
    });
  });

  test("leaves the look that a late answer asked for standing", () => {
    const confirmed = answer("confirmed", { remoteId: "1", firstLookAt: NOW + 2_000 });
    expect(updateOf(plan(confirmed, { ...sent, nextLookAt: NOW }))).toMatchObject({ nextLookAt: NOW });
    expect(updateOf(plan(confirmed, sent))).toMatchObject({ nextLookAt: NOW + 2_000 });
  });
});

describe("an answer with an old token (F1, K5, S24)", () => {
  const late = (operation: OperationRow) =>
    plan(
      {
        type: "keep_late_answer",
        taskId,
        operationId: operation.id,
        oldToken: 2,
        outcome: "confirmed",
        remoteId: "18427",
      },
      operation,
      {},
      "system" as never,
    );

  test.each(["request_sent", "unknown", "not_found", "confirmed"] as const)(
    "is kept as evidence, changes no state, and triggers a look where the operation is %s",
    (state) => {
      const made = late(operationRow({ state, settled: state === "confirmed" || state === "not_found" }));
      expect(made.task).toEqual({});
      expect(made.events).toMatchObject([
        {
          type: "LateAnswerKept",
          payload: { operationState: state, oldToken: 2, outcome: "confirmed", remoteId: "18427" },
        },
      ]);
      expect(updateOf(made)).toEqual({ id: operationRow().id, nextLookAt: NOW });
    },
  );
  test.each(["prepared", "rejected", "cancelled", "conflict", "locked"] as const)(
    "is kept and changes nothing at all where the operation is %s",
    (state) => expect(late(operationRow({ state })).writes).toEqual([]),
  );
});

const compared = (more: Partial<ComparedObject> = {}): ComparedObject => ({
  remoteId: "18427",
  url: "https://site.example/w30",
  state: "published",
  keyEqual: true,
  intentEqual: true,
  contentEqual: true,
  taskEqual: true,
  ...more,
});

const look = (verdict: LookVerdict, more: Partial<Look> = {}): Look => ({
  type: "record_look",
  taskId,
  operationId: operationRow().id,
  query: "GET /posts?key=…",
  able: verdict !== "failed",
  verdict,
  objects: verdict === "confirmed" ? [compared()] : [],
  chosen: verdict === "confirmed" || verdict === "conflict" ? { remoteId: "18427", url: null } : null,
  rawCode: null,
  nextLookAt: verdict === "absent_yet" || verdict === "failed" ? NOW + 4_000 : null,
  pastHorizon: verdict === "not_found",
  look: 1,
  ...more,
});

describe("a look", () => {
  const MOVES: readonly (readonly [OperationState, LookVerdict, OperationState])[] = [
    ["unknown", "confirmed", "confirmed"],
    ["unknown", "not_found", "not_found"],
    ["unknown", "conflict", "conflict"],
    ["unknown", "duplicate", "conflict"],
    ["unknown", "locked", "locked"],
    ["not_found", "confirmed", "confirmed"],
    ["not_found", "conflict", "conflict"],
    ["not_found", "duplicate", "conflict"],
    ["confirmed", "conflict", "conflict"],
    ["confirmed", "duplicate", "conflict"],
  ];
  const STATES: OperationState[] = "prepared request_sent unknown confirmed rejected not_found conflict locked".split(
    " ",
  ) as OperationState[];
  const VERDICTS: LookVerdict[] = "confirmed absent_yet not_found conflict duplicate failed locked".split(
    " ",
  ) as LookVerdict[];
  const pairs = STATES.flatMap((state) => VERDICTS.map((verdict) => [state, verdict] as const));

  test.each(pairs)("at something %s that says %s is a receipt, and moves only what it may", (state, verdict) => {
    const operation = operationRow({ state, settled: ["confirmed", "rejected", "not_found"].includes(state) });
    const made = plan(look(verdict), operation);
    expect(tables(made)).toContain("reconciliation");
    const target = MOVES.find(([from, by]) => from === state && by === verdict)?.[2];
    expect(updateOf(made)?.state).toBe(target);
    expect(made.events[0]?.payload["operationState"]).toBe(target ?? state);
    expect(updateOf(made)).toMatchObject({ looksUsed: 1 });
    expect(made.task).toEqual({});
  });

  test("settles what it confirms, and absence only past the horizon", () => {
    const unknown = operationRow({ state: "unknown" });
    expect(updateOf(plan(look("confirmed"), unknown))).toMatchObject({ settled: true, remoteId: "18427" });
    expect(updateOf(plan(look("not_found"), unknown))).toMatchObject({ settled: true });
    expect(updateOf(plan(look("not_found", { pastHorizon: false }), unknown))).toMatchObject({ settled: false });
    expect(updateOf(plan(look("conflict"), unknown))).toMatchObject({ settled: false });
  });

  test("that another one overtook moves nothing: in between the request may have gone out anew", () => {
    const operation = operationRow({ state: "unknown", looksUsed: 3, nextLookAt: NOW + 9_000 });
    const made = plan(look("not_found", { look: 3 }), operation);
    expect(updateOf(made)).toMatchObject({ looksUsed: 4, nextLookAt: NOW + 9_000 });
    expect(updateOf(made)).not.toHaveProperty("state");
    expect(tables(made)).toContain("reconciliation");
    expect(updateOf(plan(look("not_found", { look: 4 }), operation))).toMatchObject({ state: "not_found" });
  });

  test.each(["succeeded", "compensated"])(
    "at a task that has %s moves nothing, and still tells and freezes",
    (state) => {
      const made = plan(
        look("duplicate"),
        operationRow({ state: "confirmed", settled: true }),
        { task: { state } },
        EDITOR as never,
      );
      expect(updateOf(made)).not.toHaveProperty("state");
      expect(tables(made)).toEqual(["operation", "reconciliation", "incident", "alert"]);
    },
  );

  test("that found two, even overtaken, still freezes", () => {
    const operation = operationRow({ state: "unknown", looksUsed: 3 });
    const two = { objects: [compared(), compared({ remoteId: "18428" })] };
    expect(tables(plan(look("duplicate", { look: 2, ...two }), operation))).toContain("incident");
  });

  test("that failed is made again, and does not shorten the time that a server asked for", () => {
    expect(updateOf(plan(look("failed"), operationRow({ state: "unknown" })))).toMatchObject({
      nextLookAt: NOW + 4_000,
    });
    expect(updateOf(plan(look("failed"), operationRow()))).toMatchObject({ nextLookAt: NOW + 4_000 });
    const hinted = operationRow({ nextLookAt: NOW + MINUTE });
    expect(updateOf(plan(look("failed"), hinted))).toMatchObject({ nextLookAt: NOW + MINUTE });
    expect(updateOf(plan(look("absent_yet"), hinted))).toMatchObject({ nextLookAt: NOW + MINUTE });
  });

  test("ends the doubt of a late answer about something confirmed", () => {
    const doubted = operationRow({ state: "confirmed", nextLookAt: NOW });
    expect(updateOf(plan(look("confirmed"), doubted))).toMatchObject({ nextLookAt: null });
    expect(updateOf(plan(look("failed"), doubted))).toMatchObject({ nextLookAt: NOW + 4_000 });
  });

  test("that could not see observed nothing", () => {
    const operation = operationRow({ state: "unknown", lastObservedAt: NOW - HOUR });
    expect(updateOf(plan(look("failed"), operation))).toMatchObject({ lastObservedAt: NOW - HOUR });
    expect(updateOf(plan(look("locked", { able: false }), operation))).toMatchObject({ lastObservedAt: NOW - HOUR });
    expect(updateOf(plan(look("absent_yet"), operation))).toMatchObject({ lastObservedAt: NOW });
  });

  test("its receipts have ids of their own, also at one moment and after the count began anew", () => {
    const operation = operationRow({ state: "unknown" });
    const idOf = (looks: ViewParts["looks"]) => {
      const write = plan(look("failed"), operation, { looks: looks ?? [] }).writes.find(
        (row) => row.table === "reconciliation",
      );
      return write && "insert" in write && "id" in write.insert ? write.insert.id : "";
    };
    expect(idOf([])).not.toBe(idOf([lookRow(operation)]));
  });

  describe("is begun on record", () => {
    const start = (operation: OperationRow) =>
      decide(
        fakeView({ operations: [operation] }),
        { type: "start_look", taskId, operationId: operation.id, query: "q" },
        contextAs(EDITOR),
      );
    test.each(["prepared", "unknown", "not_found", "confirmed", "conflict", "locked", "rejected"] as const)(
      "at something %s, by a person as well",
      (state) =>
        expect(start(operationRow({ state }))).toMatchObject({
          ok: true,
          plan: { task: { callsUsed: 1 }, events: [{ type: "ReconcileStarted" }], writes: [] },
        }),
    );
    test.each(["request_sent", "cancelled"] as const)("not at something %s", (state) => {
      expect(start(operationRow({ state }))).toMatchObject({ ok: false, refusal: { result: "guard_failed" } });
    });
  });
});

describe("two objects", () => {
  const unknown = operationRow({ state: "unknown" });
  const two = look("duplicate", { objects: [compared(), compared({ remoteId: "18428" })] });
  test("are an incident that freezes the place, and an alert within five minutes", () => {
    const made = plan(two, unknown);
    expect(made.writes).toMatchObject([
      { table: "operation" },
      { table: "reconciliation" },
      {
        table: "incident",
        insertIfNew: { rule: "duplicate_remote", scope: "slot", scopeValue: `publish:${TASK_KEY}`, closedAt: null },
      },
      { table: "alert", raise: { code: "duplicate_remote", urgency: "five_minutes" } },
    ]);
    const alert = made.writes.at(-1);
    expect(alert && "raise" in alert ? JSON.stringify(alert.raise) : "").toContain("18428");
  });
  test("seen again while it is open are no second incident", () => {
    expect(tables(plan(two, unknown, { freezes: [incidentRow()] }))).not.toContain("incident");
  });
  test("in a place whose incident was closed are a new one: else nothing would be frozen", () => {
    const incidentOf = (operation: OperationRow, looks: ViewParts["looks"]) => {
      const command = { ...two, operationId: operation.id };
      const write = plan(command, operation, { looks: looks ?? [] }).writes.find((row) => row.table === "incident");
      return write && "insertIfNew" in write && "id" in write.insertIfNew ? write.insertIfNew.id : "";
    };
    expect(incidentOf(unknown, [lookRow(unknown)])).not.toBe(incidentOf(unknown, []));
    // The phases and the versions of an edition share the place, and each counts its own looks.
    const later = operationRow({ state: "unknown", id: asOperationId("op-of-a-later-version") });
    expect(later.slot).toBe(unknown.slot);
    expect(incidentOf(later, [])).not.toBe(incidentOf(unknown, []));
  });
});

test("locked has a recovery item with an owner and a due time, and an alert", () => {
  const made = plan(look("locked"), operationRow({ state: "unknown" }));
  expect(made.writes.slice(2)).toMatchObject([
    {
      table: "recovery_item",
      insertIfNew: { kind: "unknown_outcome", stage: "to_triage", owner: "editor", dueAt: NOW + HOUR },
    },
    { table: "alert", raise: { code: "operation_locked" } },
  ]);
});

describe("a person's verdict", () => {
  type Verdict = Extract<Command, { type: "give_verdict" }>;
  const verdict = (kind: Verdict["verdict"], more: Partial<Verdict> = {}): Verdict => ({
    type: "give_verdict",
    taskId,
    operationId: operationRow().id,
    verdict: kind,
    remoteId: kind === "happened" ? "18427" : null,
    evidence: "seen in the admin page, screenshot 3",
    ...more,
  });
  const judge = (command: Verdict, state: OperationState, actor: "editor:lin" | "executor:a" | "system" = EDITOR) =>
    decide(fakeView({ operations: [operationRow({ state })] }), command, contextAs(actor));
  const codes = (decision: ReturnType<typeof judge>) =>
    decision.ok ? [] : decision.refusal.unmet.map((missing) => missing.code);

  test.each(["conflict", "locked"] as const)("ends %s: it happened", (state) => {
    const made = plan(verdict("happened"), operationRow({ state }), {}, EDITOR as never);
    expect(updateOf(made)).toMatchObject({ state: "confirmed", settled: true, remoteId: "18427" });
    expect(made.events).toMatchObject([{ type: "RemoteConfirmed", reason: expect.stringContaining("screenshot") }]);
  });
  test.each(["conflict", "locked"] as const)("ends %s: it did not", (state) => {
    const made = plan(verdict("did_not_happen"), operationRow({ state }), {}, EDITOR as never);
    expect(updateOf(made)).toMatchObject({ state: "not_found", settled: true });
    expect(made.events[0]?.payload).toMatchObject({ by: "person", pastHorizon: true });
  });
  test("that it cannot be told is kept, and changes nothing", () => {
    const made = plan(verdict("cannot_tell"), operationRow({ state: "locked" }), {}, EDITOR as never);
    expect(made.writes).toEqual([]);
    expect(made.events).toHaveLength(1);
  });
  test.each(["prepared", "request_sent", "unknown", "confirmed", "rejected", "not_found", "cancelled"] as const)(
    "is not asked for where it is %s",
    (state) => expect(codes(judge(verdict("happened"), state))).toEqual(["verdict_not_asked"]),
  );
  test("needs evidence, and the object where it happened", () => {
    expect(codes(judge(verdict("did_not_happen", { evidence: " " }), "locked"))).toEqual(["evidence_missing"]);
    expect(codes(judge(verdict("happened", { remoteId: "" }), "locked"))).toEqual(["evidence_missing"]);
  });
  test.each(["executor:a", "system"] as const)("is not %s's to give", (actor) => {
    expect(codes(judge(verdict("happened"), "locked", actor))).toEqual(["person_required"]);
  });
});
