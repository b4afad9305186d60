import { join } from "node:path";
import { Bug } from "./domain/ids";
import { crash } from "./headless/crash";
import { demo } from "./headless/demo";
import { demoChild } from "./headless/demo-child";
import { exhaustive } from "./headless/exhaustive";
import { exportCommand } from "./headless/export-command";
import { fsckCommand } from "./headless/fsck-command";
import { ledger } from "./headless/ledger";
import { reconcileCommand } from "./headless/reconcile-command";
import { scenarios } from "./headless/scenarios";
import { signerCommand } from "./headless/signer-command";
import { simulate } from "./headless/simulate";
import type { Streams } from "./headless/streams";
import { verifyCommand } from "./headless/verify-command";

/** The samples lie beside the built program. */
const SAMPLES_DIR = join(__dirname, "samples");

const HELP = `imprimatur, without a window

  demo  [--json] [--help]      the main job, end to end, in a temporary workspace
  scenarios [--json] [--help]  the frozen fault scenarios, each against what was frozen
  fsck  DIR [--json]           checks a workspace: chain, replayed state, invariants, frozen bytes
  crash [--json] [--help]      kills the engine's process at named points and at random moments
  exhaustive [--shard K/N]     every scenario with a crash at every commit and every outside call
  export DIR --out FILE.zip    an evidence bundle of a workspace, for people who have neither this program nor the network
  reconcile DIR [--json]       holds a workspace's journal against its website, its mail provider and itself
  verify FILE.zip [--json]     checks an evidence bundle; needs no workspace
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

main(process.argv.slice(2)).then(
  (code) => {
    process.exitCode = code;
  },
  (error: unknown) => {
    // A fault of ours is shown with where it happened; a mistake of the call with its words alone.
    const isOurs = error instanceof Bug || !(error instanceof Error) || error instanceof TypeError;
    streams.err(
      `imprimatur: ${isOurs && error instanceof Error ? error.stack : error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  },
);
