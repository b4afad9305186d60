import type { TaskId } from "../../main/domain/ids";
import type { Queries } from "./open-queries";

export interface SnapshotRow {
  bytes: number;
  /** Canonical JSON: where the bytes came from. */
  origin: string;
}

const SNAPSHOT = "SELECT bytes, origin FROM artifact WHERE task_id = ? AND hash = ? AND kind = 'source-snapshot'";

/**
 * A frozen source of a task.
 * @returns null for a hash that is no source snapshot of that very task: a page may not ask its way through all frozen bytes.
 */
export function readSnapshot(queries: Queries, taskId: TaskId, hash: string): SnapshotRow | null {
  const row = queries.get<{ bytes: number; origin: string | null }>(SNAPSHOT, taskId, hash);
  return row === null || row.origin === null ? null : { bytes: row.bytes, origin: row.origin };
}
