import { is, Table } from "drizzle-orm";
import { drizzle } from "drizzle-orm/better-sqlite3";
import { expect, test } from "vitest";
import { prepareRows } from "../../db/journal/table-reader";
import * as schema from "../../db/schema";
import { BriefingWalk } from "../support/briefing-walk";
import { World } from "../support/world";

/** Tables an undisturbed edition leaves rows in, among them every JSON and boolean column but that of receipts. */
const FILLED = [
  "task",
  "step",
  "artifact",
  "compensation",
  "approval",
  "operation",
  "attempt",
  "event",
  "recipientAccount",
];

test("rows read by hand equal the schema's own reading of them, whatever column and whatever table", () => {
  const world = new World();
  const walk = new BriefingWalk(world).to("publishing");
  const operation = walk.operation("publish");
  walk.markSent(operation);
  walk.answer(operation.id, "unknown");
  walk.look(operation.id, "confirmed", { ids: ["18427"], url: walk.package().plannedUrl });
  walk.prove();
  walk.executor({ type: "transition", taskId: walk.taskId, event: "Published" });
  walk.to("succeeded");
  const { sqlite } = world.database;
  const orm = drizzle(sqlite);
  const counts = Object.entries(schema).flatMap(([name, table]) => {
    if (!is(table, Table)) return [];
    const expected = orm.select().from(table).all();
    expect(prepareRows(sqlite, table, "").all(), name).toEqual(expected);
    expect(prepareRows(sqlite, table, "LIMIT 1").get(), name).toEqual(expected[0] ?? null);
    return [[name, expected.length] as const];
  });
  const filled = counts.filter(([, count]) => count > 0).map(([name]) => name);
  expect(filled).toEqual(expect.arrayContaining([...FILLED, "reconciliation"]));
});
