import { expect, test } from "vitest";
import { UndoWorld } from "./compensator-world";

test("a published page is taken down, proved gone, and the edition is compensated", async () => {
  const world = await UndoWorld.open();
  const walk = await world.published();
  expect((await world.page()).status).toBe(200);
  walk.startCompensation();
  await world.drive();
  console.log(world.told(), world.entry("take_page_down"));
  expect(walk.state).toBe("compensated");
  expect((await world.page()).status).toBe(404);
  expect(world.violations()).toEqual([]);
});
