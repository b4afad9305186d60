import { describe, expect, test } from "vitest";
import { START } from "../db/journal-file";
import { unblocking } from "./bare-runtime";
import { EngineWorld, type Program, type WorldOptions } from "./engine-world";
import type { Fate } from "./fake-remote";

// What may become of a request, against remotes that keep records of their own (domain 6).

async function publishing(options: WorldOptions = {}): Promise<{ world: EngineWorld; program: Program }> {
  const world = new EngineWorld(options);
  return { world, program: await world.upTo("PublishStarted") };
}

/** Creates the task, sets the fates of requests to the website, and runs to the end. */
async function edition(fates: Fate[], options: WorldOptions = {}) {
  const world = new EngineWorld(options);
  const program = world.start();
  world.create(program);
  world.cms.fates = [...fates];
  const state = await world.finish(program);
  return { world, program, state, operation: () => world.operation(program, "publish") };
}

const creates = (world: EngineWorld) => world.cms.calls.filter((call) => call.phase === "create").length;
const operationEvents = (world: EngineWorld) =>
  world
    .eventTypes()
    .filter((type) => /^(Operation|Request|Outcome|Reconcile|Remote|LateAnswer)/.test(type))
    .slice(0, 8);

describe("an answer that is lost", () => {
  test.each(["lost", "hang"] as const)("(%s) is asked for by key, found, and never sent again (S13)", async (fate) => {
    const { world, state, operation } = await edition([fate]);
    expect(state).toBe("succeeded");
    expect(creates(world)).toBe(1);
    expect(world.cms.looks).toHaveLength(1);
    expect(operation()).toMatchObject({ state: "confirmed", remoteId: "18427", settled: true });
    expect(operationEvents(world).slice(0, 5)).toEqual([
      "OperationPrepared",
      "RequestSent",
      "OutcomeUnknown",
      "ReconcileStarted",
      "RemoteConfirmed",
    ]);
    expect(world.violations()).toEqual([]);
  });

  test("three times over is one create (A1)", async () => {
    const { world } = await edition(["lost"]);
    expect(world.cms.things).toHaveLength(1);
  });

  test("is found late where the remote shows things late: absence is no absence before the horizon (S15)", async () => {
    const { world, state } = await edition(["lost"], { cms: { visibilityMs: 20_000 } });
    expect(state).toBe("succeeded");
    expect(creates(world)).toBe(1);
    expect(world.cms.looks.length).toBeGreaterThan(1);
    expect(world.eventTypes()).toContain("RemoteNotFound");
  });

  test("waits out a query that is down, as long as the remote asks (S39)", async () => {
    const world = new EngineWorld();
    const program = world.start();
    world.create(program);
    world.cms.fates = ["lost"];
    world.cms.lookFates = ["down", { downFor: 40_000 }, "blind"];
    expect(await world.finish(program)).toBe("succeeded");
    expect(creates(world)).toBe(1);
    const [first = 0, second = 0, third = 0] = world.cms.looks;
    expect(third - second).toBeGreaterThanOrEqual(40_000);
    expect(second).toBeGreaterThan(first);
  });

  test("of a trigger is asked for by the key that the campaign says it carried out (S38)", async () => {
    const world = new EngineWorld();
    const program = world.start();
    world.create(program);
    world.mail.fates = ["ok", "lost"];
    expect(await world.finish(program)).toBe("succeeded");
    expect(world.mail.mailings).toHaveLength(2);
    expect(world.mail.calls.map((call) => call.phase)).toEqual(["create", "trigger"]);
    expect(world.violations()).toEqual([]);
  });

  test("of every request of an edition, one after the other, is found every time", async () => {
    const world = new EngineWorld();
    const program = world.start();
    world.create(program);
    world.cms.fates = ["lost"];
    world.mail.fates = ["lost", "hang"];
    expect(await world.finish(program)).toBe("succeeded");
    expect([world.cms.calls.length, world.mail.calls.length]).toEqual([1, 2]);
    expect(world.violations()).toEqual([]);
  });
});

