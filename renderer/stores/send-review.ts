import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { type Answer, askLatest, noAnswer } from "./answer";
import { useClock } from "./clock";

export type SendReviewView = NonNullable<Output<"sendReview.get">>;

interface SendReviewState {
  taskId: string | null;
  answer: Answer<Output<"sendReview.get">>;
  /** Recipient ids of the ticked additions, and the typed confirmation: both belong to one body and one audience. */
  ticked: readonly string[];
  typed: string;
  tab: "text" | "page";
  load(taskId: string): Promise<void>;
  tick(recipientId: string, on: boolean): void;
  type(text: string): void;
  show(tab: "text" | "page"): void;
}

/** The send review of one edition: the last answer, and what the editor has ticked and typed. */
export const useSendReview = create<SendReviewState>()((set, get) => {
  const fetchReview = askLatest(
    "sendReview.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  return {
    taskId: null,
    answer: noAnswer,
    ticked: [],
    typed: "",
    tab: "text",
    load: async (taskId) => {
      if (get().taskId !== taskId) set({ taskId, answer: noAnswer, ticked: [], typed: "", tab: "text" });
      const before = get().answer.value;
      const value = await fetchReview({ taskId });
      if (!value) return;
      useClock.getState().receive(value.clock);
      // Ticks and typed words were about what was shown; for another body or audience they say nothing.
      if (before && (before.bodyHash !== value.bodyHash || before.audienceHash !== value.audienceHash))
        set({ ticked: [], typed: "" });
    },
    tick: (id, on) =>
      set({
        ticked: on ? [...get().ticked.filter((one) => one !== id), id] : get().ticked.filter((one) => one !== id),
      }),
    type: (typed) => set({ typed }),
    show: (tab) => set({ tab }),
  };
});
