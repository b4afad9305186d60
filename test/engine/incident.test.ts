import { expect, test } from "vitest";
import type { OpenIncident, SettleIncident } from "../../main/domain/incident-command";
import { records } from "../sandbox/world";
import { EDITOR } from "../support/world";
import { UndoWorld } from "./compensator-world";

const byHand = (world: UndoWorld, more: Partial<OpenIncident>): string => {
  const { taskId } = world.walk;
  const open = {
    type: "open_incident",
    taskId,
    rule: "by_hand",
    operationId: null,
    reason: "seen on the phone",
  } as const;
  world.world.must({ ...open, kind: "wrong_page_live", scope: "all", scopeValue: "everything", ...more }, EDITOR);
  return world.walk.view().freezes().at(-1)?.id ?? "";
};
const creates = async (world: UndoWorld): Promise<number> => (await records(world.remote.url)).cms.createCalls;

test("nothing leaves while everything is frozen, looks go on, and closed it goes on from where it stood", async () => {
  const world = await UndoWorld.open();
  const walk = world.begin();
  walk.to("publishing");
  const incidentId = byHand(world, {});
  const executor = world.executor();
  for (let pass = 0; pass < 5; pass += 1) {
    const dueAt = await executor.runOnce();
    expect(dueAt, "it comes back by itself").not.toBeNull();
    world.world.now = Math.max(dueAt ?? 0, world.world.now + 1);
  }
  executor.releaseAll();
  expect(await creates(world)).toBe(0);
  expect(walk.state).toBe("publishing");
  // Neither is it blocked as if two objects were there.
  expect(walk.view().task.blockedReason).toBeNull();
  const settle: SettleIncident = {
    ...{ type: "settle_incident", taskId: walk.taskId, incidentId, reason: "it was another site" },
    proofs: { told_decided: "nobody", cause: "a wrong tab" },
    observed: { captureHash: null, provedContentHash: walk.view().task.context["contentHash"] as never },
  };
  world.world.must(settle, EDITOR);
  await world.drive(world.executor(), "awaiting_send_approval");
  expect(walk.state).toBe("awaiting_send_approval");
  expect(await creates(world)).toBe(1);
});

test("undoing is never frozen but by two objects in one place: what is wrong is taken back while the incident is open", async () => {
  const world = await UndoWorld.open();
  const walk = await world.published();
  const incidentId = byHand(world, {});
  walk.startCompensation("the wrong page is live");
  await world.drive(world.executor());
  expect(
    walk
      .view()
      .operations()
      .some(({ kind, state }) => kind === "compensate" && state === "confirmed"),
  ).toBe(true);
  expect(walk.state).toBe("compensated");
  const freezes = walk
    .view()
    .freezes()
    .map(({ id }) => id);
  expect(freezes).toEqual([incidentId]);
});
