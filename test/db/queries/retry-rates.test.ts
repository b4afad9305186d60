import { expect, test } from "vitest";
import { openQueries } from "../../../db/queries/open-queries";
import { readRetryRates } from "../../../db/queries/retry-rates";
import { watchPlans } from "../../support/query-plans";
import { World } from "../../support/world";
import { MetricJournal } from "./metric-journal";

const DAY_MIN = 24 * 60;

test("each dependency with a repeat in the last week: its calls then, and those of the four weeks before", () => {
  const journal = new MetricJournal();
  journal.task("e1");
  journal.task("e2", { created_at: journal.at(30 * DAY_MIN) });
  const read = (task: string, minute: number, sourceId: string, retry: object | null | "frozen") =>
    retry === "frozen"
      ? journal.event(task, minute, "SourceFrozen", { payload: { sourceId } })
      : journal.event(task, minute, "SourceReadFailed", { payload: { sourceId, retry } });
  // Older than both times: counted nowhere.
  read("e1", -4 * DAY_MIN, "a", { at: 1 });
  for (let minute = 1; minute <= 5; minute += 1) read("e1", minute, "a", "frozen");
  read("e1", 6, "a", { at: 7 });
  read("e1", 7, "b", { at: 8 });
  read("e2", 30 * DAY_MIN, "a", { at: 1 });
  read("e2", 30 * DAY_MIN + 1, "a", { at: 2 });
  read("e2", 30 * DAY_MIN + 2, "a", "frozen");
  // Given up at once: a call, but nothing was repeated.
  read("e2", 30 * DAY_MIN + 3, "c", null);
  expect(readRetryRates(journal.queries(), journal.at(32 * DAY_MIN))).toEqual([
    { dependency: "a", taskId: "e2", recent: { calls: 3, again: 2 }, baseline: { calls: 6, again: 1 } },
  ]);
});

test("no table is read from end to end", () => {
  const world = new World();
  const reader = world.openReader();
  const watch = watchPlans(reader);
  readRetryRates(
    openQueries(reader, (hash) => world.journal.definitionOf(hash)),
    world.now,
  );
  expect(watch.scans()).toEqual([]);
});
