import { describe, expect, test } from "vitest";
import type { Clock } from "../../main/domain/ports";
import { EngineWorld, gate, type Program, rest } from "./engine-world";
import type { Fate } from "./fake-remote";

// A paused executor wakes with an old token (F1, K5, S24). What it did outside cannot be taken back; what it knows is kept, moves
// nothing, and is looked into, wherever the others have got to meanwhile.

/** A process that stands still: its timers do not fire, and what it has sent goes on without it. */
function pausableClock(clock: Clock): { clock: Clock; pause: () => void; wake: () => void } {
  let awake: Promise<void> = Promise.resolve();
  let open: () => void = () => undefined;
  return {
    pause: () => {
      const gated = gate();
      awake = gated.opened;
      open = gated.open;
    },
    wake: () => open(),
    clock: {
      ...clock,
      now: () => clock.now(),
      monotonic: () => clock.monotonic(),
      sleep: async (ms, signal) => {
        await clock.sleep(ms, signal);
        await awake;
      },
      timeout: (ms) => clock.timeout(ms),
    },
  };
}

/** A sends and falls asleep before the answer comes; its lease runs out. */
async function asleepInCall(
  fate: (opened: Promise<void>) => Fate,
  options: ConstructorParameters<typeof EngineWorld>[0] = {},
) {
  const world = new EngineWorld(options);
  await world.upTo("PublishStarted");
  const sleeper = pausableClock(world.clock);
  const a = world.start("a", { clock: sleeper.clock });
  const answer = gate();
  world.cms.fates = [fate(answer.opened)];
  const run = a.executor.runOnce();
  await rest();
  expect(world.cms.calls).toHaveLength(1);
  sleeper.pause();
  await world.clock.advanceBy(100_000);
  const b = world.start("b");
  // It writes down what it knows and ends: what it would go on with is any executor's work.
  const wake = async () => {
    a.executor.stop();
    answer.open();
    await rest();
    sleeper.wake();
    await world.drive(run);
  };
  return { world, a, b, wake };
}
const late = (world: EngineWorld) => world.events().filter((event) => event.type === "LateAnswerKept");
const publish = (world: EngineWorld, program: Program) => world.operation(program, "publish");

describe("an answer under an old token", () => {
  test("that comes while the outcome is unknown is kept, and looked into at once (K5)", async () => {
    const { world, b, wake } = await asleepInCall((opened) => ({ answersAfter: opened }));
    world.cms.lookFates = [{ downFor: 3_600_000 }];
    await world.pass(b);
    await world.clock.advanceBy(2_000);
    await world.pass(b);
    expect(publish(world, b)).toMatchObject({ state: "unknown" });
    const before = world.view(b).task;
    await wake();
    expect(late(world)).toHaveLength(1);
    expect(late(world)[0]?.payload).toMatchObject({
      oldToken: before.fencingToken - 1,
      outcome: "confirmed",
      remoteId: "18427",
      operationState: "unknown",
    });
    expect(world.view(b).task).toMatchObject({ state: "publishing", stateVersion: before.stateVersion });
    // The look that failed had put the next one off; the answer brings it forward, to this very moment.
    const looks = world.cms.looks.length;
    await world.pass(b);
    expect(world.cms.looks).toHaveLength(looks + 1);
    expect(await world.finish(b)).toBe("succeeded");
    expect(world.cms.calls).toHaveLength(1);
    expect(world.violations()).toEqual([]);
  });

  test("that comes when another has found the object changes nothing, and is looked into (F1, S24)", async () => {
    const { world, b, wake } = await asleepInCall((opened) => ({ answersAfter: opened }));
    await world.run(b, () => world.view(b).task.state === "awaiting_send_approval");
    const before = world.view(b).task;
    const looks = world.cms.looks.length;
    await wake();
    expect(late(world)).toHaveLength(1);
    expect(world.view(b).task).toMatchObject({ state: before.state, stateVersion: before.stateVersion });
    expect(publish(world, b)).toMatchObject({ state: "confirmed", remoteId: "18427" });
    await world.pass(b);
    expect(world.cms.looks).toHaveLength(looks + 1);
    expect(publish(world, b)).toMatchObject({ state: "confirmed", nextLookAt: null });
    expect(await world.finish(b)).toBe("succeeded");
    expect(world.violations()).toEqual([]);
  });

  test("that speaks of a second object, after another was made in good faith, is found out: a duplicate, frozen", async () => {
    // Stuck on its way for longer than the horizon; the other executor has proven absence and sent anew.
    const { world, b, wake } = await asleepInCall((opened) => ({ arrivesAfter: opened }));
    await world.run(b, () => world.view(b).task.state === "awaiting_send_approval");
    expect(world.cms.calls).toHaveLength(2);
    expect(publish(world, b)).toMatchObject({ state: "confirmed", remoteId: "18427" });
    await wake();
    expect(world.cms.things).toHaveLength(2);
    expect(late(world)[0]?.payload).toMatchObject({ remoteId: "18428", operationState: "confirmed" });
    await world.pass(b);
    expect(publish(world, b).state).toBe("conflict");
    expect(world.view(b).freezes()).toHaveLength(1);
    // Nothing is mailed over a duplicate, whoever approves.
    world.approveIfAsked(b);
    await world.pass(b);
    expect(world.mail.calls).toEqual([]);
    expect(world.view(b).task.state).toBe("awaiting_send_approval");
  });

  test("that comes between proven absence and the sending anew holds the sending until it was looked into", async () => {
    const { world, b, wake } = await asleepInCall((opened) => ({ arrivesAfter: opened }));
    const dying = world.start("b", {
      crash: {
        reach: (point) => {
          if (point.startsWith("after-commit:RemoteNotFound") && publish(world, b).state === "not_found")
            dying.executor.stop();
        },
      },
    });
    await world.run(dying);
    expect(publish(world, b)).toMatchObject({ state: "not_found", settled: true, nextLookAt: null });
    await wake();
    expect(late(world)[0]?.payload).toMatchObject({ operationState: "not_found", remoteId: "18427" });
    expect(publish(world, b)).toMatchObject({ state: "not_found", nextLookAt: world.clock.now() });
    expect(await world.finish(world.start("b"))).toBe("succeeded");
    expect(world.cms.calls).toHaveLength(1);
    expect(world.cms.things).toHaveLength(1);
    expect(world.violations()).toEqual([]);
  });
});

