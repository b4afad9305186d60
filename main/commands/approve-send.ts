import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import { type Desk, executeMade, type PipelineDesk } from "./desk";

/** Approves the mailing of exactly this page, body and audience, with the typed confirmation. */
export function approveSend(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number } & Parameters<PipelineDesk["sendApproval"]>[1],
): ExecuteResult {
  return executeMade(desk, input.taskId, input.expectedVersion, (view) => desk.pipeline.sendApproval(view, input));
}
