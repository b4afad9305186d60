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
