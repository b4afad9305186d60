import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import type { Sqlite } from "../../db/connect";
import { type ExecuteResult, foldContext, Journal } from "../../db/journal";
import { WriteApplier } from "../../db/journal/apply-write";
import { verifyEvent } from "../../main/domain/chain";
import type { Command } from "../../main/domain/commands";
import { definitionHash } from "../../main/domain/definition";
import { GENESIS, sha256 } from "../../main/domain/hashing";
import { Bug } from "../../main/domain/ids";
import { LEASE_TTL_MS } from "../../main/domain/lease";
import type { CrashPoints } from "../../main/domain/ports";
import type { EventRow } from "../../main/domain/records";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { EDITOR, EXECUTOR, TASK_KEY } from "../domain/fake-view";
import { intent } from "../domain/furnish";
import { noCrash, START, testFolder, testJournal } from "./journal-file";
import { approveCommand, createCommand, JournalWalk, markSent, STEP_NAMES, type StepName } from "./journal-walk";

class Killed extends Error {}

/** Every row of every table: what a crash or a refusal must leave as it was. */
function dump(sqlite: Sqlite): Record<string, unknown[]> {
  const tables = sqlite
    .prepare<[], string>(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name",
    )
    .pluck()
    .all();
  return Object.fromEntries(tables.map((name) => [name, sqlite.prepare(`SELECT * FROM "${name}"`).all()]));
}

function open(options: { dir?: string; crash?: CrashPoints; executor?: `executor:${string}` } = {}) {
  const file = testJournal({ definitions: [briefingDefinition], ...options });
  return { ...file, walk: new JournalWalk(file.journal, options.executor ?? EXECUTOR) };
}
const codes = (answer: ExecuteResult) => ("unmet" in answer ? answer.unmet.map((missing) => missing.code) : []);
const readEvents = (sqlite: Sqlite): EventRow[] =>
  sqlite
    .prepare<[], Record<string, unknown>>(
      `SELECT seq, task_id AS taskId, task_seq AS taskSeq, type, from_state AS fromState, to_state AS toState, actor,
        fencing_token AS fencingToken, at, zone, reason, operation_id AS operationId, evidence_refs AS evidenceRefs, payload,
        payload_hash AS payloadHash, prev_hash AS prevHash, task_prev_hash AS taskPrevHash, header, hash FROM event ORDER BY seq`,
    )
    .all()
    .map((row) => ({ ...row, evidenceRefs: JSON.parse(String(row["evidenceRefs"])) }) as unknown as EventRow);

test("an edition goes from created to succeeded by commands alone", () => {
  const { walk } = open();
  walk.through("succeed");
  expect(walk.view.task).toMatchObject({ state: "succeeded", leaseOwner: null, callsUsed: 16 });
});

// ------------------------------------------------------------------------------------------------------- atomicity

