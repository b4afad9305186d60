import type { Sqlite } from "../connect";

/** The suppression list as it is: who gets nothing, and why. Recipient ids only. */
export function listSuppressions(sqlite: Sqlite): { recipientId: string; reason: string }[] {
  return sqlite
    .prepare<[], { recipientId: string; reason: string }>(
      "SELECT recipient_id AS recipientId, reason FROM suppression ORDER BY recipient_id",
    )
    .all();
}
