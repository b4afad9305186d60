import { describe, expect, test } from "vitest";
import type { OperationIntent } from "../../main/domain/commands";
import { MAX_STACK_DEPTH } from "../../main/domain/compensation";
import { prepareOperations } from "../../main/domain/decide/prepare-operations";
import { asCompensationId, asTaskId } from "../../main/domain/ids";
import { intentHashOf, operationIdOf } from "../../main/domain/keys";
import type { OperationRow } from "../../main/domain/records";
import {
  compensationRow,
  contextAs,
  EXECUTOR,
  fakeView,
  NOW,
  operationRow,
  otherHash,
  TASK_KEY,
  TOKEN,
  type ViewParts,
} from "./fake-view";
import { intent, sendIntent } from "./furnish";

// Putting intents into the journal: one per key, each after its undo, one create per place (I03, I07).

const prepare = (intents: readonly OperationIntent[], parts: ViewParts = {}) =>
  prepareOperations(fakeView({ task: { context: {} }, ...parts }), intents, contextAs(EXECUTOR));
const codes = (made: ReturnType<typeof prepare>) => (made.ok ? [] : made.refusal.unmet.map((missing) => missing.code));
const inserted = (made: ReturnType<typeof prepare>) =>
  made.ok
    ? made.writes.flatMap((write) => (write.table === "operation" && "insert" in write ? [write.insert] : []))
    : [];
const mailing = [sendIntent(), sendIntent({ phase: "trigger", after: 0, automatic: true })];

test("an intent becomes a prepared operation, and its undo is on the stack before it", () => {
  const made = prepare([intent()]);
  if (!made.ok) throw new Error(codes(made).join());
  expect(made.writes.map((write) => write.table)).toEqual(["compensation", "operation"]);
  expect(made.events.map((event) => event.type)).toEqual(["CompensationRegistered", "OperationPrepared"]);
  const [row] = inserted(made);
  expect(row).toMatchObject({
    state: "prepared",
    settled: false,
    preparedToken: TOKEN,
    preparedAt: NOW,
    slot: `publish:${TASK_KEY}`,
    requestBytesHash: null,
  });
  expect(row?.compensationId).not.toBeNull();
  expect(row?.id).toBe(operationIdOf(row?.operationKey ?? ""));
  const { kind, adapter, target, slot, phase, recipientId, hashes } = intent();
  expect(row?.intentHash).toBe(intentHashOf({ kind, adapter, target, slot, phase, recipientId, hashes }));
});

test("a mailing is a campaign and its start, in their order, each with its own undo", () => {
  const [create, trigger] = inserted(prepare(mailing));
  expect(trigger?.afterId).toBe(create?.id);
  expect(create?.afterId).toBeNull();
  expect(trigger?.automatic).toBe(true);
  expect(trigger?.compensationId).not.toBe(create?.compensationId);
});

test("children share their parent's undo", () => {
  const child = sendIntent({ phase: "deliver", recipientId: "r1", slot: `send:${TASK_KEY}:r1`, compensation: null });
  const [parent, first] = inserted(prepare([sendIntent(), child]));
  expect(first?.compensationId).toBe(parent?.compensationId);
});

test("no forward write without an undo; an undo needs none", () => {
  expect(codes(prepare([intent({ compensation: null })]))).toEqual(["compensation_missing"]);
  const undo = intent({
    kind: "compensate",
    phase: "undo",
    intentKey: "compensate:x:down",
    slot: "undo:x",
    compensation: null,
  });
  const [row] = inserted(prepare([undo]));
  expect(row?.compensationId).toBeNull();
});

test("the stack is not deeper than a person can follow", () => {
  const full = Array.from({ length: MAX_STACK_DEPTH }, (_, index) =>
    compensationRow({ id: asCompensationId(`cp-${index}`), position: index + 1 }),
  );
  expect(codes(prepare([intent()], { compensations: full.slice(1) }))).toEqual([]);
  expect(codes(prepare([intent()], { compensations: full }))).toEqual(["stack_too_deep"]);
});