describe("a commit is whole or not at all", () => {
  test.each(STEP_NAMES)("killed before the commit of %s nothing of it is there, and it can be done anew", (name) => {
    let armed = false;
    const crash: CrashPoints = {
      reach: (point) => {
        if (armed && point.startsWith("before-commit")) throw new Killed(point);
      },
    };
    const { walk, sqlite } = open({ crash });
    const before = STEP_NAMES[STEP_NAMES.indexOf(name) - 1];
    if (before) walk.through(before);
    const was = dump(sqlite);
    armed = true;
    expect(() => walk.step(name)).toThrow();
    armed = false;
    expect(dump(sqlite)).toEqual(was);
    expect(sqlite.inTransaction).toBe(false);
    walk.step(name);
    for (const next of STEP_NAMES.slice(STEP_NAMES.indexOf(name) + 1)) walk.step(next);
    expect(walk.state).toBe("succeeded");
  });

  test.each(STEP_NAMES)("killed after the commit of %s all of it is there", (name) => {
    let armed = false;
    const crash: CrashPoints = {
      reach: (point) => {
        if (armed && point.startsWith("after-commit")) throw new Killed(point);
      },
    };
    const { walk, dir } = open({ crash });
    const before = STEP_NAMES[STEP_NAMES.indexOf(name) - 1];
    if (before) walk.through(before);
    armed = true;
    expect(() => walk.step(name)).toThrow(Killed);
    const other = open({ dir }).walk;
    other.now = walk.now;
    for (const next of STEP_NAMES.slice(STEP_NAMES.indexOf(name) + 1)) other.step(next);
    expect(other.state).toBe("succeeded");
  });

  test("what kills the writing of any one row takes the whole command back", () => {
    const { walk, sqlite } = open();
    walk.through("claimToPublish");
    const was = dump(sqlite);
    // The operation is written after the compensation and before the events.
    sqlite.exec("CREATE TEMP TRIGGER fail BEFORE INSERT ON operation BEGIN SELECT RAISE(ABORT, 'no'); END");
    expect(() => walk.step("startPublish")).toThrow(Bug);
    sqlite.exec("DROP TRIGGER fail");
    expect(dump(sqlite)).toEqual(was);
    walk.step("startPublish");
  });

  test("a refused command leaves no trace", () => {
    const { walk, sqlite } = open();
    walk.through("check");
    const was = dump(sqlite);
    const { id: taskId } = walk.view.task;
    const refused: [Command, Parameters<JournalWalk["context"]>[0]][] = [
      [{ type: "transition", taskId, event: "Published" }, EXECUTOR],
      [{ type: "transition", taskId, event: "ContentRejected" }, EDITOR],
      [{ type: "claim_lease", taskId }, EDITOR],
      [createCommand, EDITOR],
      [{ type: "transition", taskId: "t-none" as never, event: "Published" }, EDITOR],
    ];
    for (const [command, actor] of refused) expect(walk.try(actor, command).result).not.toBe("applied");
    expect(dump(sqlite)).toEqual(was);
  });
});

// ------------------------------------------------------------------------------------------------------- conditional

describe("what was decided about must still be what is there", () => {
  test("a conditional write that does not land is a bug, and takes everything back", () => {
    const { walk, sqlite } = open();
    walk.through("markPublish");
    const { id } = walk.operation("publish", "create");
    const was = dump(sqlite);
    const applier = new WriteApplier(sqlite);
    const apply = () =>
      sqlite.transaction(() =>
        applier.apply({ table: "operation", was: "prepared", update: { id, state: "request_sent" } }),
      );
    expect(() => apply().immediate()).toThrow(Bug);
    expect(dump(sqlite)).toEqual(was);
  });

  test("a click on an old version is refused, and told what there is now", () => {
    const { walk } = open();
    walk.through("approve");
    const answer = walk.try(EDITOR, approveCommand(walk), { expectedVersion: walk.view.task.stateVersion - 1 });
    expect(answer).toMatchObject({
      result: "stale_version",
      unmet: [{ code: "state_version_is", values: { state: "content_approved" } }],
    });
  });

  test("the version rises with the state and with nothing else", () => {
    const { walk } = open();
    const versions = new Map<StepName, number>();
    for (const name of STEP_NAMES) {
      const before = name === "create" ? null : walk.view.task;
      walk.step(name);
      const { state, stateVersion } = walk.view.task;
      expect(stateVersion, name).toBe(before === null ? 0 : before.stateVersion + (state === before.state ? 0 : 1));
      versions.set(name, stateVersion);
    }
    expect(versions.get("succeed")).toBe(11);
  });
});

