import { describe, expect, test } from "vitest";
import type { Actor, Command } from "../../main/domain/commands";
import { decideCreateTask, decideJournal, type JournalCommand } from "../../main/domain/decide";
import { definitionHash } from "../../main/domain/definition";
import { sha256 } from "../../main/domain/hashing";
import { asTaskId } from "../../main/domain/ids";
import type { TaskRow } from "../../main/domain/records";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { contextAs, DEADLINE, EDITOR, NOW, TASK_KEY } from "./fake-view";

type Create = Extract<Command, { type: "create_task" }>;
const create: Create = {
  type: "create_task",
  taskKey: TASK_KEY,
  taskVersion: 1,
  pipeline: "weekly-briefing",
  definitionHash: definitionHash(briefingDefinition),
  edition: "2026-W30",
  language: "zh-CN",
  deadlineAt: DEADLINE,
  zone: "Asia/Shanghai",
  supersedesTaskId: null,
};
type Existing = Pick<TaskRow, "id" | "taskVersion" | "state">;
const version = (taskVersion: number, state: string): Existing => ({
  id: asTaskId(`t${taskVersion}`),
  taskVersion,
  state,
});
const decide = (existing: readonly Existing[], more: Partial<Create> = {}, actor: Actor = EDITOR) =>
  decideCreateTask(existing, briefingDefinition, { ...create, ...more }, contextAs(actor));
const codes = (decision: ReturnType<typeof decide>) =>
  decision.ok ? [] : decision.refusal.unmet.map((missing) => missing.code);

describe("one durable intent for one edition (I01)", () => {
  test("begins as created, with what it will be held to", () => {
    const decision = decide([], { context: { startAt: NOW } }, "scheduler");
    if (!decision.ok) throw new Error("refused");
    const [write] = decision.plan.writes;
    expect(write).toMatchObject({
      table: "task",
      insert: {
        taskKey: TASK_KEY,
        taskVersion: 1,
        state: "created",
        stateVersion: 0,
        fencingToken: 0,
        deadlineAt: DEADLINE,
        createdBy: "scheduler",
        owner: "editor",
        backupOwner: "backup_editor",
      },
    });
    expect(decision.plan.events[0]).toMatchObject({
      type: "TaskCreated",
      toState: "created",
      payload: { context: { startAt: NOW }, definitionHash: create.definitionHash },
    });
  });

  test("has always the same id", () => {
    const [first, second] = [decide([]), decide([], {}, "scheduler")];
    if (!first.ok || !second.ok) throw new Error("refused");
    expect(first.plan.task.id).toBe(second.plan.task.id);
  });

  test("is refused while one is live, whatever its version", () => {
    expect(codes(decide([version(1, "blocked")], { taskVersion: 2, supersedesTaskId: asTaskId("t1") }))).toEqual([
      "task_live_already",
    ]);
  });

  test("a version exists once", () => {
    expect(codes(decide([version(1, "closed")]))).toEqual(["task_version_exists"]);
  });

  test("another version names what it supersedes, and that must exist", () => {
    const closed = [version(1, "closed")];
    expect(codes(decide(closed, { taskVersion: 2 }))).toEqual(["supersedes_missing"]);
    expect(codes(decide(closed, { taskVersion: 2, supersedesTaskId: asTaskId("t9") }))).toEqual(["supersedes_missing"]);
    expect(codes(decide(closed, { taskVersion: 2, supersedesTaskId: asTaskId("t1") }))).toEqual([]);
  });

  test("a timer makes version 1 only", () => {
    const second = { taskVersion: 2, supersedesTaskId: asTaskId("t1") };
    expect(codes(decide([version(1, "compensated")], second, "scheduler"))).toEqual(["timer_only_version_1"]);
  });

  test("a stale definition is refused by its hash (C7)", () => {
    expect(codes(decide([], { definitionHash: sha256("older") }))).toEqual(["definition_stale"]);
  });

  test("everything that is wrong is said at once", () => {
    const wrong = { taskVersion: 2, definitionHash: sha256("older") };
    expect(codes(decide([version(2, "sending")], wrong, "scheduler"))).toEqual([
      "task_live_already",
      "task_version_exists",
      "timer_only_version_1",
      "supersedes_missing",
      "definition_stale",
    ]);
  });
});

describe("the journal as a whole", () => {
  const view = {
    epoch: 4,
    epochReconciled: 3,
    suppressionVersion: 8,
    isSuppressed: (id: string) => id === "r1",
    signers: () => [],
  };
  const plan = (command: JournalCommand) => {
    const decision = decideJournal(view, command, contextAs("system"));
    return decision.ok ? decision.plan : decision.refusal;
  };

  test("suppressing somebody raises the list's version", () => {
    expect(plan({ type: "suppress_recipient", recipientId: "r2", reason: "unsubscribed" })).toMatchObject({
      events: [{ type: "SuppressionChanged", payload: { recipientId: "r2", version: 9 } }],
      writes: [
        { table: "suppression", insertIfNew: { recipientId: "r2", version: 9 } },
        { table: "journal_state", patch: { suppressionVersion: 9 } },
      ],
    });
  });
  test("twice is once: the version does not rise for nothing", () => {
    expect(plan({ type: "suppress_recipient", recipientId: "r1", reason: "again" })).toMatchObject({
      result: "guard_failed",
    });
  });
  test("who is released is off the list, and its version rises all the same; who is not on it cannot be", () => {
    expect(plan({ type: "release_recipient", recipientId: "r1", reason: "asked for it again" })).toMatchObject({
      events: [{ type: "SuppressionChanged", payload: { recipientId: "r1", version: 9, released: true } }],
      writes: [
        { table: "suppression", remove: { recipientId: "r1" } },
        { table: "journal_state", patch: { suppressionVersion: 9 } },
      ],
    });
    expect(plan({ type: "release_recipient", recipientId: "r2", reason: "again" })).toMatchObject({
      ...{ result: "guard_failed", unmet: [{ code: "recipient_not_suppressed" }] },
    });
  });
  test("a raised epoch is an incident, and nothing leaves before it is settled", () => {
    expect(plan({ type: "raise_epoch", reason: "restored" })).toMatchObject({
      events: [{ type: "EpochRaised", reason: "restored", payload: { epoch: 5 } }],
      writes: [
        { table: "journal_state", patch: { epoch: 5 } },
        { table: "incident", insertIfNew: { rule: "journal_epoch", scope: "all" } },
      ],
    });
  });
  test("settling it takes over exactly the epoch there is", () => {
    expect(plan({ type: "settle_epoch" })).toMatchObject({
      writes: [{ table: "journal_state", patch: { epochReconciled: 4 } }],
    });
  });
});