describe("the same key again", () => {
  const standing = (state: OperationRow["state"], more: Partial<OperationRow> = {}) => {
    const [row] = inserted(prepare([intent()]));
    return { ...(row as OperationRow), state, compensationId: asCompensationId("cp-first"), ...more };
  };

  test.each(["rejected", "cancelled"] as const)(
    "%s: prepared anew under a fresh guard, with the undo it has",
    (state) => {
      const before = standing(state, { settled: true, looksUsed: 5, preparedAt: NOW - 9, preparedToken: 1 });
      const made = prepare([intent()], { operations: [before] });
      expect(made).toMatchObject({
        ok: true,
        events: [{ type: "OperationPrepared", payload: { again: true } }],
        writes: [
          {
            table: "operation",
            was: state,
            update: {
              id: before.id,
              state: "prepared",
              settled: false,
              preparedAt: NOW,
              preparedToken: TOKEN,
              looksUsed: 0,
              nextLookAt: null,
            },
          },
        ],
      });
    },
  );

  test("proven absent: it stands ready as it is, and takes nobody's approval for a second one", () => {
    const made = prepare([intent()], { operations: [standing("not_found", { settled: true })] });
    expect(made).toEqual({ ok: true, events: [], writes: [] });
  });

  test.each(["prepared", "request_sent", "unknown", "confirmed", "not_found", "conflict", "locked"] as const)(
    "%s: refused, the place is taken",
    (state) => {
      const settled = state === "confirmed";
      expect(codes(prepare([intent()], { operations: [standing(state, { settled })] }))).toContain("slot_taken");
    },
  );

  test("with other parameters is an IntentMismatch of which both hashes are kept (E2)", () => {
    const before = standing("cancelled", { settled: true });
    const made = prepare([intent({ target: "http://elsewhere" })], { operations: [before] });
    if (made.ok) throw new Error("not refused");
    expect(made.refusal.result).toBe("intent_mismatch");
    const [kept] = made.refusal.keep ?? [];
    expect(kept).toMatchObject({
      table: "intent_conflict",
      insertIfNew: { operationKey: before.operationKey, keptIntentHash: before.intentHash, actor: EXECUTOR },
    });
    const row = kept && "insertIfNew" in kept ? (kept.insertIfNew as { refusedIntentHash?: string }) : {};
    expect(row.refusedIntentHash).not.toBe(before.intentHash);
  });

  test("is a mismatch even while it is out: the key is never lent to something else (A7)", () => {
    const made = prepare([intent({ target: "http://elsewhere" })], { operations: [standing("unknown")] });
    expect(made).toMatchObject({ ok: false, refusal: { result: "intent_mismatch" } });
  });
});

describe("a place on the remote", () => {
  const other = (state: OperationRow["state"], more: Partial<OperationRow> = {}) =>
    operationRow({ intentKey: `publish:${TASK_KEY}:v1:${otherHash("content")}`, state, ...more });

  test.each(["prepared", "request_sent", "unknown", "conflict", "locked"] as const)(
    "with a create that is %s takes no second one: the slot stays taken while unsettled (A7)",
    (state) => expect(codes(prepare([intent()], { operations: [other(state)] }))).toEqual(["slot_taken"]),
  );
  test("that holds an object takes updates of it and no create", () => {
    const holds = { operations: [other("confirmed", { settled: true })] };
    expect(codes(prepare([intent()], holds))).toEqual(["slot_has_object"]);
    expect(codes(prepare([intent({ phase: "update" })], holds))).toEqual([]);
  });
  test.each(["rejected", "cancelled"] as const)("is free again when the other was %s", (state) => {
    expect(codes(prepare([intent()], { operations: [other(state, { settled: true })] }))).toEqual([]);
  });
  test("is free when the other's absence is proven", () => {
    expect(codes(prepare([intent()], { operations: [other("not_found", { settled: true })] }))).toEqual([]);
    expect(codes(prepare([intent()], { operations: [other("not_found", { settled: false })] }))).toEqual([
      "slot_taken",
    ]);
  });
  test("is one for all versions of an edition", () => {
    const strangers = [other("unknown", { taskId: asTaskId("t0") })];
    expect(codes(prepare([intent()], { strangers }))).toEqual(["slot_taken"]);
  });
  test("of one recipient is not another's", () => {
    const one = operationRow({
      kind: "send",
      phase: "deliver",
      recipientId: "r1",
      slot: `send:${TASK_KEY}:r1`,
      state: "confirmed",
      settled: true,
    });
    const deliver = (id: string) => sendIntent({ phase: "deliver", recipientId: id, slot: `send:${TASK_KEY}:${id}` });
    expect(codes(prepare([deliver("r2")], { operations: [one] }))).toEqual([]);
    const anew = { ...deliver("r1"), intentKey: "send:other" };
    expect(codes(prepare([anew], { operations: [one] }))).toEqual(["slot_has_object"]);
  });
});

test("a list is prepared whole or not at all, and says everything that is wrong", () => {
  const operations = [
    operationRow({ intentKey: "publish:old", state: "unknown" }),
    operationRow({ kind: "send", intentKey: "send:old", state: "confirmed", settled: true }),
  ];
  const made = prepare([intent(), ...mailing], { operations });
  expect(made.ok).toBe(false);
  expect(codes(made)).toEqual(["slot_taken", "slot_has_object"]);
});
