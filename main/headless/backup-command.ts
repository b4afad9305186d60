import { resolve } from "node:path";
import { parseArgs } from "node:util";
import type { z } from "zod";
import type { BackupRecord } from "../../preload/contract";
import { createSystemClock } from "../adapters/clock";
import { NOT_HELD } from "../compose/backup-folder";
import { backupWorkspace } from "../compose/backup-workspace";
import { findWorkspace } from "./find-workspace";
import type { Streams } from "./streams";

const HELP = `backup: makes a checked backup of a workspace, which may be open

  backup WORKSPACE --to FOLDER [--json]

Journal, customers and frozen bytes go into a new folder in FOLDER, which must be there and lie outside every workspace. That
folder gets its name only once the whole check found it in order; nothing is ever written over, nothing is removed. Frozen bytes
that the newest backup there holds are shared with it and not copied again. Not held: ${NOT_HELD.join(" and ")}. Keep a copy of
them elsewhere: without customers.key nobody can read the addresses and the mails as they were sent.

Exit 0 only when it was made, 1 when it was not, 2 for a mistake of the call.
`;

type Record = z.infer<typeof BackupRecord>;
type Failed = Extract<Record, { result: "failed" }>;

/** What whoever typed it can do about it. */
const ADVICE: { readonly [Code in Failed["code"]]: string } = {
  disk_full: "the disk is full: make room there, or name another folder, and run this again",
  read_only: "that can only be read: name another folder",
  not_writable: "this user may not read or write that: run this as its owner, or name another folder",
  folder_missing: "there is no such folder: make it, or plug the drive in, and run this again",
  inside_workspace: "that lies inside a workspace or a backup: name a folder outside, best on another disk",
  exists: "there is a backup of this very second: run this again in a moment",
  locked: "another program holds the file: wait for it or end it, and run this again",
  damaged: "the workspace is damaged: keep it as it is, run fsck on it, and put the newest backup beside it",
  not_in_order:
    "the copy is not in order, so it was not kept: run fsck on the workspace and open an incident for what it names",
  head_differs: "the copy's last event is none of the journal's, so it was not kept: run fsck on the workspace",
  newer_file: "a newer program wrote this journal: use that one",
  chain_broken: "the journal's chain is broken: keep it as it is, and run fsck on it",
  ended_early: "the program that makes it ended: run this again",
  unknown: "run fsck on the workspace, then this again",
};

/** `backup WORKSPACE --to FOLDER [--json]`. A closed workspace's backup is dated by this computer's clock. */
export async function backupCommand(args: readonly string[], streams: Streams): Promise<number> {
  const asked = readArguments(args);
  if ("help" in asked) {
    streams.out(HELP);
    return 0;
  }
  if ("wrong" in asked) {
    streams.err(`backup: ${asked.wrong}\n`);
    return 2;
  }
  const { dir, into, json } = asked;
  const made = await backupWorkspace({ dir, into, at: createSystemClock().now(), keep: null });
  if (json) streams.out(`${JSON.stringify({ ok: made.result === "made", ...made })}\n`);
  else if (made.result === "made") streams.out(inWords(made));
  if (made.result === "made") return 0;
  if (!json)
    streams.err(`backup: ${made.path}: ${ADVICE[made.code]}${made.detail === "" ? "" : ` (${made.detail})`}\n`);
  return 1;
}

const inWords = ({ path, events, blobs, bytes }: Extract<Record, { result: "made" }>): string =>
  `${path}\n${events} events, ${blobs} frozen files, ${bytes} bytes: in order\nnot in it: ${NOT_HELD.join(", ")}\n`;

function readArguments(
  args: readonly string[],
): { dir: string; into: string; json: boolean } | { help: true } | { wrong: string } {
  try {
    const options = { to: { type: "string" }, json: { type: "boolean" }, help: { type: "boolean" } } as const;
    const { values, positionals } = parseArgs({ args: [...args], options, allowPositionals: true });
    if (values.help) return { help: true };
    const [workspace, ...more] = positionals;
    if (workspace === undefined || more.length > 0)
      return { wrong: "name one workspace's folder: backup WORKSPACE --to FOLDER [--json]" };
    if (values.to === undefined || values.to === "") return { wrong: "name the folder for the backup: --to FOLDER" };
    const found = findWorkspace(workspace);
    return "wrong" in found ? found : { dir: found.dir, into: resolve(values.to), json: values.json === true };
  } catch (error) {
    if (error instanceof TypeError) return { wrong: `${error.message}; see backup --help` };
    throw error;
  }
}
