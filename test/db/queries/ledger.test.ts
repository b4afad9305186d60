import { describe, expect, test } from "vitest";
import { countLedger, type LedgerSelection, readLedgerOrder, readLedgerRows } from "../../../db/queries/ledger";
import { LEDGER_COLUMNS } from "../../../db/queries/ledger-sql";
import type { TaskId } from "../../../main/domain/ids";
import { DAY, MetricJournal, MINUTE } from "./metric-journal";

const ALL: LedgerSelection = { outcomes: [], marks: [], from: null, before: null, text: "" };
const HASH = "ca9af2bd".padEnd(64, "0");

/**
 * Four editions, one a day. calm: nothing happened. lost: a read failed twice and came, the answer to its article was lost and
 * found again, and it was approved after 7 minutes. stuck: a block that was left, one that stands, and 12 minutes of work. undone:
 * an answer that nobody has found, a second object, and a compensation.
 */
function journal(): MetricJournal {
  const made = new MetricJournal();
  const edition = (id: string, day: number, state: string, more = {}) =>
    made.task(id, { state, created_at: made.start + day * DAY, state_since: made.start + day * DAY + MINUTE, ...more });
  const operation = (id: string, task: string, kind: string, more: { settled: number; remote_id: string | null }) =>
    made.put("operation", {
      ...{ id, task_id: task, operation_key: id, intent_key: id, phase: "create", slot: id, kind, adapter: "a" },
      ...{ target: "t", intent_hash: HASH, hash_rule_version: 1, automatic: 0, state: "confirmed", prepared_at: 1 },
      ...{ prepared_token: 1, ...more },
    });
  edition("calm", 0, "succeeded");
  edition("lost", 1, "succeeded", { context: JSON.stringify({ contentHash: HASH, factCount: 9 }) });
  made.event("lost", 0, "CollectingStarted", { from: "created", to: "collecting" });
  for (const minute of [1, 2]) made.event("lost", minute, "SourceReadFailed", { payload: { sourceId: "a" } });
  made.event("lost", 3, "SourceFrozen", { payload: { sourceId: "a" } });
  made.event("lost", 3, "SourceReadFailed", { payload: { sourceId: "never" } });
  made.event("lost", 10, "CheckPassed", { from: "checking", to: "awaiting_content_approval" });
  made.event("lost", 17, "ContentApproved", { from: "awaiting_content_approval", to: "content_approved" });
  operation("op-a", "lost", "publish", { settled: 1, remote_id: "18427" });
  operation("op-c", "lost", "send", { settled: 1, remote_id: "930" });
  made.call("lost", 18, "OutcomeUnknown", "op-a", "unknown");
  // A look that failed after the outcome was known is no unknown outcome.
  made.call("lost", 19, "OutcomeUnknown", "op-c", "confirmed");
  edition("stuck", 2, "blocked", { blocked_reason: "source_missing" });
  made.event("stuck", 1, "CollectBlocked", { from: "collecting", to: "blocked" });
  made.event("stuck", 2, "Unblocked", { from: "blocked", to: "collecting" });
  made.event("stuck", 3, "CollectBlocked", { from: "collecting", to: "blocked" });
  made.event("stuck", 4, "Noted", { from: "blocked", to: "blocked" });
  made.event("stuck", 5, "RecoveryItemMoved", { payload: { itemId: "i", minutes: 12 } });
  edition("undone", 3, "compensated");
  operation("op-u", "undone", "publish", { settled: 0, remote_id: null });
  made.call("undone", 1, "OutcomeUnknown", "op-u", "unknown");
  made.event("undone", 2, "CompensationStarted", { from: "published", to: "compensating" });
  made.put("incident", {
    ...{ id: "inc", task_id: "undone", rule: "duplicate_remote", scope: "task", scope_value: "undone" },
    ...{ opened_at: 1, opened_by: "system" },
  });
  return made;
}

