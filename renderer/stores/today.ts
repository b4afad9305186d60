import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { type Answer, askLatest, noAnswer } from "./answer";
import { useClock } from "./clock";

export type TodayView = Output<"today.get">;

interface TodayState {
  answer: Answer<TodayView>;
  load(): Promise<void>;
}

/** What waits, what happens, how healthy it is; the command menu takes its editions from here, too. */
export const useToday = create<TodayState>()((set, get) => {
  const fetchToday = askLatest(
    "today.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  return {
    answer: noAnswer,
    load: async () => {
      const value = await fetchToday({});
      if (value) useClock.getState().receive(value.clock);
    },
  };
});

/** The edition's name as Today knows it, for a screen that has no answer of its own yet. */
export function useEdition(taskId: string): string {
  return useToday(({ answer: { value } }) => {
    const known = value ? [...value.waiting, ...value.live, ...value.ended] : [];
    return known.find((item) => item.taskId === taskId)?.edition ?? "…";
  });
}
