import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { loadJournal } from "../../db/load-journal";
import type { Actor, Command, CommandContext, ComparedObject } from "../../main/domain/commands";
import { planHash } from "../../main/domain/compensation";
import { decide, type TaskCommand } from "../../main/domain/decide";
import { sha256 } from "../../main/domain/hashing";
import { checkInvariants } from "../../main/domain/invariants";
import { holdsLease } from "../../main/domain/lease";
import type { LookVerdict, OperationRow } from "../../main/domain/records";
import { compareWithReplay } from "../../main/domain/replay";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { approvalTerms, audience, intent, sendIntent } from "../domain/furnish";
import { testJournal } from "./journal-file";
import { createCommand, JournalWalk, markSent, STEP_NAMES, type StepName, stepCommand } from "./journal-walk";

// Any command, by anybody, at any time, with honest and with wrong particulars: the handler answers with a value. Where the
// database had to refuse what the handler allowed, a guard is missing; that would be thrown, and found here.

/** More stories, and others, by hand: `FUZZ_RUNS=2000 FUZZ_SEED=7`. */
const RUNS = Number(process.env["FUZZ_RUNS"] ?? 80);
const SEED = Number(process.env["FUZZ_SEED"] ?? 20_260_720);

type Move = (walk: JournalWalk) => readonly [Actor, Command] | null;

const transition = (walk: JournalWalk, event: string, more: object = {}): Command => ({
  type: "transition",
  taskId: walk.view.task.id,
  event,
  ...more,
});

const operationOf = (walk: JournalWalk, n: number): OperationRow | null => {
  const operations = walk.view.operations();
  return operations.length === 0 ? null : (operations[n % operations.length] as OperationRow);
};

const step =
  (name: StepName): Move =>
  (walk) =>
    stepCommand(walk, name);

const REASONS = Object.keys(briefingDefinition.blocked);
const EVENTS = [...new Set(briefingDefinition.transitions.map((rule) => rule.event))].filter(
  // Closed is closed: it has a move of its own, so that not every story ends with it.
  (event) => event !== "ClosedProtectively",
);
const OUTCOMES = ["confirmed", "rejected", "not_sent", "unknown"] as const;
const VERDICTS: LookVerdict[] = ["confirmed", "absent_yet", "not_found", "conflict", "duplicate", "failed", "locked"];
const object: ComparedObject = {
  remoteId: "18427",
  url: null,
  state: "published",
  keyEqual: true,
  intentEqual: true,
  contentEqual: true,
  taskEqual: true,
};