describe("double clicks and doubled programs", () => {
  test("two clicks on approve are one approval (S28)", () => {
    const { walk, sqlite } = open();
    walk.through("check");
    const expectedVersion = walk.view.task.stateVersion;
    const command = approveCommand(walk);
    const answers = [1, 2].map(() => walk.try(EDITOR, command, { expectedVersion }).result);
    expect(answers).toEqual(["applied", "stale_version"]);
    expect(sqlite.prepare("SELECT count(*) FROM approval").pluck().get()).toBe(1);
  });

  test("two clicks from two windows, each on a connection of its own, are one approval", () => {
    const first = open();
    first.walk.through("check");
    const second = open({ dir: first.dir });
    second.walk.now = first.walk.now;
    const command = approveCommand(first.walk);
    const expectedVersion = first.walk.view.task.stateVersion;
    expect(second.walk.try(EDITOR, command, { expectedVersion }).result).toBe("applied");
    expect(first.walk.try(EDITOR, command, { expectedVersion }).result).toBe("stale_version");
  });

  test("the second of two commits at one moment finds the file locked, writes nothing, and is judged afterwards", () => {
    const during: ExecuteResult[] = [];
    let onCommit = () => {};
    const first = open({
      crash: { reach: (point) => (point === "before-commit:ContentApproved" ? onCommit() : undefined) },
    });
    first.walk.through("check");
    const second = open({ dir: first.dir });
    second.walk.now = first.walk.now;
    const command = approveCommand(first.walk);
    const standing = { expectedVersion: first.walk.view.task.stateVersion };
    // Inside the first one's transaction, between its decision and its commit.
    onCommit = () => during.push(second.walk.try(EDITOR, command, standing));
    expect(first.walk.try(EDITOR, command, standing).result).toBe("applied");
    expect(during).toEqual([{ result: "unavailable", code: "SQLITE_BUSY" }]);
    expect(second.walk.try(EDITOR, command, standing).result).toBe("stale_version");
    expect(second.sqlite.prepare("SELECT count(*) FROM approval").pluck().get()).toBe(1);
  });

  test("one of two claims gets the lease", () => {
    const a = open({ executor: "executor:a" });
    a.walk.through("create");
    const b = open({ dir: a.dir, executor: "executor:b" });
    b.walk.now = a.walk.now;
    const claim = { type: "claim_lease" as const, taskId: a.walk.view.task.id };
    expect(a.walk.try("executor:a", claim)).toMatchObject({ result: "applied", fencingToken: 1 });
    expect(b.walk.try("executor:b", claim)).toMatchObject({
      result: "guard_failed",
      unmet: [{ code: "lease_held", values: { owner: "executor:a" } }],
    });
    expect(b.walk.view.task).toMatchObject({ leaseOwner: "executor:a", fencingToken: 1, takeoverToken: 0 });
  });

  test("over an expired lease one of two gets the next token, and the loser is told whose it is", () => {
    const a = open({ executor: "executor:a" });
    a.walk.through("claim");
    const b = open({ dir: a.dir, executor: "executor:b" });
    const c = open({ dir: a.dir, executor: "executor:c" });
    b.walk.now = c.walk.now = a.walk.now + LEASE_TTL_MS;
    const claim = { type: "claim_lease" as const, taskId: a.walk.view.task.id };
    expect(b.walk.try("executor:b", claim)).toMatchObject({ result: "applied", fencingToken: 2 });
    expect(codes(c.walk.try("executor:c", claim))).toEqual(["lease_held"]);
    expect(c.walk.view.task).toMatchObject({ leaseOwner: "executor:b", takeoverToken: 2 });
    // The one that lost it may write nothing any more, whatever it thinks it is.
    a.walk.now = b.walk.now;
    const late = a.walk.try("executor:a", { type: "heartbeat", taskId: claim.taskId }, { fencingToken: 1 });
    expect(late).toMatchObject({ result: "stale_token", unmet: [{ values: { token: 2, owner: "executor:b" } }] });
  });

  test("two timers make one task (S26)", () => {
    const first = open();
    const second = open({ dir: first.dir });
    expect(first.walk.try("scheduler", createCommand).result).toBe("applied");
    expect(codes(second.walk.try("scheduler", createCommand))).toEqual(["task_live_already", "task_version_exists"]);
  });
});

// ------------------------------------------------------------------------------------------------------- what is kept

