import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import { type Desk, executeMade, type PipelineDesk } from "./desk";

/** Approves the content exactly as seen. A double click finds the version moved on: one approval (scenario S28). */
export function approveContent(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number } & Parameters<PipelineDesk["contentApproval"]>[1],
): ExecuteResult {
  return executeMade(desk, input.taskId, input.expectedVersion, (view) => desk.pipeline.contentApproval(view, input));
}
