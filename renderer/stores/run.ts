import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { type Answer, askLatest, noAnswer } from "./answer";
import { useClock } from "./clock";

export type RunView = NonNullable<Output<"run.get">>;
export type OperationView = RunView["operations"][number];
export type EventView = RunView["events"][number];
export type SourceView = RunView["sources"][number];
export type ApprovalView = RunView["approvals"][number];
export type RunSide = "map" | "sources" | "recipients" | "evidence";
export type OperationFilter = "all" | "open" | "failed";

interface RunState {
  taskId: string | null;
  answer: Answer<Output<"run.get">>;
  side: RunSide;
  filter: OperationFilter;
  /** The operation whose details are open. */
  operationId: string | null;
  /** The event whose raw JSON is open. */
  rawSeq: number | null;
  search: string;
  /** Workspace time at which live updates were paused. */
  pausedAt: number | null;
  load(taskId: string): Promise<void>;
  set(change: Partial<Pick<RunState, "side" | "filter" | "operationId" | "rawSeq" | "search" | "pausedAt">>): void;
}

const fresh = { side: "map", filter: "all", operationId: null, rawSeq: null, search: "", pausedAt: null } as const;

/** The run of one edition: the last answer, and which parts of it are open. */
export const useRun = create<RunState>()((set, get) => {
  const fetchRun = askLatest(
    "run.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  return {
    taskId: null,
    answer: noAnswer,
    ...fresh,
    load: async (taskId) => {
      if (get().taskId !== taskId) set({ taskId, answer: noAnswer, ...fresh });
      const value = await fetchRun({ taskId });
      if (value) useClock.getState().receive(value.clock);
    },
    set: (change) => set(change),
  };
});
