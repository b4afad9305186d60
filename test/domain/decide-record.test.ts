import { describe, expect, test } from "vitest";
import type { Command } from "../../main/domain/commands";
import { decide } from "../../main/domain/decide";
import { sha256 } from "../../main/domain/hashing";
import { asTaskId } from "../../main/domain/ids";
import type { RecipientOutcome } from "../../main/domain/records";
import {
  contextAs,
  EDITOR,
  EXECUTOR,
  fakeView,
  MINUTE,
  NOW,
  operationRow,
  recipientRow,
  stepRow,
  type ViewParts,
} from "./fake-view";

const taskId = asTaskId("t1");
const run = (
  command: Parameters<typeof decide>[1],
  parts: ViewParts,
  actor: "executor:a" | "editor:lin" | "system" = EXECUTOR,
) => decide(fakeView(parts), command, contextAs(actor));
const codes = (decision: ReturnType<typeof run>) =>
  decision.ok ? [] : decision.refusal.unmet.map((missing) => missing.code);

describe("a stage's checkpoint", () => {
  const record: Extract<Command, { type: "record_step" }> = {
    type: "record_step",
    taskId,
    step: "collecting",
    checkpoint: { done: 3 },
    calls: 2,
    event: { type: "SourceFrozen", payload: { sourceId: "a" }, evidenceRefs: ["h"] },
    artifacts: [{ hash: sha256("a"), kind: "source-snapshot", bytes: 1, mediaType: "text/html", origin: null }],
  };
  const inStage = (step = stepRow("collecting", { done: 1 })): ViewParts => ({
    task: { state: "collecting", callsUsed: 5 },
    steps: [step],
  });

  test("is saved with its calls, its event and what was frozen, and moves nothing", () => {
    const decision = run(record, inStage());
    expect(decision).toMatchObject({
      ok: true,
      plan: {
        task: { callsUsed: 7 },
        events: [{ type: "SourceFrozen", toState: null, evidenceRefs: ["h"] }],
        writes: [
          { table: "artifact", insertIfNew: { taskId, hash: sha256("a"), at: NOW } },
          { table: "step", upsert: { attempts: 3, checkpoint: { done: 3 }, endedAt: null } },
        ],
      },
    });
  });
  test.each([
    ["that was never entered", { task: { state: "collecting" } }],
    ["that has ended", inStage(stepRow("collecting", {}, { endedAt: NOW }))],
    ["that the task has left", { ...inStage(), task: { state: "drafting" } }],
  ] as const)("of a stage %s is refused", (_name, parts) => {
    expect(run(record, parts)).toMatchObject({ ok: false, refusal: { result: "illegal_transition" } });
  });
});

describe("a note", () => {
  const note = (event: string): Extract<Command, { type: "note" }> => ({
    type: "note",
    taskId,
    event,
    operationId: null,
    payload: { attempt: 1 },
    context: { probeAttempts: 1 },
    calls: 1,
  });
  test.each([
    "ProbeAttempted",
    "PageVerified",
    "SourceChangeWarned",
    "EmailEdited",
    "CancelRequested",
    "CancelConfirmed",
    "CancelUnknown",
  ])("%s tells and moves nothing", (event) => {
    const decision = run(note(event), { task: { state: "publishing" } });
    expect(decision).toMatchObject({
      ok: true,
      plan: {
        task: { callsUsed: 1 },
        events: [{ type: event, fromState: null, toState: null, payload: { context: { probeAttempts: 1 } } }],
      },
    });
  });
  test.each(["Published", "RemoteConfirmed", "TaskCreated", "ContentApproved"])(
    "%s is no note: it would be a way around its own guards",
    (event) => expect(run(note(event), {})).toMatchObject({ ok: false, refusal: { result: "illegal_transition" } }),
  );
});

