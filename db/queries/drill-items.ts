import type { TaskId } from "../../main/domain/ids";
import type { Queries } from "./open-queries";

/** A recovery item about a drill. */
export interface DrillItem {
  id: string;
  taskId: TaskId;
  subject: string;
  verification: string | null;
}

/** Every one there ever was: a trouble that was told is not told again. */
export const readDrillItems = (queries: Queries): DrillItem[] =>
  queries.all<DrillItem>(
    "SELECT id, task_id AS taskId, subject, verification FROM recovery_item WHERE kind = 'drill_failed' ORDER BY created_at, id",
  );

/** The edition that was begun last, in any state; null where none was. */
export const readNewestTask = (queries: Queries): TaskId | null =>
  queries.get<{ id: TaskId }>(
    "SELECT id FROM task WHERE task_version >= 1 ORDER BY created_at DESC, task_version DESC, id DESC LIMIT 1",
  )?.id ?? null;
