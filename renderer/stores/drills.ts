import { create } from "zustand";
import type { Input, Output, Pushed } from "../../preload/contract";
import { ask, type BridgeProblem } from "../bridge";
import { type Answer, askLatest, noAnswer } from "./answer";

type DrillsAnswer = Output<"drills.get">;
export type DrillGroup = DrillsAnswer["groups"][number];
export type DrillScenario = DrillGroup["scenarios"][number];
export type DrillResult = DrillsAnswer["results"][number];
export type DrillDuty = DrillsAnswer["duties"][number];
export type FailedDrill = DrillsAnswer["failed"][number];
export type DrillTiming = NonNullable<DrillResult["timing"]>;
export type DrillFacts = NonNullable<DrillResult["facts"]>;
export type DrillStep = Pushed<"drill.progress">["steps"][number];
type Refusal = Exclude<Output<"drills.start">, { result: "started" }>;

interface DrillsState {
  answer: Answer<DrillsAnswer>;
  /** The scenario that is looked at; null: the first one. */
  chosen: string | null;
  search: string;
  /** What was told of each drill while this window was open, by run. */
  steps: Readonly<Record<string, readonly DrillStep[]>>;
  /** What ended last while this window was open: said aloud. */
  ended: DrillResult | null;
  /** A start is on its way: a second click in the same moment is dropped. */
  isStarting: boolean;
  /** Why the last start came to nothing. */
  refusal: Refusal | null;
  /** The last start or cancel got no usable answer. */
  problem: BridgeProblem | null;
  load(): Promise<void>;
  choose(scenario: string): void;
  find(search: string): void;
  start(scenarios: string[]): Promise<void>;
  cancel(): Promise<void>;
  /** Says whether the runbook was enough in a play. */
  judge(judgement: Input<"drills.judge">): Promise<void>;
  hear(progress: Pushed<"drill.progress">): void;
  change(change: Pushed<"drill.changed">): void;
}

/** The scenarios, the one that is being played, and what the last ones came to. */
export const useDrills = create<DrillsState>()((set, get) => {
  const fetchDrills = askLatest(
    "drills.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  return {
    answer: noAnswer,
    chosen: null,
    search: "",
    steps: {},
    ended: null,
    isStarting: false,
    refusal: null,
    problem: null,
    load: async () => {
      const { running } = (await fetchDrills({})) ?? { running: null };
      // What was pushed meanwhile is newer than the answer.
      if (running !== null && running.steps.length > (get().steps[running.run]?.length ?? 0))
        set({ steps: { ...get().steps, [running.run]: running.steps } });
    },
    choose: (chosen) => set({ chosen, refusal: null, problem: null }),
    find: (search) => set({ search }),
    start: async (scenarios) => {
      if (get().isStarting) return;
      set({ isStarting: true, refusal: null, problem: null });
      const reply = await ask("drills.start", { scenarios });
      set({ isStarting: false });
      if (!reply.ok) set({ problem: reply.problem });
      else if (reply.value.result !== "started") set({ refusal: reply.value });
    },
    cancel: async () => {
      const reply = await ask("drills.cancel", {});
      if (!reply.ok) set({ problem: reply.problem });
    },
    judge: async (judgement) => {
      const reply = await ask("drills.judge", judgement);
      if (!reply.ok) set({ problem: reply.problem });
      else if (reply.value.result === "noted") set({ answer: { ...get().answer, value: reply.value.drills } });
      else await get().load();
    },
    hear: ({ run, from, steps }) => {
      const known = get().steps[run] ?? [];
      // Something in between was missed: the whole is asked for.
      if (from > known.length) void get().load();
      else set({ steps: { ...get().steps, [run]: [...known.slice(0, from), ...steps] } });
    },
    change: ({ running, ended, duties, failed }) => {
      const { answer } = get();
      if (answer.value === null) return;
      const results = ended === null ? answer.value.results : [ended, ...answer.value.results];
      const under = running === null ? null : { ...running, steps: [] };
      const value = { ...answer.value, running: under, results, duties, failed };
      set({ ended: ended ?? get().ended, answer: { ...answer, value } });
    },
  };
});
