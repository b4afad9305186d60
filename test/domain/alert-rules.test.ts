import { describe, expect, test } from "vitest";
import { isMatterOver } from "../../main/domain/alert";
import {
  ACT_WITHIN_MS,
  type AlertStanding,
  alertRuleOf,
  isSnoozable,
  judgeAlert,
  quietUntil,
  snoozeEnd,
} from "../../main/domain/alert-rules";
import { UNMET_CODES } from "../../main/domain/unmet";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { compensationRow, fakeView, HOUR, incidentRow, MINUTE, NOW, operationRow } from "./fake-view";

const SHANGHAI = "Asia/Shanghai";
const BERLIN = "Europe/Berlin";
const at = (text: string): number => Date.parse(text);
const iso = (moment: number | null): string | null => (moment === null ? null : new Date(moment).toISOString());

describe("quiet hours", () => {
  test("never hold back what must be done within five minutes", () => {
    expect(quietUntil("five_minutes", at("2026-07-20T03:00:00+08:00"), SHANGHAI)).toBeNull();
  });

  test("go over midnight, to the same morning or the next", () => {
    const until = (text: string) => iso(quietUntil("one_hour", at(text), SHANGHAI));
    expect(until("2026-07-20T21:59:59+08:00")).toBeNull();
    expect(until("2026-07-20T22:00:00+08:00")).toBe("2026-07-20T23:00:00.000Z");
    expect(until("2026-07-21T00:30:00+08:00")).toBe("2026-07-20T23:00:00.000Z");
    expect(until("2026-07-21T06:59:59+08:00")).toBe("2026-07-20T23:00:00.000Z");
    expect(until("2026-07-21T07:00:00+08:00")).toBeNull();
  });

  test("end at seven by the clock on the wall in the nights in which the clocks change", () => {
    // Berlin: on 2026-03-29 the night lacks the hour after two, on 2026-10-25 it has it twice.
    expect(iso(quietUntil("one_hour", at("2026-03-28T22:30:00+01:00"), BERLIN))).toBe("2026-03-29T05:00:00.000Z");
    expect(iso(quietUntil("one_hour", at("2026-03-29T01:59:00+01:00"), BERLIN))).toBe("2026-03-29T05:00:00.000Z");
    expect(iso(quietUntil("one_hour", at("2026-10-24T22:30:00+02:00"), BERLIN))).toBe("2026-10-25T06:00:00.000Z");
    expect(iso(quietUntil("one_hour", at("2026-10-25T02:30:00+01:00"), BERLIN))).toBe("2026-10-25T06:00:00.000Z");
  });

  test("last over the weekend for what can wait for working hours", () => {
    const until = (text: string) => iso(quietUntil("working_hours", at(text), SHANGHAI));
    // 2026-07-24 is a Friday.
    expect(until("2026-07-24T17:59:00+08:00")).toBeNull();
    expect(until("2026-07-24T18:00:00+08:00")).toBe("2026-07-27T01:00:00.000Z");
    expect(until("2026-07-25T12:00:00+08:00")).toBe("2026-07-27T01:00:00.000Z");
    expect(until("2026-07-26T03:00:00+08:00")).toBe("2026-07-27T01:00:00.000Z");
    expect(until("2026-07-27T08:00:00+08:00")).toBe("2026-07-27T01:00:00.000Z");
    expect(until("2026-07-27T09:00:00+08:00")).toBeNull();
  });
});

const DAYTIME = at("2026-07-20T10:00:00+08:00");
const NIGHT = at("2026-07-20T23:30:00+08:00");
const fresh: AlertStanding = {
  ...{ code: "operation_locked", toldAt: null, escalatedAt: null, snoozedUntil: null },
  ...{ acknowledgedAt: null, settledAt: null },
};
const judge = (more: Partial<AlertStanding>, now = DAYTIME) => judgeAlert({ ...fresh, ...more }, SHANGHAI, now);
const TO_OWNER = { to: "owner", isEscalation: false };
const TO_BACKUP = { to: "backup", isEscalation: true };

describe("an alert", () => {
  test("is told to its owner at once, by night as well where five minutes count", () => {
    expect(judge({}).telling).toEqual(TO_OWNER);
    expect(judge({}, NIGHT).telling).toEqual(TO_OWNER);
  });

  test("that may wait is told when the quiet hours end", () => {
    const waits = judge({ code: "blocked_expired" }, NIGHT);
    expect(waits).toEqual({ telling: null, nextAt: at("2026-07-21T07:00:00+08:00") });
    expect(judge({ code: "blocked_expired" }, waits.nextAt ?? 0).telling).toEqual(TO_OWNER);
  });

  test("goes to the backup owner once its time has passed untouched, and only once however late anybody looks", () => {
    const told = { toldAt: DAYTIME };
    const limit = DAYTIME + 5 * MINUTE;
    expect(judge(told, limit - 1)).toEqual({ telling: null, nextAt: limit });
    expect(judge(told, limit).telling).toEqual(TO_BACKUP);
    expect(judge(told, DAYTIME + 30 * HOUR).telling).toEqual(TO_BACKUP);
    const escalated = { toldAt: limit, escalatedAt: limit };
    expect(judge(escalated, DAYTIME + 300 * HOUR)).toEqual({ telling: null, nextAt: null });
  });

  test("that nobody could be told of in time is told to its owner first", () => {
    expect(judge({}, DAYTIME + 50 * HOUR).telling).toEqual(TO_OWNER);
  });

  test("does not escalate into the night where it can wait", () => {
    const told = { code: "blocked_expired", toldAt: at("2026-07-20T21:30:00+08:00") };
    expect(judge(told, at("2026-07-20T22:30:00+08:00"))).toEqual({
      telling: null,
      nextAt: at("2026-07-21T07:00:00+08:00"),
    });
  });

  test("is silent while it is snoozed, and is told again afterwards", () => {
    const snoozed = { toldAt: DAYTIME, snoozedUntil: DAYTIME + HOUR };
    expect(judge(snoozed, DAYTIME + 30 * MINUTE)).toEqual({ telling: null, nextAt: DAYTIME + HOUR });
    expect(judge(snoozed, DAYTIME + HOUR).telling).toEqual(TO_OWNER);
  });

  test("that is acknowledged or over is never told", () => {
    expect(judge({ acknowledgedAt: DAYTIME })).toEqual({ telling: null, nextAt: null });
    expect(judge({ settledAt: DAYTIME, toldAt: DAYTIME }, DAYTIME + HOUR)).toEqual({ telling: null, nextAt: null });
  });
});

