import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createSystemClock } from "../adapters/clock";
import type { DemoOptions } from "./demo-options";
import type { DemoReport } from "./demo-report";
import { type Remotes, startRemotes } from "./remotes";
import { isGood, reportOn } from "./report-on";
import type { Streams } from "./streams";

/** How long a run took on the wall, beside the workspace clock that it moves. */
const realTime = createSystemClock();

/** One point: the report after kill and restart, and whether it was what a run without a kill must give. */
export type PointReport = { point: string; passed: boolean; killed: boolean } & DemoReport;

/** Two processes at a time: the children are what costs, and a laptop has at least two cores. */
const PARALLEL = 2;
/** A child that says nothing for this long hangs; real ms. */
const CHILD_LIMIT_MS = 120_000;

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
  if (options.crashAt === "list") {
    const names = await findPoints(options, join(dir, "points"), samplesDir);
    streams.out(options.json ? `${JSON.stringify(names)}\n` : `${names.join("\n")}\n`);
    return 0;
  }
  const points =
    options.crashAt === "all"
      ? await findPoints(options, join(dir, "points"), samplesDir)
      : [options.crashAt as string];
  const reports: PointReport[] = [];
  const queue = points.map((point, index) => ({ point, index }));
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      const report = await crashOnce(options, join(dir, `point-${next.index}`), samplesDir, next.point);
      reports[next.index] = report;
      if (!options.json)
        streams.out(
          `${report.passed ? "ok  " : "FAIL"} ${report.point}: ${report.state}, ${report.publish.createCalls}+${report.send.createCalls} creates, ${report.publish.remoteObjects}+${report.send.remoteObjects} objects, ${report.violations} violations\n`,
        );
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  const passed = reports.filter((report) => report.passed).length;
  const failed = reports.length - passed;
  if (options.json) streams.out(`${JSON.stringify({ points: reports, passed, failed })}\n`);
  else streams.out(`${passed} passed, ${failed} failed\n`);
  for (const report of reports) if (!report.passed) streams.err(`demo: ${report.point}: ${reasonOf(report)}\n`);
  return failed === 0 && reports.length > 0 ? 0 : 1;
}

function reasonOf(report: PointReport): string {
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

/** Every point an edition passes, in its order, from a run that is not killed. */
async function findPoints(options: DemoOptions, dir: string, samplesDir: string): Promise<string[]> {
  mkdirSync(dir, { recursive: true });
  const remotes = await startRemotes(options, dir, samplesDir);
  try {
    const file = join(dir, "points.json");
    const ended = await runChild(options, dir, remotes, ["--record-points", file]);
    if (ended.code !== 0) throw new Error(`the run without a kill did not end well: ${ended.errors.slice(0, 2000)}`);
    return JSON.parse(readFileSync(file, "utf8")) as string[];
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
    const first = await runChild(options, dir, remotes, ["--kill-at", point]);
    const killed = first.signal === "SIGKILL";
    const second = killed ? await runChild(options, dir, remotes, []) : first;
    const stopped =
      second.code === 0
        ? null
        : second.errors.trim().slice(0, 2000) || `the child ended with ${second.signal ?? second.code}`;
    const report = await reportOn(options, dir, remotes, stopped, realTime.monotonic() - startedAt);
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

interface Ended {
  code: number | null;
  signal: NodeJS.Signals | null;
  errors: string;
}

function runChild(options: DemoOptions, dir: string, remotes: Remotes, more: readonly string[]): Promise<Ended> {
  const script = process.argv[1] as string;
  const asked = { ...options, workspace: dir };
  const args = [
    script,
    "demo-child",
    "--options",
    JSON.stringify(asked),
    "--remote",
    remotes.url,
    ...(remotes.sourcesUrl === null ? [] : ["--sources-url", remotes.sourcesUrl]),
    ...more,
  ];
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, {
      stdio: ["ignore", "ignore", "pipe"],
      timeout: CHILD_LIMIT_MS,
      killSignal: "SIGTERM",
    });
    let errors = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors += text;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ code, signal, errors }));
  });
}
