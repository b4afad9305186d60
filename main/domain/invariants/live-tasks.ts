import { isTerminal } from "../definition";
import type { TaskRow } from "../records";
import { movesTask } from "../replay";
import { type Evidence, groupBy, type Violation } from "./snapshot";

/** I01: at most one live task per key; another intent is a new version that names what it supersedes; a timer makes version 1. */
export function checkLiveTasks(evidence: Evidence): Violation[] {
  const groups = groupBy(evidence.snapshot.tasks, (task) => task.taskKey);
  return [...groups].flatMap(([taskKey, tasks]) => [
    ...checkVersions(taskKey, tasks),
    ...checkCreators(evidence, tasks),
    ...checkOverlap(evidence, taskKey, tasks),
  ]);
}

const violation = (subject: string, detail: string): Violation => ({ invariant: "I01", subject, detail });

function checkVersions(taskKey: string, tasks: readonly TaskRow[]): Violation[] {
  const found: Violation[] = [];
  const live = tasks.filter((task) => !isTerminal(task.state));
  if (live.length > 1) found.push(violation(taskKey, `${live.length} live tasks: ${live.map((t) => t.id).join(", ")}`));
  for (const [version, same] of groupBy(tasks, (task) => task.taskVersion))
    if (same.length > 1) found.push(violation(taskKey, `version ${version} exists ${same.length} times`));
  for (const task of tasks) {
    if (task.taskVersion === 1) continue;
    const before = tasks.find((other) => other.id === task.supersedesTaskId);
    if (!before) found.push(violation(taskKey, `version ${task.taskVersion} supersedes no task of its key`));
    else if (before.taskVersion >= task.taskVersion)
      found.push(violation(taskKey, `version ${task.taskVersion} supersedes version ${before.taskVersion}`));
  }
  return found;
}

function checkCreators(evidence: Evidence, tasks: readonly TaskRow[]): Violation[] {
  return tasks.flatMap((task) => {
    const created = evidence.ofTask(task.id).filter((event) => event.type === "TaskCreated");
    const byTimer = task.createdBy === "scheduler" || created.some((event) => event.actor === "scheduler");
    return byTimer && task.taskVersion !== 1
      ? [violation(task.taskKey, `a timer created version ${task.taskVersion}`)]
      : [];
  });
}

/** Walks the key's events in order: at no moment were two of its tasks live, whatever the rows say now. */
function checkOverlap(evidence: Evidence, taskKey: string, tasks: readonly TaskRow[]): Violation[] {
  const events = tasks.flatMap((task) => evidence.ofTask(task.id)).sort((a, b) => a.seq - b.seq);
  const live = new Set<string>();
  const found: Violation[] = [];
  for (const event of events) {
    if (event.taskId === null) continue;
    if (event.type === "TaskCreated") {
      if ([...live].some((id) => id !== event.taskId))
        found.push(violation(taskKey, `event ${event.seq} created a task beside a live one`));
      live.add(event.taskId);
    } else if (movesTask(event) && isTerminal(event.toState ?? "")) live.delete(event.taskId);
  }
  return found;
}