describe("the account of recipients (I06)", () => {
  type Account = Extract<Command, { type: "account_recipients" }>;
  const report = (...rows: (readonly [string, RecipientOutcome])[]): Account => ({
    type: "account_recipients",
    taskId,
    outcomes: rows.map(([recipientId, outcome]) => ({ recipientId, outcome, code: null, at: NOW + MINUTE })),
    nextObserveAt: NOW + MINUTE,
  });
  const mailed = operationRow({ kind: "send", state: "confirmed" });
  const parts = (...outcomes: RecipientOutcome[]): ViewParts => ({
    task: { state: "send_pending" },
    operations: [mailed],
    recipients: outcomes.map((outcome, index) => recipientRow(`r${index}`, { outcome })),
  });
  const accountAfter = (
    before: RecipientOutcome,
    outcome: RecipientOutcome,
    actor: typeof EXECUTOR | typeof EDITOR = EXECUTOR,
  ) => {
    const decision = run({ ...report(["r0", outcome]), evidence: "call with the provider" }, parts(before), actor);
    if (!decision.ok) return codes(decision).join();
    const write = decision.plan.writes.find((row) => row.table === "recipient_account");
    return write && "upsert" in write && "outcome" in write.upsert ? write.upsert.outcome : before;
  };

  const ORDER: RecipientOutcome[] = ["unknown", "accepted", "closed_by_person", "delivered", "bounced", "complained"];
  const pairs = ORDER.flatMap((before) => ORDER.slice(1).map((reported) => [before, reported] as const));
  test.each(pairs)("only ever moves up: %s, then %s", (before, reported) => {
    const actor = reported === "closed_by_person" ? EDITOR : EXECUTOR;
    const higher = ORDER.indexOf(reported) > ORDER.indexOf(before) ? reported : before;
    expect(accountAfter(before, reported, actor)).toBe(higher);
  });

  test("excluded stays excluded, and nobody is excluded or made unknown by a report", () => {
    expect(accountAfter("excluded", "delivered")).toBe("excluded");
    expect(accountAfter("delivered", "excluded")).toBe("delivered");
    expect(accountAfter("delivered", "unknown")).toBe("delivered");
  });

  test("is told as counts, never as who", () => {
    const decision = run(report(["r0", "delivered"], ["r1", "bounced"]), parts("unknown", "accepted", "unknown"));
    if (!decision.ok) throw new Error("refused");
    expect(decision.plan.events).toMatchObject([
      {
        type: "DeliveryObserved",
        payload: {
          changed: 2,
          counts: { delivered: 1, bounced: 1, unknown: 1 },
          context: { nextObserveAt: NOW + MINUTE },
        },
      },
    ]);
  });

  test("the same report again changes nothing", () => {
    const decision = run(report(["r0", "delivered"]), parts("delivered"));
    expect(decision).toMatchObject({ ok: true, plan: { writes: [], events: [{ payload: { changed: 0 } }] } });
  });

  test.each(["bounced", "complained"] as const)(
    "%s goes to customer care once, with an owner and a due time",
    (outcome) => {
      const decision = run(report(["r0", outcome]), parts("accepted"));
      expect(decision).toMatchObject({
        ok: true,
        plan: {
          writes: [
            {},
            {
              table: "recovery_item",
              insertIfNew: {
                kind: "customer_care",
                owner: "editor",
                subject: `${outcome}:r0`,
                dueAt: NOW + 86_400_000,
              },
            },
          ],
        },
      });
    },
  );

  test("strangers are named, and the whole report is refused", () => {
    expect(codes(run(report(["r0", "delivered"], ["x1", "delivered"], ["x2", "bounced"]), parts("unknown")))).toEqual([
      "recipient_not_found",
      "recipient_not_found",
    ]);
  });

  test("nothing can have become of a mailing that has not left", () => {
    const before = {
      ...parts("unknown"),
      operations: [operationRow({ state: "confirmed" }), operationRow({ kind: "send" })],
    };
    expect(codes(run(report(["r0", "delivered"]), before))).toEqual(["nothing_is_out"]);
    expect(codes(run(report(), before))).toEqual([]);
  });

  test("closing by a person needs a person and evidence", () => {
    expect(accountAfter("accepted", "closed_by_person", EXECUTOR)).toBe("person_required");
    expect(codes(run(report(["r0", "closed_by_person"]), parts("accepted"), EDITOR))).toEqual(["evidence_missing"]);
  });

  test("is still taken when the task has ended, from whoever needs no lease", () => {
    const ended = { ...parts("delivered"), task: { state: "succeeded", leaseOwner: null, leaseExpiresAt: null } };
    const decision = run(report(["r0", "complained"]), ended, "system");
    expect(decision).toMatchObject({
      ok: true,
      plan: { task: {}, writes: [{ upsert: { outcome: "complained" } }, {}] },
    });
  });
});

test("a person's evidence is the event's reason", () => {
  const decision = run(
    {
      type: "account_recipients",
      taskId,
      outcomes: [{ recipientId: "r0", outcome: "closed_by_person", code: null, at: NOW }],
      nextObserveAt: null,
      evidence: "accepted, no report expected",
    },
    {
      operations: [operationRow({ kind: "send", state: "confirmed" })],
      recipients: [recipientRow("r0", { outcome: "accepted" })],
    },
    EDITOR,
  );
  expect(decision).toMatchObject({ ok: true, plan: { events: [{ reason: "accepted, no report expected" }] } });
});
