import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { type Answer, askLatest, noAnswer } from "./answer";
import { useClock } from "./clock";

export type ContentReviewView = NonNullable<Output<"contentReview.get">>;
export type SnapshotView = NonNullable<Output<"contentReview.snapshot">>;
export type CompareChoice = ContentReviewView["comparedWith"]["choice"];
export type ContentTab = "facts" | "preview" | "diff" | "links";

interface ContentReviewState {
  taskId: string | null;
  answer: Answer<Output<"contentReview.get">>;
  compareWith: CompareChoice | undefined;
  tab: ContentTab;
  factId: string | null;
  /** Keys of the ticked warnings, and the typed edition: both belong to one package and go with it. */
  ticked: readonly string[];
  typed: string;
  /** Section → the text that was read. A mark holds only while the section still says exactly that. */
  reads: Readonly<Record<string, string>>;
  load(taskId: string): Promise<void>;
  compare(choice: CompareChoice): Promise<void>;
  show(tab: ContentTab): void;
  select(factId: string): void;
  tick(key: string, on: boolean): void;
  type(text: string): void;
  markRead(section: string, text: string | null): void;
}

const fresh = {
  compareWith: undefined,
  tab: "facts",
  factId: null,
  ticked: [],
  typed: "",
  reads: {},
} as const;

/** The content review of one edition: the last answer, and what the editor has selected, ticked and read. */
export const useContentReview = create<ContentReviewState>()((set, get) => {
  const fetchReview = askLatest(
    "contentReview.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  return {
    taskId: null,
    answer: noAnswer,
    ...fresh,
    load: async (taskId) => {
      if (get().taskId !== taskId) set({ taskId, answer: noAnswer, ...fresh });
      const before = get().answer.value?.packageHash;
      const { compareWith } = get();
      const value = await fetchReview({ taskId, ...(compareWith ? { compareWith } : {}) });
      if (!value) return;
      useClock.getState().receive(value.clock);
      if (before !== undefined && before !== value.packageHash) set({ ticked: [], typed: "" });
      if (!value.facts.some((fact) => fact.id === get().factId)) set({ factId: value.facts[0]?.id ?? null });
    },
    compare: async (choice) => {
      const { taskId } = get();
      set({ compareWith: choice });
      if (taskId) await get().load(taskId);
    },
    show: (tab) => set({ tab }),
    select: (factId) => set({ factId }),
    tick: (key, on) =>
      set({
        ticked: on ? [...get().ticked.filter((one) => one !== key), key] : get().ticked.filter((one) => one !== key),
      }),
    type: (typed) => set({ typed }),
    markRead: (section, text) => {
      const { [section]: _before, ...others } = get().reads;
      set({ reads: text === null ? others : { ...others, [section]: text } });
    },
  };
});
