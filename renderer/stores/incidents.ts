import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { type Answer, askLatest, noAnswer } from "./answer";
import { useClock } from "./clock";

export type IncidentsView = Output<"incident.list">;
export type IncidentView = NonNullable<Output<"incident.get">>;
export type StepView = IncidentView["runbook"]["steps"][number];

interface IncidentsState {
  list: Answer<IncidentsView>;
  one: Answer<IncidentView | null>;
  load(incidentId: string | null): Promise<void>;
}

/** The incidents, and the one that is worked on. */
export const useIncidents = create<IncidentsState>()((set, get) => {
  const fetchList = askLatest(
    "incident.list",
    () => get().list,
    (list) => set({ list }),
  );
  const fetchOne = askLatest(
    "incident.get",
    () => get().one,
    (one) => set({ one }),
  );
  return {
    list: noAnswer,
    one: noAnswer,
    load: async (incidentId) => {
      const value = incidentId === null ? await fetchList({}) : await fetchOne({ incidentId });
      if (value) useClock.getState().receive(value.clock);
    },
  };
});