describe("the same key with other parameters (E2)", () => {
  test("is refused, and both hashes are kept though nothing else is", () => {
    const { walk, sqlite } = open();
    walk.through("startPublish");
    const { id: taskId } = walk.view.task;
    const blocked = { type: "transition" as const, taskId, event: "PublishBlocked", blockedReason: "auth" };
    walk.do(EXECUTOR, blocked);
    const was = dump(sqlite);
    const kept = walk.operation("publish", "create");
    const answer = walk.try(EDITOR, {
      type: "transition",
      taskId,
      event: "Unblocked",
      wayOut: { to: "publishing", evidence: "signed in" },
      operations: [intent({ target: "http://elsewhere" })],
    });
    expect(answer.result).toBe("intent_mismatch");
    const { intent_conflict: conflicts, ...rest } = dump(sqlite);
    expect(conflicts).toEqual([
      expect.objectContaining({ operation_key: kept.operationKey, kept_intent_hash: kept.intentHash, actor: EDITOR }),
    ]);
    const [conflict] = conflicts as { refused_intent_hash: string }[];
    expect(conflict?.refused_intent_hash).not.toBe(kept.intentHash);
    const { intent_conflict: _none, ...before } = was;
    expect(rest).toEqual(before);
  });
});

describe("an answer that comes too late", () => {
  test("is refused to the old token, kept by anybody, and changes nothing but when to look", () => {
    const a = open({ executor: "executor:a" });
    a.walk.through("markPublish");
    const operation = a.walk.operation("publish", "create");
    const taskId = a.walk.view.task.id;
    const b = open({ dir: a.dir, executor: "executor:b" });
    b.walk.now = a.walk.now + LEASE_TTL_MS;
    b.walk.do("executor:b", { type: "claim_lease", taskId });
    const answer = (outcome: "unknown" | "confirmed"): Command => ({
      type: "record_answer",
      taskId,
      operationId: operation.id,
      attempt: 1,
      outcome,
      remoteId: outcome === "confirmed" ? "18427" : null,
      url: null,
      error: null,
      firstLookAt: b.walk.now + 60_000,
    });
    b.walk.do("executor:b", answer("unknown"));
    a.walk.now = b.walk.now;
    expect(a.walk.try("executor:a", answer("confirmed"), { fencingToken: operation.preparedToken })).toMatchObject({
      result: "stale_token",
    });
    const before = a.walk.view.task;
    a.walk.do("system", {
      type: "keep_late_answer",
      taskId,
      operationId: operation.id,
      oldToken: 1,
      outcome: "confirmed",
      remoteId: "18427",
    });
    expect(a.walk.view.task).toMatchObject({
      state: before.state,
      stateVersion: before.stateVersion,
      leaseOwner: "executor:b",
    });
    expect(a.walk.operation("publish", "create")).toMatchObject({ state: "unknown", nextLookAt: a.walk.now });
    expect(readEvents(a.sqlite).at(-1)).toMatchObject({ type: "LateAnswerKept", actor: "system", fencingToken: null });
  });
});

// ------------------------------------------------------------------------------------------------------- not available

