import { execFile } from "node:child_process";
import { mkdirSync, readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished } from "vitest";
import type { SandboxRecords } from "../../main/adapters/sandbox-control";
import { type ChildRun, type Ended, runChild } from "../../main/headless/crash-child";
import { type DemoOptions, parseDemoOptions } from "../../main/headless/demo-options";
import { type DemoReport, violationsOf } from "../../main/headless/demo-report";
import { startRemotes } from "../../main/headless/remotes";
import { reportOn } from "../../main/headless/report-on";
import { freshDir } from "../db/fixture";

const root = resolve(import.meta.dirname, "../..");
export const SAMPLES = join(root, "main/sandbox/samples");
const CLI = join(root, "scripts/cli.mjs");
/** Where the test variant is built. */
export const BUILT = join(root, "out/test/main");
/** The program as it runs without a window. */
export const PROGRAM: readonly string[] = [process.execPath, join(BUILT, "cli.cjs")];
/** Building it takes seconds, and half a minute on a busy machine. */
export const BUILD_LIMIT_MS = 180_000;
/** Several processes one after the other, on a busy machine. */
export const LIMIT_MS = 120_000;

/** Runs a headless command of the test variant, which is built first where it is not what the sources say. */
export async function command(...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> {
  const env = { ...process.env, IMPRIMATUR_TEST_BUILD: "1" };
  try {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [CLI, ...args], {
      env,
      maxBuffer: 64 * 1024 * 1024,
    });
    return { code: 0, stdout, stderr };
  } catch (error) {
    const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
    return { code, stdout, stderr };
  }
}

/** Before the first test that starts the program by itself. */
export const provideProgram = async (): Promise<void> =>
  void expect(await command("--help")).toMatchObject({ code: 0 });

/** Remotes that outlive every child of a test, with both answers lost; a default demo's options. */
export interface Stage {
  run(dir: string, how?: Partial<Pick<ChildRun, "more" | "program" | "uid" | "onPause">>): Promise<Ended>;
  records(): Promise<SandboxRecords>;
  report(dir: string): Promise<DemoReport>;
  url: string;
}

export async function openStage(args: readonly string[] = []): Promise<Stage> {
  const parsed = parseDemoOptions(args);
  if (!("options" in parsed)) throw new Error(JSON.stringify(parsed));
  const options: DemoOptions = parsed.options;
  const remotes = await startRemotes(options, freshDir(), SAMPLES);
  onTestFinished(() => remotes.close());
  return {
    url: remotes.url,
    run: (dir, how = {}) => {
      mkdirSync(dir, { recursive: true });
      return runChild({ options, dir, remotes, program: PROGRAM, ...how });
    },
    records: async () => {
      const records = await remotes.control.records();
      if (records === null) throw new Error("the remotes do not answer for their records");
      return records;
    },
    report: (dir) => reportOn(options, dir, remotes, null, 0),
  };
}

/** The edition came to its end: as the journal says, as fsck says, and as the remotes' own records say. */
export async function expectGoodEnd(stage: Stage, dir: string): Promise<void> {
  const report = await stage.report(dir);
  expect(report).toMatchObject({
    ...{ state: "succeeded", violationsFound: [] },
    publish: { createCalls: 1, remoteObjects: 1 },
    send: { createCalls: 1, remoteObjects: 1, accepted: 63 },
  });
  const { cms, mail } = await stage.records();
  expect(cms.objects).toHaveLength(1);
  expect(mail.campaigns).toHaveLength(1);
  expect(new Set(mail.mailings.map((mailing) => mailing.recipientId)).size).toBe(63);
  expect(mail.mailings).toHaveLength(63);
  expect(violationsOf(dir)).toEqual([]);
}

/** Nothing has left yet, in the remotes' own words. */
export async function expectNothingLeft(stage: Stage): Promise<void> {
  expect(await stage.records()).toMatchObject({ cms: { createCalls: 0, objects: [] }, mail: { createCalls: 0 } });
}

/** The names of all files below a folder. */
export const namesIn = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .sort();