describe("a request that never arrived", () => {
  test("is sent again once, after the horizon and not before (S14)", async () => {
    const { world, state } = await edition(["never"]);
    expect(state).toBe("succeeded");
    expect(creates(world)).toBe(2);
    expect(world.cms.things).toHaveLength(1);
    const [first, second] = world.cms.calls;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(60_000);
    expect(new Set(world.cms.calls.map((call) => call.key)).size).toBe(1);
    expect(world.violations()).toEqual([]);
  });

  test("though the query was blind for a while, is sent again only after one that could see", async () => {
    const world = new EngineWorld();
    const program = world.start();
    world.create(program);
    world.cms.fates = ["never"];
    world.cms.lookFates = ["blind", "blind", "blind", "blind", "blind", "blind"];
    expect(await world.finish(program)).toBe("succeeded");
    const resent = world.cms.calls[1]?.at ?? 0;
    expect(world.cms.looks[6]).toBeLessThanOrEqual(resent);
    expect(world.cms.things).toHaveLength(1);
  });

  test("five times goes to a person with a dead letter, and on when the person says so", async () => {
    const { world, program, state } = await edition(["never", "never", "never", "never", "never"]);
    expect(state).toBe("blocked");
    expect(world.view(program).task.blockedReason).toBe("outcome_unknown");
    expect(creates(world)).toBe(5);
    expect(world.rows("SELECT kind, owner FROM recovery_item")).toEqual([{ kind: "dead_letter", owner: "editor" }]);
    expect(world.person(program, unblocking(world.view(program))).result).toBe("applied");
    expect(await world.finish(program)).toBe("succeeded");
    expect(creates(world)).toBe(6);
    expect(world.cms.things).toHaveLength(1);
  });

  test("is not sent again where the adapter has not declared that it may be", async () => {
    const { world, program, state } = await edition(["never"], { cms: { retry: { resendAfterProvenAbsent: false } } });
    expect(state).toBe("blocked");
    expect(creates(world)).toBe(1);
    expect(world.person(program, unblocking(world.view(program))).result).toBe("applied");
    expect(await world.finish(program)).toBe("succeeded");
    expect(creates(world)).toBe(2);
  });

  test("that arrives after all, once we have sent anew, is a duplicate: an incident, and nothing more is sent", async () => {
    const { world, program, state } = await edition([{ afterMs: 61_500 }, "lost"]);
    expect(world.cms.things).toHaveLength(2);
    expect(state).toBe("blocked");
    expect(world.view(program).task.blockedReason).toBe("duplicate_remote");
    expect(world.view(program).freezes()).toHaveLength(1);
    expect(world.mail.calls).toEqual([]);
  });
});

describe("two objects with one key (S16)", () => {
  test("are a conflict, an incident, an alert and a frozen place; neither is touched", async () => {
    const { world, program, state, operation } = await edition(["twice"]);
    expect(state).toBe("blocked");
    expect(operation()).toMatchObject({ state: "conflict", settled: false });
    expect(world.view(program).task.blockedReason).toBe("duplicate_remote");
    expect(world.rows("SELECT rule, scope_value AS place FROM incident")).toEqual([
      { rule: "duplicate_remote", place: operation().slot },
    ]);
    expect(world.rows("SELECT code FROM alert ORDER BY code")).toEqual([
      { code: "blocked_duplicate_remote" },
      { code: "duplicate_remote" },
    ]);
    expect(creates(world)).toBe(1);
    expect(world.mail.calls).toEqual([]);
    expect(world.violations().some((line) => line.startsWith("I03"))).toBe(true);
  });
});

