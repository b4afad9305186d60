import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** Ends a task for good while nothing is out without an answer, with the reason (domain 3). */
export function closeProtectively(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number; reason: string },
): ExecuteResult {
  return executeFor(
    desk,
    { type: "transition", taskId: input.taskId, event: "ClosedProtectively", reason: input.reason },
    input.expectedVersion,
  );
}
