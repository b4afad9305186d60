import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createSystemClock } from "../adapters/clock";
import { runChild, stoppedBy } from "./crash-child";
import { firstUnknown, unknownPoint } from "./crash-point-names";
import type { PassedPoints } from "./demo-child";
import type { DemoOptions } from "./demo-options";
import type { DemoReport } from "./demo-report";
import { startRemotes } from "./remotes";
import { isGood, reportOn } from "./report-on";
import type { Streams } from "./streams";

/** How long a run took on the wall, beside the workspace clock that it moves. */
const realTime = createSystemClock();

/** One point: the report after kill and restart, and whether it was what a run without a kill must give. */
export type PointReport = { point: string; passed: boolean; killed: boolean } & DemoReport;

/** Two processes at a time: the children are what costs, and a laptop has at least two cores. */
const PARALLEL = 2;

/** Takes the jobs in turn, two at a time. @param next the next one, or null when there is none */
export async function runInTurn<T>(next: () => T | null, run: (job: T) => Promise<void>): Promise<void> {
  const worker = async () => {
    for (let job = next(); job !== null; job = next()) await run(job);
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
}

/**
 * Kills a real child process with SIGKILL at a named point (`all`: at each in turn), starts it again on the same files, and
 * reports the same object per point. The remotes live in this process and survive.
 */
export async function runCrashPoints(
  options: DemoOptions,
  dir: string,
  samplesDir: string,
  streams: Streams,
): Promise<number> {
  const passes = async () => (await findPoints(options, join(dir, "points"), samplesDir)).points;
  if (options.crashAt === "list") {
    const names = await passes();
    streams.out(options.json ? `${JSON.stringify(names)}\n` : `${names.join("\n")}\n`);
    return 0;
  }
  const points = options.crashAt === "all" ? await passes() : [options.crashAt as string];
  // Servers of somebody's own keep what an edition leaves there: a first one only to learn the names would be in the way.
  const unknown = options.crashAt === "all" || options.sandbox !== null ? null : firstUnknown(points, await passes());
  if (unknown !== null) {
    streams.err(`demo: --crash-at ${unknownPoint(unknown)}\n`);
    return 2;
  }
  const tell = (report: PointReport) => {
    if (!options.json) streams.out(lineOf(report));
  };
  const reports = await crashAtEach(points, { options, dir, samplesDir, tell });
  const passed = reports.filter((report) => report.passed).length;
  const failed = reports.length - passed;
  if (options.json) streams.out(`${JSON.stringify({ points: reports, passed, failed })}\n`);
  else streams.out(`${passed} passed, ${failed} failed\n`);
  for (const report of reports) if (!report.passed) streams.err(`demo: ${report.point}: ${reasonOf(report)}\n`);
  return failed === 0 && reports.length > 0 ? 0 : 1;
}

/** Kills one process at each of the points and starts it again. The reports are in the order of the points. */
export async function crashAtEach(
  points: readonly string[],
  to: { options: DemoOptions; dir: string; samplesDir: string; tell(report: PointReport): void },
): Promise<PointReport[]> {
  const reports: PointReport[] = [];
  const queue = points.map((point, index) => ({ point, index }));
  await runInTurn(
    () => queue.shift() ?? null,
    async ({ point, index }) => {
      const report = await crashOnce(to.options, join(to.dir, `point-${index}`), to.samplesDir, point);
      reports[index] = report;
      to.tell(report);
    },
  );
  return reports;
}

/** One point in one line, for a person. */
export const lineOf = (report: PointReport): string =>
  `${report.passed ? "ok  " : "FAIL"} ${report.point}: ${report.state}, ${report.publish.createCalls}+${report.send.createCalls} creates, ${report.publish.remoteObjects}+${report.send.remoteObjects} objects, ${report.violations} violations\n`;

/** Why a point did not pass. */
export function reasonOf(report: PointReport): string {
  if (!report.killed) return "no edition passes this point; --crash-at list names them all";
  return (
    report.stopped ??
    JSON.stringify({
      state: report.state,
      publish: report.publish,
      send: report.send,
      violations: report.violationsFound,
    })
  );
}

/** Every point an edition passes, in its order, from a run that is not killed, and how long that took (real ms). */
export async function findPoints(
  options: DemoOptions,
  dir: string,
  samplesDir: string,
): Promise<PassedPoints & { tookMs: number }> {
  mkdirSync(dir, { recursive: true });
  const remotes = await startRemotes(options, dir, samplesDir);
  try {
    const file = join(dir, "points.json");
    const startedAt = realTime.monotonic();
    const ended = await runChild({ options, dir, remotes, more: ["--record-points", file] });
    const tookMs = realTime.monotonic() - startedAt;
    if (ended.code !== 0) throw new Error(`the run without a kill did not end well: ${ended.errors.slice(0, 2000)}`);
    return { ...(JSON.parse(readFileSync(file, "utf8")) as PassedPoints), tookMs };
  } finally {
    await remotes.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

async function crashOnce(options: DemoOptions, dir: string, samplesDir: string, point: string): Promise<PointReport> {
  const startedAt = realTime.monotonic();
  mkdirSync(dir, { recursive: true });
  const remotes = await startRemotes(options, dir, samplesDir);
  try {
    const first = await runChild({ options, dir, remotes, more: ["--kill-at", point] });
    const killed = first.signal === "SIGKILL";
    const second = killed ? await runChild({ options, dir, remotes }) : first;
    const report = await reportOn(options, dir, remotes, stoppedBy(second), realTime.monotonic() - startedAt);
    return { point, passed: killed && isAsGood(report), killed, ...report };
  } finally {
    await remotes.close();
    if (options.workspace === null) rmSync(dir, { recursive: true, force: true });
  }
}

/** After a kill: succeeded, nothing violated, and the remote holds one object each from one create each. */
function isAsGood(report: DemoReport): boolean {
  const one = (side: { createCalls: number; remoteObjects: number }) =>
    side.createCalls === 1 && side.remoteObjects === 1;
  return isGood(report) && one(report.publish) && one(report.send);
}
