import { describe, expect, test } from "vitest";
import type { Clock } from "../../main/domain/ports";
import { START } from "../db/journal-file";
import { EngineWorld, gate, type Program, rest } from "./engine-world";

// Leases, tokens and several executors on one journal (domain 5), each with a connection of its own.

describe.each(["briefing", "notice"] as const)("a %s", (pipeline) => {
  test("goes from created to succeeded, each thing done once", async () => {
    const world = new EngineWorld({ pipeline });
    const program = world.start();
    world.create(program);
    expect(await world.finish(program)).toBe("succeeded");
    expect(world.cms.calls.map((call) => call.phase)).toEqual(
      pipeline === "briefing" ? ["create"] : ["create", "publish"],
    );
    expect(world.cms.things).toHaveLength(1);
    // A draft is looked at once more before it is published; what is published at once is not.
    expect(world.cms.looks).toHaveLength(pipeline === "briefing" ? 0 : 1);
    expect(world.violations()).toEqual([]);
    expect(world.view(program).task).toMatchObject({ leaseOwner: null, takeoverToken: 0 });
  });
});

test("two editions side by side on one journal, by one executor", async () => {
  const world = new EngineWorld({ pipeline: "briefing" });
  const program = world.start();
  world.create(program, "2026-W30");
  world.create(program, "2026-W31");
  expect(await world.finish(program)).toBe("succeeded");
  await world.run(program, () => world.view(program, "2026-W31").task.state === "awaiting_content_approval");
  expect(world.view(program, "2026-W31").task.state).toBe("awaiting_content_approval");
  expect(world.violations()).toEqual([]);
});

describe("what an executor waits for", () => {
  test("is said, so that nobody need poll: a person, or a moment", async () => {
    const world = new EngineWorld({ pipeline: "notice" });
    const program = world.start();
    world.create(program);
    expect(await world.pass(program)).toBeNull();
    const { task } = world.view(program);
    expect(program.executor.waiting.get(task.id)).toEqual({ until: null, state: "awaiting" });
    world.approveIfAsked(program);
    world.cms.fates = ["lost"];
    const until = await world.pass(program);
    expect(until).toBe(world.operation(program, "publish").nextLookAt);
    expect(program.executor.waiting.get(task.id)).toEqual({ until, state: "publishing" });
  });

  test("is forgotten with its task's end, whoever brought it about", async () => {
    const world = new EngineWorld({ pipeline: "notice" });
    const [first, second] = [world.start("a"), world.start("b")];
    world.create(first);
    world.cms.fates = ["lost"];
    await world.pass(first);
    world.approveIfAsked(first);
    expect(await world.pass(first)).not.toBeNull();
    expect([...first.executor.waiting.values()]).toMatchObject([{ state: "publishing" }]);
    expect(await world.finish(second)).toBe("succeeded");
    await world.pass(first);
    expect(first.executor.waiting.size).toBe(0);
  });

  test("asked twice at once, does everything once", async () => {
    const world = new EngineWorld();
    const program = world.start();
    world.create(program);
    await world.drive(
      Promise.all([program.executor.runOnce(), program.executor.runOnce(), program.executor.runOnce()]),
    );
    expect(world.eventTypes().filter((type) => type === "LeaseClaimed")).toHaveLength(1);
    expect(world.eventTypes().filter((type) => type === "CollectStarted")).toHaveLength(1);
  });

  test("a task that nothing moves is not asked in a circle", async () => {
    const world = new EngineWorld();
    await world.upTo("PublishStarted");
    // The guard before the call says no, and no event fits: only time may help.
    const program = world.start("a", {
      trusted: { read: () => ({ at: world.clock.now(), trusted: false, source: "" }) },
    });
    const before = world.eventTypes().length;
    const until = await world.pass(program);
    expect(until).toBeLessThanOrEqual(world.clock.now() + 30_000);
    expect(until).toBeGreaterThan(world.clock.now());
    expect(world.eventTypes().length - before).toBeLessThanOrEqual(4);
    expect(world.cms.calls).toEqual([]);
  });
});

