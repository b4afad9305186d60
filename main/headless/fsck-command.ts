import { join } from "node:path";
import { fsck } from "../../db/fsck";
import { openKeyFile } from "../adapters/secrets";
import { readWorkspaceArguments } from "./find-workspace";
import type { Streams } from "./streams";

const HELP = `fsck: checks any workspace and changes nothing: chain, replayed state, invariants, frozen bytes

  fsck DIR [--json]

Exit 0 only when all is well, 1 when something is not, 2 for a mistake of the call.
`;

/** `fsck DIR [--json]`: chain, replayed state, invariants and frozen bytes of any workspace. Exit 0 only when all is well. */
export function fsckCommand(args: readonly string[], streams: Streams): number {
  const asked = readWorkspaceArguments("fsck", args);
  if ("help" in asked) {
    streams.out(HELP);
    return 0;
  }
  if ("wrong" in asked) {
    streams.err(`fsck: ${asked.wrong}\n`);
    return 2;
  }
  const { dir: folder, json } = asked;
  const key = openKeyFile(join(folder, "customers.key"), { create: false });
  const report = fsck(folder, key.kind === "ready" ? { customersKey: key.key } : {});
  if (json) {
    streams.out(`${JSON.stringify(report)}\n`);
    return report.ok ? 0 : 1;
  }
  for (const check of report.checks) streams.out(`${check.ok ? "ok  " : "FAIL"} ${check.name}: ${check.detail}\n`);
  for (const violation of report.violations)
    streams.out(`     ${violation.invariant} ${violation.subject}: ${violation.detail}\n`);
  streams.out(
    `${report.events} events, head ${report.head.hash.slice(0, 16)}, epoch ${report.epoch}: ${report.ok ? "in order" : "NOT in order"}\n`,
  );
  return report.ok ? 0 : 1;
}