describe("when nothing can be written", () => {
  test("a full disk is an answer; nothing is there afterwards, and nothing may leave (J7)", () => {
    const { walk, sqlite } = open();
    walk.through("startPublish");
    const { id: taskId } = walk.view.task;
    const note = (): Command => ({
      type: "note",
      taskId,
      event: "EmailEdited",
      operationId: null,
      payload: { filler: "x".repeat(4_000) },
    });
    const pages = sqlite.pragma("page_count", { simple: true }) as number;
    sqlite.pragma(`max_page_count = ${pages + 8}`);
    let before = dump(sqlite);
    let answer = walk.try(EXECUTOR, note());
    for (let n = 0; answer.result === "applied" && n < 50; n += 1) {
      before = dump(sqlite);
      answer = walk.try(EXECUTOR, note());
    }
    expect(answer).toEqual({ result: "unavailable", code: "SQLITE_FULL" });
    expect(dump(sqlite)).toEqual(before);
    expect(sqlite.inTransaction).toBe(false);
    sqlite.pragma(`max_page_count = ${pages + 1_000}`);
    expect(walk.try(EXECUTOR, note()).result).toBe("applied");
    walk.step("markPublish");
  });

  test("the intent that could not be written is not sent: the operation is still prepared", () => {
    const { walk, sqlite } = open();
    walk.through("startPublish");
    sqlite.pragma("query_only = 1");
    expect(walk.try(EXECUTOR, markSent(walk, walk.operation("publish", "create")))).toEqual({
      result: "unavailable",
      code: "SQLITE_READONLY",
    });
    sqlite.pragma("query_only = 0");
    expect(walk.operation("publish", "create").state).toBe("prepared");
    walk.step("markPublish");
  });

  test("a read-only file opens, can be read, and answers every command", () => {
    const first = open();
    first.walk.through("check");
    const sqlite = new Database(first.path, { readonly: true });
    try {
      const journal = new Journal({ sqlite, definitions: [briefingDefinition], crash: noCrash, now: () => START });
      expect(journal.refusedDefinitions).toEqual([]);
      const walk = new JournalWalk(journal);
      walk.now = first.walk.now;
      expect(walk.state).toBe("awaiting_content_approval");
      expect(walk.try(EDITOR, approveCommand(walk))).toEqual({ result: "unavailable", code: "SQLITE_READONLY" });
    } finally {
      sqlite.close();
    }
  });

  test("a file locked by somebody else is an answer after the time-out, and goes on when it is free", () => {
    const first = open();
    first.walk.through("check");
    const second = open({ dir: first.dir });
    second.walk.now = first.walk.now;
    first.sqlite.exec("BEGIN IMMEDIATE");
    const answer = second.walk.try(EDITOR, approveCommand(second.walk));
    expect(answer).toEqual({ result: "unavailable", code: "SQLITE_BUSY" });
    first.sqlite.exec("ROLLBACK");
    second.walk.step("approve");
  });
});

// ------------------------------------------------------------------------------------------------------- definitions

describe("definitions (C7)", () => {
  const changed = { ...briefingDefinition, owner: "somebody else" };

  test("another one under the same name and version is refused as a value, and the first one stays", () => {
    const dir = testFolder();
    open({ dir });
    const second = testJournal({ dir, definitions: [changed] });
    expect(second.journal.refusedDefinitions).toEqual([
      {
        code: "definition_conflict",
        name: "weekly-briefing",
        version: 1,
        refusedHash: definitionHash(changed),
        keptHash: definitionHash(briefingDefinition),
      },
    ]);
    const walk = new JournalWalk(second.journal);
    const command = { ...createCommand, definitionHash: definitionHash(changed) };
    expect(codes(walk.try("scheduler", command))).toEqual(["definition_stale"]);
  });

  test("two at an instant: one is taken up, and the same one again is nothing new", () => {
    const dir = testFolder();
    const both = testJournal({ dir, definitions: [briefingDefinition, changed, briefingDefinition] });
    expect(both.journal.refusedDefinitions).toHaveLength(1);
    expect(testJournal({ dir, definitions: [briefingDefinition] }).journal.refusedDefinitions).toEqual([]);
  });

  test("a new version is taken up, and a task finishes on the one it began with", () => {
    const dir = testFolder();
    const old = open({ dir });
    old.walk.through("check");
    const next = { ...briefingDefinition, version: 2, owner: "new owner" };
    const newer = testJournal({ dir, definitions: [next] });
    expect(newer.journal.refusedDefinitions).toEqual([]);
    const walk = new JournalWalk(newer.journal);
    walk.now = old.walk.now;
    expect(walk.view.definition).toEqual(briefingDefinition);
    walk.step("approve");
    expect(walk.state).toBe("content_approved");
  });

  test("a task whose definition needs what this program cannot do is a bug, said by name", () => {
    const dir = testFolder();
    const strange = {
      ...briefingDefinition,
      version: 9,
      transitions: [{ from: ["created"], event: "X", to: "closed", by: ["person"], guards: ["moon_is_full"] }],
    } as unknown as typeof briefingDefinition;
    const first = testJournal({ dir, definitions: [strange] });
    new JournalWalk(first.journal).do("scheduler", { ...createCommand, definitionHash: definitionHash(strange) });
    const second = open({ dir });
    expect(() => second.walk.view).toThrow(/moon_is_full/);
  });

  test("one that could not be written at the start is tried again when a task needs it", () => {
    const dir = testFolder();
    const file = testJournal({ dir });
    file.sqlite.pragma("query_only = 1");
    const journal = new Journal({
      sqlite: file.sqlite,
      definitions: [briefingDefinition],
      crash: noCrash,
      now: () => START,
    });
    expect(journal.refusedDefinitions).toMatchObject([{ code: "unavailable", keptHash: null }]);
    file.sqlite.pragma("query_only = 0");
    new JournalWalk(journal).step("create");
    expect(journal.refusedDefinitions).toEqual([]);
  });

  test("one that was never registered begins nothing", () => {
    const { walk } = open();
    expect(codes(walk.try("scheduler", { ...createCommand, definitionHash: sha256("none") }))).toEqual([
      "definition_stale",
    ]);
  });
});

