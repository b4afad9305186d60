import { cpSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { fsck } from "../../db/fsck";
import type { ExecuteResult } from "../../db/journal";
import { INCIDENT_KINDS, type IncidentKind } from "../../main/domain/incident";
import type { OpenIncident, SettleIncident } from "../../main/domain/incident-command";
import { INVENTORY } from "../../main/domain/incident-inventory";
import { BriefingWalk } from "../support/briefing-walk";
import { EDITOR, World } from "../support/world";
import { OCCASIONS, send } from "./occasions";

const open = (walk: BriefingWalk, more: Partial<OpenIncident> = {}): OpenIncident => ({
  ...{ type: "open_incident", taskId: walk.taskId, rule: "by_hand", kind: "other", scope: "task" },
  ...{ scopeValue: walk.taskId, operationId: null, reason: "the page looks strange" },
  ...more,
});
const codes = (answer: ExecuteResult): string[] =>
  "unmet" in answer ? answer.unmet.map(({ code, values }) => String(values["what"] ?? code)) : [answer.result];
const brokenIn = (walk: BriefingWalk) => {
  const dir = mkdtempSync(join(tmpdir(), "imprimatur-incidents-"));
  walk.world.database.sqlite.pragma("wal_checkpoint(TRUNCATE)");
  cpSync(walk.world.dir, dir, { recursive: true });
  return fsck(dir).violations.map(({ invariant, detail }) => `${invariant} ${detail.replace(/in-\w+/, "in-…")}`);
};
const atPublishing = () => new BriefingWalk(new World()).to("publishing");
const openIds = (walk: BriefingWalk) =>
  walk
    .view()
    .freezes()
    .map(({ id }) => id);

/** The scopes that hold back the publishing of this edition, each opened by hand. */
const SCOPES = (walk: BriefingWalk): readonly Partial<OpenIncident>[] => [
  { scope: "task", scopeValue: walk.taskId },
  { scope: "slot", scopeValue: walk.operation("publish").slot },
  { scope: "adapter", scopeValue: "cms-sandbox" },
  { scope: "all", scopeValue: "everything" },
];

describe.each([0, 1, 2, 3])("a scope, %i", (which) => {
  test("opened by hand it freezes at once: the handler refuses, the database refuses, the checker finds what was written around", () => {
    const walk = atPublishing();
    const scope = SCOPES(walk)[which];
    walk.world.must(open(walk, scope), EDITOR);
    expect(codes(send(walk, walk.operation("publish")))).toEqual(["writes_frozen"]);
    expect(() => OCCASIONS.I02.writeAround(walk)).toThrow("its writes are frozen");
    // Asking is never frozen.
    walk.look(walk.operation("publish").id, "absent_yet");
    expect(brokenIn(walk)).toEqual([]);
    const { sqlite } = walk.world.database;
    const trigger = sqlite.prepare("SELECT sql FROM sqlite_schema WHERE name = 'incident_freezes'").pluck().get();
    sqlite.exec("DROP TRIGGER incident_freezes");
    OCCASIONS.I02.writeAround(walk);
    sqlite.exec(String(trigger));
    const sent = `I03 event ${lastSent(walk)} sent it while incident in-… froze it`;
    expect(brokenIn(walk)).toContain(sent);
  });
});

const lastSent = (walk: BriefingWalk): number =>
  walk.world.database.sqlite
    .prepare<[], number>("SELECT max(seq) FROM event WHERE type = 'RequestSent'")
    .pluck()
    .get() ?? 0;

test("what an incident does not cover goes on: another adapter's writes, and everything once it is closed", () => {
  const walk = atPublishing();
  walk.to("sending");
  walk.world.must(open(walk, { scope: "adapter", scopeValue: "cms-sandbox" }), EDITOR);
  const [id = ""] = openIds(walk);
  walk.markSent(walk.operation("send"));
  expect(walk.operation("send").state).toBe("request_sent");
  walk.answer(walk.operation("send").id, "confirmed", { remoteId: "930" });
  walk.world.must(open(walk), EDITOR);
  const wider = openIds(walk).find((one) => one !== id) ?? "";
  expect(codes(send(walk, walk.operation("send", "trigger")))).toEqual(["writes_frozen"]);
  const settle = (proofs: Record<string, string>): SettleIncident => ({
    ...{
      type: "settle_incident",
      taskId: walk.taskId,
      incidentId: wider,
      proofs,
      observed: null,
      reason: "nothing was wrong",
    },
  });
  expect(codes(walk.world.execute(settle({ cause: " " }), EDITOR))).toEqual(["verified", "cause"]);
  walk.world.must(settle({ cause: "a stale tab", verified: "read it again" }), EDITOR);
  walk.markSent(walk.operation("send", "trigger"));
  expect(walk.operation("send", "trigger").state).toBe("request_sent");
  expect(brokenIn(walk)).toEqual([]);
});

test("who may open what, and that a mistyped place freezes nothing unseen", () => {
  const walk = atPublishing();
  const tryIt = (more: Partial<OpenIncident>, actor: Parameters<World["execute"]>[1] = EDITOR) =>
    codes(walk.world.execute(open(walk, more), actor));
  expect(tryIt({}, "executor:test")).toEqual(["person_required"]);
  expect(tryIt({ rule: "chain_break", kind: "damaged_journal", scope: "all", scopeValue: "event 7" })).toEqual([
    "executor_required",
  ]);
  expect(tryIt({ rule: "chain_break", kind: "other" }, "system")).toEqual(["incident_scope_unknown"]);
  expect(tryIt({ scope: "slot", scopeValue: "publish:nowhere" })).toEqual(["incident_scope_unknown"]);
  expect(tryIt({ scope: "task", scopeValue: "t-other" })).toEqual(["incident_scope_unknown"]);
  expect(tryIt({ reason: " " })).toEqual(["reason_missing"]);
  expect(openIds(walk)).toEqual([]);
  expect(tryIt({})).toEqual(["applied"]);
  expect(tryIt({})).toEqual(["incident_open_already"]);
});

test("a rule's finding is one incident for ever, told to somebody, and the journal's own have no task", () => {
  const walk = atPublishing();
  const found = { rule: "approval_bypass", kind: "approval_bypass", reason: "I02 publish: no approval" } as const;
  walk.world.must(open(walk, found), "system");
  expect(
    walk
      .view()
      .alerts()
      .map(({ code }) => code),
  ).toContain("incident_opened");
  const [incidentId = ""] = openIds(walk);
  const settle: SettleIncident = {
    ...{ type: "settle_incident", taskId: walk.taskId, incidentId, observed: null, reason: "a test program" },
    proofs: { remote_compared: "nothing there", cause: "a test program" },
  };
  walk.world.must(settle, EDITOR);
  expect(codes(walk.world.execute(open(walk, found), "system"))).toEqual(["incident_known"]);
  const wide = open(walk, {
    rule: "chain_break",
    kind: "damaged_journal",
    scope: "all",
    scopeValue: "event 7",
    reason: "event 7",
  });
  walk.world.must({ ...wide, taskId: null }, "system");
  expect(openIds(walk)).toHaveLength(1);
  const journalWide = { ...settle, taskId: null, incidentId: openIds(walk)[0] ?? "" };
  expect(codes(walk.world.execute({ ...journalWide, taskId: walk.taskId }, EDITOR))).toEqual(["incident_not_found"]);
  expect(codes(walk.world.execute(journalWide, EDITOR))).toEqual(["copy_kept"]);
  expect(brokenIn(walk)).toEqual([]);
  walk.world.must({ ...journalWide, proofs: { ...settle.proofs, copy_kept: "shelf 3" } }, EDITOR);
  expect(brokenIn(walk)).toEqual([]);
});

/** A row changed around the handler, and what is said of it. */
test.each([
  ["UPDATE incident SET scope_value = 'elsewhere'", "I08 scopeValue: the row says elsewhere, the events everything"],
  ["UPDATE incident SET kind = 'clock_jump'", "I08 kind: the row says clock_jump, the events other"],
  ["UPDATE incident SET closed_at = 1", "I08 closedAt: the row says 1, the events nothing"],
  ["DELETE FROM incident", "I08 the events tell that this incident was opened, no row tells of it"],
])("%s", (sql, said) => {
  const walk = atPublishing();
  walk.world.must(open(walk, { scope: "all", scopeValue: "everything" }), EDITOR);
  const { sqlite } = walk.world.database;
  const triggers = sqlite
    .prepare<[], { name: string; sql: string }>(
      "SELECT name, sql FROM sqlite_schema WHERE name LIKE 'incident_%' AND type = 'trigger'",
    )
    .all();
  if (!sql.includes("closed_at")) expect(() => sqlite.exec(sql)).toThrow("I08");
  for (const { name } of triggers) sqlite.exec(`DROP TRIGGER ${name}`);
  sqlite.exec(sql);
  for (const trigger of triggers) sqlite.exec(trigger.sql);
  expect(brokenIn(walk)).toContain(said);
});

/** With everything that the journal judges by itself already as it should be: what is named is what only a person can show. */
test("each kind is closed with its inventory, and each missing piece is named", () => {
  const walk = atPublishing();
  const { contentHash } = walk.view().task.context;
  const observed = { captureHash: null, provedContentHash: contentHash as never };
  for (const kind of INCIDENT_KINDS) {
    walk.world.must(open(walk, { kind }), EDITOR);
    const [incidentId = ""] = openIds(walk);
    const settle = (proofs: Record<string, string>, more: Partial<SettleIncident> = {}) => {
      const about = { taskId: walk.taskId, incidentId, proofs, observed, reason: "done" };
      return codes(walk.world.execute({ type: "settle_incident", ...about, ...more }, EDITOR));
    };
    const names = INVENTORY[kind].filter(({ judge }) => judge === null).map(({ id }) => id);
    expect(settle({}, { reason: "" }), kind).toEqual(["reason_missing", ...names]);
    const proofs = Object.fromEntries(names.map((name) => [name, "seen at 09:40"]));
    for (const name of names) expect(settle({ ...proofs, [name]: "  " }), kind).toEqual([name]);
    expect(settle(proofs), kind).toEqual(["applied"]);
  }
  expect(brokenIn(walk)).toEqual([]);
});

test("what the journal judges by itself is nobody's word: the outcome, the page, the source, the clock", () => {
  const walk = atPublishing();
  const missing = (kind: IncidentKind, more: Partial<SettleIncident> = {}) => {
    const before = openIds(walk);
    walk.world.must(open(walk, { kind }), EDITOR);
    const incidentId = openIds(walk).find((id) => !before.includes(id)) ?? "";
    const proofs = Object.fromEntries(INVENTORY[kind].map(({ id }) => [id, "trust me"]));
    const about = { taskId: walk.taskId, incidentId, proofs, observed: null, reason: "done" };
    return codes(walk.world.execute({ type: "settle_incident", ...about, ...more }, EDITOR));
  };
  walk.markSent(walk.operation("publish"));
  walk.answer(walk.operation("publish").id, "unknown");
  walk.world.isTimeTrusted = false;
  expect(missing("unknown_publish")).toEqual(["outcome_known"]);
  expect(missing("wrong_page_live")).toEqual(["right_page_live"]);
  expect(missing("clock_jump")).toEqual(["time_trusted"]);
  walk.world.must({ type: "raise_epoch", reason: "a backup was put back" }, "system");
  expect(missing("restored_backup")).toEqual(["epoch_reconciled"]);
});
