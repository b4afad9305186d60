import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import type { TaskView } from "../domain/view";
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
  const { taskId, expectedVersion, basePackageHash, edit } = input;
  const make = (view: TaskView) => desk.pipeline.contentEdit(view, basePackageHash, edit);
  return executeMade(desk, { taskId, expectedVersion, make });
}
