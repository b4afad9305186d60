import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { crashAfter, crashAt, noCrashPoints, pauseAt, recordPoints } from "../adapters/crash-points";
import type { CrashPoints } from "../domain/ports";
import type { DemoOptions } from "./demo-options";
import { runOnce } from "./run-once";
import type { Streams } from "./streams";

/** How a paused child names the point at which it stands. */
export const PAUSED = "paused at ";

/** What a run without a kill passes: each point by name in order, and how many it passes altogether. */
export interface PassedPoints {
  points: readonly string[];
  reached: number;
}

/** The process that is killed: the same edition run, against remotes that live in its parent. Started by crash runs only. */
export async function demoChild(args: readonly string[], samplesDir: string, streams: Streams): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      options: { type: "string" },
      remote: { type: "string" },
      "sources-url": { type: "string" },
      "kill-at": { type: "string" },
      "kill-after": { type: "string" },
      "pause-at": { type: "string" },
      "record-points": { type: "string" },
    },
  });
  const options = JSON.parse(values.options ?? "{}") as DemoOptions;
  const recordInto = values["record-points"];
  const recorder = recordPoints();
  const crash = recordInto === undefined ? crashPointsOf(values, streams) : recorder;
  const remotes = { url: values.remote ?? "", sourcesUrl: values["sources-url"] ?? null };
  const run = await runOnce(options, options.workspace ?? "", samplesDir, remotes, crash);
  if (recordInto !== undefined) {
    const passed: PassedPoints = { points: recorder.points(), reached: recorder.reached() };
    writeFileSync(recordInto, JSON.stringify(passed));
  }
  if (run.stopped === null) return 0;
  streams.err(`${run.stopped}\n`);
  return 1;
}

function crashPointsOf(
  asked: { "kill-at"?: string | undefined; "kill-after"?: string | undefined; "pause-at"?: string | undefined },
  streams: Streams,
): CrashPoints {
  if (asked["kill-at"] !== undefined) return crashAt(asked["kill-at"]);
  if (asked["kill-after"] !== undefined) return crashAfter(Number(asked["kill-after"]));
  if (asked["pause-at"] !== undefined) return pauseAt(asked["pause-at"], (point) => streams.err(`${PAUSED}${point}\n`));
  return noCrashPoints;
}
