import type { Instant } from "../../domain/ids";

/**
 * Reads the dates that feeds and HTTP headers carry: RFC 3339 and shorter ISO forms, RFC 822 / 1123 with numeric or
 * American zone names, RFC 850. `Date.parse` is not used: it takes other forms by the machine's own zone, and the same
 * bytes must give the same instant everywhere. A date without a zone is UTC.
 * @returns ms UTC, or null for what is no such date.
 */
export function parseDate(text: string | null | undefined): Instant | null {
  const value = (text ?? "").trim();
  return parseIso(value) ?? parseRfc822(value);
}

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** Offsets in minutes. Military letters other than Z are unreliable by RFC 2822 and count as UTC there. */
const ZONES: Readonly<Record<string, number>> = {
  "": 0,
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
};

function parseIso(value: string): Instant | null {
  const found =
    /^(\d{4})-(\d{2})-(\d{2})(?:[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:[.,](\d{1,9}))?)?\s*([Zz]|[+-]\d{2}:?\d{2})?)?$/.exec(
      value,
    );
  if (found === null) return null;
  const [, year, month, day, hour, minute, second, fraction, zone] = found;
  const offset = zoneOffset(zone ?? "");
  if (offset === null) return null;
  const ms = Math.floor(Number(`0.${fraction ?? "0"}`) * 1000);
  return instantOf(
    [year, month, day, hour, minute, second].map((part) => Number(part ?? 0)),
    ms,
    offset,
  );
}

function parseRfc822(value: string): Instant | null {
  const found =
    /^(?:[A-Za-z]{3,9}\.?,?\s+)?(\d{1,2})[\s-]+([A-Za-z]{3})[A-Za-z]*\.?[\s-]+(\d{4}|\d{2})(?:\s+(\d{1,2}):(\d{2})(?::(\d{2}))?\s*([A-Za-z]{1,4}|[+-]\d{2}:?\d{2})?)?$/.exec(
      value,
    );
  if (found === null) return null;
  const [, day, monthName, year, hour, minute, second, zone] = found;
  const month = MONTHS.indexOf((monthName ?? "").toLowerCase()) + 1;
  const offset = zoneOffset(zone ?? "");
  if (offset === null) return null;
  return instantOf(
    [fullYear(year ?? ""), month, ...[day, hour, minute, second].map((part) => Number(part ?? 0))],
    0,
    offset,
  );
}

/** Two-digit years by RFC 2822 4.3: 00–49 are this century, 50–99 the last. */
function fullYear(year: string): number {
  const value = Number(year);
  if (year.length > 2) return value;
  return value < 50 ? 2000 + value : 1900 + value;
}

function zoneOffset(zone: string): number | null {
  const numeric = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (numeric !== null) {
    const minutes = Number(numeric[2]) * 60 + Number(numeric[3]);
    return minutes > 24 * 60 ? null : numeric[1] === "-" ? -minutes : minutes;
  }
  return ZONES[zone.toLowerCase()] ?? null;
}

function instantOf(parts: readonly number[], ms: number, offsetMinutes: number): Instant | null {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts;
  if (month < 1 || month > 12 || day < 1 || hour > 24 || minute > 59 || second > 60 || year < 1000) return null;
  // The 31st of February would roll into March without a word.
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  return Date.UTC(year, month - 1, day, hour, minute, Math.min(second, 59), ms) - offsetMinutes * 60_000;
}
