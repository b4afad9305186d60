import type { Instant } from "../ids";
import type { Write } from "../plan";
import type { TaskView } from "../view";

/**
 * Leaving and entering stages with work of their own: the old round is closed, a new one is opened. A retry that has become
 * due goes on in the round it left; a way out may take the checkpoint along.
 */
export function enterStage(
  view: TaskView,
  to: string,
  how: { keepsCheckpoint: boolean; resuming: boolean },
  now: Instant,
): Write[] {
  const writes: Write[] = [];
  const { task, definition } = view;
  // While it waits for a retry the stage it will go back to is still open.
  const from = task.state === "retry_wait" ? (task.resumeState ?? task.state) : task.state;
  const left = view.step(from);
  if (left && left.endedAt === null && to !== "retry_wait" && !(how.resuming && to === from))
    writes.push({ table: "step", upsert: { ...left, endedAt: now } });
  if (!definition.workStages.includes(to)) return writes;
  const last = view.step(to);
  if (how.resuming && last && last.endedAt === null) return writes;
  const checkpoint = how.keepsCheckpoint && last ? last.checkpoint : {};
  const round = (last?.round ?? 0) + 1;
  writes.push({
    table: "step",
    upsert: { taskId: task.id, name: to, round, startedAt: now, endedAt: null, attempts: 0, checkpoint },
  });
  return writes;
}
