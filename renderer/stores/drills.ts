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
export type DrillQuestion = NonNullable<NonNullable<DrillsAnswer["running"]>["question"]>;
export type DrillChoice = DrillQuestion["choices"][number];
export type DrillLed = NonNullable<DrillResult["led"]>;
type Refusal = Exclude<Output<"drills.start">, { result: "started" }>;

/** Whether a person plays it now: its title, fault and end would answer what they are asked. */
export const isPlayedByPerson = (running: DrillsAnswer["running"], scenario: string): boolean =>
  running?.scenario === scenario && running.isLed;

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
  /** A person's answer is on its way. */
  isAnswering: boolean;
  start(scenarios: string[]): Promise<void>;
  /** Starts one that a person plays. */
  play(scenario: string): Promise<void>;
  /** Answers what stands still. */
  reply(answer: Input<"drills.answer">): Promise<void>;
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
  const begin = async (order: Input<"drills.start">) => {
    if (get().isStarting) return;
    set({ isStarting: true, refusal: null, problem: null });
    const reply = await ask("drills.start", order);
    set({ isStarting: false });
    if (!reply.ok) set({ problem: reply.problem });
    else if (reply.value.result !== "started") set({ refusal: reply.value });
  };
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
    isAnswering: false,
    start: (scenarios) => begin({ scenarios }),
    play: (scenario) => begin({ scenarios: [scenario], led: true }),
    reply: async (answer) => {
      if (get().isAnswering) return;
      set({ isAnswering: true, problem: null });
      const reply = await ask("drills.answer", answer);
      set({ isAnswering: false });
      if (!reply.ok) set({ problem: reply.problem });
      // What it was about has gone on.
      else if (reply.value.result === "not_asked") await get().load();
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
