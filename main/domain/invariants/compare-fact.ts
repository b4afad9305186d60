import type { InvariantId, Violation } from "./snapshot";

/** One fact that a row and an event both carry: its name, the row's word, the event's. `undefined`: the event does not carry it. */
export type Fact = readonly [name: string, row: unknown, told: unknown];

/** Names each fact in which a row says something else than the events. What no event carries is not judged. */
export function compareFacts(invariant: InvariantId, subject: string, facts: readonly Fact[]): Violation[] {
  const found: Violation[] = [];
  for (const [name, row, told] of facts)
    if (told !== undefined && row !== told)
      found.push({ invariant, subject, detail: `${name}: the row says ${shown(row)}, the events ${shown(told)}` });
  return found;
}

const shown = (value: unknown): string => (value === null || value === undefined ? "nothing" : String(value));
