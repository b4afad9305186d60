import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createSystemClock } from "../adapters/clock";
import { noCrashPoints } from "../adapters/crash-points";
import { runCrashPoints } from "./crash-run";
import { type DemoOptions, parseDemoOptions } from "./demo-options";
import type { DemoReport } from "./demo-report";
import { describeReport } from "./describe";
import { membershipDemo } from "./membership-demo";
import { startRemotes } from "./remotes";
import { isGood, reportOn } from "./report-on";
import { runOnce } from "./run-once";
import type { Streams } from "./streams";

/** How long a run took on the wall, beside the workspace clock that it moves. */
const realTime = createSystemClock();

/**
 * `demo`: the main job in a temporary workspace on plain Node, or once per crash point.
 * @returns the exit code: 0 only when the edition succeeded and nothing is violated.
 */
export async function demo(args: readonly string[], samplesDir: string, streams: Streams): Promise<number> {
  const parsed = parseDemoOptions(args);
  if ("help" in parsed) return say(streams.out, parsed.help, 0);
  if ("wrong" in parsed) return say(streams.err, `demo: ${parsed.wrong}\n`, 2);
  const { options } = parsed;
  const dir = options.workspace === null ? mkdtempSync(join(tmpdir(), "imprimatur-demo-")) : resolve(options.workspace);
  mkdirSync(dir, { recursive: true });
  try {
    if (options.pipeline === "membership-cancellation") return await membershipDemo(options, dir, samplesDir, streams);
    if (options.crashAt !== null) return await runCrashPoints(options, dir, samplesDir, streams);
    const report = await runDemo(options, dir, samplesDir);
    streams.out(options.json ? `${JSON.stringify(report)}\n` : describeReport(report));
    if (report.stopped !== null) streams.err(`demo: ${report.stopped}\n`);
    return isGood(report) ? 0 : 1;
  } finally {
    if (options.workspace === null) rmSync(dir, { recursive: true, force: true });
  }
}

const say = (stream: (text: string) => void, text: string, code: number): number => {
  stream(text);
  return code;
};

async function runDemo(options: DemoOptions, dir: string, samplesDir: string): Promise<DemoReport> {
  const startedAt = realTime.monotonic();
  const remotes = await startRemotes(options, dir, samplesDir);
  try {
    const run = await runOnce(options, dir, samplesDir, remotes, noCrashPoints);
    return await reportOn(options, dir, remotes, run.stopped, realTime.monotonic() - startedAt);
  } finally {
    await remotes.close();
  }
}
