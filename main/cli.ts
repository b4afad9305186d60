import { join } from "node:path";
import { backupCommand } from "./headless/backup-command";
import { crash } from "./headless/crash";
import { definitionCommand } from "./headless/definition-command";
import { demo } from "./headless/demo";
import { demoChild } from "./headless/demo-child";
import { exhaustive } from "./headless/exhaustive";
import { exportCommand } from "./headless/export-command";
import { fsckCommand } from "./headless/fsck-command";
import { ledger } from "./headless/ledger";
import { reconcileCommand } from "./headless/reconcile-command";
import { sayFault } from "./headless/say-fault";
import { scenarios } from "./headless/scenarios";
import { signerCommand } from "./headless/signer-command";
import { simulate } from "./headless/simulate";
import type { Streams } from "./headless/streams";
import { verifyCommand } from "./headless/verify-command";

/** The samples lie beside the built program. */
const SAMPLES_DIR = join(__dirname, "samples");

/** What the next workflow is begun from. */
const TEMPLATE_DIR = join(__dirname, "templates", "next-workflow");

const HELP = `imprimatur, without a window

  demo  [--json] [--help]      the main job, end to end, in a temporary workspace
  scenarios [--json] [--help]  the frozen fault scenarios, each against what was frozen
  fsck  DIR [--json]           checks a workspace: chain, replayed state, invariants, frozen bytes
  backup DIR --to FOLDER       a checked backup of a workspace, which may be open
  crash [--json] [--help]      kills the engine's process at named points and at random moments
  exhaustive [--shard K/N]     every scenario with a crash at every commit and every outside call
  export DIR --out FILE.zip    an evidence bundle of a workspace, for people who have neither this program nor the network
  reconcile DIR [--json]       holds a workspace's journal against its website, its mail provider and itself
  verify FILE.zip [--json]     checks an evidence bundle; needs no workspace
  definition list|template|export|check|import   workflows as folders that people can read, check and hand on
  signer DIR list|register|replace  which keys a workspace's approvals are signed with
  simulate [--seeds N] [...]   whole worlds from seeds, with everything that goes wrong in them
  ledger [--json] [--help]     thirty weeks of editions with faults, and the figures counted from them
`;

const streams: Streams = {
  out: (text) => void process.stdout.write(text),
  err: (text) => void process.stderr.write(text),
};

async function main(args: readonly string[]): Promise<number> {
  const [command, ...rest] = args;
  switch (command) {
    case "demo":
      return demo(rest, SAMPLES_DIR, streams);
    case "demo-child":
      return demoChild(rest, SAMPLES_DIR, streams);
    case "scenarios":
      return scenarios(rest, SAMPLES_DIR, streams);
    case "fsck":
      return fsckCommand(rest, streams);
    case "backup":
      return backupCommand(rest, streams);
    case "crash":
      return crash(rest, SAMPLES_DIR, streams);
    case "exhaustive":
      return exhaustive(rest, SAMPLES_DIR, streams);
    case "export":
      return exportCommand(rest, streams);
    case "reconcile":
      return reconcileCommand(rest, SAMPLES_DIR, streams);
    case "verify":
      return verifyCommand(rest, streams);
    case "definition":
      return definitionCommand(rest, TEMPLATE_DIR, streams);
    case "signer":
      return signerCommand(rest, streams);
    case "simulate":
      return simulate(rest, streams);
    case "ledger":
      return ledger(rest, SAMPLES_DIR, streams);
    default:
      streams.err(HELP);
      return command === undefined || command === "--help" ? 0 : 2;
  }
}

// Whoever read our output went away (`| head`): what is under way still ends as it should, only unheard.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") throw error;
  });

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    streams.err(`imprimatur: ${sayFault(error)}\n`);
    process.exitCode = 1;
  },
);
