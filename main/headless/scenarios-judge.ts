import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import type { ScenarioOutcome } from "./scenarios-outcome";

/** What was written down for one scenario before it was played: all of the outcome, word for word. */
export type Expected = ScenarioOutcome;

/** Names of event sequences that many scenarios share: `@review` stands for everything up to the content review. */
type Segments = Readonly<Record<string, readonly string[]>>;

/** Reads the frozen expectations of a folder: one file a group, and the shared sequences. */
export function readExpected(dir: string): ReadonlyMap<string, Expected> {
  const segments = readJson<Segments>(join(dir, "segments.json"));
  const files = existsSync(dir) ? readdirSync(dir).filter((name) => /^(\d\d|baselines).*\.json$/.test(name)) : [];
  const all = files.flatMap((name) => Object.entries(readJson<Record<string, Expected>>(join(dir, name))));
  return new Map(all.map(([id, expected]) => [id, { ...expected, events: expand(expected.events, segments) }]));
}

const readJson = <T>(path: string): T => JSON.parse(readFileSync(path, "utf8")) as T;

function expand(events: readonly string[], segments: Segments): string[] {
  return events.flatMap((event) => {
    if (!event.startsWith("@")) return [event];
    const segment = segments[event.slice(1)];
    if (segment === undefined) throw new Error(`no sequence is named ${event}`);
    return expand(segment, segments);
  });
}

/** Everything in which the outcome is not what was frozen, one line each; nothing where it is the same. */
export function differences(expected: Expected, outcome: ScenarioOutcome): string[] {
  const names = new Set([...Object.keys(expected), ...Object.keys(outcome)]) as Set<keyof ScenarioOutcome>;
  return [...names].flatMap((name) => {
    const [want, have] = [expected[name], outcome[name]];
    if (isDeepStrictEqual(want, have)) return [];
    if (Array.isArray(want) && Array.isArray(have)) return [`${name}: ${firstDifference(want, have)}`];
    return [`${name}: expected ${JSON.stringify(want)}, was ${JSON.stringify(have)}`];
  });
}

function firstDifference(want: readonly unknown[], have: readonly unknown[]): string {
  const at = want.findIndex((entry, index) => !isDeepStrictEqual(entry, have[index]));
  const index = at < 0 ? want.length : at;
  const show = (list: readonly unknown[]) => JSON.stringify(list[index] ?? "nothing more");
  return `number ${index + 1} expected ${show(want)}, was ${show(have)}`;
}
