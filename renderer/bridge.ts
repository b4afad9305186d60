import { config } from "zod";
import {
  type Channel,
  contract,
  type Input,
  type Output,
  type PushEvent,
  type Pushed,
  pushEvents,
} from "../preload/contract";

// zod's fast path compiles with `new Function`, which our policy forbids; asking for it would only fill the console.
config({ jitless: true });

/** Why an answer could not be used. `rejected`: none came. `malformed`: it came and does not have the agreed form. */
export interface BridgeProblem {
  kind: "rejected" | "malformed" | "absent";
  channel: Channel;
  detail: string;
}

export type Reply<T> = { ok: true; value: T } | { ok: false; problem: BridgeProblem };

/**
 * Asks the main process, and trusts its answer only after parsing it: a wrong shape becomes a visible problem instead of a
 * crash somewhere in a screen. Never throws. The only place, with `listen`, that touches the bridge.
 */
export async function ask<C extends Channel>(channel: C, input: Input<C>): Promise<Reply<Output<C>>> {
  if (typeof window.api?.invoke !== "function")
    return { ok: false, problem: { kind: "absent", channel, detail: "window.api" } };
  let answer: unknown;
  try {
    answer = await window.api.invoke(channel, input);
  } catch (error) {
    return {
      ok: false,
      problem: { kind: "rejected", channel, detail: error instanceof Error ? error.message : String(error) },
    };
  }
  const parsed = contract[channel].output.safeParse(answer);
  if (!parsed.success) {
    const detail = parsed.error.issues.slice(0, 5).map((issue) => `${issue.path.join(".")}: ${issue.message}`);
    return { ok: false, problem: { kind: "malformed", channel, detail: detail.join("\n") } };
  }
  // The schema of this very channel has just accepted it; the compiler cannot follow a union of schemas that far.
  return { ok: true, value: parsed.data as Output<C> };
}

/** Listens to a push event. A value of another form is dropped: pushes only say "ask again", and the next one will. */
export function listen<E extends PushEvent>(event: E, listener: (value: Pushed<E>) => void): () => void {
  if (typeof window.api?.on !== "function") return () => {};
  return window.api.on(event, (value) => {
    const parsed = pushEvents[event].safeParse(value);
    if (parsed.success) listener(parsed.data as Pushed<E>);
  });
}
