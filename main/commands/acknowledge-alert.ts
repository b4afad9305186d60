import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** A person says that they know of it; then nobody is told again (domain 10). */
export function acknowledgeAlert(desk: Desk, input: { taskId: TaskId; alertId: string; note: string }): ExecuteResult {
  return executeFor(desk, { type: "acknowledge_alert", ...input });
}
