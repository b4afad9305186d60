import type { Instant, TaskId } from "../../main/domain/ids";
import { LEDGER_ORDER, LEDGER_ROWS, type LedgerColumn } from "./ledger-sql";
import type { Queries } from "./open-queries";

/** Which editions a ledger shows; empty lists and nulls leave nothing out. */
export interface LedgerSelection {
  outcomes: readonly string[];
  /** Each of them must be true of an edition. */
  marks: readonly string[];
  /** Begun at or after this moment. */
  from: Instant | null;
  /** Begun before this moment. */
  before: Instant | null;
  /** Part of an edition's name, an id of a task or a remote object, or the beginning of a hash. */
  text: string;
}

export interface LedgerSort {
  by: LedgerColumn;
  descending: boolean;
}

/** One version of an edition, as its row, its operations and its events tell it. */
export interface LedgerTaskRow {
  taskId: TaskId;
  edition: string;
  version: number;
  state: string;
  startedAt: Instant;
  endedAt: Instant | null;
  recovered: number;
  unknowns: number;
  blocks: number;
  compensations: number;
  duplicates: number;
  /** Waits for approvals and minutes written down at recovery items, in ms. */
  humanMs: number;
  articleId: string | null;
  campaignId: string | null;
  calls: number;
  /** JSON: the hashes and counts that its stages left. */
  context: string;
  /** Of its last event. */
  headHash: string;
}

/** The tasks of a selection, in the order asked for; what is equal comes newest first. */
export function readLedgerOrder(queries: Queries, selection: LedgerSelection, sort: LedgerSort): TaskId[] {
  const { outcomes, marks, from, before, text } = selection;
  const has = (mark: string) => (marks.includes(mark) ? 1 : 0);
  const needle = text.trim().toLowerCase();
  const rows = queries.every<{ id: TaskId }>(LEDGER_ORDER[sort.by][sort.descending ? "descending" : "ascending"], {
    // The faults of the metrics look back so far; here it is to the beginning.
    since: -1,
    outcomes: JSON.stringify(outcomes),
    ...{ unknown: has("unknown"), recovered: has("recovered"), blocked: has("blocked") },
    ...{ compensated: has("compensated"), duplicate: has("duplicate") },
    ...{ from, before, text: needle, hash: /^[0-9a-f]{6,64}$/.test(needle) ? needle : null },
  });
  return rows.map(({ id }) => id);
}

/** The rows of these tasks, in their order, at one moment of the journal. Unknown ids are left out. */
export function readLedgerRows(queries: Queries, taskIds: readonly TaskId[]): LedgerTaskRow[] {
  return queries.consistent(() => queries.all<LedgerTaskRow>(LEDGER_ROWS, JSON.stringify(taskIds)));
}

/** How many versions of editions there are. */
export function countLedger(queries: Queries): number {
  return queries.get<{ n: number }>("SELECT count(*) AS n FROM task WHERE task_version >= 1")?.n ?? 0;
}
