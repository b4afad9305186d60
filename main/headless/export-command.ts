import { existsSync, statSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type EvidenceRows, type EvidenceSelection, openEvidenceRows } from "../../db/evidence-rows";
import { JOURNAL_NAME } from "../../db/open";
import type { Asking } from "../compose/agent-keys";
import { stampSignature } from "../compose/evidence-timestamp";
import { journalFaults, orderFor, type Written, writeEvidence } from "../compose/evidence-write";
import { workspaceAround } from "../compose/workspace-folder";
import { KEY_NAMESPACES } from "../domain/sshsig";
import { BAG } from "../evidence/bag-layout";
import { utc } from "../evidence/moments";
import { allowedSignersLine } from "../evidence/signing-key";
import { verifyBundle } from "../evidence/verify-bundle";
import type { BundleOrder, BundleSummary } from "../evidence/write-bundle";
import { type ExportOptions, parseExportOptions } from "./export-options";
import { namedSigner, signingWords } from "./export-signer";
import type { Streams } from "./streams";

const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** As shells count a program that ^C ended. */
const INTERRUPTED = 130;

/** Why there is no bundle, and the exit code: 2 for a mistake of the call, 1 for a workspace that cannot give one. */
interface Wrong {
  wrong: string;
  code: number;
}
const wrongCall = (wrong: string): Wrong => ({ wrong, code: 2 });

type Whole = Extract<Written, { kind: "written" }>;

interface Exported extends BundleSummary {
  file: string;
  bytes: number;
  /** Of the file itself. */
  sha256: string;
  tasks: readonly string[];
  /** What a check of the workspace found; the bundle says it as well. */
  journalFaults: readonly string[];
  signer: { identity: string; fingerprint: string; allowedSigners: string; keyFile: string; wasCreated: boolean };
}

/**
 * `export WORKSPACE --out FILE.zip`: an evidence bundle that is there whole or not at all.
 * @returns 0 only when the bundle was written.
 */
export async function exportCommand(args: readonly string[], streams: Streams): Promise<number> {
  const parsed = parseExportOptions(args);
  if ("help" in parsed) {
    streams.out(parsed.help);
    return 0;
  }
  const made = "wrong" in parsed ? wrongCall(parsed.wrong) : await exportBundle(parsed.options, sayTouch(streams));
  if ("wrong" in made) {
    streams.err(`export: ${made.wrong}\n`);
    return made.code;
  }
  const isJson = "options" in parsed && parsed.options.json;
  streams.out(isJson ? `${JSON.stringify(made)}\n` : asText(made));
  return 0;
}

/** Whoever waits for a touch is to know it. */
const sayTouch =
  ({ err }: Streams) =>
  ({ comment, isHardware }: Asking): void =>
    isHardware ? err(`touch your key (${comment}) …\n`) : undefined;

async function exportBundle(options: ExportOptions, onAsk: (key: Asking) => void): Promise<Exported | Wrong> {
  const workspace = resolve(options.workspace);
  const out = resolve(options.out);
  if (!existsSync(join(workspace, JOURNAL_NAME)))
    return wrongCall(`${workspace} has no ${JOURNAL_NAME}: this is no workspace`);
  if (!statSync(dirname(out), { throwIfNoEntry: false })?.isDirectory())
    return wrongCall(`--out ${out}: there is no folder ${dirname(out)}`);
  const around = workspaceAround(out);
  if (around !== null) return wrongCall(`--out ${out} lies in the workspace ${around}; name a file elsewhere`);
  const there = statSync(out, { throwIfNoEntry: false });
  if (there?.isDirectory()) return wrongCall(`--out ${out} is a folder; name a file`);
  if (there && !options.replace) return wrongCall(`--out ${out} is there already; name another file, or add --replace`);
  const previousBag = await readPrevious(options.previous);
  if (previousBag !== null && typeof previousBag === "object") return previousBag;
  const opened = openEvidenceRows(workspace);
  if (opened.kind === "problem") return { wrong: `${opened.problem.code}: ${opened.problem.detail}`, code: 1 };
  try {
    return await writeFrom(opened.rows, { ...options, workspace, out }, previousBag, onAsk);
  } finally {
    opened.rows.close();
  }
}

