import type { ExecuteResult } from "../../db/journal";
import type { CompensationId, TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** A person has dealt with an entry: what they did, and where it can be seen (domain 9, grade C). */
export function closeCompensation(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number; compensationId: CompensationId; note: string; evidence: string },
): ExecuteResult {
  const { expectedVersion, ...entry } = input;
  return executeFor(desk, { type: "close_compensation", ...entry }, expectedVersion);
}
