import {
  countLedger,
  type LedgerSelection,
  type LedgerTaskRow,
  readLedgerOrder,
  readLedgerRows,
} from "../../../db/queries/ledger";
import type { Input, Output } from "../../../preload/contract";
import type { TaskId } from "../../domain/ids";
import { startOfDay } from "../../domain/schedule";
import { type FrozenPackage, readFrozen } from "./frozen";
import type { ViewPorts } from "./view-ports";

type Asked = Input<"ledger.get">;
type Row = Output<"ledger.rows">["rows"][number];

/** Rows that are read between two other things that the process has to do. */
const ROWS_AT_ONCE = 100;

/** Which versions of editions a filter leaves, in the order asked for. */
export function ledgerView(ports: ViewPorts, { filter, sort }: Asked): Output<"ledger.get"> {
  const { queries } = ports;
  const clock = ports.clock();
  return queries.consistent(() => ({
    clock,
    taskIds: readLedgerOrder(queries, selectionOf(filter, clock.zone), sort),
    total: countLedger(queries),
  }));
}

/** The rows of these editions, in their order. */
export function ledgerRows({ queries }: ViewPorts, taskIds: readonly string[]): Row[] {
  return readLedgerRows(queries, taskIds as readonly TaskId[]).map(toRow);
}

/** All rows of a filter, in the order asked for. Others have their turn in between: ten thousand rows take a second to read. */
export async function allLedgerRows(ports: ViewPorts, asked: Asked): Promise<Row[]> {
  const { taskIds } = ledgerView(ports, asked);
  const rows: Row[] = [];
  for (let from = 0; from < taskIds.length; from += ROWS_AT_ONCE) {
    rows.push(...ledgerRows(ports, taskIds.slice(from, from + ROWS_AT_ONCE)));
    await new Promise(setImmediate);
  }
  return rows;
}

/** What the frozen package of an edition says; null where none is frozen. */
export function ledgerFacts(ports: ViewPorts, taskId: string): Output<"ledger.facts"> {
  const packageHash = ports.queries.tasks.view(taskId as TaskId)?.task.context["packageHash"];
  if (typeof packageHash !== "string") return null;
  const { document } = readFrozen<FrozenPackage>(ports.blobs, packageHash, "imprimatur-package/1");
  return {
    title: document.title,
    facts: document.facts.map(({ headline, statement }) => ({ headline, statement })),
  };
}

function selectionOf({ from, to, ...filter }: Asked["filter"], zone: string): LedgerSelection {
  return {
    ...filter,
    from: from === null ? null : startOfDay(from, zone),
    before: to === null ? null : startOfDay(to, zone, 1),
  };
}

function toRow({ context, ...row }: LedgerTaskRow): Row {
  const left = JSON.parse(context) as Readonly<Record<string, unknown>>;
  const hash = (name: string) => (typeof left[name] === "string" ? left[name] : null);
  const count = (name: string) => (typeof left[name] === "number" ? left[name] : null);
  return {
    ...row,
    ...{ facts: count("factCount"), links: count("linkCount"), recipients: count("audienceCount") },
    packageHash: hash("packageHash"),
    contentHash: hash("contentHash"),
    bodyHash: hash("bodyHash"),
    audienceHash: hash("audienceHash"),
  };
}
