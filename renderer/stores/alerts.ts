import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { type Answer, askLatest, noAnswer } from "./answer";
import { useClock } from "./clock";

export type AlertsView = Output<"alerts.get">;
export type OpenAlertView = AlertsView["open"][number];

interface AlertsState {
  answer: Answer<AlertsView>;
  load(): Promise<void>;
}

/** The inbox: asked for at the start and whenever it holds something else; the bell counts it on every screen. */
export const useAlerts = create<AlertsState>()((set, get) => {
  const fetchAlerts = askLatest(
    "alerts.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  return {
    answer: noAnswer,
    load: async () => {
      const value = await fetchAlerts({});
      if (value) useClock.getState().receive(value.clock);
    },
  };
});

/** How many alerts nobody has acknowledged. */
export const useOpenAlerts = (): number => useAlerts((state) => state.answer.value?.open.length ?? 0);
