import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { type Answer, askLatest, noAnswer } from "./answer";
import { useClock } from "./clock";

export type RecoveryView = Output<"recovery.get">;
export type RecoveryItemView = RecoveryView["items"][number];
export type RecoveryPatternView = RecoveryView["patterns"][number];

interface RecoveryState {
  /** The item whose history is in the answer. */
  itemId: string | null;
  answer: Answer<RecoveryView>;
  search: string;
  load(itemId: string | null): Promise<void>;
  find(search: string): void;
}

/** The board of recovery items, and the one item that is looked at. */
export const useRecovery = create<RecoveryState>()((set, get) => {
  const fetchRecovery = askLatest(
    "recovery.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  return {
    itemId: null,
    answer: noAnswer,
    search: "",
    load: async (itemId) => {
      const value = await fetchRecovery({ itemId });
      if (!value) return;
      set({ itemId });
      useClock.getState().receive(value.clock);
    },
    find: (search) => set({ search }),
  };
});
