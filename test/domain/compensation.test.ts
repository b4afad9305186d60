import { describe, expect, test } from "vitest";
import type { Command } from "../../main/domain/commands";
import { isFinished, planHash, registerCompensation, undoOrder } from "../../main/domain/compensation";
import { forwardState } from "../../main/domain/compensation-forward";
import { entryInTurn, entryNeed } from "../../main/domain/compensation-need";
import { compensationNext } from "../../main/domain/compensation-next";
import { decide, type TaskCommand } from "../../main/domain/decide";
import { asCompensationId, asTaskId } from "../../main/domain/ids";
import { compensateIntentKey } from "../../main/domain/keys";
import type { CompensationRow, OperationRow } from "../../main/domain/records";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import {
  attemptRow,
  contextAs,
  EDITOR,
  EXECUTOR,
  fakeView,
  lookRow,
  NOW,
  operationRow,
  PUBLISH_INTENT,
  type ViewParts,
} from "./fake-view";
import { intent } from "./furnish";

const moment = { now: NOW, trustedAt: NOW, inFlight: new Set<never>() };
const STEPS = [
  { name: "take_page_down", kind: "call" },
  { name: "public_page_proved", kind: "proof" },
] as const;

const forward = (more: Partial<OperationRow> = {}): OperationRow =>
  operationRow({ state: "confirmed", compensationId: entry().id, ...more });

/** An entry as it is registered for the publish operation. */
function entry(more: Partial<CompensationRow> = {}): CompensationRow {
  const plan = { ...(intent().compensation as NonNullable<ReturnType<typeof intent>["compensation"]>), steps: STEPS };
  return { ...registerCompensation(asTaskId("t1"), 1, plan, operationRow().operationKey), ...more };
}

const undo = (more: Partial<OperationRow> = {}): OperationRow =>
  operationRow({
    kind: "compensate",
    phase: "undo",
    intentKey: compensateIntentKey(operationRow().operationKey, "take_page_down"),
    compensationId: entry().id,
    contentHash: null,
    ...more,
  });

const view = (parts: ViewParts = {}) =>
  fakeView({
    operations: [forward()],
    compensations: [entry()],
    ...parts,
    task: { state: "compensating", ...parts.task },
  });

const needOf = (parts: ViewParts = {}, now = NOW) => {
  const made = view(parts);
  return entryNeed(made, made.compensations()[0] as CompensationRow, now);
};

describe("what became of the forward call", () => {
  test.each([
    ["prepared", false, "never_left"],
    ["cancelled", true, "never_left"],
    ["rejected", true, "never_left"],
    ["not_found", true, "never_left"],
    ["not_found", false, "unsettled"],
    ["request_sent", false, "unsettled"],
    ["unknown", false, "unsettled"],
    ["conflict", false, "for_person"],
    ["locked", false, "for_person"],
    ["confirmed", true, "happened"],
  ] as const)("%s (settled: %s) is %s", (state, settled, expected) => {
    expect(forwardState(view({ operations: [forward({ state, settled })] }), entry())).toBe(expected);
  });

  test("of several that share the undo, the least certain decides", () => {
    const states = (...rows: OperationRow["state"][]) =>
      forwardState(
        view({ operations: rows.map((state, n) => forward({ state, phase: "deliver", recipientId: `r${n}` })) }),
        entry(),
      );
    expect(states("confirmed", "unknown", "locked")).toBe("unsettled");
    expect(states("confirmed", "locked", "rejected")).toBe("for_person");
    expect(states("rejected", "confirmed", "cancelled")).toBe("happened");
    expect(states("rejected", "cancelled")).toBe("never_left");
  });

  test("an absence that is being asked about again is no absence", () => {
    const operations = [forward({ state: "not_found", settled: true, nextLookAt: NOW })];
    expect(forwardState(view({ operations }), entry())).toBe("unsettled");
  });
});

