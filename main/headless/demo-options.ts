import { statSync } from "node:fs";
import { parseArgs } from "node:util";
import { isPointName, unknownPoint } from "./crash-point-names";

export const PIPELINES = ["weekly-briefing", "membership-cancellation"] as const;
export type PipelineName = (typeof PIPELINES)[number];

/** What `demo` was asked for. Everything that changes the outcome is an option; nothing of it is fixed in code. */
export interface DemoOptions {
  json: boolean;
  pipeline: PipelineName;
  edition: string;
  language: string;
  /** False with `--faults none`: both answers arrive and no cache is stale unless asked for. */
  faults: boolean;
  /** False with `--unsigned`: no key is registered, as in a journal from before there were any. */
  signs: boolean;
  firstPostId: number;
  firstCampaignId: number;
  staleProbes: number;
  bounces: number;
  audience: string | null;
  sandbox: string | null;
  sources: string | null;
  workspace: string | null;
  /** A crash point's name, `all`, or null. */
  crashAt: string | null;
}

export type ParsedOptions = { options: DemoOptions } | { help: string } | { wrong: string };

export const DEMO_HELP = `demo: takes one edition from its sources to accounted customers, with both answers lost on the way

  --json                    one JSON object on standard output
  --pipeline NAME           weekly-briefing, or membership-cancellation: three writes, the last one's answer lost, taken back
  --edition 2026-W30        the edition (ISO week)        --language zh-CN|en
  --faults none             lose no answer
  --unsigned                register no signing key, where the workspace has none
  --first-post-id N         --first-campaign-id N         what the remotes count from
  --stale-probes K          public reads that still show the old page (2)
  --bounces K               recipients that bounce (1)
  --audience FILE.csv       header id,address,group
  --sources DIR             a folder of feeds and pages, with an optional sources.json
  --sandbox URL             servers of your own that speak main/sandbox/PROTOCOL.md
  --workspace DIR           keep the files there
  --crash-at list          name every point
  --crash-at POINT|all      kill the process there (SIGKILL), start it again on the same files, report per point
`;

const FLAGS = {
  json: { type: "boolean" },
  help: { type: "boolean" },
  pipeline: { type: "string" },
  edition: { type: "string" },
  language: { type: "string" },
  faults: { type: "string" },
  unsigned: { type: "boolean" },
  "first-post-id": { type: "string" },
  "first-campaign-id": { type: "string" },
  "stale-probes": { type: "string" },
  bounces: { type: "string" },
  audience: { type: "string" },
  sandbox: { type: "string" },
  sources: { type: "string" },
  workspace: { type: "string" },
  "crash-at": { type: "string" },
} as const;

/** Reads the arguments. What is wrong names the option and what it takes. */
export function parseDemoOptions(args: readonly string[]): ParsedOptions {
  try {
    const { values } = parseArgs({ args: [...args], options: FLAGS, strict: true, allowPositionals: false });
    if (values.help) return { help: DEMO_HELP };
    if (values.faults !== undefined && values.faults !== "none" && values.faults !== "default")
      return { wrong: "--faults takes none or default" };
    const faults = values.faults !== "none";
    const pipeline = PIPELINES.find((name) => name === (values.pipeline ?? PIPELINES[0]));
    if (pipeline === undefined) return { wrong: `--pipeline takes ${PIPELINES.join(" or ")}, not ${values.pipeline}` };
    if (pipeline !== PIPELINES[0] && values["crash-at"] !== undefined)
      return { wrong: `--crash-at is for ${PIPELINES[0]}; the tests kill the other pipeline at each of its points` };
    const crashAt = values["crash-at"] ?? null;
    if (crashAt !== null && crashAt !== "list" && crashAt !== "all" && !isPointName(crashAt))
      return { wrong: `--crash-at ${unknownPoint(crashAt)}` };
    const edition = values.edition ?? "2026-W30";
    if (!/^\d{4}-W(0[1-9]|[1-4]\d|5[0-3])$/.test(edition))
      return { wrong: `--edition takes an ISO week such as 2026-W30, not ${edition}` };
    const language = values.language ?? "zh-CN";
    if (language !== "zh-CN" && language !== "en") return { wrong: `--language takes zh-CN or en, not ${language}` };
    const { audience = null, sources = null } = values;
    if (audience !== null && !statSync(audience, { throwIfNoEntry: false })?.isFile())
      return { wrong: `--audience ${audience}: there is no such file` };
    if (sources !== null && !statSync(sources, { throwIfNoEntry: false })?.isDirectory())
      return { wrong: `--sources ${sources}: there is no such folder` };
    if (values.workspace === "") return { wrong: "--workspace takes a folder" };
    if (values.sandbox !== undefined && !isWebAddress(values.sandbox))
      return { wrong: `--sandbox takes an http address such as http://127.0.0.1:8080, not ${values.sandbox}` };
    return {
      options: {
        json: values.json ?? false,
        pipeline,
        edition,
        language,
        faults,
        signs: values.unsigned !== true,
        firstPostId: whole("--first-post-id", values["first-post-id"], 18_427, 1),
        firstCampaignId: whole("--first-campaign-id", values["first-campaign-id"], 930, 1),
        staleProbes: whole("--stale-probes", values["stale-probes"], faults ? 2 : 0, 0),
        bounces: whole("--bounces", values.bounces, 1, 0),
        audience,
        sandbox: values.sandbox?.replace(/\/+$/, "") ?? null,
        sources,
        workspace: values.workspace ?? null,
        crashAt,
      },
    };
  } catch (error) {
    return { wrong: error instanceof Error ? error.message : String(error) };
  }
}

const isWebAddress = (text: string): boolean => /^https?:\/\/[^/\s]+/.test(text);

function whole(name: string, given: string | undefined, otherwise: number, least: number): number {
  if (given === undefined) return otherwise;
  const value = Number(given);
  if (!Number.isSafeInteger(value) || value < least)
    throw new Error(`${name} takes a whole number from ${least}, not ${given}`);
  return value;
}
