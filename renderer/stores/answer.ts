import type { Channel, Input, Output } from "../../preload/contract";
import { ask, type BridgeProblem } from "../bridge";

/** The last answer to a question, kept while a newer one is on its way: a refetch must not empty the screen. */
export interface Answer<T> {
  value: T | null;
  /** True once any answer came, so that “nothing there” can be told from “not asked yet”. */
  settled: boolean;
  loading: boolean;
  problem: BridgeProblem | null;
}

export const noAnswer = { value: null, settled: false, loading: false, problem: null } as const;

/**
 * Makes an asker that puts only the latest question's answer: a slow answer about the edition shown before must never
 * replace the present one.
 */
export function askLatest<C extends Channel>(
  channel: C,
  read: () => Answer<Output<C>>,
  put: (answer: Answer<Output<C>>) => void,
): (input: Input<C>) => Promise<Output<C> | null> {
  let asked = 0;
  return async (input) => {
    asked += 1;
    const mine = asked;
    put({ ...read(), loading: true });
    const reply = await ask(channel, input);
    if (mine !== asked) return null;
    if (reply.ok) {
      put({ value: reply.value, settled: true, loading: false, problem: null });
      return reply.value;
    }
    put({ ...read(), loading: false, problem: reply.problem });
    return null;
  };
}