describe("heartbeats", () => {
  test("keep the lease through a call that takes long", async () => {
    const world = new EngineWorld();
    const program = await world.upTo("PublishStarted");
    const { opened, open } = gate();
    world.cms.fates = [{ answersAfter: opened }];
    const run = program.executor.runOnce();
    await rest();
    const token = world.view(program).task.fencingToken;
    for (let minutes = 0; minutes < 5; minutes += 1) {
      await world.clock.advanceBy(60_000);
      await rest();
      const { task } = world.view(program);
      expect(task.fencingToken).toBe(token);
      expect(task.leaseExpiresAt ?? 0).toBeGreaterThan(world.clock.now());
      expect(await world.pass(world.start("b"))).toBe(task.leaseExpiresAt);
    }
    open();
    await world.drive(run);
    expect(world.operation(program, "publish").state).toBe("confirmed");
    expect(world.eventTypes()).not.toContain("LateAnswerKept");
  });

  test("leave no event: a heartbeat says nothing about the work", async () => {
    const world = new EngineWorld();
    const program = await world.upTo("PublishStarted");
    const { opened, open } = gate();
    world.cms.fates = [{ answersAfter: opened }];
    const run = program.executor.runOnce();
    await rest();
    const before = world.eventTypes().length;
    await world.clock.advanceBy(120_000);
    expect(world.eventTypes()).toHaveLength(before);
    open();
    await world.drive(run);
  });

  test("come before a call that would begin at the end of a lease", async () => {
    const world = new EngineWorld();
    const program = await world.upTo("PublishStarted");
    // Seventy seconds of the ninety are gone when it wakes.
    await world.clock.advanceBy(70_000);
    const { opened, open } = gate();
    world.cms.fates = [{ answersAfter: opened }];
    const run = program.executor.runOnce();
    await rest();
    expect(world.view(program).task.leaseExpiresAt).toBe(world.clock.now() + 90_000);
    await world.clock.advanceBy(25_000);
    expect((await world.pass(world.start("b"))) ?? 0).toBeGreaterThan(world.clock.now());
    expect(world.view(program).task.leaseOwner).toBe("executor:a");
    open();
    await world.drive(run);
  });

  test("go on while a host is left alone for a while; for long the task is given back", async () => {
    const world = new EngineWorld();
    const program = await world.upTo("PublishStarted");
    for (let failures = 0; failures < 5; failures += 1) program.breaker.failed("cms.example", world.clock.now());
    await world.pass(program);
    await world.clock.advanceBy(29_999);
    expect(world.view(program).task.leaseOwner).toBe("executor:a");
    for (let failures = 0; failures < 20; failures += 1) program.breaker.failed("cms.example", world.clock.now());
    await world.pass(program);
    expect(world.view(program).task.leaseOwner).toBeNull();
  });
});

describe("two executors on one journal", () => {
  test("one works, the other waits till the lease is free", async () => {
    const world = new EngineWorld();
    const a = await world.upTo("PublishStarted");
    const { opened, open } = gate();
    world.cms.fates = [{ answersAfter: opened }];
    const run = a.executor.runOnce();
    await rest();
    const b = world.start("b");
    expect(await world.pass(b)).toBe(world.view(b).task.leaseExpiresAt);
    expect(world.cms.calls).toHaveLength(1);
    open();
    await world.drive(run);
    expect(world.cms.calls).toHaveLength(1);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8])("interleaved tick by tick (order %d) they do an edition once", async (seed) => {
    const world = new EngineWorld({ pipeline: seed % 2 === 0 ? "briefing" : "notice", cms: { visibilityMs: 3_000 } });
    const programs = [world.start("a"), world.start("b"), world.start("c")];
    const [first] = programs as [Program, Program, Program];
    world.create(first);
    world.cms.fates = seed % 3 === 0 ? ["lost"] : seed % 3 === 1 ? ["hang"] : ["ok"];
    for (let tick = 0; tick < 400; tick += 1) {
      const program = programs[(tick * 7 + seed * 3 + ((tick * seed) % 5)) % programs.length] as Program;
      // Not waited for: the others go on while this one has a call under way.
      void program.executor.runOnce();
      await rest();
      const { task } = world.view(first);
      if (task.state === "succeeded") break;
      world.approveIfAsked(first);
      const next = world.clock.nextTimerAt();
      await world.clock.advanceTo(Math.min(next ?? Number.POSITIVE_INFINITY, world.clock.now() + 7_000));
      if (tick % 5 === seed % 5) program.executor.releaseAll();
    }
    await rest();
    expect(world.view(first).task.state).toBe("succeeded");
    expect(world.cms.calls.filter((call) => call.phase === "create")).toHaveLength(1);
    expect(world.violations()).toEqual([]);
  });

  test("sweeping at one moment, sweep once", async () => {
    const world = new EngineWorld({ deadlineMs: 11 * 60_000 });
    const a = await world.upTo("PublishStarted");
    a.executor.releaseAll();
    await world.clock.advanceBy(2 * 60_000);
    const [b, c] = [world.start("b"), world.start("c")];
    await world.drive(Promise.all([b.executor.runOnce(), c.executor.runOnce()]));
    expect(world.eventTypes().filter((type) => type === "DeadlineReached")).toHaveLength(1);
    expect(world.view(b).task).toMatchObject({ state: "blocked", blockedReason: "deadline" });
  });
});

