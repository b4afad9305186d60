import type { ExecuteResult } from "../../db/journal";
import { undoOrder } from "../domain/compensation";
import type { TaskId } from "../domain/ids";
import { unmet } from "../domain/unmet";
import type { TaskView } from "../domain/view";
import { type Desk, executeMade } from "./desk";
import type { Made } from "./made";

/**
 * Starts undoing, from the plan the person has read: its hash comes back with the click, its order is kept in the event.
 * @param input.typed the edition as typed at the screen; left out only by a script that plays a person
 */
export function startCompensation(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number; planHash: string; reason: string; typed?: string },
): ExecuteResult {
  const { taskId, expectedVersion, planHash, reason, typed } = input;
  const make = (view: TaskView): Made => {
    if (typed !== undefined && typed.trim() !== view.task.edition)
      return { unmet: [unmet("typed_confirmation_differs", { expected: view.task.edition })] };
    return {
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
    };
  };
  return executeMade(desk, { taskId, expectedVersion, make });
}
