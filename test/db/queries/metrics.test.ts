import { describe, expect, test } from "vitest";
import { readMetricSamples } from "../../../db/queries/metrics";
import { type MetricId, type MetricPeriod, metricOf } from "../../../main/domain/metrics";
import { DAY, HOUR, MetricJournal, MINUTE } from "./metric-journal";

const WEEK_MIN = 7 * 24 * 60;

/** One metric of a journal, asked at a minute of it. */
function ask(journal: MetricJournal, id: Exclude<MetricId, "recurrence">, atMinute: number, days: MetricPeriod = 90) {
  const now = journal.at(atMinute);
  return metricOf(id, readMetricSamples(journal.queries(), now)[id], days, now);
}

test("an empty journal has no data in any metric: neither 0 % nor 100 %", () => {
  const journal = new MetricJournal();
  const samples = readMetricSamples(journal.queries(), journal.at(0));
  for (const [id, of] of Object.entries(samples))
    expect(metricOf(id as MetricId, of, 90, journal.at(0)), id).toMatchObject({
      ...{ numerator: 0, denominator: 0, value: null, p50Ms: null, p95Ms: null, longestMs: null, rows: [] },
    });
});

describe("retries", () => {
  // Two editions. e1: three sources; one fails twice and then comes (calls 3, repeats 2), one fails for good at once (1, 0), one
  // comes (1, 0); a request is made twice (2, 1). e2: one source (1, 0). Calls 8, repeats 3; editions 2, with a retry 1.
  const journal = () => {
    const made = new MetricJournal();
    made.task("e1");
    made.task("e2", { created_at: made.at(1) });
    const failed = (minute: number, sourceId: string, retry: object | null) =>
      made.event("e1", minute, "SourceReadFailed", { payload: { sourceId, retry } });
    failed(1, "a", { at: 2 });
    failed(2, "a", { at: 3 });
    made.event("e1", 3, "SourceFrozen", { payload: { sourceId: "a", attempt: 3 } });
    failed(3, "b", null);
    made.event("e1", 4, "SourceFrozen", { payload: { sourceId: "c", attempt: 1 } });
    made.attempt("e1", 5, "op", 1);
    made.attempt("e1", 6, "op", 2);
    made.event("e2", 7, "SourceFrozen", { payload: { sourceId: "a", attempt: 1 } });
    return made;
  };

  test("per call: repeats out of all reads and requests", () => {
    expect(ask(journal(), "retry_rate", 10)).toMatchObject({ numerator: 3, denominator: 8, value: 3 / 8 });
  });

  test("editions begun, and those of them with a repeat", () => {
    const found = ask(journal(), "retry_tasks", 10);
    expect(found).toMatchObject({ numerator: 1, denominator: 2, value: 0.5 });
    expect(found.rows.filter(({ hits }) => hits > 0).map(({ taskId }) => taskId)).toEqual(["e1"]);
  });

  test("what is older than the period does not count; the trend goes on showing it in its week", () => {
    const now = 8 + 2 * WEEK_MIN;
    expect(ask(journal(), "retry_rate", now, 7)).toMatchObject({ numerator: 0, denominator: 0, value: null });
    const { trend, value } = ask(journal(), "retry_rate", now, 30);
    expect(value).toBe(3 / 8);
    // All of it lies more than two weeks back: in the third week from the end.
    expect(trend.map((week) => week.value)).toEqual([...Array(10).fill(null), 3 / 8, null, null]);
  });
});

test("an unknown outcome lasts from the request to its confirmation or lock; an open one counts in the denominator", () => {
  const journal = new MetricJournal();
  journal.task("e1");
  // a: sent at 10, unknown at 11, a look fails at 12, seen at 21: 11 min. b: sent at 30, unknown, locked at 33: 3 min.
  journal.attempt("e1", 10, "a", 1);
  journal.call("e1", 11, "OutcomeUnknown", "a", "unknown");
  journal.call("e1", 12, "OutcomeUnknown", "a", "unknown");
  journal.call("e1", 21, "RemoteConfirmed", "a", "confirmed");
  journal.attempt("e1", 30, "b", 1);
  journal.call("e1", 31, "OutcomeUnknown", "b", "unknown");
  journal.call("e1", 33, "OperationLocked", "b", "locked");
  // c: sent at 40, unknown, not known yet. d was confirmed, and a later look at it failed: it was never unknown.
  journal.attempt("e1", 40, "c", 1);
  journal.call("e1", 41, "OutcomeUnknown", "c", "unknown");
  journal.attempt("e1", 42, "d", 1);
  journal.call("e1", 43, "RemoteConfirmed", "d", "confirmed");
  journal.call("e1", 44, "OutcomeUnknown", "d", "confirmed");
  // Durations 3 and 11 min: the median is their mean.
  expect(ask(journal, "unknown_duration", 60)).toMatchObject({
    ...{
      numerator: 2,
      denominator: 3,
      value: 7 * MINUTE,
      p50Ms: 7 * MINUTE,
      p95Ms: 11 * MINUTE,
      longestMs: 11 * MINUTE,
    },
  });
});

