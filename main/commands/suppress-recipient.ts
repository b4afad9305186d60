import type { ExecuteResult } from "../../db/journal";
import { type Desk, executeFor } from "./desk";

/** Somebody is not to be mailed any more: on the list at once, for every edition that has not been mailed yet (domain 1). */
export function suppressRecipient(desk: Desk, input: { recipientId: string; reason: string }): ExecuteResult {
  return executeFor(desk, { type: "suppress_recipient", ...input });
}
