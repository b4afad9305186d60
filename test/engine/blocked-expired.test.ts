import { expect, test } from "vitest";
import { EngineWorld } from "./engine-world";

// Domain 3: when a block's expiry passes there is an alert and a recovery item, and the state stays.

test("a block that outlives its expiry is told again at that moment, once, whoever runs and however often", async () => {
  const world = new EngineWorld();
  let program = world.start();
  world.create(program);
  world.cms.fates = ["lost"];
  world.cms.lookFates = Array.from({ length: 8 }, () => "down" as const);
  expect(await world.finish(program)).toBe("blocked");
  const { task, definition } = world.view(program);
  const expiresAt = task.stateSince + (definition.blocked["outcome_unknown"]?.expiresAfterMs ?? 0);
  expect(await world.pass(program)).toBe(expiresAt);

  const expired = () => world.events().filter(({ type }) => type === "BlockedExpired");
  const items = () =>
    world.rows("SELECT kind, stage, owner, backup_owner, due_at FROM recovery_item ORDER BY created_at");
  await world.clock.advanceTo(expiresAt);
  // Nothing is left that time would do.
  expect(await world.pass(program)).toBeNull();
  expect(expired()).toMatchObject([{ actor: "system" }]);
  expect(items()).toMatchObject([
    { kind: "unknown_outcome" },
    { kind: "blocked_expired", stage: "to_triage", owner: "incident_owner", backup_owner: "backup_editor" },
  ]);
  expect(world.rows("SELECT urgency FROM alert WHERE code = 'blocked_expired'")).toEqual([{ urgency: "one_hour" }]);
  expect(world.view(program).task).toMatchObject({ state: "blocked", stateVersion: task.stateVersion });

  program.executor.releaseAll();
  program = world.start("b");
  await world.clock.advanceTo(expiresAt + 86_400_000);
  expect(await world.pass(program)).toBeNull();
  expect(expired()).toHaveLength(1);
  expect(items()).toHaveLength(2);
  expect(world.violations()).toEqual([]);
});
