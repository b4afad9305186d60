import type { Instant } from "../domain/ids";

/** RFC 3339 in UTC, to the second where there is nothing after it. */
export const utc = (at: Instant): string => new Date(at).toISOString().replace(".000Z", "Z");

/** The wall clock of a zone, as a person there read it. */
export const wallClock = (at: Instant, zone: string): string =>
  new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "medium", timeZone: zone }).format(at);

/** Fields that hold a moment, by their names. */
export const MOMENT = /^(at|.*At|.*Since)$/;

/** A row for people and other programs: moments as RFC 3339 instead of milliseconds, everything else as it is. */
export function readable(row: object): Readonly<Record<string, unknown>> {
  const entries = Object.entries(row);
  return Object.fromEntries(
    entries.map(([key, value]) => [key, typeof value === "number" && MOMENT.test(key) ? utc(value) : value]),
  );
}
