import { expect, test } from "vitest";
import { openBreakers } from "../../db/breakers";
import { Journal } from "../../db/journal";
import { loadJournal } from "../../db/load-journal";
import { sandboxErrors } from "../../main/adapters/sandbox-protocol";
import { membershipSandboxManifest } from "../../main/adapters/services/membership";
import type { OperationIntent } from "../../main/domain/commands";
import { planHash } from "../../main/domain/compensation";
import type { CompensationStep } from "../../main/domain/compensation-step";
import { definitionHash, type PipelineDefinition } from "../../main/domain/definition";
import { HASH_RULE_VERSION } from "../../main/domain/hash-rule";
import { sha256 } from "../../main/domain/hashing";
import type { TaskId } from "../../main/domain/ids";
import { checkInvariants } from "../../main/domain/invariants";
import { effectIntentKey } from "../../main/domain/keys";
import { operationAction } from "../../main/domain/next-action";
import type { OutgoingRequest, WriteAdapter, WriteAnswer } from "../../main/domain/ports";
import { Breaker } from "../../main/engine/breaker";
import { Executor } from "../../main/engine/executor";
import type { PipelineRuntime } from "../../main/engine/runtime";
import { NOTHING_BOUND, undoIntent } from "../../main/engine/undo-look";
import { membershipDefinition } from "../../main/pipeline/membership-cancellation/definition";
import { EDITOR, World } from "../support/world";
import { manualClock, noCrash } from "./compensator-world";

/** A pipeline of three writes, the middle one undone in four calls: what an engine that knows no pipeline is tried on. */
const definition: PipelineDefinition = { ...membershipDefinition, name: "three-writes" };
const call = (name: string): CompensationStep => ({ name, kind: "call" });
const WRITES: Readonly<Record<string, CompensationStep[]>> = {
  first: [call("undo-first")],
  middle: [call("one"), call("two"), call("three"), call("four")],
  last: [call("undo-last"), { name: "seen", kind: "proof" }],
};
const REFUSED: WriteAnswer = {
  kind: "rejected",
  error: { phase: "after_send", code: "http_410", httpStatus: 410, reference: null, retryAfterMs: null },
};

class ThreeWrites {
  readonly world = new World();
  readonly clock = manualClock(this.world);
  /** What reached the remote, in order: names of writes and of undo steps. */
  readonly received: string[] = [];
  readonly failing = new Set<string>();
  readonly taskId: TaskId;
  private readonly journal = new Journal({
    sqlite: this.world.database.sqlite,
    definitions: [definition],
    crash: noCrash,
    now: () => this.world.now,
  });

  private readonly adapter: WriteAdapter = {
    manifest: { ...membershipSandboxManifest, errors: sandboxErrors },
    send: async (request) => this.receive(request),
    look: async () => ({ kind: "seen", able: true, objects: [], query: "none" }),
  };

  constructor() {
    const created = this.journal.execute(
      {
        type: "create_task",
        ...{ taskKey: "three-writes:x:zh", taskVersion: 1, pipeline: definition.name, edition: "x", language: "zh" },
        definitionHash: definitionHash(definition),
        deadlineAt: this.world.now + 3_600_000,
        zone: "UTC",
        supersedesTaskId: null,
      },
      this.as(EDITOR),
    );
    if (created.result !== "applied" || created.taskId === null) throw new Error(JSON.stringify(created));
    this.taskId = created.taskId;
  }

  private as(actor: typeof EDITOR) {
    return { actor, now: this.world.now, trusted: this.world.trusted() };
  }

  private receive({ operationKey, phase }: OutgoingRequest): WriteAnswer {
    const parts = operationKey.split(":");
    const name = parts[parts.length - 2] ?? "";
    this.received.push(name);
    if (this.failing.has(name)) return REFUSED;
    const observed = null;
    return { kind: "confirmed", remoteId: `${phase}-${name}`, url: null, observed, httpStatus: 200 };
  }

  private intents(): OperationIntent[] {
    return Object.entries(WRITES).map(([name, steps], index) => ({
      intentKey: effectIntentKey("three-writes:x:zh", 1, name),
      kind: "effect",
      phase: "update",
      adapter: "memory",
      target: "memory://remote",
      slot: `effect:three-writes:x:zh:${name}`,
      recipientId: null,
      hashes: NOTHING_BOUND,
      hashRuleVersion: HASH_RULE_VERSION,
      after: index === 0 ? null : index - 1,
      automatic: true,
      compensation: {
        ...{ service: "memory", action: `take back ${name}`, args: { targetState: "absent" }, grade: "B", steps },
        ...{ precondition: "there", owner: "somebody", verification: "looked at", timeoutMs: 1_000 },
      },
    }));
  }

  private runtime(): PipelineRuntime {
    return {
      next: (view, moment) => {
        if (view.task.state === "created")
          return {
            do: "transition",
            intent: { event: "CancellationStarted", operations: this.intents() },
            as: "executor",
          };
        const writes = view.operations().filter((row) => row.kind === "effect");
        const action = operationAction(view, writes, moment, "CompensationStarted", () => this.adapter.manifest);
        return action ?? { do: "wait", until: null };
      },
      works: {},
      prepareRequest: async (_view, operation) => {
        const bytes = new TextEncoder().encode(operation.operationKey);
        return { kind: "ready", bytes, bytesHash: sha256(bytes), recomputed: NOTHING_BOUND, remoteId: null };
      },
      onRefused: () => null,
      createKeyOf: (_view, operation) => operation.operationKey,
      undo: {
        ask: async (view, entry) => {
          const forward = view
            .operations()
            .find((row) => row.compensationId === entry.id && row.kind === "effect" && row.state === "confirmed");
          if (!forward) throw new Error("nothing to undo");
          return {
            kind: "holds",
            seen: {},
            forwardId: forward.id,
            intent: undoIntent(view, entry, forward),
            requestFor: (operation) => {
              const bytes = new TextEncoder().encode(operation.operationKey);
              return { kind: "ready", bytes, bytesHash: sha256(bytes), recomputed: NOTHING_BOUND, remoteId: null };
            },
          };
        },
        prove: async () => ({ kind: "proved", seen: {}, artifacts: [], evidenceRefs: [], calls: 1 }),
      },
    };
  }

