import type { Instant } from "./ids";
import type { RecoveryItemRow } from "./records";

export type RecoveryStage = RecoveryItemRow["stage"];

/**
 * The ways between the stages of a recovery item (domain 10). What was verified wrongly is taken up again, and a recurrence
 * opens the review again. The database has the same list in its trigger.
 */
export const RECOVERY_WAYS: Readonly<Record<RecoveryStage, readonly RecoveryStage[]>> = {
  to_triage: ["triaged"],
  triaged: ["recovering"],
  recovering: ["to_verify"],
  to_verify: ["closed", "recovering"],
  closed: ["reviewed", "recovering"],
  reviewed: ["closed"],
};

/** What a stage asks for that the item may not have yet: how it was done, what proved it, what came of the review. */
export type RecoveryProof = "method" | "verification" | "review";

/** @returns what must be known of an item before it may be in this stage. */
export function proofsNeeded(stage: RecoveryStage): readonly RecoveryProof[] {
  if (stage === "to_verify") return ["method"];
  if (stage === "closed") return ["method", "verification"];
  if (stage === "reviewed") return ["method", "verification", "review"];
  return [];
}

/** A review ends in a changed rule or in a test, named; anything else is a good intention (domain 10). */
export const REVIEW_OUTCOME = /^(rule|test):\s*\S+/u;

/** Long enough for somebody on any shift to have seen it: what nobody has touched by then is the backup owner's as well. */
export const UNTOUCHED_MS = 86_400_000;

export const isOpenStage = (stage: RecoveryStage): boolean => stage !== "closed" && stage !== "reviewed";

/** @returns how an open item presses at a moment: untouched for a day, else past its due time, else not (domain 10). */
export function escalationOf(
  item: Pick<RecoveryItemRow, "stage" | "stageAt" | "createdAt" | "dueAt">,
  now: Instant,
): "untouched" | "overdue" | null {
  if (!isOpenStage(item.stage)) return null;
  if (item.stageAt === null && now - item.createdAt >= UNTOUCHED_MS) return "untouched";
  return now > item.dueAt ? "overdue" : null;
}
