import type { ExecuteResult } from "../../db/journal";
import type { DraftEdit, EditSeen } from "../domain/draft-edit";
import type { TaskId } from "../domain/ids";
import { type Desk, executeMade } from "./desk";

/** Brings an edit in as the next draft: it is checked anew, and what was approved of the old one ends (domain 3). */
export function useDraft(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number; seen: EditSeen; edit: DraftEdit },
): ExecuteResult {
  const { taskId, expectedVersion, seen, edit } = input;
  return executeMade(desk, { taskId, expectedVersion, make: (view) => desk.pipeline.draft.use(view, seen, edit) });
}
