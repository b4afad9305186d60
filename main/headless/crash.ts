import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createSystemClock } from "../adapters/clock";
import { objectionToFolder } from "../compose/folder-to-fill";
import { Dice } from "../simulation/dice";
import { type KilledEdition, killEdition } from "./crash-edition";
import { type CrashOptions, parseCrashOptions } from "./crash-options";
import { planCrashes } from "./crash-plan";
import { firstUnknown, unknownPoint } from "./crash-point-names";
import { crashAtEach, findPoints, lineOf, type PointReport, reasonOf, runInTurn } from "./crash-run";
import type { Streams } from "./streams";

const realTime = createSystemClock();

/** An edition that ends although nobody killed it has used up a seed. So many in a row mean that no kill ever comes. */
const MOST_UNKILLED = 20;

/**
 * `crash`: a real process on a real disk, killed at named points and at random moments.
 * @returns the exit code: 0 only when everything ended with one object each and nothing violated.
 */
export async function crash(args: readonly string[], samplesDir: string, streams: Streams): Promise<number> {
  const parsed = parseCrashOptions(args);
  if ("help" in parsed) {
    streams.out(parsed.help);
    return 0;
  }
  if ("wrong" in parsed) {
    streams.err(`crash: ${parsed.wrong}; see --help\n`);
    return 2;
  }
  const { options } = parsed;
  const { workspace } = options.demo;
  const objection = workspace === null ? null : objectionToFolder(resolve(workspace));
  if (objection !== null) {
    streams.err(`crash: --workspace: ${objection}\n`);
    return 2;
  }
  const dir = workspace === null ? mkdtempSync(join(tmpdir(), "imprimatur-crash-")) : resolve(workspace);
  mkdirSync(dir, { recursive: true });
  try {
    return await run(options, dir, samplesDir, streams);
  } finally {
    if (workspace === null) rmSync(dir, { recursive: true, force: true });
  }
}

async function run(options: CrashOptions, dir: string, samplesDir: string, streams: Streams): Promise<number> {
  const startedAt = realTime.monotonic();
  const tell = (line: string) => {
    if (!options.json) streams.out(line);
  };
  tell(`seed ${options.seed}\n`);
  const whole = await findPoints(options.demo, join(dir, "points"), samplesDir);
  const chosen = choosePoints(options, whole.points);
  const unknown = firstUnknown(chosen, whole.points);
  if (unknown !== null) {
    streams.err(`crash: --points ${unknownPoint(unknown)}\n`);
    return 2;
  }
  const points = await crashAtEach(chosen, {
    ...{ options: options.demo, dir, samplesDir },
    tell: (report) => tell(lineOf(report)),
  });
  const editions = await killMany(options, { dir, samplesDir, whole, tell });
  const kills = editions.reduce((sum, edition) => sum + edition.kills.length, 0);
  const isShort = options.edition === null && kills < options.kills;
  const passed = [...points, ...editions].filter((report) => report.passed).length;
  const failed = points.length + editions.length - passed + (isShort ? 1 : 0);
  const seconds = Math.round((realTime.monotonic() - startedAt) / 100) / 10;
  const sums = { seed: options.seed, kills, passed, failed, seconds };
  if (options.json) streams.out(`${JSON.stringify({ ...sums, points, editions })}\n`);
  else tell(`${points.length} named points, ${kills} random kills in ${editions.length} editions, ${seconds} s\n`);
  tell(`${passed} passed, ${failed} failed\n`);
  explain(points, editions, streams);
  if (isShort) streams.err(`crash: ${kills} of ${options.kills} kills came about\n`);
  return failed === 0 ? 0 : 1;
}

function choosePoints({ points, seed }: CrashOptions, all: readonly string[]): readonly string[] {
  if (points === "all") return all;
  if (typeof points !== "number") return points;
  return new Dice(seed, 0).shuffled(all).slice(0, points);
}

/** One edition after the other, each with the next seed and all its kills, until there were enough. */
async function killMany(
  options: CrashOptions,
  to: {
    dir: string;
    samplesDir: string;
    whole: { reached: number; tookMs: number };
    tell(line: string): void;
  },
): Promise<KilledEdition[]> {
  const reports: KilledEdition[] = [];
  const first = options.edition ?? options.seed;
  let [killed, begun, unkilled] = [0, 0, 0];
  const isEnough = () =>
    options.edition === null ? killed >= options.kills || unkilled >= MOST_UNKILLED : begun === 1;
  await runInTurn(
    () => (isEnough() ? null : begun++),
    async (index) => {
      const plan = planCrashes(first + index, to.whole);
      const dir = join(to.dir, `edition-${plan.seed}`);
      const report = await killEdition(plan, { options: options.demo, dir, samplesDir: to.samplesDir });
      killed += report.kills.length;
      unkilled = report.kills.length === 0 ? unkilled + 1 : 0;
      reports[index] = report;
      to.tell(
        `${report.passed ? "ok  " : "FAIL"} seed ${report.seed}: killed after ${report.kills.map((kill) => kill.lastEvent ?? "nothing").join(", ")}; ${report.state}\n`,
      );
    },
  );
  return reports;
}

/** What failed, and the command that does it again. */
function explain(points: readonly PointReport[], editions: readonly KilledEdition[], streams: Streams): void {
  for (const report of points.filter((point) => !point.passed))
    streams.err(
      `crash: ${report.point}: ${reasonOf(report)}\nagain: npm run -s crash -- --points ${report.point} --kills 0\n`,
    );
  for (const { seed, passed, found, kills } of editions) {
    if (passed) continue;
    const words = [...kills.flatMap((kill) => kill.found.map((text) => `after ${kill.lastEvent}: ${text}`)), ...found];
    streams.err(`crash: seed ${seed}: ${words.join("; ")}\nagain: npm run -s crash -- --edition ${seed}\n`);
  }
}