describe("what an entry needs", () => {
  test("the end of it needs nothing; a failed one needs a person", () => {
    for (const state of ["done", "not_needed", "closed_by_person"] as const)
      expect(needOf({ compensations: [entry({ state })] })).toEqual({ kind: "nothing" });
    expect(needOf({ compensations: [entry({ state: "failed", code: "x" })] })).toEqual({ kind: "person" });
  });

  test("by its forward call: asked about, judged by a person, skipped", () => {
    expect(needOf({ operations: [forward({ state: "unknown" })] })).toEqual({ kind: "wait", until: null });
    expect(needOf({ operations: [forward({ state: "locked" })] })).toEqual({ kind: "person" });
    expect(needOf({ operations: [forward({ state: "cancelled" })] })).toEqual({ kind: "skip" });
  });

  test("after a restored backup nothing is skipped that this copy merely does not remember", () => {
    const epoch = { epoch: 2, reconciled: 1, raisedAt: NOW };
    expect(needOf({ operations: [forward({ state: "cancelled" })], epoch })).toEqual({ kind: "wait", until: null });
  });

  test.each([
    [null, "call"],
    [{ state: "confirmed" }, "confirmed"],
    [{ state: "request_sent" }, "wait"],
    [{ state: "unknown" }, "wait"],
    [{ state: "conflict" }, "judge"],
    [{ state: "locked" }, "judge"],
    [{ state: "cancelled" }, "call"],
    [{ state: "prepared" }, "call"],
    [{ state: "not_found", settled: false }, "wait"],
    [{ state: "not_found", settled: true }, "call"],
    [{ state: "rejected" }, "call"],
  ] as const)("its call is %j: %s", (operation, kind) => {
    const operations = [forward(), ...(operation === null ? [] : [undo(operation)])];
    expect(needOf({ operations }).kind).toBe(kind);
  });

  test("a try is counted before the next one", () => {
    const operation = undo({ state: "rejected" });
    const parts = { operations: [forward(), operation], attempts: [attemptRow(operation)] };
    expect(needOf(parts).kind).toBe("judge");
    expect(needOf({ ...parts, compensations: [entry({ callsJudged: 1, attempts: 1 })] }).kind).toBe("call");
  });

  test("the wait before the next try is in the row, to the millisecond", () => {
    const compensations = [entry({ attempts: 1, nextAt: NOW + 1 })];
    expect(needOf({ compensations })).toEqual({ kind: "wait", until: NOW + 1 });
    expect(needOf({ compensations }, NOW + 1).kind).toBe("call");
    const proving = [entry({ stepsDone: 1, attempts: 1, nextAt: NOW + 1 })];
    expect(needOf({ compensations: proving })).toEqual({ kind: "wait", until: NOW + 1 });
    expect(needOf({ compensations: proving }, NOW + 1).kind).toBe("prove");
  });

  test("past what people can see to in a day nothing further is begun by itself; what they resumed goes on", () => {
    const undoFailures = briefingDefinition.undoFailuresPerDay;
    expect(needOf({ undoFailures: undoFailures - 1 }).kind).toBe("call");
    expect(needOf({ undoFailures })).toEqual({ kind: "withhold" });
    expect(needOf({ undoFailures, compensations: [entry({ state: "running" })] }).kind).toBe("call");
    expect(needOf({ undoFailures, operations: [forward({ state: "cancelled" })] })).toEqual({ kind: "skip" });
  });

  test("what a lost executor had prepared is looked up before it may leave", () => {
    const operation = undo({ state: "prepared", preparedToken: 2 });
    const parts = { operations: [forward(), operation], task: { takeoverToken: 3 }, events: { LeaseClaimed: NOW } };
    expect(needOf(parts).kind).toBe("look");
    expect(needOf({ ...parts, looks: [lookRow(operation)] }).kind).toBe("call");
  });
});

