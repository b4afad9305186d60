import { Bug, type Instant } from "./ids";

/** A moment as a clock on the wall of a zone shows it: the fields of its date and time, without the zone. */
interface WallTime {
  year: number;
  month: number;
  day: number;
  hour: number;
  minute: number;
  second: number;
}

const DAY_MS = 86_400_000;

const clocks = new Map<string, Intl.DateTimeFormat>();

/** Building a formatter costs far more than using it, and there are few zones. */
function clockOf(zone: string): Intl.DateTimeFormat {
  const known = clocks.get(zone);
  if (known) return known;
  const made = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    calendar: "iso8601",
    numberingSystem: "latn",
    hourCycle: "h23",
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  });
  clocks.set(zone, made);
  return made;
}

function wallTimeAt(at: Instant, zone: string): WallTime {
  const fields: Record<string, number> = {};
  for (const { type, value } of clockOf(zone).formatToParts(at)) fields[type] = Number(value);
  const { year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0 } = fields;
  return { year, month, day, hour, minute, second };
}

/** The wall time read as if it were UTC: a number to calculate with, not a moment. */
const asUtc = (wall: WallTime): number =>
  Date.UTC(wall.year, wall.month - 1, wall.day, wall.hour, wall.minute, wall.second);

/** How far the zone's clocks are ahead of UTC at a moment. */
function offsetAt(at: Instant, zone: string): number {
  return asUtc(wallTimeAt(at, zone)) - Math.floor(at / 1000) * 1000;
}

/**
 * The moment at which the zone's clocks show a wall time. A time that comes twice in autumn is its first coming; one that is
 * left out in spring is as much later as the clocks are put forward.
 * @param wall the wall time read as if it were UTC
 */
function instantOf(wall: number, zone: string): Instant {
  // No zone changes its clocks twice within two days, so these are all the offsets there can be.
  const before = offsetAt(wall - DAY_MS, zone);
  const after = offsetAt(wall + DAY_MS, zone);
  for (const offset of [Math.max(before, after), Math.min(before, after)])
    if (offsetAt(wall - offset, zone) === offset) return wall - offset;
  return wall - before;
}

/** Days since Monday: 0 to 6. */
const sinceMonday = (utc: number): number => (new Date(utc).getUTCDay() + 6) % 7;

/** The Monday on which ISO week 1 of a year begins: the week with the fourth of January (ISO 8601). */
function firstMonday(year: number): number {
  const fourth = Date.UTC(year, 0, 4);
  return fourth - sinceMonday(fourth) * DAY_MS;
}

/** The ISO 8601 week in which a moment falls where the editor is: `2026-W30`. Around New Year the year is the week's. */
export function editionAt(at: Instant, zone: string): string {
  const { year, month, day } = wallTimeAt(at, zone);
  const today = Date.UTC(year, month - 1, day);
  // A week belongs to the year of its Thursday.
  const thursday = today - sinceMonday(today) * DAY_MS + 3 * DAY_MS;
  const weekYear = new Date(thursday).getUTCFullYear();
  const week = Math.floor((thursday - firstMonday(weekYear)) / (7 * DAY_MS)) + 1;
  return `${weekYear}-W${String(week).padStart(2, "0")}`;
}

/**
 * The moment an edition is due: the Monday of its week at a local time of day, whatever the clocks did that weekend.
 * @param dueLocal `HH:MM` as the definition has it
 * @throws Bug when the edition is no ISO week of its year, or the time is none.
 */
export function editionDueAt(edition: string, dueLocal: string, zone: string): Instant {
  const named = /^(\d{4})-W(\d{2})$/.exec(edition);
  const time = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(dueLocal);
  if (!named || !time) throw new Bug(`no edition with a due time: ${edition.slice(0, 20)} ${dueLocal.slice(0, 20)}`);
  const year = Number(named[1]);
  const week = Number(named[2]);
  const monday = firstMonday(year) + (week - 1) * 7 * DAY_MS;
  if (week < 1 || monday >= firstMonday(year + 1)) throw new Bug(`the year has no such week: ${edition}`);
  return instantOf(monday + (Number(time[1]) * 60 + Number(time[2])) * 60_000, zone);
}
