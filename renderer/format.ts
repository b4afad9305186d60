import i18next from "i18next";

/** Dates and numbers in the language shown and the zone of the workspace. Formatters are kept: making one costs more than using it. */
const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterFor(zone: string, shape: keyof typeof SHAPES): Intl.DateTimeFormat {
  const key = `${i18next.language}|${zone}|${shape}`;
  const kept = formatters.get(key);
  if (kept) return kept;
  const made = new Intl.DateTimeFormat(i18next.language === "en" ? "en-GB" : i18next.language, {
    ...SHAPES[shape],
    timeZone: zone,
    hourCycle: "h23",
  });
  formatters.set(key, made);
  return made;
}

const SHAPES = {
  time: { hour: "2-digit", minute: "2-digit", second: "2-digit" },
  minute: { hour: "2-digit", minute: "2-digit" },
  dayMinute: { weekday: "short", hour: "2-digit", minute: "2-digit" },
  day: { weekday: "short", day: "numeric", month: "short" },
  moment: {
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  },
  short: { day: "numeric", month: "short", hour: "2-digit", minute: "2-digit" },
} as const satisfies Record<string, Intl.DateTimeFormatOptions>;

/** A moment in the zone of the workspace, in one of the shapes that the screens use. */
export function formatMoment(at: number, zone: string, shape: keyof typeof SHAPES = "moment"): string {
  // Chinese sets the weekday and the hour without a space between them: “周二08:00”.
  return formatterFor(zone, shape)
    .format(at)
    .replace(/(周.)(?=\d)/, "$1 ");
}

/** The whole moment with its zone's name: what evidence and hover texts show. */
export function formatZoned(at: number, zone: string, shape: keyof typeof SHAPES = "moment"): string {
  return i18next.t("clock.zoned", { moment: formatMoment(at, zone, shape), zone });
}

/** A length of time in two units at most, rounded down: “1 h 12 min”. */
export function formatDuration(ms: number): string {
  const t = i18next.t;
  const seconds = Math.floor(Math.abs(ms) / 1000);
  if (Math.abs(ms) < 1000 && ms !== 0) return t("duration.milliseconds", { ms: Math.abs(Math.round(ms)) });
  if (seconds < 60) return t("duration.seconds", { s: seconds });
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10 && seconds % 60 !== 0) return t("duration.minutesSeconds", { m: minutes, s: seconds % 60 });
  if (minutes < 60) return t("duration.minutes", { m: minutes });
  const hours = Math.floor(minutes / 60);
  if (hours < 48)
    return minutes % 60 === 0
      ? t("duration.hours", { h: hours })
      : t("duration.hoursMinutes", { h: hours, m: minutes % 60 });
  const days = Math.floor(hours / 24);
  return hours % 24 === 0 ? t("duration.days", { d: days }) : t("duration.daysHours", { d: days, h: hours % 24 });
}

/** A size in bytes, with one digit behind the point at most. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return i18next.t("bytes.b", { n: formatNumber(bytes) });
  const [unit, size] =
    bytes < 1_000_000 ? (["bytes.kb", bytes / 1000] as const) : (["bytes.mb", bytes / 1_000_000] as const);
  return i18next.t(unit, { n: formatNumber(Math.round(size * 10) / 10) });
}

/** By language. */
const numberFormatters = new Map<string, Intl.NumberFormat>();

/** A number with the language's separators. */
export function formatNumber(value: number): string {
  const { language } = i18next;
  const formatter = numberFormatters.get(language) ?? new Intl.NumberFormat(language);
  numberFormatters.set(language, formatter);
  return formatter.format(value);
}
