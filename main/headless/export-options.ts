import { parseArgs } from "node:util";
import type { EvidenceSelection } from "../../db/evidence-rows";
import { isTimestampServer } from "../compose/evidence-timestamp";
import { isIdentity } from "../domain/sshsig";
import { fingerprintFault, withAgentValue } from "./export-signer";
import { typedIdentity } from "./typed-identity";

export interface ExportOptions {
  workspace: string;
  out: string;
  selection: EvidenceSelection;
  withBytes: boolean;
  language: "en" | "zh-CN" | null;
  key: string | null;
  /** Empty: the ssh-agent's only key; otherwise its fingerprint. Null: no agent is asked. */
  agent: string | null;
  identity: string | null;
  previous: string | null;
  timestampUrl: string | null;
  replace: boolean;
  json: boolean;
}

export const EXPORT_HELP = `export: writes an evidence bundle, for people who have neither this program nor the network

  export WORKSPACE --out FILE.zip [options]

  --task ID           one task, or with its key (weekly-briefing:2026-W30:zh-CN) all its versions; otherwise everything
  --incident ID       the tasks that an incident is about
  --from, --to DAY    tasks with an event in that time: 2026-07-01, or a moment such as 2026-07-20T08:00:00Z; days in UTC
  --without-bytes     records and hashes only, no frozen pages and sources
  --language en|zh-CN of the report; otherwise that of the first task
  --key FILE          the signer's Ed25519 key: 32 bytes, PEM, or as ssh-keygen makes it, without a passphrase.
                      Otherwise signer.key in a sandbox workspace, made there at the first export
  --agent [FINGERPRINT]  sign with a key of the ssh-agent (SSH_AUTH_SOCK), ssh-ed25519 or sk-ssh-ed25519@openssh.com;
                      with several in it, name one as ssh-add -l shows it
  --identity NAME     who signs, as in a file of allowed signers
  --previous FILE.zip the bundle that this one follows
  --timestamp-url URL a time-stamp server (RFC 3161) says when the signature was there; it is sent the signature's hash.
                      Where it does not answer, the bundle is written without, and that is said
  --replace           FILE.zip may exist already
  --json              one JSON object on standard output

Nothing in the workspace is changed, but for the key at the first export. Addresses are never in a bundle.
`;

export type ParsedExport = { options: ExportOptions } | { help: string } | { wrong: string };

const FLAGS = {
  out: { type: "string" },
  task: { type: "string" },
  incident: { type: "string" },
  from: { type: "string" },
  to: { type: "string" },
  "without-bytes": { type: "boolean" },
  language: { type: "string" },
  key: { type: "string" },
  agent: { type: "string" },
  identity: { type: "string" },
  previous: { type: "string" },
  "timestamp-url": { type: "string" },
  replace: { type: "boolean" },
  json: { type: "boolean" },
  help: { type: "boolean" },
} as const;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Reads the arguments. What is wrong names the option and what it takes. */
export function parseExportOptions(args: readonly string[]): ParsedExport {
  try {
    const { values, positionals } = parseArgs({ args: withAgentValue(args), options: FLAGS, allowPositionals: true });
    if (values.help) return { help: EXPORT_HELP };
    const [workspace, ...more] = positionals;
    if (workspace === undefined || more.length > 0)
      return { wrong: "name one workspace folder: export WORKSPACE --out FILE.zip" };
    if (!values.out) return { wrong: "--out takes the file to write: export WORKSPACE --out FILE.zip" };
    const { language = null } = values;
    const identity = typedIdentity(values.identity);
    if (language !== null && language !== "en" && language !== "zh-CN")
      return { wrong: `--language takes en or zh-CN, not ${language}` };
    if (identity !== null && !isIdentity(identity))
      return { wrong: "--identity takes a name without blanks, commas and quotes, such as lin@example.org" };
    const timestampUrl = values["timestamp-url"] ?? null;
    if (timestampUrl !== null && !isTimestampServer(timestampUrl))
      return { wrong: `--timestamp-url takes an address such as https://tsa.example.org/tsr, not ${timestampUrl}` };
    const selection = readSelection(values);
    if ("wrong" in selection) return selection;
    const { agent = null } = values;
    if (agent !== null && values.key !== undefined) return { wrong: "--agent and --key name two keys; name one" };
    const fault = fingerprintFault(agent);
    if (fault !== null) return { wrong: fault };
    const { key = null, previous = null, replace = false, json = false } = values;
    const withBytes = values["without-bytes"] !== true;
    const choices = { selection, withBytes, timestampUrl, key, agent, identity, previous, replace, json };
    return { options: { workspace, out: values.out, language, ...choices } };
  } catch (error) {
    if (error instanceof TypeError) return { wrong: error.message };
    throw error;
  }
}

/** Without a login in it, which would end up in logs. */
interface Chosen {
  task?: string;
  incident?: string;
  from?: string;
  to?: string;
}

function readSelection({ task, incident, from, to }: Chosen): EvidenceSelection | { wrong: string } {
  const ways = [task, incident, from ?? to].filter((way) => way !== undefined);
  if (ways.length > 1) return { wrong: "--task, --incident and --from/--to are three ways to choose: take one" };
  if (task !== undefined)
    return task === "" ? { wrong: "--task takes a task's id or key" } : { kind: "task", idOrKey: task };
  if (incident !== undefined)
    return incident === "" ? { wrong: "--incident takes an incident's id" } : { kind: "incident", id: incident };
  if (from === undefined && to === undefined) return { kind: "everything" };
  const start = readMoment(from ?? "1970-01-01", "start");
  const end = readMoment(to ?? "9999-12-30", "end");
  if (start === null) return { wrong: `--from takes a day such as 2026-07-01 or a moment in UTC, not ${from}` };
  if (end === null) return { wrong: `--to takes a day such as 2026-07-31 or a moment in UTC, not ${to}` };
  if (start >= end) return { wrong: "--to is before --from" };
  return { kind: "period", from: start, before: end };
}

/** A day's beginning or end, or a moment itself; null for what is neither, the 30th of February included. */
function readMoment(text: string, edge: "start" | "end"): number | null {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  if (!isDay && !/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d+)?)?Z$/.test(text)) return null;
  const at = Date.parse(text);
  if (Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text.slice(0, 10)) return null;
  return isDay && edge === "end" ? at + DAY_MS : at;
}
