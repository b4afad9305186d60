import type { ExecuteResult } from "../../db/journal";
import { type Desk, executeFor } from "./desk";

/**
 * Somebody may be mailed again: off the suppression list, for a reason that stays in the journal. Each edition that is not mailed
 * yet shows the person as an addition, to be ticked singly.
 */
export function releaseRecipient(desk: Desk, input: { recipientId: string; reason: string }): ExecuteResult {
  return executeFor(desk, { type: "release_recipient", ...input });
}
