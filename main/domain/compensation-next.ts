import type { Action, Moment } from "./action";
import { isFinished } from "./compensation";
import { entryInTurn } from "./compensation-need";
import type { TaskView } from "./view";

/**
 * What a task in `compensating` does next, the same for every pipeline: the stack from its top, and the end when nothing is
 * open any more. Lost calls and due looks came first (nextAction), so that unknown forward operations are settled by asking.
 */
export function compensationNext(view: TaskView, moment: Moment): Action {
  const turn = entryInTurn(view, moment.now);
  if (turn === null) {
    const isOver = view.compensations().every(isFinished) && view.operations().every((row) => row.settled);
    return isOver
      ? { do: "transition", intent: { event: "Compensated" }, as: "executor" }
      : { do: "wait", until: null };
  }
  const { entry, need } = turn;
  if (need.kind === "wait") return { do: "wait", until: need.until };
  if (need.kind === "look") return { do: "look", operationId: need.operation.id };
  return { do: "undo", compensationId: entry.id };
}
