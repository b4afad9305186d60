import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** New words for the e-mail: an open send review ends and a new one begins with the new body. */
export function editEmail(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number; subject: string; intro: string },
): ExecuteResult {
  const view = desk.journal.reader.view(input.taskId);
  if (!view) return { result: "not_found", unmet: [{ code: "task_not_found", values: { task: input.taskId } }] };
  return executeFor(
    desk,
    desk.pipeline.emailEdit(view, { subject: input.subject, intro: input.intro }),
    input.expectedVersion,
  );
}