describe("a definite no", () => {
  test("401: the task stops at the account owner's, and goes on at the same step once they have signed in (S19)", async () => {
    const { world, program, state } = await edition([{ refused: "http_401" }]);
    expect(state).toBe("blocked");
    expect(world.view(program).task).toMatchObject({
      blockedReason: "auth",
      resumeState: "publishing",
      leaseOwner: null,
    });
    expect(world.cms.things).toEqual([]);
    expect(world.person(program, unblocking(world.view(program))).result).toBe("applied");
    expect(world.view(program).task.state).toBe("publishing");
    expect(await world.finish(program)).toBe("succeeded");
    expect(creates(world)).toBe(2);
    expect(world.violations()).toEqual([]);
  });

  test("401 at the campaign: both the campaign and its start are prepared anew", async () => {
    const world = new EngineWorld();
    const program = world.start();
    world.create(program);
    world.mail.fates = [{ refused: "http_401" }];
    expect(await world.finish(program)).toBe("blocked");
    expect(world.view(program).task).toMatchObject({ blockedReason: "auth", resumeState: "sending" });
    world.person(program, unblocking(world.view(program)));
    expect(await world.finish(program)).toBe("succeeded");
    expect(world.mail.mailings).toHaveLength(2);
    expect(world.violations()).toEqual([]);
  });

  test("bad input is the editor's", async () => {
    const { world, program, state } = await edition([{ refused: "http_422" }]);
    expect(state).toBe("blocked");
    expect(world.view(program).task.blockedReason).toBe("remote_conflict");
    expect(creates(world)).toBe(1);
  });

  test("one that will pass is tried again when the remote says, and not before", async () => {
    const { world, state } = await edition([{ refused: "http_429_unprocessed", retryAfterMs: 45_000 }]);
    expect(state).toBe("succeeded");
    const [first, second] = world.cms.calls;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(45_000);
    expect(
      world.rows(
        "SELECT number, hint_ms AS hint, base_delay_ms AS base, actual_delay_ms AS actual, outcome FROM attempt WHERE task_id IS NOT NULL ORDER BY started_at LIMIT 2",
      ),
    ).toEqual([
      { number: 1, hint: null, base: 0, actual: 0, outcome: "not_sent" },
      { number: 2, hint: 45_000, base: 1_000, actual: 45_000, outcome: "confirmed" },
    ]);
  });

  test("a hint longer than our longest wait is no leave to come earlier", async () => {
    const { world, state } = await edition([{ refused: "http_503_unprocessed", retryAfterMs: 20 * 60_000 }]);
    expect(state).toBe("succeeded");
    const [first, second] = world.cms.calls;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(20 * 60_000);
  });
});

describe("what never left", () => {
  test("is tried again at the policy's pace, in its old place", async () => {
    const { world, state } = await edition(["unreachable", "unreachable", "unreachable"]);
    expect(state).toBe("succeeded");
    const waits = world.cms.calls.slice(1).map((call, index) => call.at - (world.cms.calls[index]?.at ?? 0));
    expect(waits).toHaveLength(3);
    for (const [index, base] of [1_000, 2_000, 4_000].entries()) {
      expect(waits[index]).toBeGreaterThanOrEqual(base);
      expect(waits[index]).toBeLessThanOrEqual(base * 1.2 + 1);
    }
    expect(world.violations()).toEqual([]);
  });

  test("keeps its place before what follows it: the start of a mailing is not tried before its campaign", async () => {
    const world = new EngineWorld();
    const program = world.start();
    world.create(program);
    world.mail.fates = ["unreachable", "unreachable"];
    expect(await world.finish(program)).toBe("succeeded");
    expect(world.mail.calls.map((call) => call.phase)).toEqual(["create", "create", "create", "trigger"]);
  });

  test("is not tried a sixth time, whoever restarts the program in between (F4)", async () => {
    const world = new EngineWorld();
    let program = await world.upTo("PublishStarted");
    world.cms.fates = Array.from({ length: 20 }, () => "unreachable" as const);
    for (let restarts = 0; restarts < 8; restarts += 1) {
      await world.pass(program);
      program.executor.releaseAll();
      program = world.start(`restart-${restarts}`);
      await world.clock.advanceBy(40_000);
    }
    expect(await world.finish(program)).toBe("blocked");
    expect(creates(world)).toBe(5);
    expect(world.rows("SELECT kind, error_class AS class FROM recovery_item")).toEqual([
      { kind: "dead_letter", class: "transient" },
    ]);
  });

  test("waits as long as a remote asked, also over a restart", async () => {
    const { world, program } = await publishing();
    world.cms.fates = [{ refused: "http_503_unprocessed", retryAfterMs: 50_000 }];
    await world.pass(program);
    program.executor.releaseAll();
    const again = world.start("b");
    expect(await world.finish(again)).toBe("succeeded");
    const [first, second] = world.cms.calls;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBe(50_000);
  });

  test("opens the breaker after five in a row, which a restart does not forget", async () => {
    const world = new EngineWorld({ cms: { retry: { maxAttempts: 50 } } });
    let program = await world.upTo("PublishStarted");
    world.cms.fates = Array.from({ length: 5 }, () => "unreachable" as const);
    await world.run(program, () => creates(world) === 5);
    expect(program.breaker.open(world.clock.now())).toMatchObject([{ host: "cms.example", failures: 5 }]);
    program.executor.releaseAll();
    program = world.start("b");
    const fifth = world.cms.calls[4]?.at ?? 0;
    expect(await world.finish(program)).toBe("succeeded");
    expect((world.cms.calls[5]?.at ?? 0) - fifth).toBeGreaterThanOrEqual(30_000);
    expect(program.breaker.open(world.clock.now())).toEqual([]);
  });
});

