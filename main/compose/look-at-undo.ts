import type { Input, Output } from "../../preload/contract";
import type { Desk } from "../commands/desk";
import { canLookAt } from "../commands/views/undo-entry";
import { undoSeen } from "../commands/views/undo-seen";
import { presentStep } from "../domain/compensation-need";
import type { TaskId } from "../domain/ids";
import type { Workspace } from "./workspace";

/**
 * Asks the remote what an undo would find there. It decides nothing: the same question is asked once more right before the call,
 * and only that answer counts (domain 9).
 * @returns null where there is nothing to ask
 */
export async function lookAtUndo(
  workspace: Pick<Workspace, "journal" | "undoOf">,
  desk: Pick<Desk, "clock">,
  asked: Input<"compensation.look">,
): Promise<Output<"compensation.look">> {
  const view = workspace.journal.reader.view(asked.taskId as TaskId);
  const entry = view?.compensations().find((row) => row.id === asked.compensationId);
  if (!view || !entry || !canLookAt(view, entry)) return null;
  const answer = await workspace.undoOf(view.task.pipeline).ask(view, entry, presentStep(entry));
  return {
    compensationId: entry.id,
    at: desk.clock.now(),
    kind: answer.kind,
    code: answer.kind === "failed" ? answer.error.code : null,
    seen: undoSeen("seen" in answer ? answer.seen : {}),
  };
}
