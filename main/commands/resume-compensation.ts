import type { ExecuteResult } from "../../db/journal";
import type { CompensationId, TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** Lets a failed entry go on, at the step it stopped at, with the reason why it may work now (scenario S47). */
export function resumeCompensation(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number; compensationId: CompensationId; reason: string },
): ExecuteResult {
  const { expectedVersion, ...entry } = input;
  return executeFor(desk, { type: "resume_compensation", ...entry }, expectedVersion);
}
