import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { fsck } from "../../db/fsck";
import { openKeyFile } from "../adapters/secrets";
import type { Streams } from "./streams";

/** `fsck DIR [--json]`: chain, replayed state, invariants and frozen bytes of any workspace. Exit 0 only when all is well. */
export function fsckCommand(args: readonly string[], streams: Streams): number {
  const json = args.includes("--json");
  const [dir, ...others] = args.filter((arg) => !arg.startsWith("--"));
  const unknown = [...args.filter((arg) => arg.startsWith("--") && arg !== "--json"), ...others];
  if (dir === undefined || unknown.length > 0) {
    const what = unknown.length > 0 ? `it does not take ${unknown.join(" ")}` : "name the workspace's folder";
    streams.err(`fsck: ${what}: fsck DIR [--json]\n`);
    return 2;
  }
  const folder = resolve(dir);
  if (!existsSync(join(folder, "journal.db"))) {
    streams.err(`fsck: ${folder} has no journal.db: this is no workspace\n`);
    return 2;
  }
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
