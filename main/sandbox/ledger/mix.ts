import { z } from "zod";
import { SOURCE_IDS } from "./weekly-sources";

/** The year whose weeks are lived through has this many (ISO 8601). */
export const MOST_EDITIONS = 53;
/** A source is read three times at most: more errors than that never happen. */
const MOST_READS = 3;
/** Longer than any edition has until it is due. */
const MOST_MINUTES = 120;

const whole = (least: number, most: number, what: string) => {
  const error = `takes a whole number from ${least} to ${most}: ${what}`;
  return z.int({ error }).min(least, { error }).max(most, { error });
};
const list = <T extends z.ZodType>(entry: T, what: string) =>
  z.array(entry, { error: `takes a list of ${what}; leave it out where there are none` }).default([]);
const oneOf = (values: readonly [string, ...string[]], what: string) =>
  z.enum(values, { error: `takes ${what}, one of: ${values.join(", ")}` });

const week = whole(1, MOST_EDITIONS, "the week it happens in, counted from the first edition");
const minutes = z
  .array(whole(0, MOST_MINUTES, "how many minutes the editor reads before deciding"), {
    error: "takes a list of minutes",
  })
  .min(1, { error: "takes at least one number of minutes; they are used in turns" });

/** What goes wrong in which week. Everything that is left out goes well. */
const mixSchema = z.strictObject({
  editions: whole(1, MOST_EDITIONS, "how many weeks are lived through").default(30),
  /** A source's first reads fail. */
  sources: list(
    z.strictObject({
      week,
      source: oneOf(SOURCE_IDS as [string, ...string[]], "a sample source"),
      error: oneOf(["dns", "timeout", "rate_limit"], "what the first reads end with"),
      times: whole(1, MOST_READS, "how many reads of it fail; three spend the budget").default(1),
    }),
    "source errors",
  ),
  /** The first draft breaks its schema. */
  repairs: list(week, "weeks"),
  /** A fact quotes what stands in no source; the editor leaves it out. */
  inventedQuotes: list(week, "weeks"),
  /** The answer to a create is lost after the remote has carried it out. */
  lostAnswers: list(
    z.strictObject({
      week,
      of: oneOf(["publish", "send"], "whose answer is lost"),
      refusedMinutes: whole(0, MOST_MINUTES, "how long the remote answers no question about it either").default(0),
    }),
    "lost answers",
  ),
  /** Published, and taken back before anything is mailed. */
  compensations: list(week, "weeks"),
  minutes: z.strictObject({ content: minutes.default([7]), send: minutes.default([3]) }).prefault({}),
});

/** A fault mix, complete: every default filled in. */
export type Mix = z.infer<typeof mixSchema>;
/** A fault mix as it may be written. */
export type MixInput = z.input<typeof mixSchema>;

/** Takes a mix that somebody wrote. What is wrong names each field and what it takes. */
export function parseMix(value: unknown): { mix: Mix } | { faults: readonly string[] } {
  const parsed = mixSchema.safeParse(value);
  if (!parsed.success) return { faults: parsed.error.issues.map(describeIssue) };
  const faults = contradictionsOf(parsed.data);
  return faults.length === 0 ? { mix: parsed.data } : { faults };
}

function describeIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === "unrecognized_keys") {
    const place = issue.path.length === 0 ? "the mix" : nameOf(issue.path);
    return `${place} has no field ${issue.keys.join(", ")}; take it out or correct its name`;
  }
  return issue.path.length === 0 ? "the mix must be a JSON object" : `${nameOf(issue.path)} ${issue.message}`;
}

const nameOf = (path: readonly PropertyKey[]): string =>
  path
    .map((part, index) => (typeof part === "number" ? `[${part}]` : `${index === 0 ? "" : "."}${String(part)}`))
    .join("");

/** What no single field shows: weeks past the last one, and two things that cannot both happen. */
function contradictionsOf(mix: Mix): string[] {
  const { editions, sources, repairs, inventedQuotes, lostAnswers, compensations } = mix;
  const weeks = [
    ...sources.map((entry, index) => [`sources[${index}].week`, entry.week] as const),
    ...repairs.map((at, index) => [`repairs[${index}]`, at] as const),
    ...inventedQuotes.map((at, index) => [`inventedQuotes[${index}]`, at] as const),
    ...lostAnswers.map((entry, index) => [`lostAnswers[${index}].week`, entry.week] as const),
    ...compensations.map((at, index) => [`compensations[${index}]`, at] as const),
  ];
  return [
    ...weeks
      .filter(([, at]) => at > editions)
      .map(([name, at]) => `${name} is ${at}, but editions is ${editions}: use a week from 1 to ${editions}`),
    ...repeated(sources, ({ week: at, source }) => `${source} in week ${at}`).map(
      (what) => `sources names ${what} twice: give one entry, with times`,
    ),
    ...repeated(
      sources.filter(({ error }) => error === "dns"),
      ({ week: at }) => String(at),
    ).map((at) => `sources has two dns errors in week ${at}: one name a week can be missing, use another week`),
    ...repeated(lostAnswers, ({ week: at, of }) => `${of} in week ${at}`).map(
      (what) => `lostAnswers names ${what} twice: an edition has one of each, leave one out`,
    ),
    ...repeated([...repairs, ...inventedQuotes], String).map(
      (at) => `repairs and inventedQuotes name week ${at} twice: a draft has one fault, use another week`,
    ),
  ];
}

function repeated<T>(entries: readonly T[], keyOf: (entry: T) => string): string[] {
  const keys = entries.map(keyOf);
  return [...new Set(keys.filter((key, index) => keys.indexOf(key) !== index))];
}