describe("what no query can settle", () => {
  test("is locked when the budget of looks is spent, with an owner; a person's verdict goes on", async () => {
    const world = new EngineWorld();
    const program = world.start();
    world.create(program);
    world.cms.fates = ["lost"];
    world.cms.lookFates = Array.from({ length: 8 }, () => "down" as const);
    expect(await world.finish(program)).toBe("blocked");
    expect(world.operation(program, "publish").state).toBe("locked");
    expect(world.rows("SELECT kind FROM recovery_item")).toEqual([{ kind: "unknown_outcome" }]);
    const { id: taskId } = world.view(program).task;
    const verdict = world.person(program, {
      type: "give_verdict",
      taskId,
      operationId: world.operation(program, "publish").id,
      verdict: "happened",
      remoteId: "18427",
      evidence: "admin page",
    });
    expect(verdict.result).toBe("applied");
    world.person(program, unblocking(world.view(program)));
    expect(await world.finish(program)).toBe("succeeded");
    expect(creates(world)).toBe(1);
  });

  test("that it did not happen, said by a person, sends it once more: declared or not", async () => {
    const world = new EngineWorld({ cms: { query: { reliable: false }, retry: { resendAfterProvenAbsent: false } } });
    const program = world.start();
    world.create(program);
    world.cms.fates = ["never"];
    expect(await world.finish(program)).toBe("blocked");
    const operation = world.operation(program, "publish");
    expect(operation.state).toBe("locked");
    world.person(program, {
      type: "give_verdict",
      taskId: operation.taskId,
      operationId: operation.id,
      verdict: "did_not_happen",
      remoteId: null,
      evidence: "asked the provider",
    });
    world.person(program, unblocking(world.view(program)));
    expect(await world.finish(program)).toBe("succeeded");
    expect(creates(world)).toBe(2);
    expect(world.cms.things).toHaveLength(1);
  });

  test("past the remote's memory of keys there are only questions, and then a person (E5, S40)", async () => {
    const { world, program } = await publishing({ cms: { query: { keyRetentionMs: 24 * 3_600_000 } } });
    world.cms.fates = ["never"];
    await world.pass(program);
    program.executor.releaseAll();
    await world.clock.advanceBy(24 * 3_600_000 + 1_000);
    const later = world.start("b");
    await world.run(later);
    expect(world.operation(later, "publish").state).toBe("locked");
    expect(world.view(later).task.blockedReason).toBe("key_window_expired");
    expect(creates(world)).toBe(1);
  });

  test("goes on being asked about while the task is blocked by something else", async () => {
    const { world, program } = await publishing({ deadlineMs: 11 * 60_000 });
    world.cms.fates = ["lost"];
    world.cms.lookFates = ["down"];
    await world.pass(program);
    program.executor.releaseAll();
    // The deadline passes while the outcome is unknown.
    await world.clock.advanceBy(2 * 60_000);
    const later = world.start("b");
    world.cms.lookFates = ["down"];
    await world.run(later);
    expect(world.view(later).task).toMatchObject({ state: "blocked", blockedReason: "deadline" });
    expect(world.operation(later, "publish").state).toBe("confirmed");
  });
});

describe("somebody else's object in our place", () => {
  test("before anything was sent, found by a new executor, goes to the editor (S18)", async () => {
    const { world, program } = await publishing();
    await world.clock.advanceBy(200_000);
    world.cms.occupy(world.operation(program, "publish").slot);
    const later = world.start("b");
    await world.run(later);
    expect(world.view(later).task).toMatchObject({ state: "blocked", blockedReason: "remote_conflict" });
    expect(creates(world)).toBe(0);
  });
});

