import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { ask } from "../bridge";
import { type Answer, noAnswer } from "./answer";

type Fetched = Answer<Output<"contentReview.snapshot">>;

interface SnapshotState {
  /** Of which edition these are: another edition's are let go. */
  taskId: string | null;
  byHash: Readonly<Record<string, Fetched>>;
  fetch(taskId: string, hash: string): Promise<void>;
}

/** Frozen sources as text. One never changes, so it is asked for once. */
export const useSnapshots = create<SnapshotState>()((set, get) => ({
  taskId: null,
  byHash: {},
  fetch: async (taskId, hash) => {
    if (get().taskId !== taskId) set({ taskId, byHash: {} });
    const kept = get().byHash[hash];
    if (kept?.loading || kept?.settled) return;
    const put = (answer: Fetched) => set({ byHash: { ...get().byHash, [hash]: answer } });
    put({ ...noAnswer, loading: true });
    const reply = await ask("contentReview.snapshot", { taskId, hash });
    if (get().taskId !== taskId) return;
    put(
      reply.ok
        ? { value: reply.value, settled: true, loading: false, problem: null }
        : { ...noAnswer, problem: reply.problem },
    );
  },
}));