describe("taking over what a lost executor left", () => {
  test("waits for its lease, takes the next token, and keeps who it was", async () => {
    const world = new EngineWorld();
    await world.upTo("PublishStarted");
    const b = world.start("b");
    const until = (await world.pass(b)) ?? 0;
    expect(until).toBe(world.view(b).task.leaseExpiresAt);
    await world.clock.advanceTo(until);
    await world.pass(b);
    expect(world.view(b).task.fencingToken).toBe(3);
    const claim = world
      .events()
      .filter((event) => event.type === "LeaseClaimed")
      .at(-1);
    expect(claim?.payload).toMatchObject({ owner: "executor:b", takeover: true, previousOwner: "executor:a" });
  });

  test("begins with a look in publishing, though nothing had been sent (S21)", async () => {
    const world = new EngineWorld();
    await world.upTo("PublishStarted");
    await world.clock.advanceBy(90_000);
    const b = world.start("b");
    expect(await world.finish(b)).toBe("succeeded");
    const types = world.eventTypes();
    expect(types.indexOf("ReconcileStarted")).toBeLessThan(types.indexOf("RequestSent"));
    expect(world.cms.calls).toHaveLength(1);
  });

  test("with the query down looks again at its own pace, not in a circle, and then asks a person", async () => {
    const world = new EngineWorld();
    await world.upTo("PublishStarted");
    await world.clock.advanceBy(90_000);
    const b = world.start("b");
    world.cms.lookFates = Array.from({ length: 50 }, () => "down" as const);
    const before = world.clock.now();
    await world.run(b);
    expect(world.cms.looks).toHaveLength(8);
    expect(world.clock.now() - before).toBeGreaterThan(60_000);
    expect(world.view(b).task).toMatchObject({ state: "blocked", blockedReason: "outcome_unknown" });
    expect(world.cms.calls).toEqual([]);
  });

  test("goes on from the checkpoint in collecting, without asking anybody", async () => {
    const world = new EngineWorld();
    await world.upTo("CollectStarted");
    await world.clock.advanceBy(90_000);
    expect(await world.finish(world.start("b"))).toBe("succeeded");
    expect(world.cms.looks).toEqual([]);
  });

  test("also from itself, after a sleep longer than its lease: that is an expired lease, not an accident (S27)", async () => {
    const world = new EngineWorld();
    const a = await world.upTo("PublishStarted");
    await world.clock.advanceBy(8 * 3_600_000);
    expect(await world.finish(a)).toBe("succeeded");
    expect(world.cms.looks).toHaveLength(1);
    expect(world.cms.calls).toHaveLength(1);
  });

  test("asks about a call that was under way before it does anything else (S22, S25)", async () => {
    const world = new EngineWorld();
    const a = await world.upTo("PublishStarted");
    world.cms.fates = [{ answersAfter: gate().opened }];
    void a.executor.runOnce();
    await rest();
    // The process is gone: no heartbeat any more. Its promise hangs for ever, as a dead process's would.
    a.journal.execute = () => ({ result: "unavailable", code: "SQLITE_IOERR" });
    await world.clock.advanceBy(90_000);
    const b = world.start("b");
    expect(await world.finish(b)).toBe("succeeded");
    expect(world.cms.calls).toHaveLength(1);
    const types = world.eventTypes();
    expect(types.slice(types.indexOf("RequestSent")).slice(0, 5)).toEqual([
      "RequestSent",
      "LeaseClaimed",
      "OutcomeUnknown",
      "ReconcileStarted",
      "RemoteConfirmed",
    ]);
  });
});

