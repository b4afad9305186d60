import { describe, expect, test } from "vitest";
import { lastApprovedPackage, lastPublishedPackage } from "../../../db/queries/content-review";
import { readLedgerRows } from "../../../db/queries/ledger";
import { readEditions, readMetricSamples } from "../../../db/queries/metrics";
import { openQueries, type Queries } from "../../../db/queries/open-queries";
import { readItemsSince, readRecovery } from "../../../db/queries/recovery";
import { readRun } from "../../../db/queries/run";
import { readSendReview } from "../../../db/queries/send-review";
import { readSnapshot } from "../../../db/queries/snapshot";
import { hasEdition, readToday } from "../../../db/queries/today";
import type { TaskView } from "../../../main/domain/view";
import { BriefingWalk } from "../../support/briefing-walk";
import { watchPlans } from "../../support/query-plans";
import { World } from "../../support/world";

/** Every read that a guard may make of a task. */
function touchAll(view: TaskView): void {
  view.operations();
  view.approvals();
  view.compensations();
  view.recipients();
  view.artifacts("page");
  view.step("collecting");
  view.audience("0".repeat(64) as never);
  view.lastEvent("PageVerified");
  view.freezes();
  view.epoch();
  view.suppressionVersion();
  view.slotOperations("publish:x");
  for (const operation of view.operations()) {
    view.attempts(operation.id);
    view.looks(operation.id);
  }
}

/** Reads that still wait for an index of their own; everything else may not scan. */
const WAITING_FOR_AN_INDEX = [
  // operation (settled) WHERE unknown_since IS NOT NULL
  /^SCAN operation in: SELECT count\(\*\) AS n FROM operation WHERE unknown_since IS NOT NULL/,
];

function watched(
  ask: (queries: Queries, walk: BriefingWalk) => void,
  state: Parameters<BriefingWalk["to"]>[0] = "succeeded",
) {
  const world = new World();
  const walk = new BriefingWalk(world).to(state);
  const reader = world.openReader();
  const watch = watchPlans(reader);
  ask(
    openQueries(reader, (hash) => world.journal.definitionOf(hash)),
    walk,
  );
  const scans = () => watch.scans().filter((scan) => !WAITING_FOR_AN_INDEX.some((known) => known.test(scan)));
  return { plans: watch.plans, scans };
}

describe("no screen reads a whole table that grows with the journal", () => {
  test("the ledger: the rows of a screen come by their ids, whatever each of them counts", () => {
    const watch = watched((queries, walk) => readLedgerRows(queries, [walk.taskId]));
    expect(watch.scans()).toEqual([]);
    expect(watch.plans().some(({ steps }) => steps.some((step) => step.includes("event_source_frozen")))).toBe(true);
  });

  test("the run: everything of a task comes by its id", () => {
    const watch = watched((queries, walk) => readRun(queries, walk.taskId, ({ view }) => touchAll(view)));
    expect(watch.scans()).toEqual([]);
    const events = watch.plans().find(({ sql }) => sql.includes("FROM event") && sql.includes("ORDER BY task_seq"));
    expect(events?.steps.join("\n")).toBe("SEARCH event USING INDEX sqlite_autoindex_event_3 (task_id=?)");
  });

  test("the content review: what it is compared with comes by the key, newest first", () => {
    const watch = watched((queries, walk) => {
      const { task } = walk.view();
      lastApprovedPackage(queries, task, "0".repeat(64));
      lastPublishedPackage(queries, task);
      readSnapshot(queries, task.id, "0".repeat(64));
    });
    expect(watch.scans()).toEqual([]);
    const ranges = watch.plans().filter(({ sql }) => sql.includes("t.task_key > :first"));
    expect(ranges).toHaveLength(2);
    for (const { steps } of ranges) expect(steps[0]).toMatch(/SEARCH t USING INDEX .*task_key>\? AND task_key<\?/);
  });

  test("the send review", () => {
    expect(watched((queries, walk) => readSendReview(queries, walk.view().task)).scans()).toEqual([]);
  });

  test("the board: open items by their index, closed ones of the last days, the history of one by its task", () => {
    const watch = watched((queries, walk) => {
      const [recipient] = walk.view().recipients();
      walk.account({ [recipient?.recipientId ?? ""]: "bounced" });
      const [item] = walk.view().recoveryItems();
      readRecovery(queries, walk.world.now, item?.id ?? null);
    }, "send_pending");
    expect(watch.scans()).toEqual([]);
    const steps = watch.plans().flatMap((plan) => plan.steps);
    expect(steps).toContain("SEARCH recovery_item USING INDEX recovery_item_by_day (created_at>?)");
    expect(steps).toContain("SEARCH event USING INDEX event_by_task_type (task_id=? AND type=?)");
  });

  test("the metrics: by type and day; where a number is asked for, by its index alone", () => {
    const watch = watched((queries, walk) => {
      readMetricSamples(queries, walk.world.now);
      readItemsSince(queries, walk.world.now);
      readEditions(queries, [walk.taskId]);
    });
    expect(watch.scans()).toEqual([]);
    const steps = watch.plans().flatMap((plan) => plan.steps);
    for (const covered of [
      "SEARCH event USING COVERING INDEX event_measured (type=? AND at>? AND at<?)",
      "SEARCH event USING INDEX event_read_failed (at>?)",
      "SEARCH event USING INDEX event_unknown (at>?)",
      "SEARCH given USING COVERING INDEX event_approved (type=? AND at>?)",
      "SEARCH entered USING COVERING INDEX event_moved (task_id=? AND task_seq<?)",
      "SEARCH event USING COVERING INDEX event_blocked (at>?)",
      "SEARCH attempt USING COVERING INDEX attempt_again (started_at>?)",
      "SEARCH task USING COVERING INDEX task_by_day (created_at>?)",
    ])
      expect(steps).toContain(covered);
  });

  test("Today: live tasks, and the newest ended ones without sorting all", () => {
    const watch = watched((queries, walk) => {
      readToday(queries, walk.world.now);
      hasEdition(queries, "weekly-briefing:2026-W30:zh-CN");
    });
    expect(watch.scans()).toEqual([]);
  });
});
