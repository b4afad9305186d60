import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** Takes an approval back. What is out already is noted and settled first; nothing further starts (domain 3). */
export function revokeApproval(
  desk: Desk,
  input: { taskId: TaskId; approvalId: string; reason: string },
): ExecuteResult {
  return executeFor(desk, { type: "revoke_approval", ...input });
}