  async drive(): Promise<void> {
    const runtime = this.runtime();
    const executor = new Executor({
      journal: this.journal,
      clock: this.clock,
      random: { next: () => 0.5, bytes: (count) => new Uint8Array(count) },
      trusted: { read: () => this.world.trusted() },
      crash: noCrash,
      breaker: new Breaker(openBreakers(this.world.database.sqlite)),
      executorId: `x${this.world.now}`,
      pipelineOf: () => runtime,
      adapterOf: () => this.adapter,
    });
    for (let pass = 0; pass < 100; pass += 1) {
      const dueAt = await executor.runOnce();
      if (dueAt === null) return executor.releaseAll();
      this.world.now = Math.max(dueAt, this.world.now + 1);
    }
  }

  view() {
    const view = this.journal.reader.view(this.taskId);
    if (!view) throw new Error("no task");
    return view;
  }

  entry(name: string) {
    const found = this.view()
      .compensations()
      .find((row) => row.action === `take back ${name}`);
    if (!found) throw new Error(name);
    return found;
  }

  start(): void {
    const payload = { planHash: planHash(this.view().compensations()) };
    this.must({ type: "transition", taskId: this.taskId, event: "CompensationStarted", reason: "x", payload });
  }

  must(command: Parameters<Journal["execute"]>[0]): void {
    const { stateVersion: expectedVersion } = this.view().task;
    const answer = this.journal.execute(command, { ...this.as(EDITOR), expectedVersion });
    if (answer.result !== "applied") throw new Error(JSON.stringify(answer));
  }

  violations(): string[] {
    return checkInvariants(loadJournal(this.world.database.sqlite)).map(({ detail }) => detail);
  }
}

test("S47 the third step of an entry fails: it stays open there, the others go on, and it is resumed at that step", async () => {
  const run = new ThreeWrites();
  await run.drive();
  expect(run.received).toEqual(["first", "middle", "last"]);
  run.start();
  run.failing.add("three");
  run.received.length = 0;
  await run.drive();
  // From the top; the third step of the middle one three times, its fourth not at all; then the bottom one.
  expect(run.received).toEqual(["undo-last", "one", "two", "three", "three", "three", "undo-first"]);
  expect(run.entry("last").state).toBe("done");
  expect(run.entry("middle")).toMatchObject({ state: "failed", stepsDone: 2, attempts: 3, code: "http_410" });
  expect(run.entry("first").state).toBe("done");
  expect(run.view().task.state).toBe("compensating");
  run.failing.clear();
  run.received.length = 0;
  run.must({
    type: "resume_compensation",
    taskId: run.taskId,
    compensationId: run.entry("middle").id,
    reason: "it is back",
  });
  await run.drive();
  expect(run.received).toEqual(["three", "four"]);
  expect(run.view().task.state).toBe("compensated");
  expect(run.violations()).toEqual([]);
});

test("every step is an operation of its own, named after what it undoes and what it does", async () => {
  const run = new ThreeWrites();
  await run.drive();
  run.start();
  await run.drive();
  const forward = run
    .view()
    .operations()
    .find((row) => row.intentKey.endsWith(":middle"));
  const undo = run
    .view()
    .operations()
    .filter((row) => row.kind === "compensate" && row.compensationId === run.entry("middle").id);
  expect(undo.map((row) => row.operationKey)).toEqual(
    ["one", "two", "three", "four"].map((step) => `compensate:${forward?.operationKey}:${step}:undo`),
  );
  expect(new Set(undo.map((row) => row.id)).size).toBe(4);
  expect(run.violations()).toEqual([]);
});

test("the step that always fails, resumed again and again, is tried three times each time and done by nobody else", async () => {
  const run = new ThreeWrites();
  await run.drive();
  run.start();
  run.failing.add("undo-last");
  await run.drive();
  for (let time = 0; time < 2; time += 1) {
    run.must({
      type: "resume_compensation",
      taskId: run.taskId,
      compensationId: run.entry("last").id,
      reason: "once more",
    });
    await run.drive();
  }
  expect(run.received.filter((name) => name === "undo-last")).toHaveLength(9);
  const items = run.world.database.sqlite
    .prepare<[], { owner: string; kind: string }>("SELECT owner, kind FROM recovery_item")
    .all();
  // Each failing is a matter of its own, with its owner.
  expect(items).toEqual(Array.from({ length: 3 }, () => ({ owner: "somebody", kind: "compensation_failed" })));
  run.must({
    type: "close_compensation",
    taskId: run.taskId,
    compensationId: run.entry("last").id,
    note: "done by hand",
    evidence: "https://desk.example/1",
  });
  await run.drive();
  expect(run.view().task.state).toBe("compensated");
  expect(run.violations()).toEqual([]);
});