describe("the columns of the ledger, counted from events and operations", () => {
  const rowsOf = (...ids: string[]) => readLedgerRows(journal().queries(), ids as TaskId[]);
  const row = (id: string) => rowsOf(id)[0];

  test("an edition to which nothing happened has nothing but its times", () => {
    expect(row("calm")).toMatchObject({
      ...{ recovered: 0, unknowns: 0, blocks: 0, compensations: 0, duplicates: 0, humanMs: 0 },
      ...{ articleId: null, campaignId: null, version: 1 },
    });
    const { startedAt = 0, endedAt = 0 } = row("calm") ?? {};
    expect((endedAt ?? 0) - startedAt).toBe(MINUTE);
  });

  test("rows come in the order asked for, and nothing comes for an id that there is not", () => {
    expect(rowsOf("undone", "nobody", "calm").map(({ taskId }) => taskId)).toEqual(["undone", "calm"]);
  });

  test("a read that came after all and an answer that was found again are recovered; a read that never came is not", () => {
    expect(row("lost")).toMatchObject({ recovered: 2, unknowns: 1, blocks: 0, humanMs: 7 * MINUTE });
    expect(row("lost")).toMatchObject({ articleId: "18427", campaignId: "930" });
  });

  test("a block that was left is recovered, one that stands is not, and what stands has not ended", () => {
    expect(row("stuck")).toMatchObject({ blocks: 2, recovered: 1, endedAt: null, humanMs: 12 * MINUTE });
  });

  test("an answer that nobody has found is unknown and not recovered", () => {
    expect(row("undone")).toMatchObject({ unknowns: 1, recovered: 0, compensations: 1, duplicates: 1 });
  });
});

describe("which editions, and in which order", () => {
  const ask = (
    selection: Partial<LedgerSelection>,
    by: (typeof LEDGER_COLUMNS)[number] = "started",
    descending = false,
  ) => readLedgerOrder(journal().queries(), { ...ALL, ...selection }, { by, descending }).join(" ");

  test.each([
    ["started", "calm lost stuck undone"],
    ["edition", "calm lost stuck undone"],
    ["state", "stuck undone lost calm"],
    ["ended", "calm lost undone stuck"],
    ["recovered", "undone calm stuck lost"],
    ["unknowns", "stuck calm undone lost"],
    ["blocks", "undone lost calm stuck"],
    ["compensations", "stuck lost calm undone"],
    ["duplicates", "stuck lost calm undone"],
    ["human", "undone calm lost stuck"],
  ] as const)("by %s; what is equal comes newest first", (by, order) => {
    expect(ask({}, by)).toBe(order);
    expect(LEDGER_COLUMNS).toContain(by);
  });

  test("downwards what has not ended still comes last", () => {
    expect(ask({}, "ended", true)).toBe("undone lost calm stuck");
    expect(ask({}, "started", true)).toBe("undone stuck lost calm");
  });

  test.each([
    [{ outcomes: ["blocked"] }, "stuck"],
    [{ outcomes: ["succeeded", "compensated"] }, "calm lost undone"],
    [{ outcomes: ["running"] }, ""],
    [{ marks: ["unknown"] }, "lost undone"],
    [{ marks: ["recovered"] }, "lost"],
    [{ marks: ["blocked"] }, "stuck"],
    [{ marks: ["compensated"] }, "undone"],
    [{ marks: ["duplicate", "unknown"] }, "undone"],
    [{ marks: ["duplicate", "blocked"] }, ""],
    [{ outcomes: ["succeeded"], marks: ["unknown"] }, "lost"],
    [{ text: " ST" }, "lost stuck"],
    [{ text: "18427" }, "lost"],
    [{ text: "1842" }, ""],
    [{ text: "CA9AF2BD" }, "lost"],
    // Part of a hash from its middle, and a name inside of what the stages left, are nothing that anybody looks for.
    [{ text: "9af2bd00" }, ""],
    [{ text: "contenthash" }, ""],
    [{ text: "%" }, ""],
  ])("%j", (selection, found) => expect(ask(selection)).toBe(found));

  test("a period begins with its first moment and ends before its last", () => {
    const made = journal();
    const { start } = made;
    const queries = made.queries();
    const period = { ...ALL, from: start + DAY, before: start + 3 * DAY };
    expect(readLedgerOrder(queries, period, { by: "started", descending: false })).toEqual(["lost", "stuck"]);
    expect(countLedger(queries)).toBe(4);
  });
});
