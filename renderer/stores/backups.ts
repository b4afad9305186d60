import { create } from "zustand";
import type { Channel, Output } from "../../preload/contract";
import { ask, type BridgeProblem } from "../bridge";
import { type Answer, askLatest, noAnswer } from "./answer";

export type BackupsView = Output<"backups.get">;
type Chosen = Output<"backups.choose">["result"];

interface BackupsState {
  answer: Answer<BackupsView>;
  /** What came of the last choice. */
  chosen: Chosen | null;
  /** The system's dialog is open, or a choice is being written: a second click in the same moment is dropped. */
  isBusy: boolean;
  problem: BridgeProblem | null;
  load(): Promise<void>;
  hear(value: BackupsView): void;
  choose(): Promise<void>;
  turnOff(): Promise<void>;
  setKeep(keep: number): Promise<void>;
  tell(channel: Extract<Channel, "backups.start" | "backups.cancel" | "backups.show">): Promise<void>;
}

/** Where backups of the open workspace go, what runs, and what the last ones came to. */
export const useBackups = create<BackupsState>()((set, get) => {
  const fetchBackups = askLatest(
    "backups.get",
    () => get().answer,
    (answer) => set({ answer }),
  );
  const change = async (asked: () => ReturnType<typeof ask<"backups.choose">>) => {
    if (get().isBusy) return;
    set({ isBusy: true, problem: null, chosen: null });
    const reply = await asked();
    set(reply.ok ? { isBusy: false, chosen: reply.value.result } : { isBusy: false, problem: reply.problem });
    await get().load();
  };
  return {
    answer: noAnswer,
    chosen: null,
    isBusy: false,
    problem: null,
    load: async () => void (await fetchBackups({})),
    hear: (value) => set({ answer: { ...get().answer, value } }),
    choose: () => change(() => ask("backups.choose", {})),
    turnOff: () => change(() => ask("backups.turnOff", {})),
    setKeep: (keep) => change(() => ask("backups.setKeep", { keep })),
    tell: async (channel) => {
      set({ problem: null, chosen: null });
      const reply = await ask(channel, {});
      if (!reply.ok) return set({ problem: reply.problem });
      await get().load();
    },
  };
});
