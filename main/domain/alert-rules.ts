import { hasCome } from "./has-come";
import type { Instant } from "./ids";
import type { AlertRow, AlertUrgency } from "./records";
import { REVIEW_OWED } from "./recovery-patterns";
import { RETRY_RATE } from "./retry-baseline";
import { instantOf, type LocalTime, localTimeOf } from "./schedule";

/** Whom an alert is told to: its owner first, the backup owner once it was left untouched. */
export type AlertAudience = "owner" | "backup";

/** What has to be done about it; the words are the screens'. */
export type AlertTodo =
  | "unblock"
  | "give_verdict"
  | "free_address"
  | "close_incident"
  | "follow_runbook"
  | "finish_undo"
  | "undo_by_hand"
  | "watch_reports"
  | "take_on_item"
  | "judge_difference"
  | "look_at_dependency"
  | "review_cause"
  | "play_drill";

/** What has to be over before an alert is over by itself. */
export type AlertMatter =
  | "block"
  | "locked"
  | "conflict"
  | "incident"
  | "undo"
  | "reports"
  | "item"
  | "differences"
  | "dependency"
  | "review"
  | "drill";

export interface AlertRule {
  urgency: AlertUrgency;
  todo: AlertTodo;
  matter: AlertMatter;
  /** Told and untouched for this long, it goes to the backup owner as well. */
  escalatesAfterMs: number;
  /** Nobody is woken for it. */
  waitsForQuiet: boolean;
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Whoever has five minutes is not helped by a colleague who hears of it an hour later. */
const urgent = (todo: AlertTodo, matter: AlertMatter): AlertRule => ({
  ...{ todo, matter, urgency: "five_minutes", escalatesAfterMs: 5 * MINUTE_MS, waitsForQuiet: false },
});
const soon = (todo: AlertTodo, matter: AlertMatter): AlertRule => ({
  ...{ todo, matter, urgency: "one_hour", escalatesAfterMs: HOUR_MS, waitsForQuiet: true },
});

const inWorkingHours = (todo: AlertTodo, matter: AlertMatter): AlertRule => ({
  ...{ todo, matter, urgency: "working_hours", escalatesAfterMs: 24 * HOUR_MS, waitsForQuiet: true },
});

/** Every alert by its code. A code that ends in `_` stands for all that begin with it. */
export const ALERT_RULES: Readonly<Record<string, AlertRule>> = {
  blocked_expired: soon("unblock", "block"),
  blocked_: urgent("unblock", "block"),
  operation_locked: urgent("give_verdict", "locked"),
  remote_conflict: urgent("free_address", "conflict"),
  duplicate_remote: urgent("close_incident", "incident"),
  incident_opened: urgent("follow_runbook", "incident"),
  compensation_failed_: urgent("finish_undo", "undo"),
  compensation_manual: soon("undo_by_hand", "undo"),
  // Every mail is out, and nothing more can be done twice: a working day is early enough.
  recipients_open: inWorkingHours("watch_reports", "reports"),
  recovery_untouched: soon("take_on_item", "item"),
  // Each call still came through or is a matter of its own; more attempts would hide what is getting worse.
  [RETRY_RATE]: inWorkingHours("look_at_dependency", "dependency"),
  // What recurs has been recovered each time: it costs a person's time, and the next one, but not within the hour.
  [REVIEW_OWED]: inWorkingHours("review_cause", "review"),
  // Whoever has never done it by day will not do it at night; but nothing is at stake this hour.
  drill_: inWorkingHours("play_drill", "drill"),
  reconciliation_difference: soon("judge_difference", "differences"),
};

/** What is not in the table yet comes from a newer journal: told as pressing as anything, and over only by a person's word. */
const UNKNOWN_RULE: AlertRule = urgent("unblock", "block");

/** @returns the rule of a code: its own, else that of its family. */
export function alertRuleOf(code: string): AlertRule {
  const family = Object.keys(ALERT_RULES).find((key) => key.endsWith("_") && code.startsWith(key));
  return ALERT_RULES[code] ?? ALERT_RULES[family ?? ""] ?? UNKNOWN_RULE;
}

/** By when somebody has to have acted, from when it was raised; for working hours it is the end of the next such day. */
export const ACT_WITHIN_MS: Readonly<Record<AlertUrgency, number>> = {
  five_minutes: 5 * MINUTE_MS,
  one_hour: HOUR_MS,
  working_hours: 24 * HOUR_MS,
};

/** Local times of day `HH:MM` between which nobody is told; over midnight where `from` is the later one. */
export interface QuietHours {
  from: string;
  to: string;
  /** Saturday and Sunday are quiet throughout. */
  weekends: boolean;
}

/** What must be done within five minutes breaks through at any hour. */
export const QUIET_HOURS: Readonly<Record<AlertUrgency, QuietHours | null>> = {
  five_minutes: null,
  one_hour: { from: "22:00", to: "07:00", weekends: false },
  working_hours: { from: "18:00", to: "09:00", weekends: true },
};

const minutesOf = (time: string): number => Number(time.slice(0, 2)) * 60 + Number(time.slice(3));

const isWeekend = ({ year, month, day }: LocalTime): boolean =>
  [0, 6].includes(new Date(Date.UTC(year, month - 1, day)).getUTCDay());

/** The moment a local day later shows a time of day; days are counted on the calendar, so that a night of 23 hours is one. */
function atLocal(local: LocalTime, daysLater: number, time: string, zone: string): Instant {
  const date = new Date(Date.UTC(local.year, local.month - 1, local.day + daysLater));
  const [hour, minute] = [Number(time.slice(0, 2)), Number(time.slice(3))];
  const day = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
  return instantOf({ ...day, hour, minute, second: 0 }, zone);
}

/**
 * When the quiet hours that a moment lies in are over.
 * @returns the moment at which people may be told again, or null where they may be told now
 */
export function quietUntil(urgency: AlertUrgency, now: Instant, zone: string): Instant | null {
  const quiet = QUIET_HOURS[urgency];
  if (quiet === null) return null;
  const local = localTimeOf(now, zone);
  const time = local.hour * 60 + local.minute;
  const [from, to] = [minutesOf(quiet.from), minutesOf(quiet.to)];
  const isNight = from > to ? time >= from || time < to : time >= from && time < to;
  const isQuietDay = quiet.weekends && isWeekend(local);
  if (!isNight && !isQuietDay) return null;
  const first = time < to ? 0 : 1;
  const ends = [0, 1, 2, 3].map((more) => atLocal(local, first + more, quiet.to, zone));
  return ends.find((end) => !(quiet.weekends && isWeekend(localTimeOf(end, zone)))) ?? null;
}

/** What is to be told now, and to whom. */
export interface Telling {
  to: AlertAudience;
  isEscalation: boolean;
}

export type AlertStanding = Pick<
  AlertRow,
  "code" | "toldAt" | "escalatedAt" | "snoozedUntil" | "acknowledgedAt" | "settledAt"
>;

export const isOpenAlert = (alert: Pick<AlertRow, "acknowledgedAt" | "settledAt">): boolean =>
  alert.acknowledgedAt === null && alert.settledAt === null;

/**
 * Judges one alert at a moment (domain 10): whether somebody is to be told now, who, and when to judge it next. However long
 * nobody could look, it comes to one telling.
 * @param zone IANA zone of whoever is told
 */
export function judgeAlert(
  alert: AlertStanding,
  zone: string,
  now: Instant,
): { telling: Telling | null; nextAt: Instant | null } {
  if (!isOpenAlert(alert)) return { telling: null, nextAt: null };
  const { toldAt, escalatedAt, snoozedUntil } = alert;
  if (snoozedUntil !== null && !hasCome(snoozedUntil, now)) return { telling: null, nextAt: snoozedUntil };
  const rule = alertRuleOf(alert.code);
  const isNews = toldAt === null || snoozedUntil !== null;
  const escalatesAt = escalatedAt === null && toldAt !== null ? toldAt + rule.escalatesAfterMs : null;
  if (!isNews && (escalatesAt === null || !hasCome(escalatesAt, now))) return { telling: null, nextAt: escalatesAt };
  const quiet = rule.waitsForQuiet ? quietUntil(rule.urgency, now, zone) : null;
  if (quiet !== null) return { telling: null, nextAt: quiet };
  return {
    telling: isNews ? { to: "owner", isEscalation: false } : { to: "backup", isEscalation: true },
    nextAt: null,
  };
}

/** Longer than any night: who needs more than that has acknowledged it or has not read it. */
const LONGEST_SNOOZE_MS = 24 * HOUR_MS;
const SNOOZE_MS = HOUR_MS;
const MORNING = "07:00";

export const isSnoozable = (now: Instant, until: Instant): boolean => until > now && until - now <= LONGEST_SNOOZE_MS;

/** Until when a snooze lasts: an hour, or the next morning at seven in the zone. */
export function snoozeEnd(span: "hour" | "morning", now: Instant, zone: string): Instant {
  if (span === "hour") return now + SNOOZE_MS;
  const local = localTimeOf(now, zone);
  return atLocal(local, local.hour * 60 + local.minute < minutesOf(MORNING) ? 0 : 1, MORNING, zone);
}
