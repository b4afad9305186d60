import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** Sends the content back to drafting, with the reason. */
export function rejectContent(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number; reason: string },
): ExecuteResult {
  return executeFor(
    desk,
    { type: "transition", taskId: input.taskId, event: "ContentRejected", reason: input.reason },
    input.expectedVersion,
  );
}
