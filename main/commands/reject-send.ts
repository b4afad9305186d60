import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** Sends the mailing back: the review opens again once the e-mail was edited. */
export function rejectSend(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number; reason: string },
): ExecuteResult {
  const { taskId, reason } = input;
  return executeFor(
    desk,
    { type: "transition", taskId, event: "SendRejected", reason, context: { sendRejected: 1 } },
    input.expectedVersion,
  );
}
