import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** Accounts by hand for recipients nobody will report on: "accepted, no report expected", with evidence (domain 6). */
export function closeRecipients(
  desk: Desk,
  input: { taskId: TaskId; recipientIds: readonly string[]; evidence: string },
): ExecuteResult {
  const at = desk.clock.now();
  const outcomes = input.recipientIds.map((recipientId) => ({
    recipientId,
    outcome: "closed_by_person" as const,
    code: null,
    at,
  }));
  return executeFor(desk, {
    type: "account_recipients",
    taskId: input.taskId,
    outcomes,
    nextObserveAt: at,
    evidence: input.evidence,
  });
}
