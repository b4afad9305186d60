import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openReader } from "../../db/connect";
import { noCrashPoints } from "../adapters/crash-points";
import { importAudienceFile } from "../compose/customers";
import type { CrashPoints } from "../domain/ports";
import { runCrashPoints } from "./crash-run";
import { type DemoOptions, parseDemoOptions } from "./demo-options";
import { buildReport, type DemoReport } from "./demo-report";
import { describeReport } from "./describe";
import { type EditionRun, runEdition } from "./edition-run";
import { type Remotes, startRemotes } from "./remotes";
import { openSession } from "./session";

export interface Streams {
  out(text: string): void;
  err(text: string): void;
}

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

export const isGood = (report: DemoReport): boolean => report.state === "succeeded" && report.violations === 0;

async function runDemo(options: DemoOptions, dir: string, samplesDir: string): Promise<DemoReport> {
  const startedAt = performance.now();
  const remotes = await startRemotes(options, dir, samplesDir);
  try {
    const run = await runOnce(options, dir, samplesDir, remotes, noCrashPoints);
    return await reportOn(options, dir, remotes, run.stopped, performance.now() - startedAt);
  } finally {
    await remotes.close();
  }
}

/** One process's part: opens the workspace, takes the edition as far as it goes, closes. */
export async function runOnce(
  options: DemoOptions,
  dir: string,
  samplesDir: string,
  remotes: Pick<Remotes, "url" | "sourcesUrl">,
  crash: CrashPoints,
): Promise<EditionRun> {
  const session = openSession({
    dir,
    remoteUrl: remotes.url,
    sourcesUrl: remotes.sourcesUrl,
    edition: options.edition,
    crash,
  });
  try {
    loadAudience(session.workspace, options.audience ?? join(samplesDir, "audience.csv"));
    return await runEdition(session.workspace, {
      clock: session.clock,
      control: session.control,
      edition: options.edition,
      language: options.language,
    });
  } finally {
    session.close();
  }
}

/** Once: a list that was imported already stays as it is, so that a restart is no change of the audience. */
function loadAudience(workspace: Parameters<typeof runEdition>[0], file: string): void {
  if (workspace.customers.importVersion() > 0) return;
  const loaded = importAudienceFile(workspace.customers, readFileSync(file));
  if (loaded.kind === "refused")
    throw new Error(`${file} was not imported, nothing of it: ${loaded.faults.join("; ")}`);
}

/** The report from the journal on disk and the remote's own records. */
export async function reportOn(
  options: DemoOptions,
  dir: string,
  remotes: Remotes,
  stopped: string | null,
  durationMs: number,
): Promise<DemoReport> {
  const reader = openReader(join(dir, "journal.db"));
  try {
    const after = await remotes.control.records();
    return buildReport({
      dir,
      reader,
      before: remotes.before,
      after,
      stopped,
      durationMs,
      kept: options.workspace !== null,
    });
  } finally {
    reader.close();
  }
}