// ------------------------------------------------------------------------------------------------------- the record

describe("what the events say", () => {
  const finished = () => {
    const made = open();
    made.walk.through("succeed");
    return made;
  };

  test("is where the task stands: its context is a fold over them", () => {
    const { walk, sqlite } = finished();
    const events = readEvents(sqlite).map((row) => ({ payload: JSON.parse(row.payload ?? "{}") }));
    expect(foldContext({}, events)).toEqual(walk.view.task.context);
    expect(Object.keys(walk.view.task.context).length).toBeGreaterThan(10);
  });

  test("folds after every single commit, not only at the end", () => {
    const { walk, sqlite } = open();
    for (const name of STEP_NAMES) {
      walk.step(name);
      const events = readEvents(sqlite).map((row) => ({ payload: JSON.parse(row.payload ?? "{}") }));
      expect(foldContext({}, events), name).toEqual(walk.view.task.context);
    }
  });

  test("hangs together in both chains, and the task knows its last one", () => {
    const { walk, sqlite } = finished();
    const events = readEvents(sqlite);
    let before = { hash: GENESIS, seq: 0 };
    let taskBefore = { hash: GENESIS, taskSeq: 0 };
    for (const event of events) {
      expect(verifyEvent(event, before, taskBefore)).toEqual([]);
      before = event;
      taskBefore = { hash: event.hash, taskSeq: event.taskSeq ?? 0 };
    }
    expect(walk.view.task).toMatchObject({ taskHead: taskBefore.hash, taskSeq: taskBefore.taskSeq });
  });

  test("has the token of whoever had the lease, and none for people and timers", () => {
    const { sqlite } = finished();
    for (const event of readEvents(sqlite)) {
      if (event.actor === EXECUTOR) expect(event.fencingToken).toBeGreaterThan(0);
      else expect(event.fencingToken).toBeNull();
    }
    const claims = readEvents(sqlite).filter((row) => row.type === "LeaseClaimed");
    expect(claims.map((row) => row.fencingToken)).toEqual([1, 2, 3, 4]);
  });

  test("interleaves two tasks in one chain, each with a chain of its own", () => {
    const { walk, sqlite, journal } = open();
    walk.through("claim");
    const other = "weekly-briefing:2026-W31:zh-CN";
    const created = journal.execute(
      { ...createCommand, taskKey: other, edition: "2026-W31" },
      walk.context("scheduler"),
    );
    expect(created.result).toBe("applied");
    walk.step("collect");
    const events = readEvents(sqlite);
    expect(events.map((row) => row.taskSeq)).toEqual([1, 2, 1, 3]);
    expect(events[3]?.taskPrevHash).toBe(events[1]?.hash);
    expect(events[3]?.prevHash).toBe(events[2]?.hash);
  });

  test("is told to listeners after the commit, and of what was refused nothing is told", () => {
    const { walk, journal, sqlite } = open();
    const told: unknown[] = [];
    const stop = journal.onCommit((applied) => {
      expect(sqlite.inTransaction).toBe(false);
      told.push(applied.events.map((row) => row.type));
    });
    walk.step("create");
    walk.try(EDITOR, { type: "transition", taskId: walk.view.task.id, event: "Published" });
    stop();
    walk.step("claim");
    expect(told).toEqual([["TaskCreated"]]);
  });

  test("goes on after the end: a late complaint is taken and moves nothing", () => {
    const { walk } = finished();
    const { id: taskId, taskSeq } = walk.view.task;
    walk.do("system", {
      type: "account_recipients",
      taskId,
      outcomes: [{ recipientId: "r1", outcome: "complained", code: null, at: walk.now }],
      nextObserveAt: null,
    });
    expect(walk.view.task).toMatchObject({ state: "succeeded", taskSeq: taskSeq + 1 });
    expect(walk.view.recipients().find((row) => row.recipientId === "r1")?.outcome).toBe("complained");
  });
});

