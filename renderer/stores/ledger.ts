import { create } from "zustand";
import type { Input, Output } from "../../preload/contract";
import { ask } from "../bridge";
import { type Answer, askLatest, noAnswer } from "./answer";
import { useClock } from "./clock";

export type LedgerView = Output<"ledger.get">;
export type LedgerRow = Output<"ledger.rows">["rows"][number];
export type LedgerFilter = Input<"ledger.get">["filter"];
export type LedgerSort = Input<"ledger.get">["sort"];
export type LedgerFacts = Output<"ledger.facts">;
export type ExportFormat = Input<"ledger.export">["format"];

/** What came of an export; while it is under way, which. */
export type Exported =
  | { kind: "busy"; format: ExportFormat }
  | { kind: "done"; outcome: Output<"ledger.export"> }
  | { kind: "lost"; detail: string };

export const NO_FILTER: LedgerFilter = { outcomes: [], marks: [], from: null, to: null, text: "" };
export const NEWEST_FIRST: LedgerSort = { by: "started", descending: true };

/** As many rows as the main process gives at once. */
const ROWS_AT_ONCE = 200;
/** Rows on either side that are asked for together with those seen, so that a turn of the wheel finds them there. */
const ROWS_AHEAD = 80;
/** When no more than these are left on a side, the next are asked for. */
const ROWS_LEFT = 40;

interface LedgerState {
  filter: LedgerFilter;
  sort: LedgerSort;
  /** Which editions, in which order. */
  answer: Answer<LedgerView>;
  /** Of those that were seen since the last change. */
  rows: ReadonlyMap<string, LedgerRow>;
  /** On the screen right now, and a little around it. */
  seen: readonly string[];
  chosen: readonly string[];
  exported: Exported | null;
  /** Of the two that are compared; left out while they are being read. */
  facts: ReadonlyMap<string, LedgerFacts>;
  load(compared: readonly string[]): Promise<void>;
  show(change: { filter?: LedgerFilter; sort?: LedgerSort }): Promise<void>;
  see(taskIds: readonly string[]): Promise<void>;
  choose(taskId: string, isChosen: boolean): void;
  exportRows(format: ExportFormat): Promise<void>;
}

/** Every edition: their order at once, their rows as far as they are seen. */
export const useLedger = create<LedgerState>()((set, get) => {
  const fetchOrder = askLatest(
    "ledger.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  /** Rows that were asked for before something changed are of no use any more. */
  let round = 0;
  /** On their way in this round. */
  let asked = new Set<string>();
  const fetchRows = async (taskIds: readonly string[], kept: () => ReadonlyMap<string, LedgerRow>) => {
    const mine = round;
    const now = taskIds.slice(0, ROWS_AT_ONCE);
    for (const taskId of now) asked.add(taskId);
    const reply = await ask("ledger.rows", { taskIds: now });
    if (mine !== round) return;
    for (const taskId of now) asked.delete(taskId);
    if (!reply.ok) return set({ answer: { ...get().answer, problem: reply.problem } });
    const rows = new Map(kept());
    for (const row of reply.value.rows) rows.set(row.taskId, row);
    set({ rows });
  };
  /** Those seen and so many more on either side, which are neither here nor on their way. */
  const missingAround = (taskIds: readonly string[], more: number) => {
    const order = get().answer.value?.taskIds ?? [];
    const first = order.indexOf(taskIds[0] ?? "");
    const near = first < 0 ? taskIds : order.slice(Math.max(0, first - more), first + taskIds.length + more);
    return near.filter((taskId) => !get().rows.has(taskId) && !asked.has(taskId));
  };
  const fetchFacts = async (taskId: string) => {
    const reply = await ask("ledger.facts", { taskId });
    if (reply.ok) set({ facts: new Map([...get().facts, [taskId, reply.value]]) });
    else set({ answer: { ...get().answer, problem: reply.problem } });
  };
  const order = async () => {
    const { filter, sort } = get();
    const value = await fetchOrder({ filter, sort });
    if (value) useClock.getState().receive(value.clock);
    return value;
  };
  return {
    filter: NO_FILTER,
    sort: NEWEST_FIRST,
    answer: noAnswer,
    rows: new Map(),
    seen: [],
    chosen: [],
    exported: null,
    facts: new Map(),
    load: async (compared) => {
      const value = await order();
      if (value === null) return;
      round += 1;
      asked = new Set();
      const there = new Set(value.taskIds);
      const seen = get().seen.filter((taskId) => there.has(taskId));
      await fetchRows([...compared, ...seen], () => new Map());
      await Promise.all(compared.map(fetchFacts));
    },
    show: async (change) => {
      set({ ...change, exported: null });
      await order();
    },
    see: async (taskIds) => {
      set({ seen: taskIds });
      if (taskIds.length === 0 || missingAround(taskIds, ROWS_LEFT).length === 0) return;
      await fetchRows(missingAround(taskIds, ROWS_AHEAD), () => get().rows);
    },
    choose: (taskId, isChosen) => {
      const others = get().chosen.filter((one) => one !== taskId);
      // Two are compared at most: the one that was chosen first gives way.
      set({ chosen: isChosen ? [...others.slice(-1), taskId] : others });
    },
    exportRows: async (format) => {
      if (get().exported?.kind === "busy") return;
      set({ exported: { kind: "busy", format } });
      const { filter, sort } = get();
      const reply = await ask("ledger.export", { filter, sort, format });
      set({
        exported: reply.ok ? { kind: "done", outcome: reply.value } : { kind: "lost", detail: reply.problem.detail },
      });
    },
  };
});

/** Whether this filter and order are what is shown. */
export const isShown = (
  { filter, sort }: { filter: LedgerFilter; sort: LedgerSort },
  shown: { filter: LedgerFilter; sort: LedgerSort },
): boolean => JSON.stringify([inOrder(filter), sort]) === JSON.stringify([inOrder(shown.filter), shown.sort]);

/** The same filter, however it was put together. */
const inOrder = ({ outcomes, marks, from, to, text }: LedgerFilter) => [
  [...outcomes].sort(),
  [...marks].sort(),
  from,
  to,
  text.trim(),
];
