import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { ask } from "../bridge";
import { type Answer, askLatest, noAnswer } from "./answer";

export type ReconciliationView = Output<"reconciliation.get">;

interface ReconciliationState {
  answer: Answer<ReconciliationView>;
  /** A person asked for a round, and it is not over. */
  isAsked: boolean;
  load(): Promise<void>;
  start(): Promise<void>;
}

/** The journal held against the outside: how far it is, and what it came to last. */
export const useReconciliation = create<ReconciliationState>()((set, get) => {
  const fetchReconciliation = askLatest(
    "reconciliation.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  return {
    answer: noAnswer,
    isAsked: false,
    load: async () => void (await fetchReconciliation({})),
    start: async () => {
      // Set before anything is awaited: a double click asks once.
      if (get().isAsked) return;
      set({ isAsked: true });
      const reply = await ask("reconciliation.start", {});
      set({ isAsked: false });
      if (reply.ok) set({ answer: { value: reply.value, settled: true, loading: false, problem: null } });
      else set({ answer: { ...get().answer, problem: reply.problem } });
    },
  };
});
