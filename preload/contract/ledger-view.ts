import { z } from "zod";

const Day = z.iso.date();

export const LedgerFilter = z.object({
  /** Running: neither ended nor blocked. None: all. */
  outcomes: z.array(z.enum(["running", "blocked", "succeeded", "compensated", "closed"])).max(5),
  /**
   * What must have happened, each of them: an unknown outcome, a block, a compensation, two objects of one effect; or that it
   * succeeded although one of the first three happened.
   */
  marks: z.array(z.enum(["unknown", "recovered", "blocked", "compensated", "duplicate"])).max(5),
  /** Days of the workspace's zone on which it was begun; both belong to it. */
  from: Day.nullable(),
  to: Day.nullable(),
  /** Part of an edition's name, an id of a task or a remote object, or the beginning of a hash. */
  text: z.string().max(200),
});

export const LedgerSort = z.object({
  by: z.enum([
    "edition",
    "state",
    "started",
    "ended",
    "recovered",
    "unknowns",
    "blocks",
    "compensations",
    "duplicates",
    "human",
  ]),
  descending: z.boolean(),
});

/** A filter and an order under a name of the person's own. */
export const LedgerView = z.object({
  name: z.string().trim().min(1).max(60),
  filter: LedgerFilter,
  sort: LedgerSort,
});
