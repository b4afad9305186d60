import type { TaskId } from "../../main/domain/ids";
import type { Queries } from "./open-queries";

/** The edition that was begun last, in any state; null where none was. */
export const readNewestTask = (queries: Queries): TaskId | null =>
  queries.get<{ id: TaskId }>(
    "SELECT id FROM task WHERE task_version >= 1 ORDER BY created_at DESC, task_version DESC, id DESC LIMIT 1",
  )?.id ?? null;
