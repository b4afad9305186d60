import type { ExecuteResult } from "../../db/journal";
import { definitionHash, isTerminal, type PipelineDefinition } from "../domain/definition";
import type { Instant, TaskId } from "../domain/ids";
import { unmet } from "../domain/unmet";
import { type Desk, executeFor } from "./desk";

/**
 * A forward fix of an edition that has ended (domain 9): a further version of the same edition, which names the one it
 * supersedes (I01), reads the sources anew and goes through both gates. It takes nothing back and sends nothing by itself; where
 * the place on the website has an object, what is approved updates it.
 * @param input.taskId the version that is superseded; @param input.deadlineAt by when the new one is due (ms UTC): the old
 * deadline is over
 */
export function startNextVersion(
  desk: Desk & { definition: PipelineDefinition },
  input: { taskId: TaskId; deadlineAt: Instant; reason: string },
): ExecuteResult {
  const { definition } = desk;
  const { taskId, deadlineAt, reason } = input;
  const task = desk.journal.reader.task(taskId);
  if (!task) return { result: "not_found", unmet: [unmet("task_not_found", { task: taskId })] };
  const now = desk.clock.now();
  const missing = [
    ...(isTerminal(task.state) ? [] : [unmet("task_live_already", { task: task.id, state: task.state })]),
    ...(reason.trim() === "" ? [unmet("reason_missing")] : []),
    ...(deadlineAt <= now ? [unmet("deadline_needed")] : []),
  ];
  if (missing.length > 0) return { result: "guard_failed", unmet: missing };
  const { taskKey, pipeline, edition, language, zone } = task;
  return executeFor(desk, {
    type: "create_task",
    ...{ taskKey, pipeline, edition, language, zone, deadlineAt },
    taskVersion: task.taskVersion + 1,
    definitionHash: definitionHash(definition),
    supersedesTaskId: task.id,
    reason: reason.trim(),
    context: { startAt: 0 },
  });
}
