import { create } from "zustand";
import type { Output } from "../../preload/contract";

export type ClockInfo = Output<"today.get">["clock"];

interface ClockState {
  info: ClockInfo | null;
  /** `performance.now()` when `info` arrived: the wall clock of this process decides nothing. */
  receivedAt: number;
  /** Workspace time, moved on once a second. */
  now: number;
  receive(info: ClockInfo): void;
  tick(): void;
}

/** The workspace's clock as last told, running on by the monotonic clock until the next word from the main process. */
export const useClock = create<ClockState>()((set, get) => ({
  info: null,
  receivedAt: 0,
  now: 0,
  receive: (info) => set({ info, receivedAt: performance.now(), now: info.now }),
  tick: () => {
    const { info, receivedAt } = get();
    if (info) set({ now: info.now + Math.floor(performance.now() - receivedAt) });
  },
}));

/** The zone of the workspace; UTC until the first answer names it. */
export const useZone = (): string => useClock((state) => state.info?.zone ?? "UTC");
