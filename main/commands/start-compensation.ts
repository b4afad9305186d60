import type { ExecuteResult } from "../../db/journal";
import { undoOrder } from "../domain/compensation";
import type { TaskId } from "../domain/ids";
import { type Desk, executeMade } from "./desk";

/** Starts undoing, from the plan the person has read: its hash comes back with the click, its order is kept in the event. */
export function startCompensation(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number; planHash: string; reason: string },
): ExecuteResult {
  const { taskId, expectedVersion, planHash, reason } = input;
  return executeMade(desk, taskId, expectedVersion, (view) => ({
    command: {
      type: "transition",
      taskId,
      event: "CompensationStarted",
      reason,
      payload: {
        planHash,
        plan: undoOrder(view.compensations()).map(({ id, action, grade }) => ({ id, action, grade })),
      },
    },
  }));
}