/** The own name of the bundle that this one follows; one that is not in order is nothing to follow. */
async function readPrevious(file: string | null): Promise<string | null | Wrong> {
  if (file === null) return null;
  if (!statSync(file, { throwIfNoEntry: false })?.isFile())
    return wrongCall(`--previous ${file}: there is no such file`);
  const { valid, bag } = await verifyBundle(file, { signers: null, identity: null });
  return valid ? bag : wrongCall(`--previous ${file} is not a valid bundle; verify says what is wrong with it`);
}

async function writeFrom(
  rows: EvidenceRows,
  options: ExportOptions,
  previousBag: string | null,
  onAsk: (key: Asking) => void,
): Promise<Exported | Wrong> {
  const tasks = rows.select(options.selection);
  if (tasks.length === 0) return wrongCall(describeNothing(options.selection));
  const { workspaceId, kind } = rows;
  const stopping = new AbortController();
  const place = { workspace: options.workspace, workspaceId, kind };
  const found = await namedSigner(place, options, { signal: stopping.signal, onAsk });
  if ("wrong" in found) return wrongCall(found.wrong);
  const { signer, keyFile, wasCreated } = found;
  const { withBytes, language, selection, timestampUrl: url } = options;
  const faults = journalFaults(options.workspace);
  const stamp = url === null ? null : (signature: Uint8Array) => stampSignature(url, signature);
  const order = orderFor(tasks, {
    ...{ selection, withBytes, language, signer, previousBag, stamp },
    journalFaults: faults,
  });
  const written = await writeOut(rows, order, options.out, stopping);
  if ("wrong" in written) return written;
  const { fingerprint } = written.summary;
  const allowedSigners = allowedSignersLine(signer, KEY_NAMESPACES);
  return {
    file: options.out,
    bytes: written.bytes,
    sha256: written.sha256,
    tasks: order.tasks,
    journalFaults: faults,
    ...written.summary,
    signer: { identity: signer.identity, fingerprint, allowedSigners, keyFile, wasCreated },
  };
}

/** Writes it, and stops when told to. */
async function writeOut(
  rows: EvidenceRows,
  order: BundleOrder,
  out: string,
  controller: AbortController,
): Promise<Whole | Wrong> {
  const stop = () => controller.abort();
  for (const signal of STOPPING) process.on(signal, stop);
  try {
    const written = await writeEvidence(rows, order, { out, signal: controller.signal });
    if (written.kind === "written") return written;
    if (written.kind === "stopped") return { wrong: "stopped; nothing was written", code: INTERRUPTED };
    return { wrong: `${signingWords(written.detail)}; nothing was written`, code: 1 };
  } finally {
    for (const signal of STOPPING) process.off(signal, stop);
  }
}

function describeNothing(selection: EvidenceSelection): string {
  switch (selection.kind) {
    case "everything":
      return "everything: the journal has no task";
    case "task":
      return `--task ${selection.idOrKey}: the journal has no such task`;
    case "incident":
      return `--incident ${selection.id}: the journal has no such incident, or it is about no task`;
    case "period":
      return `--from ${utc(selection.from)} --to ${utc(selection.before)}: nothing happened then`;
  }
}

function asText(made: Exported): string {
  const { signer, withheld, timestamp, journalFaults: faults } = made;
  const warning =
    faults.length === 0
      ? ""
      : `WARNING    the journal is NOT in order, and the bundle says so; fsck names it all:\n${faults.map((fault) => `             ${fault}\n`).join("")}`;
  const words = {
    licence: "by their licence",
    choice: "by choice",
    addresses: "addresses, always",
    not_kept: "no longer kept",
  };
  const left = Object.entries(words).flatMap(([reason, why]) => {
    const count = withheld[reason as keyof typeof words];
    return count === undefined ? [] : [`${count} ${why}`];
  });
  return `${warning}${made.file}: ${made.bytes} bytes, ${made.tasks.length} task(s), ${made.payloadFiles} files
  sha256     ${made.sha256}
  journal    ${made.events} events, head ${made.head}
  left out   ${left.join(", ") || "nothing"}; each is listed with its hash in data/files.csv
  signed by  ${signer.identity}, ${signer.fingerprint}${
    timestamp === null
      ? ""
      : "at" in timestamp
        ? `
  time stamp ${timestamp.at}, by the word of the server; ${BAG.timestamp} is for openssl ts -verify`
        : `
  time stamp NONE: ${timestamp.missing}. The bundle is whole without it`
  }${
    signer.wasCreated
      ? `
  new key    ${signer.keyFile}: keep a copy; nobody else should have one`
      : ""
  }
  for the file of allowed signers, to be handed on another way than the bundle:
${signer.allowedSigners}
`;
}