test("approvals were waited for since their state was entered, at each gate, and people's time adds up per edition", () => {
  const journal = new MetricJournal();
  const gate = "awaiting_content_approval";
  for (const id of ["e1", "e2"]) journal.task(id);
  // e1: waits from 10; an event that stays there changes nothing; approved at 17: 7 min. Sent back and approved again: 20 to 29.
  journal.event("e1", 10, "CheckPassed", { from: "checking", to: gate });
  journal.event("e1", 12, "SourceChangeWarned", { from: gate, to: gate });
  journal.event("e1", 17, "ContentApproved", { from: gate, to: "content_approved" });
  journal.event("e1", 18, "ArtifactChanged", { from: "content_approved", to: "checking" });
  journal.event("e1", 20, "CheckPassed", { from: "checking", to: gate });
  journal.event("e1", 29, "ContentApproved", { from: gate, to: "content_approved" });
  journal.event("e1", 40, "SendReviewOpened", { from: "published", to: "awaiting_send_approval" });
  journal.event("e1", 43, "SendApproved", { from: "awaiting_send_approval", to: "sending" });
  // e2: 8 min at the first gate, and 4 and 2 minutes written down at an item of it. e1: 7 + 9 + 3 = 19; e2: 8 + 6 = 14.
  journal.event("e2", 50, "CheckPassed", { from: "checking", to: gate });
  journal.event("e2", 58, "ContentApproved", { from: gate, to: "content_approved" });
  for (const minutes of [4, 2]) journal.event("e2", 70, "RecoveryItemMoved", { payload: { itemId: "i", minutes } });
  expect(ask(journal, "approval_wait_content", 99)).toMatchObject({
    denominator: 3,
    value: 8 * MINUTE,
    p95Ms: 9 * MINUTE,
  });
  expect(ask(journal, "approval_wait_send", 99)).toMatchObject({ denominator: 1, value: 3 * MINUTE });
  expect(ask(journal, "human_minutes", 99)).toMatchObject({
    ...{ denominator: 2, value: 16.5 * MINUTE, p95Ms: 19 * MINUTE, longestMs: 19 * MINUTE },
  });
});

