import { expect, test } from "vitest";
import { readDoneAlerts, readOpenAlerts, readUntouchedItems } from "../../../db/queries/alerts";
import { openQueries } from "../../../db/queries/open-queries";
import { watchPlans } from "../../support/query-plans";
import { World } from "../../support/world";

test("open alerts come from their own index at every commit, done ones by time, untouched items from the open ones", () => {
  const world = new World();
  const reader = world.openReader();
  const watch = watchPlans(reader);
  const queries = openQueries(reader, (hash) => world.journal.definitionOf(hash));
  readOpenAlerts(queries);
  readDoneAlerts(queries, world.now);
  readUntouchedItems(queries, world.now);
  expect(watch.scans()).toEqual([]);
  const steps = watch.plans().flatMap((plan) => plan.steps);
  expect(steps).toContain("SCAN alert USING INDEX alert_open");
  expect(steps).toContain("SEARCH alert USING INDEX alert_by_time (last_at>?)");
  expect(steps).toContain("SEARCH alert USING INDEX alert_by_task (task_id=?)");
});