describe("an executor that was stopped between its commit and the call", () => {
  test("does not call when it wakes after its lease: somebody else may have sent by now", async () => {
    const world = new EngineWorld();
    await world.upTo("PublishStarted");
    let asleepMs = 0;
    const clock: Clock = { ...world.clock, now: () => world.clock.now() + asleepMs };
    const a = world.start("a", {
      clock,
      crash: {
        reach: (point) => {
          // SIGSTOP, or the lid closed, at the worst of all moments.
          if (point === "before-call:publish.create") asleepMs = 8 * 3_600_000;
        },
      },
    });
    await world.pass(a);
    expect(world.cms.calls).toEqual([]);
    expect(world.eventTypes()).toContain("RequestSent");
    await world.clock.advanceBy(8 * 3_600_000);
    asleepMs = 0;
    expect(await world.finish(world.start("b"))).toBe("succeeded");
    expect(world.cms.calls).toHaveLength(1);
    expect(world.violations()).toEqual([]);
  });

  test("calls when it was a moment", async () => {
    const world = new EngineWorld();
    await world.upTo("PublishStarted");
    let asleepMs = 0;
    const clock: Clock = { ...world.clock, now: () => world.clock.now() + asleepMs };
    const reach = (point: string) => {
      if (point === "before-call:publish.create") asleepMs = 20_000;
    };
    await world.pass(world.start("a", { clock, crash: { reach } }));
    expect(world.cms.calls).toHaveLength(1);
  });
});

describe("a stage's work that wakes with an old token", () => {
  test("is told that the lease is lost, and what it writes is refused", async () => {
    const world = new EngineWorld();
    const sleeper = pausableClock(world.clock);
    const a = world.start("a", { clock: sleeper.clock });
    world.create(a);
    const { opened, open } = gate();
    const { execute } = a.journal;
    // Its first checkpoint is held up.
    let results: string[] = [];
    const runtime = a.executor as unknown as {
      options: { pipelineOf(name: string): { works: Record<string, unknown> } };
    };
    const pipeline = runtime.options.pipelineOf("weekly-briefing");
    const collecting = pipeline.works["collecting"] as (context: unknown) => Promise<void>;
    pipeline.works["collecting"] = async (context: unknown) => {
      await opened;
      await collecting(context);
    };
    a.journal.execute = (command, context) => {
      const answer = execute.call(a.journal, command, context);
      results = [...results, `${command.type} ${answer.result}`];
      return answer;
    };
    const run = a.executor.runOnce();
    await rest();
    sleeper.pause();
    await world.clock.advanceBy(100_000);
    const b = world.start("b");
    await world.run(b, () => world.view(b).task.state === "awaiting_content_approval");
    const before = world.eventTypes().length;
    results = [];
    open();
    await rest();
    sleeper.wake();
    await world.drive(run);
    expect(results).toContain("record_step stale_token");
    expect(world.eventTypes()).toHaveLength(before);
    expect(world.view(b).task.state).toBe("awaiting_content_approval");
  });
});
