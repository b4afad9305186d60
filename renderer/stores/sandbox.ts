import { create } from "zustand";
import type { Channel, Input, Output } from "../../preload/contract";
import { ask } from "../bridge";
import { type Answer, noAnswer } from "./answer";
import { useClock } from "./clock";

export type SandboxView = NonNullable<Output<"sandbox.get">>;
type PanelChannel = Extract<Channel, "sandbox.get" | "sandbox.addFault" | "sandbox.clearFaults" | "sandbox.configure">;

interface SandboxState {
  answer: Answer<Output<"sandbox.get">>;
  busy: boolean;
  load(): Promise<void>;
  addFault(fault: Input<"sandbox.addFault">): Promise<void>;
  clearFaults(): Promise<void>;
  configure(change: Input<"sandbox.configure">): Promise<void>;
  setClock(change: Input<"sandbox.setClock">): Promise<void>;
}

/** The sandbox's switches and its remotes' own records. Everything here is reversible and local, so nothing asks twice. */
export const useSandbox = create<SandboxState>()((set, get) => {
  const through = async <C extends PanelChannel>(channel: C, input: Input<C>) => {
    set({ busy: true, answer: { ...get().answer, loading: true } });
    const reply = await ask(channel, input);
    if (!reply.ok) return set({ busy: false, answer: { ...get().answer, loading: false, problem: reply.problem } });
    const value = reply.value as Output<"sandbox.get">;
    if (value) useClock.getState().receive(value.clock);
    set({ busy: false, answer: { value, settled: true, loading: false, problem: null } });
  };
  return {
    answer: noAnswer,
    busy: false,
    load: () => through("sandbox.get", {}),
    addFault: (fault) => through("sandbox.addFault", fault),
    clearFaults: () => through("sandbox.clearFaults", {}),
    configure: (change) => through("sandbox.configure", change),
    setClock: async (change) => {
      set({ busy: true });
      const reply = await ask("sandbox.setClock", change);
      set({ busy: false });
      if (!reply.ok) return set({ answer: { ...get().answer, problem: reply.problem } });
      useClock.getState().receive(reply.value);
      await get().load();
    },
  };
});