describe("views", () => {
  test("are of one moment: relations are read once", () => {
    const { walk } = open();
    walk.through("startPublish");
    const view = walk.view;
    expect(view.operations()[0]?.state).toBe("prepared");
    walk.step("markPublish");
    expect(view.operations()[0]?.state).toBe("prepared");
    expect(walk.view.operations()[0]?.state).toBe("request_sent");
  });

  test.each([
    ["slot", `publish:${TASK_KEY}`, true],
    ["slot", `send:${TASK_KEY}:r1`, true],
    ["slot", `publish:${TASK_KEY}-x`, false],
    ["slot", "publish:weekly-briefing:2026-W30:zh", false],
    ["all", "epoch 2", true],
    ["adapter", "cms", true],
    ["task", "another", false],
  ] as const)("an open incident over %s %s freezes this task: %s", (scope, scopeValue, frozen) => {
    const { walk, sqlite } = open();
    walk.through("create");
    sqlite
      .prepare(
        "INSERT INTO incident (id, rule, scope, scope_value, opened_at, opened_by) VALUES ('i', 'by_hand', ?, ?, 1, 'editor:lin')",
      )
      .run(scope, scopeValue);
    expect(walk.view.freezes()).toHaveLength(frozen ? 1 : 0);
    sqlite.prepare("UPDATE incident SET closed_at = 2").run();
    expect(walk.view.freezes()).toEqual([]);
  });

  test("the server's hint is remembered in the event that brought the operation back to prepared", () => {
    const { walk } = open();
    walk.through("startPublish");
    expect(walk.journal.reader.hintMs(walk.operation("publish", "create"))).toBeNull();
    walk.step("markPublish");
    const error = {
      phase: "before_send" as const,
      code: "http_503_unprocessed",
      httpStatus: 503,
      reference: null,
      retryAfterMs: 45_000,
      class: "transient" as const,
      owner: "executor" as const,
      nextAction: "retry_in_budget" as const,
      tool: "cms",
      operationId: null,
      attempt: 1,
      at: walk.now,
    };
    walk.do(EXECUTOR, {
      type: "record_answer",
      taskId: walk.view.task.id,
      operationId: walk.operation("publish", "create").id,
      attempt: 1,
      outcome: "not_sent",
      remoteId: null,
      url: null,
      error,
      firstLookAt: walk.now + 45_000,
    });
    expect(walk.journal.reader.hintMs(walk.operation("publish", "create"))).toBe(45_000);
  });
});
