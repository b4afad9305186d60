import { z } from "zod";
import { ClockInfo } from "./app";
import { Instant } from "./primitives";

/** What the newest round came to: the journal held against website, mail provider and itself. */
export const ReconciliationRound = z.object({
  at: Instant,
  tasks: z.number().int(),
  /** Answers that were had, and how many differences they show. */
  checked: z.number().int(),
  differences: z.number().int(),
  /** Editions that are asked about again, because a remote gave no answer. */
  putOff: z.number().int(),
  unreachable: z.array(z.string()),
  /** Promises that the journal itself does not keep; null: not checked, or not known any more. */
  brokenPromises: z.number().int().nullable(),
});

export const Reconciliation = z.object({
  clock: ClockInfo,
  /** How far the round is that is under way. */
  running: z.object({ done: z.number().int(), of: z.number().int() }).nullable(),
  last: ReconciliationRound.nullable(),
});
