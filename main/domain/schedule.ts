import { Bug, type Instant } from "./ids";

/**
 * Local calendar time, pure: every function is told its moment and its IANA zone. An edition is the ISO week of a local date
 * (`2026-W30`), so the same instant may belong to two editions in two zones.
 */
export interface LocalTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const DAY_MS = 86_400_000;
/** Longer than any offset from UTC and any step of one (Samoa left out a whole day): a local time lies within it. */
const AROUND_MS = 2 * DAY_MS;

/** Making a formatter costs a hundred times what using one does. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat {
  const known = formatters.get(zone);
  if (known) return known;
  try {
    const made = new Intl.DateTimeFormat("en-US", {
      timeZone: zone,
      calendar: "gregory",
      numberingSystem: "latn",
      hourCycle: "h23",
      year: "numeric",
      month: "numeric",
      day: "numeric",
      hour: "numeric",
      minute: "numeric",
      second: "numeric",
    });
    formatters.set(zone, made);
    return made;
  } catch (error) {
    throw new Bug(`not an IANA time zone: ${zone}`, { cause: error });
  }
}

/** What the clock on the wall shows in a zone at an instant. @throws Bug for an unknown zone. */
export function localTimeOf(instant: Instant, zone: string): LocalTime {
  const parts = new Map(
    formatterOf(zone)
      .formatToParts(instant)
      .map((part) => [part.type, Number(part.value)]),
  );
  const read = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
  return {
    year: read("year"),
    month: read("month"),
    day: read("day"),
    hour: read("hour"),
    minute: read("minute"),
    second: read("second"),
  };
}

const asUtc = (local: LocalTime): Instant =>
  Date.UTC(local.year, local.month - 1, local.day, local.hour, local.minute, local.second);

/**
 * The instant at which the wall clock shows a local time. A time that comes twice in autumn is the first of the two; one that
 * spring leaves out is the first moment after the gap, so that nothing set for it is lost.
 */
export function instantOf(local: LocalTime, zone: string): Instant {
  const wanted = asUtc(local);
  const shown = (instant: Instant) => asUtc(localTimeOf(instant, zone));
  const offsetAt = (instant: Instant) => shown(instant) - instant;
  const candidates = [wanted - offsetAt(wanted - AROUND_MS), wanted - offsetAt(wanted + AROUND_MS)];
  const fitting = candidates.filter((candidate) => shown(candidate) === wanted);
  if (fitting.length > 0) return Math.min(...fitting);
  let before = wanted - AROUND_MS;
  let after = wanted + AROUND_MS;
  while (after - before > 1_000) {
    const middle = before + Math.floor((after - before) / 2_000) * 1_000;
    if (shown(middle) < wanted) before = middle;
    else after = middle;
  }
  return after;
}

/** When a local date (`YYYY-MM-DD`) begins on the clocks of a zone, or one that comes so many days after it. */
export function startOfDay(date: string, zone: string, daysAfter = 0): Instant {
  const day = new Date(Date.parse(`${date}T00:00:00Z`) + daysAfter * DAY_MS);
  const [year, month] = [day.getUTCFullYear(), day.getUTCMonth() + 1];
  return instantOf({ year, month, day: day.getUTCDate(), hour: 0, minute: 0, second: 0 }, zone);
}

/** When the clocks of a zone change, and by how much: forward is positive. */
export interface ClockChange {
  at: Instant;
  byMs: number;
}

/** The next change of a zone's clocks (summer time and the like) within so many days; null where there is none. */
export function nextClockChange(now: Instant, zone: string, days: number): ClockChange | null {
  const offsetAt = (instant: Instant) => asUtc(localTimeOf(instant, zone)) - Math.floor(instant / 1_000) * 1_000;
  const before = offsetAt(now);
  let [from, to] = [now, now];
  while (offsetAt(to) === before) {
    if (to >= now + days * DAY_MS) return null;
    [from, to] = [to, to + DAY_MS];
  }
  while (to - from > 1_000) {
    const middle = from + Math.floor((to - from) / 2);
    if (offsetAt(middle) === before) from = middle;
    else to = middle;
  }
  // Clocks change on a whole second.
  const at = Math.floor(to / 1_000) * 1_000;
  return { at, byMs: offsetAt(at) - before };
}

const two = (value: number): string => String(value).padStart(2, "0");

/** The date on the wall calendar, `YYYY-MM-DD`. */
export function localDateOf(instant: Instant, zone: string): string {
  const { year, month, day } = localTimeOf(instant, zone);
  return `${String(year).padStart(4, "0")}-${two(month)}-${two(day)}`;
}

/** The Monday of the week that a day (midnight UTC of its date) lies in. */
const mondayBefore = (day: Instant): Instant => day - ((new Date(day).getUTCDay() + 6) % 7) * DAY_MS;

/** The edition an instant belongs to: the ISO week of its local date, `2026-W30`. The week belongs to its Thursday's year. */
export function editionOf(instant: Instant, zone: string): string {
  const { year, month, day } = localTimeOf(instant, zone);
  const monday = mondayBefore(Date.UTC(year, month - 1, day));
  const weekYear = new Date(monday + 3 * DAY_MS).getUTCFullYear();
  const week = 1 + Math.round((monday - mondayBefore(Date.UTC(weekYear, 0, 4))) / (7 * DAY_MS));
  return `${String(weekYear).padStart(4, "0")}-W${two(week)}`;
}

