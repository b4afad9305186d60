import type { ExecuteResult } from "../../db/journal";
import type { TaskId } from "../domain/ids";
import type { TaskView } from "../domain/view";
import { type Desk, executeMade } from "./desk";

/** Leaves `blocked` by the way that fits its reason, with the evidence it asks for (domain 3). */
export function unblock(
  desk: Desk,
  input: { taskId: TaskId; expectedVersion: number; to: string; evidence: string; newDeadlineAt?: number | undefined },
): ExecuteResult {
  const { taskId, expectedVersion, to, evidence, newDeadlineAt } = input;
  const way = { to, evidence, ...(newDeadlineAt === undefined ? {} : { newDeadlineAt }) };
  const make = (view: TaskView) => ({ command: desk.pipeline.unblocking(view, way) });
  return executeMade(desk, { taskId, expectedVersion, make });
}
