import { parseArgs } from "node:util";
import { allScenarios } from "../sandbox/scenarios/all";
import type { Scenario } from "../sandbox/scenarios/stage";

export interface ExhaustiveOptions {
  scenarios: readonly Scenario[];
  /** This process plays every `shards`-th point, beginning with the `shard`-th. */
  shard: number;
  shards: number;
  /** Goes on after what this file says was played. */
  resume: string | null;
  json: boolean;
}

const HELP = `exhaustive  plays every frozen scenario once for each point at which a process of it can die: before and after every
commit and every outside call. After the crash another process starts on the same journal, and everything must end as it
does without.

  --shard K/N     every N-th point only, from the K-th on: N processes share the work (default 1/1)
  --resume FILE   goes on with a run that was interrupted: what it had played is written there line by line. Without it a
                  new file is begun beside the computer's other temporary files, and named
  --only S13      one scenario; several separated by commas
  --json          one JSON object on standard output; progress goes to standard error

What must be the same is written in main/headless/exhaustive-verdict.ts.
`;

const FLAGS = {
  shard: { type: "string", default: "1/1" },
  resume: { type: "string" },
  only: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", default: false },
} as const;

const SHARD = /^([1-9]\d{0,3})\/([1-9]\d{0,3})$/;

/** Takes the command's arguments apart. What is wrong names the option and what it takes. */
export function parseExhaustiveOptions(
  args: readonly string[],
): { options: ExhaustiveOptions } | { help: string } | { wrong: string } {
  try {
    const { values } = parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false });
    if (values.help) return { help: HELP };
    const [shard, shards] = (SHARD.exec(values.shard) ?? []).slice(1).map(Number);
    if (shard === undefined || shards === undefined || shard > shards)
      return { wrong: `--shard takes K/N with K from 1 to N, not ${values.shard}` };
    const wanted = values.only?.split(",").map((id) => id.trim().toUpperCase());
    const unknown = wanted?.filter((id) => !allScenarios.some((scenario) => scenario.id === id)) ?? [];
    if (unknown.length > 0) return { wrong: `--only takes ids from S01 to S48, not ${unknown.join(", ")}` };
    const scenarios = allScenarios.filter(({ id }) => wanted?.includes(id) ?? true);
    return { options: { scenarios, shard, shards, resume: values.resume ?? null, json: values.json } };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}
