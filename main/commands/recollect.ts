import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** A source has changed since it was frozen, and the person wants it read anew: all of it again, and a new review (domain 3). */
export function recollect(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number; reason: string },
): ExecuteResult {
  const { taskId, expectedVersion, reason } = input;
  return executeFor(desk, { type: "transition", taskId, event: "RecollectChosen", reason }, expectedVersion);
}
