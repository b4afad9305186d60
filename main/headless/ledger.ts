import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { objectionToFolder } from "../compose/folder-to-fill";
import type { Ledger } from "../domain/ledger";
import { parseLedgerOptions } from "./ledger-options";
import { runLedger } from "./ledger-run";
import type { Streams } from "./streams";

/** `ledger`: lives through the weeks of a fault mix and prints what is counted. @returns 0 when it was lived through to its end. */
export async function ledger(args: readonly string[], samplesDir: string, streams: Streams): Promise<number> {
  const parsed = parseLedgerOptions(args);
  if ("help" in parsed) {
    streams.out(parsed.help);
    return 0;
  }
  if ("wrong" in parsed) {
    streams.err(`ledger: ${parsed.wrong}\n`);
    return 2;
  }
  const { json, mix, showsMix, workspace } = parsed.options;
  if (showsMix) {
    streams.out(`${JSON.stringify(mix, null, 2)}\n`);
    return 0;
  }
  const objection = workspace === null ? null : objectionToFolder(resolve(workspace));
  if (objection !== null) {
    streams.err(`ledger: --workspace: ${objection}\n`);
    return 2;
  }
  const thrown = workspace === null ? mkdtempSync(join(tmpdir(), "imprimatur-ledger-")) : null;
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort(new Error("interrupted: nothing was kept"));
  process.once("SIGINT", interrupt);
  const dir = thrown === null ? resolve(workspace ?? "") : join(thrown, "workspace");
  try {
    const onWeek = (done: number) => (json ? undefined : streams.err(`\rweek ${done} of ${mix.editions}`));
    const counted = await runLedger({ dir, samplesDir, mix, onWeek, signal: interrupted.signal });
    streams.out(json ? `${JSON.stringify(counted)}\n` : inWords(counted));
    return 0;
  } finally {
    process.removeListener("SIGINT", interrupt);
    if (thrown !== null) rmSync(thrown, { recursive: true, force: true });
  }
}

function inWords({ humanMinutes, ...counts }: Ledger): string {
  const rows = [
    ...Object.entries(counts),
    ...Object.entries(humanMinutes).map(([name, value]) => [`${name} (min)`, value]),
  ];
  return `\n${rows.map(([name, value]) => `${String(name).padEnd(20)} ${value}`).join("\n")}\n`;
}