describe("stopping", () => {
  test("begins nothing new, and waits for the call under way", async () => {
    const world = new EngineWorld();
    const program = await world.upTo("PublishStarted");
    const { opened, open } = gate();
    world.cms.fates = [{ answersAfter: opened }];
    const run = program.executor.runOnce();
    await rest();
    expect(program.executor.callsInFlight.size).toBe(1);
    expect(program.executor.isBusy).toBe(true);
    program.executor.stop();
    open();
    expect(await world.drive(run)).toBeNull();
    expect(world.operation(program, "publish").state).toBe("confirmed");
    expect(world.view(program).task.state).toBe("publishing");
    expect(program.executor.callsInFlight.size).toBe(0);
    expect(await world.pass(program)).toBeNull();
    expect(world.eventTypes()).not.toContain("PageVerified");
  });

  test("and giving back every lease lets the next start go on at once, without a takeover", async () => {
    const world = new EngineWorld();
    const program = await world.upTo("PublishStarted");
    program.executor.stop();
    program.executor.releaseAll();
    expect(world.view(program).task.leaseOwner).toBeNull();
    const before = world.clock.now();
    const b = world.start("b");
    await world.pass(b);
    expect(world.cms.calls[0]?.at).toBe(before);
    expect(world.cms.looks).toEqual([]);
    expect(world.view(b).task.takeoverToken).toBe(0);
  });

  test("gives back nobody else's", async () => {
    const world = new EngineWorld();
    const a = await world.upTo("PublishStarted");
    world.start("b").executor.releaseAll();
    expect(world.view(a).task.leaseOwner).toBe("executor:a");
  });
});

describe("when the journal cannot be written", () => {
  test("nothing leaves: the intent could not be put down (J7)", async () => {
    const world = new EngineWorld();
    const program = await world.upTo("PublishStarted");
    const { execute } = program.journal;
    program.journal.execute = (command, context) =>
      command.type === "mark_request_sent"
        ? { result: "unavailable", code: "SQLITE_FULL" }
        : execute.call(program.journal, command, context);
    const until = await world.pass(program);
    expect(world.cms.calls).toEqual([]);
    expect(until).toBe(world.clock.now() + 30_000);
    program.journal.execute = execute;
    expect(await world.finish(program)).toBe("succeeded");
  });

  test("for an answer, the answer is not lost: it is asked for again", async () => {
    const world = new EngineWorld();
    const program = await world.upTo("PublishStarted");
    const { execute } = program.journal;
    let failed = 0;
    program.journal.execute = (command, context) => {
      if (command.type !== "record_answer" || failed++ > 0) return execute.call(program.journal, command, context);
      return { result: "unavailable", code: "SQLITE_BUSY" };
    };
    expect(await world.finish(program)).toBe("succeeded");
    expect(world.cms.calls).toHaveLength(1);
    expect(world.eventTypes()).toContain("OutcomeUnknown");
    expect(world.violations()).toEqual([]);
  });
});

test("time comes from the clock alone: a program whose clock stands still does the same", async () => {
  const world = new EngineWorld();
  const still: Clock = { ...world.clock, now: () => START, sleep: world.clock.sleep, timeout: world.clock.timeout };
  const program = world.start("a", { clock: still });
  world.create(program);
  expect(await world.finish(program)).toBe("succeeded");
});
