import { expect, test } from "vitest";
import { sampledPoints } from "../support/sampled-points";
import { killAt, notePoints, UndoWorld } from "./compensator-world";

/**
 * The process dies at every commit and every call of an undo in turn, before and after each, and a fresh executor goes on. The
 * campaign is held back and the page taken down in every one of them, each by requests of which exactly one had an effect.
 */
async function withCampaignOut(): Promise<UndoWorld> {
  const world = await UndoWorld.open();
  const walk = await world.published();
  await world.fault({ on: "mail.trigger", fault: "auth", times: 1 });
  walk.approveSend();
  await world.drive(world.executor(), "blocked");
  walk.startCompensation();
  return world;
}

async function expectUndone(world: UndoWorld, where: string): Promise<void> {
  expect(world.walk.state, where).toBe("compensated");
  const remote = await world.remotely();
  const [page] = remote.cms.objects;
  expect(page, where).toMatchObject({ status: "draft", appliedKeys: [world.undo("take_page_down")?.operationKey] });
  expect(remote.mail.campaigns, where).toMatchObject([
    { status: "cancelled", appliedKeys: [world.undo("stop_campaign")?.operationKey] },
  ]);
  expect(remote.mail.mailings, where).toEqual([]);
  const done = world.told().filter((type) => type === "CompensationStepDone");
  expect(done, where).toHaveLength(5);
  expect((await world.page()).status, where).toBe(404);
  expect(world.violations(), where).toEqual([]);
}

test("at every commit and every call, before and after", { timeout: 240_000 }, async () => {
  const noted = notePoints();
  const calm = await withCampaignOut();
  await calm.drive(calm.executor(noted));
  await expectUndone(calm, "without a crash");
  const calmCalls = await calm.remotely();
  expect([calmCalls.cms.statusCalls, calmCalls.mail.statusCalls]).toEqual([1, 1]);
  expect(noted.points.length).toBeGreaterThan(50);
  for (const { point, times } of sampledPoints(noted.points, 0, 2)) {
    const where = `${point} (${times})`;
    const world = await withCampaignOut();
    expect(await world.driveKilled(killAt(point, times)), where).toBe(true);
    await expectUndone(world, where);
    const remote = await world.remotely();
    const calls = remote.cms.statusCalls + remote.mail.statusCalls;
    // A request leaves a second time only where the first had proven not to have arrived: then it was never received.
    expect(calls, where).toBe(2);
  }
});

/** A second version stands on the site; undoing it writes content, which a repeated request would write twice. */
async function withNewVersion(): Promise<UndoWorld> {
  const world = await UndoWorld.open();
  const first = await world.published();
  first.person({ type: "transition", taskId: first.taskId, event: "ClosedProtectively", reason: "a new version" });
  await world.published({ taskVersion: 2, supersedes: first.taskId }, "第二版");
  world.walk.startCompensation();
  return world;
}

async function expectPointedBack(world: UndoWorld, where: string): Promise<void> {
  expect(world.walk.state, where).toBe("compensated");
  const remote = await world.remotely();
  const undo = world.undo("point_page_back");
  const [page] = remote.cms.objects;
  expect(page, where).toMatchObject({ revision: 3, status: "published", contentHash: undo?.contentHash });
  expect(
    page.appliedKeys.filter((key: string) => key === undo?.operationKey),
    where,
  ).toHaveLength(1);
  // The create's own version, the update's, the undo's: three writes, however often the process died.
  expect([remote.cms.createCalls, remote.cms.updateCalls], where).toEqual([1, 2]);
  expect((await world.page()).text, where).not.toContain("第二版");
  expect(world.violations(), where).toEqual([]);
}

test("also where the undo writes content", { timeout: 240_000 }, async () => {
  const noted = notePoints();
  const calm = await withNewVersion();
  await calm.drive(calm.executor(noted));
  await expectPointedBack(calm, "without a crash");
  for (const { point, times } of sampledPoints(noted.points, 1, 2)) {
    const where = `${point} (${times})`;
    const world = await withNewVersion();
    expect(await world.driveKilled(killAt(point, times)), where).toBe(true);
    await expectPointedBack(world, where);
  }
});
