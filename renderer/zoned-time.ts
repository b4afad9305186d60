/** Local time of a zone, as a `datetime-local` field writes it, and instants: the only place that converts between the two. */

const PARTS = {
  year: "numeric",
  month: "2-digit",
  day: "2-digit",
  hour: "2-digit",
  minute: "2-digit",
  second: "2-digit",
  hourCycle: "h23",
} as const;

function localParts(at: number, zone: string): Record<string, string> {
  const parts = new Intl.DateTimeFormat("en-CA", { ...PARTS, timeZone: zone }).formatToParts(at);
  return Object.fromEntries(parts.map((part) => [part.type, part.value]));
}

/** `2026-07-20T10:30` for an instant in a zone. */
export function toLocalField(at: number, zone: string): string {
  const { year, month, day, hour, minute } = localParts(at, zone);
  return `${year}-${month}-${day}T${hour}:${minute}`;
}

/** How far the zone's clock is ahead of UTC at an instant. */
function offsetMs(at: number, zone: string): number {
  const { year, month, day, hour, minute, second } = localParts(at, zone);
  const local = Date.UTC(Number(year), Number(month) - 1, Number(day), Number(hour), Number(minute), Number(second));
  return local - Math.floor(at / 1000) * 1000;
}

/**
 * The instant of a local field in a zone; null where the text is no date. An hour that a zone's clock skips is taken as the
 * moment after the jump, and of an hour that comes twice the first is meant.
 */
export function fromLocalField(text: string, zone: string): number | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})T(\d{2}):(\d{2})/.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute] = match.slice(1).map(Number) as [number, number, number, number, number];
  const wall = Date.UTC(year, month - 1, day, hour, minute);
  // The offset depends on the instant, which depends on the offset: the two guesses cover both sides of a change.
  const guesses = [wall - offsetMs(wall - 86_400_000, zone), wall - offsetMs(wall + 86_400_000, zone)];
  const exact = guesses.filter((at) => at + offsetMs(at, zone) === wall);
  return exact.length > 0 ? Math.min(...exact) : Math.max(...guesses);
}

const DAY_MS = 86_400_000;
const MONDAY = 1;

/** The next Monday morning in a zone, when a weekly edition begins. */
export function nextMonday(now: number, zone: string): number {
  const { year, month, day } = localParts(now, zone);
  const today = Date.UTC(Number(year), Number(month) - 1, Number(day));
  for (let date = new Date(today); ; date = new Date(date.getTime() + DAY_MS)) {
    if (date.getUTCDay() !== MONDAY) continue;
    const morning = fromLocalField(`${date.toISOString().slice(0, 10)}T08:00`, zone);
    if (morning !== null && morning > now) return morning;
  }
}