describe("the rules", () => {
  test("give each code its own, else its family's", () => {
    expect(alertRuleOf("blocked_expired")).toMatchObject({ urgency: "one_hour", todo: "unblock" });
    for (const reason of Object.keys(briefingDefinition.blocked))
      expect(alertRuleOf(`blocked_${reason}`)).toMatchObject({ urgency: "five_minutes", matter: "block" });
    expect(alertRuleOf("compensation_failed_precondition_changed")).toMatchObject({ todo: "finish_undo" });
    expect(alertRuleOf("compensation_manual")).toMatchObject({ urgency: "one_hour", todo: "undo_by_hand" });
    expect(alertRuleOf("something_newer")).toMatchObject({ urgency: "five_minutes", waitsForQuiet: false });
  });

  test("name three times within which to act", () => {
    expect(ACT_WITHIN_MS).toEqual({ five_minutes: 5 * MINUTE, one_hour: HOUR, working_hours: 24 * HOUR });
    expect(UNMET_CODES).toContain("snooze_too_long");
  });
});

describe("a snooze", () => {
  test("lasts an hour, or until seven in the morning, also over a change of the clocks", () => {
    expect(snoozeEnd("hour", DAYTIME, SHANGHAI)).toBe(DAYTIME + HOUR);
    expect(iso(snoozeEnd("morning", NIGHT, SHANGHAI))).toBe("2026-07-20T23:00:00.000Z");
    expect(iso(snoozeEnd("morning", at("2026-07-21T03:00:00+08:00"), SHANGHAI))).toBe("2026-07-20T23:00:00.000Z");
    expect(iso(snoozeEnd("morning", at("2026-10-24T22:00:00+02:00"), BERLIN))).toBe("2026-10-25T06:00:00.000Z");
  });

  test("is for later and for a day at most", () => {
    expect(isSnoozable(NOW, NOW)).toBe(false);
    expect(isSnoozable(NOW, NOW + 24 * HOUR)).toBe(true);
    expect(isSnoozable(NOW, NOW + 24 * HOUR + 1)).toBe(false);
  });
});

describe("what an alert is about is over", () => {
  const operation = operationRow({ state: "locked" });
  const about = (code: string, subject: string = operation.id) => ({
    code,
    subject,
    operationId: operation.id,
    lastAt: NOW,
  });
  const blocked = (since: number) => fakeView({ task: { state: "blocked", stateSince: since } });

  test("for a block when the task goes on, or is blocked anew by something later", () => {
    expect(isMatterOver(blocked(NOW), about("blocked_auth"))).toBe(false);
    expect(isMatterOver(blocked(NOW + 1), about("blocked_auth"))).toBe(true);
    expect(isMatterOver(fakeView({ task: { state: "publishing" } }), about("blocked_auth"))).toBe(true);
  });

  test("for a locked call when a person has given a verdict, for two objects when their incident is closed", () => {
    expect(isMatterOver(fakeView({ operations: [operation] }), about("operation_locked"))).toBe(false);
    const moved = { ...operation, state: "confirmed" as const };
    expect(isMatterOver(fakeView({ operations: [moved] }), about("operation_locked"))).toBe(true);
    const frozen = { operations: [operation], freezes: [incidentRow({ scopeValue: operation.slot })] };
    expect(isMatterOver(fakeView(frozen), about("duplicate_remote"))).toBe(false);
    expect(isMatterOver(fakeView({ operations: [operation] }), about("duplicate_remote"))).toBe(true);
  });

  test("for an undo when it is done or closed with evidence, and not while it is tried again", () => {
    const undo = (state: "failed" | "running" | "closed_by_person") => {
      const entry = compensationRow({ state });
      return isMatterOver(fakeView({ compensations: [entry] }), about("compensation_manual", entry.id));
    };
    expect([undo("failed"), undo("running"), undo("closed_by_person")]).toEqual([false, false, true]);
  });
});

describe("a moment written down under a clock that has been set right since", () => {
  const fresh = { code: "operation_locked", escalatedAt: null, acknowledgedAt: null, settledAt: null };
  const nineDays = 9 * 24 * HOUR;

  test("silences nobody: a snooze ends, and what was told escalates", () => {
    const snoozed = { ...fresh, toldAt: NOW, snoozedUntil: NOW + nineDays };
    expect(judgeAlert(snoozed, SHANGHAI, NOW)).toMatchObject({ telling: { to: "owner" } });
    const told = { ...fresh, toldAt: NOW + nineDays, snoozedUntil: null };
    expect(judgeAlert(told, SHANGHAI, NOW)).toMatchObject({ telling: { to: "backup", isEscalation: true } });
  });

  test("an honest one is waited for", () => {
    const snoozed = { ...fresh, toldAt: NOW, snoozedUntil: NOW + 24 * HOUR };
    expect(judgeAlert(snoozed, SHANGHAI, NOW)).toEqual({ telling: null, nextAt: NOW + 24 * HOUR });
  });
});
