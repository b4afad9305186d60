import type { ExecuteResult } from "../../db/journal";
import type { DraftEdit, EditSeen } from "../domain/draft-edit";
import type { Sha256, TaskId } from "../domain/ids";
import { unmet } from "../domain/unmet";
import { type Desk, executeFor } from "./desk";

/**
 * Keeps an unfinished edit beside the frozen draft. It is about the task as it is now: words that somebody is writing are not lost
 * because the edition went on meanwhile.
 * @returns the working copy's hash with the answer; null where there is no such task.
 */
export function keepDraft(
  desk: Desk,
  { taskId, seen, edit }: { taskId: TaskId; seen: EditSeen; edit: DraftEdit },
): { hash: Sha256 | null; answer: ExecuteResult } {
  const view = desk.journal.reader.view(taskId);
  if (!view) return { hash: null, answer: { result: "not_found", unmet: [unmet("task_not_found", { task: taskId })] } };
  const command = desk.pipeline.draft.keep(view, seen, edit);
  return { hash: command.artifact.hash, answer: executeFor(desk, command) };
}
