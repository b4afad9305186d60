import type { z } from "zod";
import type { LedgerOrder, LedgerReport } from "../compose/ledger-report";
import { DEFAULT_MIX } from "../sandbox/ledger/default-mix";
import { parseMix } from "../sandbox/ledger/mix";
import { runLedger } from "./ledger-run";

/** Makes the sample ledger and tells how far it is. Never throws; who ends the program in the middle removes what it began. */
export async function buildSampleLedger(
  order: z.infer<typeof LedgerOrder>,
  tell: (report: LedgerReport) => void,
): Promise<void> {
  const parsed = parseMix(DEFAULT_MIX);
  if ("faults" in parsed) return tell({ kind: "failed", reason: parsed.faults.join("; ") });
  const { mix } = parsed;
  try {
    const onWeek = (done: number) => tell({ kind: "week", done, of: mix.editions });
    await runLedger({ ...order, mix, onWeek, signal: new AbortController().signal });
    tell({ kind: "built" });
  } catch (error) {
    tell({ kind: "failed", reason: error instanceof Error ? error.message : String(error) });
  }
}
