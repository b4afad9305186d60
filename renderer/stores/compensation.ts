import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { ask } from "../bridge";
import { type Answer, askLatest, noAnswer } from "./answer";
import { useClock } from "./clock";

export type CompensationView = NonNullable<Output<"compensation.get">>;
export type UndoEntry = CompensationView["entries"][number];
export type UndoLook = NonNullable<Output<"compensation.look">>;

/** What came of asking the remote about one entry: its answer, that there was nothing to ask, or that the answer was lost. */
export type Asked = { kind: "asking" } | { kind: "told"; look: UndoLook } | { kind: "not_now" } | { kind: "lost" };

interface CompensationState {
  taskId: string | null;
  answer: Answer<Output<"compensation.get">>;
  /** By entry; forgotten with the screen, since only the answer right before the call counts. */
  asked: Readonly<Record<string, Asked>>;
  load(taskId: string): Promise<void>;
  look(compensationId: string): Promise<void>;
}

/** The undo of one edition: the last answer of the journal, and what the remote said when a person asked. */
export const useCompensation = create<CompensationState>()((set, get) => {
  const fetchCompensation = askLatest(
    "compensation.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  const put = (taskId: string, compensationId: string, asked: Asked) => {
    if (get().taskId === taskId) set({ asked: { ...get().asked, [compensationId]: asked } });
  };
  return {
    taskId: null,
    answer: noAnswer,
    asked: {},
    load: async (taskId) => {
      if (get().taskId !== taskId) set({ taskId, answer: noAnswer, asked: {} });
      const value = await fetchCompensation({ taskId });
      if (value) useClock.getState().receive(value.clock);
    },
    look: async (compensationId) => {
      const { taskId, asked } = get();
      if (taskId === null || asked[compensationId]?.kind === "asking") return;
      put(taskId, compensationId, { kind: "asking" });
      const reply = await ask("compensation.look", { taskId, compensationId });
      if (!reply.ok) return put(taskId, compensationId, { kind: "lost" });
      put(taskId, compensationId, reply.value === null ? { kind: "not_now" } : { kind: "told", look: reply.value });
    },
  };
});
