import { expect, test } from "vitest";
import { openQueries } from "../../../db/queries/open-queries";
import { readRun } from "../../../db/queries/run";
import { BriefingWalk } from "../../support/briefing-walk";
import { World } from "../../support/world";

const open = (world: World) => openQueries(world.openReader(), (hash) => world.journal.definitionOf(hash));

test("reads of one moment do not see a commit that comes in between, and see it afterwards", () => {
  const world = new World();
  const walk = new BriefingWalk(world);
  const queries = open(world);
  const state = () => queries.tasks.task(walk.taskId)?.state;
  const seen = queries.consistent(() => {
    const before = state();
    walk.start();
    return [before, state()];
  });
  expect(seen).toEqual(["created", "created"]);
  expect(state()).toBe("collecting");
});

test("a run is one moment even where its parts are read late", () => {
  const world = new World();
  const walk = new BriefingWalk(world).to("content_approved");
  const found = readRun(open(world), walk.taskId, (rows) => {
    walk.startPublishing();
    return { state: rows.view.task.state, operations: rows.view.operations().length, events: rows.events.at(-1)?.type };
  });
  expect(found).toEqual({ state: "content_approved", operations: 0, events: "ContentApproved" });
});

test("the screens' connection cannot write", () => {
  const world = new World();
  const queries = open(world);
  expect(() => queries.sqlite.exec("DELETE FROM suppression")).toThrow("readonly");
});

test("a failing read leaves no transaction open", () => {
  const world = new World();
  const queries = open(world);
  expect(() =>
    queries.consistent(() => {
      throw new Error("damaged");
    }),
  ).toThrow("damaged");
  expect(queries.sqlite.inTransaction).toBe(false);
  expect(queries.get("SELECT 1 AS one")).toEqual({ one: 1 });
});