describe("the order", () => {
  const second = (more: Partial<CompensationRow> = {}) =>
    entry({ id: asCompensationId("cp-2"), position: 2, action: "second", ...more });
  const turn = (above: Partial<CompensationRow>, state: OperationRow["state"] = "confirmed") => {
    const operations = [forward(), forward({ state, intentKey: "publish:2", compensationId: second().id })];
    const made = view({ operations, compensations: [entry(), second(above)] });
    return entryInTurn(made, NOW)?.entry.action ?? null;
  };

  test("last in, first out, also while the upper one waits for its next try or for an answer", () => {
    expect(undoOrder([entry(), second()]).map((row) => row.position)).toEqual([2, 1]);
    expect(turn({})).toBe("second");
    expect(turn({ attempts: 1, nextAt: NOW + 5_000 })).toBe("second");
    expect(turn({}, "unknown")).toBe("second");
  });

  test("what is done, failed, or a person's holds nobody up", () => {
    for (const state of ["done", "not_needed", "closed_by_person"] as const)
      expect(turn({ state })).toBe("take_page_down");
    expect(turn({ state: "failed", code: "x" })).toBe("take_page_down");
    expect(turn({}, "locked")).toBe("take_page_down");
    expect(turn({ grade: "C", state: "running" })).toBe("take_page_down");
  });

  test("grades C and D are handed over and never called; telling waits for the others", () => {
    for (const grade of ["C", "D"] as const) {
      expect(needOf({ compensations: [entry({ grade })] })).toEqual({ kind: "hand_over" });
      expect(needOf({ compensations: [entry({ grade, state: "running" })] })).toEqual({ kind: "person" });
    }
    const telling = entry({
      grade: "C",
      steps: [{ name: "tell", kind: "person", waitsForOthers: true }],
    });
    expect(needOf({ compensations: [telling, second({ state: "failed", code: "x" })] })).toEqual({ kind: "person" });
    expect(needOf({ compensations: [telling, second({ state: "done" })] })).toEqual({ kind: "hand_over" });
    // Two that wait for the others do not wait for one another.
    expect(needOf({ compensations: [telling, second(telling)] })).toEqual({ kind: "hand_over" });
  });

  test("over only when every entry is at its end and nothing is without an answer", () => {
    const done = entry({ state: "done", stepsDone: 2 });
    const next = (parts: ViewParts) => compensationNext(view(parts), moment);
    const end = { do: "transition", intent: { event: "Compensated" }, as: "executor" };
    expect(next({ compensations: [done] })).toEqual(end);
    expect(next({ compensations: [done], operations: [forward(), undo({ state: "unknown" })] })).toEqual({
      do: "wait",
      until: null,
    });
    expect(next({ compensations: [entry({ state: "failed", code: "x" })] })).toEqual({ do: "wait", until: null });
    expect(isFinished(done)).toBe(true);
  });
});