describe("in two phases", () => {
  test("a draft whose answer is lost is looked up before it is published", async () => {
    const world = new EngineWorld({ pipeline: "notice" });
    const program = world.start();
    world.create(program);
    world.cms.fates = ["lost", "lost"];
    expect(await world.finish(program)).toBe("succeeded");
    expect(world.cms.calls.map((call) => call.phase)).toEqual(["create", "publish"]);
    expect(world.cms.things).toHaveLength(1);
    expect(world.cms.things[0]?.appliedKeys).toHaveLength(1);
    expect(world.violations()).toEqual([]);
  });

  test("a draft that no look could see again is published by nobody before a person has", async () => {
    const world = new EngineWorld({ pipeline: "notice" });
    const program = world.start();
    world.create(program);
    world.cms.lookFates = Array.from({ length: 8 }, () => "down" as const);
    expect(await world.finish(program)).toBe("blocked");
    expect(world.view(program).task.blockedReason).toBe("outcome_unknown");
    expect(world.cms.calls.map((call) => call.phase)).toEqual(["create"]);
  });

  test("a draft made twice behind a good answer is found by the look before it is published", async () => {
    const world = new EngineWorld({ pipeline: "notice" });
    const program = world.start();
    world.create(program);
    world.cms.fates = ["doubled"];
    expect(await world.finish(program)).toBe("blocked");
    expect(world.view(program).task.blockedReason).toBe("duplicate_remote");
    expect(world.cms.calls.map((call) => call.phase)).toEqual(["create"]);
  });

  test("a draft made twice is never published", async () => {
    const world = new EngineWorld({ pipeline: "notice" });
    const program = world.start();
    world.create(program);
    world.cms.fates = ["twice"];
    expect(await world.finish(program)).toBe("blocked");
    expect(world.cms.calls.map((call) => call.phase)).toEqual(["create"]);
    expect(world.operation(program, "publish", "publish").state).toBe("cancelled");
  });

  test("a publication that never arrived is sent again by its own key", async () => {
    const world = new EngineWorld({ pipeline: "notice" });
    const program = world.start();
    world.create(program);
    world.cms.fates = ["ok", "never"];
    expect(await world.finish(program)).toBe("succeeded");
    expect(world.cms.calls.map((call) => call.phase)).toEqual(["create", "publish", "publish"]);
    expect(world.cms.things[0]?.appliedKeys).toHaveLength(1);
  });

  test("is not sent again by itself where too few of the pipeline's writes are covered, and is when a person confirms", async () => {
    const world = new EngineWorld({ pipeline: "notice", uncoveredWrites: 2 });
    const program = world.start();
    world.create(program);
    world.cms.fates = ["ok", "never"];
    expect(await world.finish(program)).toBe("blocked");
    expect(world.view(program).task.blockedReason).toBe("outcome_unknown");
    expect(world.cms.calls.map((call) => call.phase)).toEqual(["create", "publish"]);
    expect(world.rows("SELECT reason FROM event WHERE type = 'PublishBlocked'")).toEqual([
      { reason: "idempotency_coverage" },
    ]);
    expect(world.person(program, unblocking(world.view(program))).result).toBe("applied");
    expect(await world.finish(program)).toBe("succeeded");
    expect(world.cms.calls.map((call) => call.phase)).toEqual(["create", "publish", "publish"]);
    expect(world.cms.things[0]?.appliedKeys).toHaveLength(1);
  });
});

test("a revocation while a request is out is noted, settled by query, and nothing further starts (S12)", async () => {
  const { world, program } = await publishing();
  world.cms.fates = ["lost"];
  await world.pass(program);
  const { task } = world.view(program);
  const noted = world.person(program, {
    type: "revoke_approval",
    taskId: task.id,
    approvalId: String(task.context["publishApprovalId"]),
    reason: "a fact is wrong",
  });
  expect(noted.result).toBe("applied");
  expect(world.view(program).task.state).toBe("publishing");
  expect(await world.finish(program)).toBe("blocked");
  expect(world.view(program).task.blockedReason).toBe("approval_revoked");
  expect(world.operation(program, "publish").state).toBe("confirmed");
  expect(world.eventTypes()).toContain("RevocationNoted");
  expect(world.mail.calls).toEqual([]);
});

test("a request carries bytes that were never made anew: the second try is the first one's, byte for byte", async () => {
  const { world } = await edition(["never", "unreachable"]);
  const hashes = world.rows(
    "SELECT DISTINCT json_extract(payload, '$.requestBytesHash') AS hash FROM event WHERE type = 'RequestSent' AND seq < (SELECT max(seq) FROM event WHERE type = 'PageVerified')",
  );
  expect(hashes).toHaveLength(1);
  expect(world.clock.now()).toBeGreaterThan(START + 60_000);
});
