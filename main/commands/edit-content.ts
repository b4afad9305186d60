import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import { type Desk, executeMade, type PipelineDesk } from "./desk";

/** An edit makes a new frozen draft and sends the task back through checking; a given approval ends (domain 3). */
export function editContent(
  desk: Desk,
  input: {
    taskId: TaskId;
    expectedVersion: number;
    basePackageHash: string | null;
    edit: Parameters<PipelineDesk["contentEdit"]>[2];
  },
): ExecuteResult {
  return executeMade(desk, input.taskId, input.expectedVersion, (view) =>
    desk.pipeline.contentEdit(view, input.basePackageHash, input.edit),
  );
}
