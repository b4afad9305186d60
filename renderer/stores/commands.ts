import { create } from "zustand";
import type { Channel, Input, Output } from "../../preload/contract";
import { ask, type BridgeProblem } from "../bridge";

export type CommandReply = Output<"edition.start">;
/** The channels that change something and answer with what it came to. */
export type CommandChannel = {
  [C in Channel]: Output<C> extends CommandReply ? (CommandReply extends Output<C> ? C : never) : never;
}[Channel];

/** What came of the last command, until it is dismissed or another begins. */
export type Outcome =
  | { kind: "applied"; what: string; state: string }
  | { kind: "refused"; what: string; reply: Exclude<CommandReply, { result: "applied" }> }
  | { kind: "lost"; what: string; problem: BridgeProblem };

interface CommandState {
  /** Commands under way, by channel. One of each at a time: a double click must not ask twice. */
  busy: Readonly<Partial<Record<CommandChannel, true>>>;
  outcome: Outcome | null;
  /** Rises with every outcome, so that the same sentence is announced again. */
  count: number;
  send<C extends CommandChannel>(channel: C, input: Input<C>, what: string): Promise<boolean>;
  dismiss(): void;
}

/**
 * Every command of a person goes through here. `busy` is set before anything is awaited, so a second click in the same
 * moment is dropped. Resolves true only when the main process said that the commit is on disk.
 */
export const useCommands = create<CommandState>()((set, get) => ({
  busy: {},
  outcome: null,
  count: 0,
  send: async (channel, input, what) => {
    if (get().busy[channel]) return false;
    set({ busy: { ...get().busy, [channel]: true }, outcome: null });
    const reply = await ask(channel, input);
    const { [channel]: _done, ...busy } = get().busy;
    const outcome = toOutcome(reply as Awaited<ReturnType<typeof ask<"edition.start">>>, what);
    set({ busy, outcome, count: get().count + 1 });
    return outcome.kind === "applied";
  },
  dismiss: () => set({ outcome: null }),
}));

function toOutcome(reply: Awaited<ReturnType<typeof ask<"edition.start">>>, what: string): Outcome {
  if (!reply.ok) return { kind: "lost", what, problem: reply.problem };
  if (reply.value.result === "applied") return { kind: "applied", what, state: reply.value.state };
  return { kind: "refused", what, reply: reply.value };
}