const moves = fc.oneof(
  { weight: 12, arbitrary: fc.constantFrom(...STEP_NAMES).map(step) },
  // The next step of an honest edition, so that the far states are reached at all.
  { weight: 14, arbitrary: fc.constant<Move>((walk) => honest(walk)) },
  {
    weight: 3,
    arbitrary: fc.record({ event: fc.constantFrom(...EVENTS), reason: fc.constantFrom(...REASONS) }).map(
      ({ event, reason }): Move =>
        (walk) => [
          walk.executor,
          transition(walk, event, { blockedReason: reason, reason: "because", retryAt: walk.now + 60_000 }),
        ],
    ),
  },
  {
    weight: 3,
    arbitrary: fc.record({ event: fc.constantFrom(...EVENTS), isBare: fc.boolean() }).map(
      ({ event, isBare }): Move =>
        (walk) => [
          "editor:lin",
          transition(
            walk,
            event,
            isBare
              ? {}
              : {
                  reason: "because",
                  audience,
                  context: { editedDraftHash: "e" },
                  payload: {
                    approvalId: walk.view.approvals().at(-1)?.id,
                    planHash: planHash(walk.view.compensations()),
                  },
                },
          ),
        ],
    ),
  },
  {
    weight: 4,
    arbitrary: fc.record({ way: fc.nat(), isRich: fc.boolean(), isLate: fc.boolean() }).map(
      ({ way, isRich, isLate }): Move =>
        (walk) => {
          const { task } = walk.view;
          const ways = briefingDefinition.blocked[task.blockedReason ?? ""]?.waysOut ?? [];
          const chosen = ways[way % Math.max(1, ways.length)]?.to ?? "publishing";
          const to = chosen === "@resume" ? (task.resumeState ?? "publishing") : chosen;
          const operations =
            to === "sending" ? [sendIntent(), sendIntent({ phase: "trigger", after: 0, automatic: true })] : [intent()];
          return [
            "editor:lin",
            transition(walk, "Unblocked", {
              wayOut: { to, evidence: "seen", ...(isLate ? { newDeadlineAt: walk.now + 90_000_000 } : {}) },
              context: { editedDraftHash: "e" },
              ...(isRich ? { operations } : {}),
            }),
          ];
        },
    ),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({ n: fc.nat(9), outcome: fc.constantFrom(...OUTCOMES), remoteId: fc.constantFrom("18427", null) })
      .map(
        ({ n, outcome, remoteId }): Move =>
          (walk) => {
            const operation = operationOf(walk, n);
            return operation === null
              ? null
              : [
                  walk.executor,
                  {
                    type: "record_answer",
                    taskId: walk.view.task.id,
                    operationId: operation.id,
                    attempt: walk.view.attempts(operation.id).length,
                    outcome,
                    remoteId,
                    url: null,
                    error: null,
                    firstLookAt: walk.now + 2_000,
                  },
                ];
          },
      ),
  },
  {
    weight: 5,
    arbitrary: fc
      .record({ n: fc.nat(9), verdict: fc.constantFrom(...VERDICTS), isPerson: fc.boolean(), past: fc.boolean() })
      .map(
        ({ n, verdict, isPerson, past }): Move =>
          (walk) => {
            const operation = operationOf(walk, n);
            return operation === null
              ? null
              : [
                  isPerson ? "editor:lin" : walk.executor,
                  {
                    type: "record_look",
                    taskId: walk.view.task.id,
                    operationId: operation.id,
                    query: "q",
                    able: verdict !== "failed",
                    verdict,
                    objects: verdict === "confirmed" ? [object] : verdict === "duplicate" ? [object, object] : [],
                    chosen: verdict === "confirmed" ? { remoteId: "18427", url: null } : null,
                    rawCode: null,
                    nextLookAt: walk.now + 5_000,
                    pastHorizon: past,
                    look: operation.looksUsed + 1,
                  },
                ];
          },
      ),
  },
  {
    weight: 3,
    arbitrary: fc
      .record({
        n: fc.nat(9),
        verdict: fc.constantFrom("happened" as const, "did_not_happen" as const, "cannot_tell" as const),
      })
      .map(
        ({ n, verdict }): Move =>
          (walk) => {
            const operation = operationOf(walk, n);
            return operation === null
              ? null
              : [
                  "editor:lin",
                  {
                    type: "give_verdict",
                    taskId: walk.view.task.id,
                    operationId: operation.id,
                    verdict,
                    remoteId: verdict === "happened" ? "18427" : null,
                    evidence: "seen",
                  },
                ];
          },
      ),
  },
  {
    weight: 4,
    arbitrary: fc.record({ n: fc.nat(9), isOther: fc.boolean() }).map(
      ({ n, isOther }): Move =>
        (walk) => {
          const operation = operationOf(walk, n);
          if (operation === null) return null;
          const command = markSent(walk, operation);
          return [walk.executor, isOther ? { ...command, requestBytesHash: sha256("other bytes") } : command];
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.nat(9).map(
      (n): Move =>
        (walk) => {
          const operation = operationOf(walk, n);
          return operation === null
            ? null
            : [
                "system",
                {
                  type: "keep_late_answer",
                  taskId: walk.view.task.id,
                  operationId: operation.id,
                  oldToken: 1,
                  outcome: "confirmed",
                  remoteId: "18428",
                },
              ];
        },
    ),
  },
  {
    weight: 2,
    arbitrary: fc.constant<Move>((walk) => [
      "editor:lin",
      {
        type: "revoke_approval",
        taskId: walk.view.task.id,
        approvalId: walk.view.approvals().at(-1)?.id ?? "ap-none",
        reason: "wrong",
      },
    ]),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom<Actor>("executor:a", "executor:b").map(
      (actor): Move =>
        (walk) => [actor, { type: "claim_lease", taskId: walk.view.task.id }],
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Command["type"]>("release_lease", "heartbeat").map(
      (type): Move =>
        (walk) => [walk.executor, { type, taskId: walk.view.task.id } as Command],
    ),
  },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom<Command>(
        { type: "raise_epoch", reason: "restored" },
        { type: "settle_epoch" },
        { type: "suppress_recipient", recipientId: "r1", reason: "unsubscribed" },
      )
      .map(
        (command): Move =>
          () => ["system", command],
      ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Move>((walk) => [
      "editor:lin",
      transition(walk, "ClosedProtectively", { reason: "holiday" }),
    ]),
  },
  {
    weight: 1,
    arbitrary: fc.constant<Move>((walk) => {
      const { task } = walk.view;
      return ["editor:lin", { ...createCommand, taskVersion: task.taskVersion + 1, supersedesTaskId: task.id }];
    }),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom("publish" as const, "send" as const).map(
      (scope): Move =>
        (walk) => [
          "editor:lin",
          transition(walk, scope === "publish" ? "ContentApproved" : "SendApproved", {
            approval: approvalTerms(scope),
          }),
        ],
    ),
  },
);

/** Steps that say the same again and again would be all that an honest story ever tells. */
const REPEATABLE: readonly StepName[] = [
  "create",
  "claim",
  "claimToPublish",
  "claimToSend",
  "claimToObserve",
  "sources",
  "probe",
  "account",
];

/** What an honest executor or editor would do next, claiming the lease first where it has run out. */
function honest(walk: JournalWalk): readonly [Actor, Command] | null {
  const { task } = walk.view;
  for (const name of [
    ...STEP_NAMES.filter((step) => !REPEATABLE.includes(step)),
    "sources",
    "probe",
    "account",
  ] as StepName[]) {
    const made = stepCommand(walk, name);
    if (made === null) continue;
    const [actor] = made;
    const isExecutors = actor.startsWith("executor:");
    const view = isExecutors
      ? { ...walk.view, task: { ...task, leaseOwner: actor, leaseExpiresAt: walk.now + 60_000 } }
      : walk.view;
    if (!decide(view, made[1] as TaskCommand, walk.context(actor)).ok) continue;
    const claim = { type: "claim_lease" as const, taskId: task.id };
    return isExecutors && !holdsLease(task, actor, task.fencingToken, walk.now + 1_000) ? [actor, claim] : made;
  }
  return null;
}

const waits = fc.oneof(
  { weight: 20, arbitrary: fc.constantFrom(0, 0, 1_000, 5_000, 20_000) },
  { weight: 3, arbitrary: fc.constantFrom(60_000, 100_000) },
  { weight: 1, arbitrary: fc.constantFrom(3_600_000, 26 * 3_600_000) },
);
const whims = fc.record({
  move: moves,
  waitMs: waits,
  /** Now and then the wrong version or token. */
  standing: fc.constantFrom<Partial<CommandContext>>({}, {}, {}, {}, {}, { expectedVersion: 1 }, { fencingToken: 1 }),
  trusted: fc.constantFrom(true, true, true, true, false),
});

type Whim = typeof whims extends fc.Arbitrary<infer T> ? T : never;

function follow(walk: JournalWalk, { move, waitMs, standing, trusted }: Whim, tell: (line: string) => void): void {
  walk.now += waitMs;
  const made = move(walk);
  if (made === null) return;
  const [actor, command] = made;
  const more = trusted ? standing : { ...standing, trusted: { at: walk.now, trusted: false, source: "wall" } };
  const name = "event" in command ? `${command.type} ${JSON.stringify(command.event)}` : command.type;
  tell(`${walk.state}: ${name} by ${actor}, after ${waitMs} ms, with ${JSON.stringify(more)}`);
  const answer = walk.try(actor, command, more);
  const why = "unmet" in answer ? answer.unmet.map((missing) => missing.code).join() : "";
  tell(`  ${answer.result} ${why}`);
  expect(answer.result).not.toBe("unavailable");
}

/** The story as it was told, and how to hear it again. */
function report<T>(run: fc.RunDetails<T>): void {
  if (!run.failed) return;
  const { seed, counterexamplePath, errorInstance } = run;
  throw new Error(`seed ${seed}, path ${counterexamplePath}\n${(errorInstance as Error).message}`);
}

describe("whatever comes, in whatever order", () => {
  test("is answered with a value, and leaves a journal that keeps its promises", () => {
    const reached = new Set<string>();
    fc.assert(
      fc.property(fc.constantFrom(...STEP_NAMES), fc.array(whims, { minLength: 20, maxLength: 70 }), (start, story) => {
        const file = testJournal({ definitions: [briefingDefinition] });
        const walk = new JournalWalk(file.journal);
        walk.deadlineAt = walk.now + 60 * 3_600_000;
        walk.through(start);
        const told: string[] = [`through ${start}`];
        const tell = (line: string) => told.push(`${told.length}. ${line}`);
        try {
          for (const whim of story) follow(walk, whim, tell);
        } catch (error) {
          throw new Error(`${(error as Error).message}\n${told.join("\n")}`);
        }
        for (const event of loadJournal(file.sqlite).events) if (event.toState !== null) reached.add(event.toState);
        const snapshot = loadJournal(file.sqlite);
        expect(checkInvariants(snapshot), told.join("\n")).toEqual([]);
        for (const task of snapshot.tasks) {
          const operations = snapshot.operations.filter((row) => row.taskId === task.id);
          const events = snapshot.events.filter((row) => row.taskId === task.id);
          expect(compareWithReplay(task, operations, events)).toEqual([]);
        }
        file.close();
      }),
      { numRuns: RUNS, seed: SEED, reporter: (run) => report(run) },
    );
    // The stories are worth something only if they go far.
    for (const state of [
      "publishing",
      "awaiting_send_approval",
      "sending",
      "blocked",
      "closed",
      "retry_wait",
      "compensating",
      "succeeded",
    ])
      expect([...reached]).toContain(state);
  }, 900_000);
});
