import { writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { crashAt, noCrashPoints, recordPoints } from "../adapters/crash-points";
import type { DemoOptions } from "./demo-options";
import { runOnce } from "./run-once";
import type { Streams } from "./streams";

/** The process that is killed: the same edition run, against remotes that live in its parent. Started by `demo --crash-at` only. */
export async function demoChild(args: readonly string[], samplesDir: string, streams: Streams): Promise<number> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      options: { type: "string" },
      remote: { type: "string" },
      "sources-url": { type: "string" },
      "kill-at": { type: "string" },
      "record-points": { type: "string" },
    },
  });
  const options = JSON.parse(values.options ?? "{}") as DemoOptions;
  const recorder = recordPoints();
  const crash =
    values["kill-at"] !== undefined
      ? crashAt(values["kill-at"])
      : values["record-points"] === undefined
        ? noCrashPoints
        : recorder;
  const remotes = { url: values.remote ?? "", sourcesUrl: values["sources-url"] ?? null };
  const run = await runOnce(options, options.workspace ?? "", samplesDir, remotes, crash);
  if (values["record-points"] !== undefined) writeFileSync(values["record-points"], JSON.stringify(recorder.points()));
  if (run.stopped === null) return 0;
  streams.err(`${run.stopped}\n`);
  return 1;
}
