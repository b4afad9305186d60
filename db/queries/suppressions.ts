import type { Instant } from "../../main/domain/ids";
import type { Sqlite } from "../connect";

/** The suppression list as it is: who gets nothing, and why. Recipient ids only. */
export function listSuppressions(sqlite: Sqlite): { recipientId: string; reason: string; at: Instant }[] {
  return sqlite
    .prepare<[], { recipientId: string; reason: string; at: Instant }>(
      "SELECT recipient_id AS recipientId, reason, at FROM suppression ORDER BY recipient_id",
    )
    .all();
}