describe("what is refused", () => {
  const id = entry().id;
  const taskId = asTaskId("t1");
  const operation = {
    ...intent({ kind: "compensate", phase: "undo", compensation: null, intentKey: undo().intentKey }),
    undoes: { compensationId: id, forwardId: forward().id },
  };
  const prepare: TaskCommand = { type: "prepare_compensation", taskId, compensationId: id, operation };
  const recorded = (more: Partial<Extract<Command, { type: "record_compensation" }>> = {}): TaskCommand => ({
    type: "record_compensation",
    taskId,
    compensationId: id,
    step: 0,
    outcome: { kind: "done", how: "already_there" },
    payload: {},
    evidenceRefs: [],
    calls: 0,
    ...more,
  });
  const codes = (command: TaskCommand, parts: ViewParts = {}, actor: typeof EXECUTOR | typeof EDITOR = EXECUTOR) => {
    const task = { ...parts.task, leaseOwner: EXECUTOR };
    const decision = decide(view({ ...parts, task }), command, contextAs(actor));
    return decision.ok ? "applied" : decision.refusal.unmet.map(({ code }) => code);
  };

  test("outside of compensating, by a person, about no entry, about another step", () => {
    for (const command of [prepare, recorded()]) {
      expect(codes(command)).toBe("applied");
      expect(codes(command, { task: { state: "publishing" } })).toEqual(["state_is"]);
      expect(codes(command, {}, EDITOR)).toEqual(["executor_required"]);
      expect(codes(command, { compensations: [] })).toEqual(["compensation_not_found"]);
    }
    expect(codes(recorded({ step: 1 }))).toEqual(["compensation_step_is"]);
  });

  test("a call while the last one is out, before its time, for what never happened, under another key", () => {
    const out = { operations: [forward(), undo({ state: "unknown" })] };
    expect(codes(prepare, out)).toEqual(["compensation_not_in_turn"]);
    expect(codes(prepare, { compensations: [entry({ attempts: 1, nextAt: NOW + 1 })] })).toEqual([
      "compensation_not_in_turn",
    ]);
    expect(codes(prepare, { operations: [forward({ state: "rejected" })] })).toEqual(["compensation_not_in_turn"]);
    const another = { ...operation, intentKey: `compensate:${PUBLISH_INTENT}:other` };
    expect(codes({ ...prepare, operation: another })).toEqual(["operation_not_found"]);
    const foreign = { ...operation, undoes: { compensationId: id, forwardId: undo().id } };
    expect(codes({ ...prepare, operation: foreign })).toEqual(["operation_not_found"]);
  });

  test("done without a confirmation, proved without a proof's turn", () => {
    expect(codes(recorded({ outcome: { kind: "done", how: "confirmed" } }))).toEqual(["compensation_not_in_turn"]);
    expect(codes(recorded({ outcome: { kind: "done", how: "proved" } }))).toEqual(["compensation_not_in_turn"]);
    const confirmed = { operations: [forward(), undo({ state: "confirmed" })] };
    expect(codes(recorded({ outcome: { kind: "done", how: "confirmed" } }), confirmed)).toBe("applied");
  });

  test("skipped although it happened; handed over although it is the program's", () => {
    expect(codes({ type: "skip_compensation", taskId, compensationId: id })).toEqual(["compensation_not_in_turn"]);
    expect(codes({ type: "hand_over_compensation", taskId, compensationId: id })).toEqual(["compensation_not_in_turn"]);
  });

  test("a fourth try: the third that fails is the last, and grade A has one", () => {
    const outcome = { kind: "try_failed", code: "x", class: null, isFinal: false, nextAt: NOW + 1 } as const;
    const stateAfter = (more: Partial<CompensationRow>) => {
      const made = view({ compensations: [entry(more)] });
      const decision = decide(made, recorded({ outcome }), contextAs(EXECUTOR));
      const write = decision.ok ? decision.plan.writes.find((row) => row.table === "compensation") : null;
      return write && "update" in write ? write.update.state : null;
    };
    expect(stateAfter({})).toBe("registered");
    expect(stateAfter({ attempts: 1 })).toBe("registered");
    expect(stateAfter({ attempts: 2 })).toBe("failed");
    expect(stateAfter({ retryMax: 1, grade: "A" })).toBe("failed");
  });

  test("a person closes what is theirs or has failed, with note and evidence; resumes what has failed", () => {
    const close = (note = "done", evidence = "link"): TaskCommand => ({
      type: "close_compensation",
      taskId,
      compensationId: id,
      note,
      evidence,
    });
    const failed = { compensations: [entry({ state: "failed", code: "x" })] };
    const byHand = { compensations: [entry({ grade: "C" })] };
    expect(codes(close(), failed, EDITOR)).toBe("applied");
    expect(codes(close(), byHand, EDITOR)).toBe("applied");
    expect(codes(close("", " "), failed, EDITOR)).toEqual(["reason_missing", "evidence_missing"]);
    expect(codes(close(), {}, EDITOR)).toEqual(["compensation_state_is"]);
    expect(codes(close(), failed, EXECUTOR)).toEqual(["person_required"]);
    expect(codes(close(), { ...byHand, operations: [forward({ state: "unknown" })] }, EDITOR)).toEqual([
      "operation_unsettled",
    ]);
    const resume: TaskCommand = { type: "resume_compensation", taskId, compensationId: id, reason: "again" };
    expect(codes(resume, failed, EDITOR)).toBe("applied");
    expect(codes(resume, {}, EDITOR)).toEqual(["compensation_state_is"]);
    expect(codes({ ...resume, reason: "" }, failed, EDITOR)).toEqual(["reason_missing"]);
    expect(codes(resume, failed, EXECUTOR)).toEqual(["person_required"]);
  });
});

test("the plan that is read is every entry with its order, its words and its steps", () => {
  const other = (more: Partial<CompensationRow>) => planHash([entry(more)]);
  const hash = planHash([entry()]);
  expect(planHash([entry()])).toBe(hash);
  // How far it is says nothing about what it is.
  expect(other({ state: "running", attempts: 2 })).toBe(hash);
  const changes: Partial<CompensationRow>[] = [
    { position: 2 },
    { action: "other" },
    { args: "{}" },
    { grade: "C" },
    { precondition: "none" },
    { steps: [] },
  ];
  for (const change of changes) expect(other(change), JSON.stringify(change)).not.toBe(hash);
  expect(planHash([entry(), entry({ position: 2 })])).toBe(planHash([entry({ position: 2 }), entry()]));
});
