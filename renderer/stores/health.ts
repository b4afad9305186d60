import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { type Answer, askLatest, noAnswer } from "./answer";
import { useClock } from "./clock";

export type HealthView = Output<"health.get">;
export type MetricView = HealthView["metrics"][number];

interface HealthState {
  days: HealthView["days"];
  answer: Answer<HealthView>;
  load(): Promise<void>;
  choose(days: HealthView["days"]): Promise<void>;
}

/** The metrics of a period, and what holds or limits the workspace right now. */
export const useHealth = create<HealthState>()((set, get) => {
  const fetchHealth = askLatest(
    "health.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  return {
    days: 90,
    answer: noAnswer,
    load: async () => {
      const value = await fetchHealth({ days: get().days });
      if (value) useClock.getState().receive(value.clock);
    },
    choose: (days) => {
      set({ days });
      return get().load();
    },
  };
});
