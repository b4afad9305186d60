import { parseArgs } from "node:util";
import { isPointName, unknownPoint } from "./crash-point-names";
import { type DemoOptions, parseDemoOptions } from "./demo-options";

export interface CrashOptions {
  json: boolean;
  /** `all`, so many of them, or names. */
  points: "all" | number | readonly string[];
  kills: number;
  /** The first edition's; each further one's is the next number. */
  seed: number;
  /** One edition alone, by its seed, with all the kills planned for it. */
  edition: number | null;
  /** The edition that is killed. */
  demo: DemoOptions;
}

const HELP = `crash: kills the engine's process on a real disk with SIGKILL, starts it again on the same files, and asks journal and remotes

  --points all|none|N|NAME,NAME   named points, one kill each: all of them, N of them by the seed, or these (all)
  --kills N                       at least so many kills at random moments of editions with faults, several in each (200)
  --seed N                        what the first edition does is drawn from; the next one's is N + 1 (1)
  --edition SEED                  that edition alone, with all its kills and no named points
  --workspace DIR                 keep the files there, in a folder that does not exist yet or is empty
  --json                          one JSON object on standard output

A moment is a count of commits and calls, or real milliseconds. The first is the same every time, the second as close as the
machine allows.
`;

const FLAGS = {
  json: { type: "boolean" },
  help: { type: "boolean" },
  points: { type: "string" },
  kills: { type: "string" },
  seed: { type: "string" },
  edition: { type: "string" },
  workspace: { type: "string" },
} as const;

const WHOLE = /^\d{1,9}$/;

/** Reads the arguments. What is wrong names the option and what it takes. */
export function parseCrashOptions(
  args: readonly string[],
): { options: CrashOptions } | { help: string } | { wrong: string } {
  try {
    const { values } = parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false });
    if (values.help) return { help: HELP };
    for (const name of ["kills", "seed", "edition"] as const)
      if (values[name] !== undefined && !WHOLE.test(values[name]))
        return { wrong: `--${name} takes a whole number, not ${values[name]}` };
    const demo = parseDemoOptions(values.workspace === undefined ? [] : ["--workspace", values.workspace]);
    if (!("options" in demo)) return { wrong: "--workspace takes a folder" };
    const options = {
      json: values.json ?? false,
      points: pointsOf(values.points ?? (values.edition === undefined ? "all" : "none")),
      kills: Number(values.kills ?? 200),
      seed: Number(values.seed ?? 1),
      edition: values.edition === undefined ? null : Number(values.edition),
      demo: demo.options,
    };
    const strange = typeof options.points === "object" ? options.points.find((name) => !isPointName(name)) : undefined;
    if (strange !== undefined) return { wrong: `--points ${unknownPoint(strange)}` };
    if (options.points === 0 && options.kills === 0 && options.edition === null)
      return { wrong: "--points none with --kills 0 kills nothing" };
    return { options };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

function pointsOf(text: string): CrashOptions["points"] {
  if (text === "all") return text;
  if (text === "none") return 0;
  return WHOLE.test(text) ? Number(text) : text.split(",").filter((name) => name !== "");
}