/** The local date (`YYYY-MM-DD`) of an edition's Monday. @throws Bug when the text names no ISO week. */
export function mondayOf(edition: string): string {
  const match = /^(\d{4})-W(\d{2})$/.exec(edition);
  const year = Number(match?.[1]);
  // 4 January is in week 1, in every year.
  const monday = mondayBefore(Date.UTC(year, 0, 4)) + (Number(match?.[2]) - 1) * 7 * DAY_MS;
  if (!match || editionOf(monday, "UTC") !== edition) throw new Bug(`not an ISO week: ${edition.slice(0, 40)}`);
  return new Date(monday).toISOString().slice(0, 10);
}

/** The edition of the week after. @throws Bug when the text names no ISO week. */
export const editionAfter = (edition: string): string =>
  editionOf(Date.parse(`${mondayOf(edition)}T00:00:00Z`) + 7 * DAY_MS, "UTC");

/**
 * When an edition is due: on its Monday at the local time of day `HH:MM`.
 * @throws Bug when edition, time of day or zone is malformed.
 */
export function deadlineOf(edition: string, dueLocal: string, zone: string): Instant {
  const time = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(dueLocal);
  if (!time) throw new Bug(`not a time of day as HH:MM: ${dueLocal.slice(0, 40)}`);
  const [year, month, day] = mondayOf(edition).split("-").map(Number) as [number, number, number];
  return instantOf({ year, month, day, hour: Number(time[1]), minute: Number(time[2]), second: 0 }, zone);
}

// ---------------------------------------------------------------- schedules

/** When something begins by itself: a cron pattern read by the clocks of a zone. */
export interface Schedule {
  name: string;
  /** Five parts, with one minute and one hour: only such a time has one meaning on the days the clocks change. */
  pattern: string;
  zone: string;
  /** With the local date it makes the key of a fire: at most one per date, whatever the clocks do. */
  slot: string;
  /** Occurrences before this moment are history: a schedule set up at noon does not catch up on the morning. */
  activeFrom: Instant;
}

/** Older than this is long past: not caught up with, whether we slept or a snapshot was restored (standards: scheduling). */
export const CATCH_UP_GRACE_MS = 12 * 3_600_000;
/** A tick comes every 30 s; later than two of them is late and shown as such. */
const LATE_MS = 60_000;

/** What makes two timers one: the local date and the slot. Never the instant, which an autumn night has twice. */
export const fireKeyOf = (schedule: Pick<Schedule, "slot" | "zone">, occurrence: Instant): string =>
  `${localDateOf(occurrence, schedule.zone)}:${schedule.slot}`;

export type Due =
  | { kind: "nothing" }
  | { kind: "fire"; key: string; scheduledAt: Instant; lateMs: number; isLate: boolean }
  /** Too long ago to begin by itself: a person is shown it. */
  | { kind: "missed"; key: string; scheduledAt: Instant };

/**
 * Judges the newest occurrence that is not in the future. Only the newest is asked about, so that after any sleep there is at
 * most one catch-up.
 */
export function judgeOccurrence(
  schedule: Schedule,
  occurrence: Instant | null,
  now: Instant,
  hasFired: (key: string) => boolean,
): Due {
  if (occurrence === null || occurrence > now || occurrence < schedule.activeFrom) return { kind: "nothing" };
  const key = fireKeyOf(schedule, occurrence);
  if (hasFired(key)) return { kind: "nothing" };
  const lateMs = now - occurrence;
  if (lateMs > CATCH_UP_GRACE_MS) return { kind: "missed", key, scheduledAt: occurrence };
  return { kind: "fire", key, scheduledAt: occurrence, lateMs, isLate: lateMs > LATE_MS };
}

/** Wall and monotonic time read in one moment; monotonic null where the process did not live yet. */
export interface ClockMark {
  wall: Instant;
  monotonic: number | null;
}

/** Set right by a time server or compared across two clocks: below this nothing has happened. */
const CLOCK_TOLERANCE_MS = 2 * 60_000;
/** A laptop may sleep over a long weekend. Whoever was away longer is asked, which costs one click. */
const LONGEST_SLEEP_MS = 4 * DAY_MS;

/**
 * How far the wall clock moved on its own since it was last looked at, where that is no sleep (case C8). Some systems stop the
 * monotonic clock while they sleep, so a step forward is a sleep unless it is longer than anybody sleeps; back is never one.
 * @returns ms of the jump, or 0
 */
export function clockJumpMs(before: ClockMark | null, now: ClockMark): number {
  if (before === null) return 0;
  const passed = now.wall - before.wall;
  if (before.monotonic === null || now.monotonic === null) return passed < -CLOCK_TOLERANCE_MS ? passed : 0;
  const moved = passed - (now.monotonic - before.monotonic);
  return moved < -CLOCK_TOLERANCE_MS || moved > LONGEST_SLEEP_MS ? moved : 0;
}

/** How far the wall clock is from time measured against servers, where that is too far to start anything by it; else 0. */
export function clockErrorMs(wall: Instant, trusted: { at: Instant; trusted: boolean }): number {
  const error = wall - trusted.at;
  return trusted.trusted && Math.abs(error) > CLOCK_TOLERANCE_MS ? error : 0;
}
