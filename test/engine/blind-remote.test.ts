import { expect, test } from "vitest";
import { createWorkspaceTime } from "../../main/adapters/trusted-time";
import { unblocking } from "./bare-runtime";
import { EDITOR, EngineWorld } from "./engine-world";

// A remote that refuses every question (the login is dead): a person is asked, the remote is not hammered (domain 6, 8).

const BLIND = Array.from({ length: 500 }, () => "down" as const);

/** Up to a person's word that the lost request did nothing, given while the remote still shows nothing to anybody. */
async function upToVerdict(): Promise<EngineWorld> {
  const world = new EngineWorld();
  const program = world.start();
  world.create(program);
  world.cms.fates = ["never"];
  world.cms.lookFates = [...BLIND];
  expect(await world.finish(program)).toBe("blocked");
  const { task } = world.view(program);
  const { id } = world.operation(program, "publish");
  const verdict = { verdict: "did_not_happen", evidence: "the website's own list is empty", remoteId: null } as const;
  world.person(program, { type: "give_verdict", taskId: task.id, operationId: id, ...verdict });
  world.person(program, unblocking(world.view(program)));
  program.executor.stop();
  // Whoever goes on dies with the lease in hand: what it left has to be looked at before it may leave.
  const dying = world.start("dying", {
    crash: {
      reach: (point) => {
        if (point === "after-commit:LeaseClaimed") throw new Error("dies here");
      },
    },
  });
  await expect(world.pass(dying)).rejects.toThrow("dies here");
  return world;
}

test("each way out a person takes asks once more, and as long as nothing is seen nothing leaves", async () => {
  const world = await upToVerdict();
  const successor = world.start("b");
  await world.clock.advanceTo(world.clock.now() + 3_600_000);
  const before = world.cms.looks.length;
  expect(await world.finish(successor)).toBe("blocked");
  expect(world.cms.looks).toHaveLength(before + 1);
  expect(world.view(successor).task.blockedReason).toBe("outcome_unknown");
  expect(world.cms.calls).toHaveLength(1);

  world.person(successor, unblocking(world.view(successor)));
  expect(await world.finish(successor)).toBe("blocked");
  expect(world.cms.looks).toHaveLength(before + 2);

  world.cms.lookFates = [];
  world.person(successor, unblocking(world.view(successor)));
  expect(await world.finish(successor)).toBe("succeeded");
  expect(world.cms.calls).toHaveLength(2);
  expect(world.cms.things).toHaveLength(1);
  expect(world.violations()).toEqual([]);
});

test("a way out taken under a clock that was set back counts at once, not when the clock has caught up", async () => {
  const world = new EngineWorld({ cms: { retry: { resendAfterProvenAbsent: false } } });
  const program = world.start();
  world.create(program);
  world.cms.fates = ["never"];
  expect(await world.finish(program)).toBe("blocked");
  program.executor.stop();

  const { clock } = world;
  const setBack = { ...clock, now: () => clock.now() - 2_400_000 };
  const later = world.start("later", { clock: setBack, trusted: createWorkspaceTime(clock) });
  const { stateVersion } = world.view(later).task;
  const trusted = { at: clock.now(), trusted: true, source: "test" } as const;
  const context = { actor: EDITOR, now: setBack.now(), trusted, expectedVersion: stateVersion };
  expect(later.journal.execute(unblocking(world.view(later)), context).result).toBe("applied");
  await world.run(later, () => world.cms.calls.length > 1);
  expect(world.cms.calls).toHaveLength(2);
  expect(world.cms.things).toHaveLength(1);
  expect(world.violations()).toEqual([]);
});