describe("recovery", () => {
  // e1 lost an answer (11 to 21) and succeeded. e2 was blocked from 30 to 50, an answer being unknown from 40 to 55, and succeeded:
  // one fault of 25 min. e3 was compensated from 60 to 90. e4 is blocked since 70. e5 was blocked and closed. e6: nothing ever.
  const journal = () => {
    const made = new MetricJournal();
    made.task("e1", { state: "succeeded" });
    made.call("e1", 11, "OutcomeUnknown", "a", "unknown");
    made.call("e1", 15, "RemoteNotFound", "a", "unknown");
    made.call("e1", 21, "RemoteConfirmed", "a", "confirmed");
    made.task("e2", { state: "succeeded" });
    made.event("e2", 30, "PublishBlocked", { from: "publishing", to: "blocked" });
    made.call("e2", 40, "OutcomeUnknown", "b", "unknown");
    made.event("e2", 50, "Unblocked", { from: "blocked", to: "publishing" });
    made.call("e2", 55, "RemoteConfirmed", "b", "confirmed");
    made.task("e3", { state: "compensated" });
    made.event("e3", 60, "CompensationStarted", { from: "published", to: "compensating" });
    made.event("e3", 90, "Compensated", { from: "compensating", to: "compensated" });
    made.task("e4", { state: "blocked", blocked_reason: "auth", state_since: made.at(70) });
    made.event("e4", 70, "PublishBlocked", { from: "publishing", to: "blocked" });
    made.task("e5", { state: "closed" });
    made.event("e5", 71, "CollectBlocked", { from: "collecting", to: "blocked" });
    made.event("e5", 72, "ClosedProtectively", { from: "blocked", to: "closed" });
    made.task("e6", { state: "succeeded" });
    made.event("e6", 73, "DeliveryAccounted", { from: "send_pending", to: "succeeded" });
    return made;
  };

  test("succeeds where the result was verified, not where something was merely done", () => {
    const made = journal();
    expect(ask(made, "recovery_success", 100)).toMatchObject({ numerator: 3, denominator: 5, value: 3 / 5 });
    // An item of e1 still waits for its proof; a bounce of e3 is a customer's matter.
    made.item("i1", "e1", 80, { kind: "unknown_outcome", stage: "to_verify", method: "asked" });
    made.item("i2", "e3", 80, { kind: "customer_care" });
    expect(ask(made, "recovery_success", 100)).toMatchObject({ numerator: 2, denominator: 5 });
  });

  test("lasts until nothing is wrong any more; what overlaps is one fault, and closing is not restoring", () => {
    const found = ask(journal(), "mttr", 100);
    // 10, 25 and 30 min restored, two not: the median of three, and the longest.
    expect(found).toMatchObject({ numerator: 3, denominator: 5, value: 25 * MINUTE, p95Ms: 30 * MINUTE });
    expect(
      found.rows
        .filter(({ hits }) => hits === 0)
        .map(({ taskId }) => taskId)
        .sort(),
    ).toEqual(["e4", "e5"]);
  });

  test("an open incident keeps the fault open", () => {
    const made = journal();
    const incident = { scope: "slot", scope_value: "s", opened_by: "system", rule: "by_hand" };
    made.put("incident", { id: "n", task_id: "e1", opened_at: made.at(20), closed_at: made.at(41), ...incident });
    // e1 lasts from 11 to 41 now: 30, 25, 30.
    expect(ask(made, "mttr", 100)).toMatchObject({ numerator: 3, value: 30 * MINUTE });
  });

  test("the backlog: open items, and what stands still without one; with the oldest wait, whenever it began", () => {
    const made = journal();
    made.item("i1", "e1", 0, { stage: "to_verify", method: "m" });
    made.item("i2", "e1", 20, { stage: "closed", method: "m", verification: "v" });
    // i1 and e4 are open, i2 is closed. Ten days later, in a period of seven, the closed one is over and the open ones still wait.
    expect(ask(made, "backlog", 100)).toMatchObject({
      numerator: 2,
      denominator: 3,
      value: 2,
      longestMs: 100 * MINUTE,
    });
    expect(ask(made, "backlog", 10 * 24 * 60, 7)).toMatchObject({ numerator: 2, denominator: 2, longestMs: 10 * DAY });
    made.item("i4", "e4", 75);
    // e4 has an item now and is not counted twice.
    expect(ask(made, "backlog", 100)).toMatchObject({ numerator: 2, denominator: 3 });
  });
});

test("duplicates: places with one object too many, per thousand effects asked for; a repeated request is no second effect", () => {
  const journal = new MetricJournal();
  journal.task("e1");
  journal.attempt("e1", 1, "a", 1);
  journal.attempt("e1", 2, "a", 2);
  for (const [index, operation] of ["b", "c", "d"].entries()) journal.attempt("e1", 3 + index, operation, 1);
  expect(ask(journal, "duplicate_rate", 9)).toMatchObject({ numerator: 0, denominator: 4, value: 0 });
  const incident = { scope: "slot", scope_value: "s", opened_by: "system", opened_at: journal.at(8) };
  journal.put("incident", { id: "n1", task_id: "e1", rule: "duplicate_remote", ...incident });
  journal.put("incident", { id: "n2", task_id: "e1", rule: "by_hand", ...incident });
  expect(ask(journal, "duplicate_rate", 9)).toMatchObject({
    numerator: 1,
    denominator: 4,
    value: 0.25,
    kind: "permille",
  });
});

test("dead letters: nobody touched it within a day, even if somebody did later; too young to say is not counted", () => {
  const journal = new MetricJournal();
  journal.task("e1");
  const day = 24 * 60;
  const touch = (itemId: string, minute: number) =>
    journal.event("e1", minute, "RecoveryItemMoved", { payload: { itemId } });
  for (const id of ["in time", "late", "never"]) journal.item(id, "e1", 0);
  touch("in time", day - 1);
  touch("late", day + 1);
  touch("late", day + 2);
  journal.item("young", "e1", day);
  journal.item("young, touched", "e1", day);
  touch("young, touched", day + 1);
  journal.item("no letter", "e1", 0, { kind: "customer_care" });
  // Out of: in time, late, never, and the young one that was touched. Untouched for a day: late and never.
  expect(ask(journal, "dead_letters_untouched", day + 10)).toMatchObject({ numerator: 2, denominator: 4, value: 0.5 });
  expect(ask(journal, "dead_letters_untouched", day + 10).rows).toHaveLength(4);
  expect(HOUR * 24).toBe(DAY);
});
