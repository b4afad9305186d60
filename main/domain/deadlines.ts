import type { PipelineDeadlines } from "./definition";
import type { Instant } from "./ids";
import type { TaskRow } from "./records";

/**
 * When the automatic path stops: the task's deadline minus the window kept for a person (domain 8: due 10:30, stops 10:20).
 */
export function automaticStopAt(task: Pick<TaskRow, "deadlineAt">, deadlines: PipelineDeadlines): Instant {
  return task.deadlineAt - deadlines.humanWindowMs;
}

/**
 * A step's own deadline: the smaller of its own allowance and what the task has left (deadlines flow down, domain 8).
 * @param allowanceMs the step's own time from its start
 */
export function stepDeadlineAt(
  task: Pick<TaskRow, "deadlineAt">,
  deadlines: PipelineDeadlines,
  startedAt: Instant,
  allowanceMs: number,
): Instant {
  return Math.min(startedAt + allowanceMs, automaticStopAt(task, deadlines));
}

/** Time one call may take: its own limit, or less where the step has less left. Never below 1 ms. */
export function callTimeoutMs(ownLimitMs: number, now: Instant, stepDeadline: Instant): number {
  return Math.max(1, Math.min(ownLimitMs, stepDeadline - now));
}
