import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Sqlite } from "../../../db/connect";
import { tryToMeasure } from "../try-to-measure";
import { benchChain } from "./chain";
import { benchHashing } from "./hashing";
import { livedJournal, longJournal } from "./long-journal";
import { benchMemory } from "./memory";
import { benchPacking } from "./packing";

const EVENTS = 100_000;
const LIVED_EDITIONS = 300;

/** What a bundle costs, each beside the program that a person would take instead. Ratios above 1: ours is faster. */
export async function benchEvidence(cli: string | undefined) {
  const dir = mkdtempSync(join(tmpdir(), "imprimatur-evidence-bench-"));
  try {
    const long = longJournal(dir, EVENTS);
    const lived = livedJournal(LIVED_EDITIONS);
    const texts = textsOf(lived.database.sqlite, long.sqlite);
    const chain = { told: await benchChain(long.path), lived: await benchChain(lived.database.path) };
    lived.close();
    long.sqlite.close();
    return {
      hashingToOpenssl: await tryToMeasure(() => benchHashing(dir)),
      packingToZip: await tryToMeasure(() => benchPacking(dir, texts)),
      chainToIntegrityCheck: chain,
      memory: await tryToMeasure(() => measureMemory(dir, cli)),
    };
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function measureMemory(dir: string, cli: string | undefined) {
  if (cli === undefined || process.platform !== "linux") return { notMeasured: "memory is read from Linux's /proc" };
  return benchMemory(dir, cli);
}

function textsOf(lived: Sqlite, long: Sqlite) {
  const bodies = lived.prepare<[], string>("SELECT payload FROM event WHERE payload IS NOT NULL").pluck().all();
  const headers = long.prepare<[], string>("SELECT header FROM event ORDER BY seq").pluck().all();
  return { headers: `${headers.join("\n")}\n`, bodies };
}
