import type { RoundRow } from "../../../db/queries/reconciliation";
import type { Output } from "../../../preload/contract";
import type { ReconciliationResult } from "../../domain/reconciliation-result";

type Reconciliation = Output<"reconciliation.get">;

/** How far a round is, and what the newest came to: as this process knows it, else as the journal tells it. */
export function reconciliationView(
  clock: Reconciliation["clock"],
  job: { progress: Reconciliation["running"]; last: ReconciliationResult | null },
  rows: readonly RoundRow[],
): Reconciliation {
  const told = roundOf(rows);
  const known = job.last;
  const last = known !== null && known.at >= (told?.at ?? 0) ? known : told;
  return { clock, running: job.progress, last: last === null ? null : { ...last, unreachable: [...last.unreachable] } };
}

interface Told {
  looked?: number;
  differences?: readonly unknown[];
  unreachable?: readonly string[];
}

/** The round as its events tell it; where a task was asked about twice in it, the last word counts no less than the first. */
function roundOf(rows: readonly RoundRow[]): ReconciliationResult | null {
  const newest = rows.at(-1);
  if (newest === undefined) return null;
  const told = rows.map((row) => JSON.parse(row.payload ?? "{}") as Told);
  const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);
  return {
    at: newest.at,
    tasks: rows.length,
    checked: sum(told.map(({ looked = 0 }) => looked)),
    differences: sum(told.map(({ differences = [] }) => differences.length)),
    putOff: rows.filter((row) => row.isPutOff === 1).length,
    unreachable: [...new Set(told.flatMap(({ unreachable = [] }) => unreachable))].sort(),
    brokenPromises: null,
  };
}
