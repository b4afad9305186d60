import type { CompensationRow, TaskRow } from "../records";
import { movesTask } from "../replay";
import { compareFacts } from "./compare-fact";
import { type Evidence, groupBy, type Told, type Violation } from "./snapshot";

/**
 * I08 and I05: a task's row against its events in what the replay does not fold: what it was created as, its deadline with every
 * later one, its zone, since when it is where it is, and the newest takeover. I07: the entries of its stack as they were registered.
 */
export function checkTaskFacts(evidence: Evidence): Violation[] {
  const stacks = groupBy(evidence.snapshot.compensations, (entry) => entry.taskId);
  return evidence.snapshot.tasks.flatMap((task) => {
    const events = evidence.ofTask(task.id);
    return [
      ...checkCreated(task, events),
      ...checkMoments(task, events),
      ...checkTakeover(task, events),
      ...(stacks.get(task.id) ?? []).flatMap((entry) => checkRegistered(task, entry, events)),
    ];
  });
}

function checkCreated(task: TaskRow, events: readonly Told[]): Violation[] {
  const created = events.find((event) => event.type === "TaskCreated");
  if (!created) return [];
  const { payload } = created;
  return compareFacts("I08", task.taskKey, [
    ["taskKey", task.taskKey, payload["taskKey"]],
    ["taskVersion", task.taskVersion, payload["taskVersion"]],
    ["edition", task.edition, payload["edition"]],
    ["definitionHash", task.definitionHash, payload["definitionHash"]],
    ["zone", task.zone, created.zone],
    ["createdBy", task.createdBy, created.actor],
    ["createdAt", task.createdAt, created.at],
  ]);
}

/** A withheld payload may have told of another deadline. */
function checkMoments(task: TaskRow, events: readonly Told[]): Violation[] {
  let deadlineAt: unknown;
  let stateSince: number | undefined;
  let moved: Told | null = null;
  for (const event of events) {
    deadlineAt =
      event.payload["newDeadlineAt"] ?? (event.type === "TaskCreated" ? event.payload["deadlineAt"] : deadlineAt);
    const isBirth = event.type === "TaskCreated" && stateSince === undefined;
    if (!isBirth && !movesTask(event)) continue;
    stateSince = event.at;
    moved = event;
  }
  if (events.some((event) => event.isWithheld)) deadlineAt = undefined;
  return compareFacts("I08", task.taskKey, [
    ["deadlineAt", task.deadlineAt, deadlineAt],
    ["stateSince", task.stateSince, stateSince],
    ["retryAt", task.retryAt, task.state === "retry_wait" ? moved?.payload["retryAt"] : undefined],
    ["blockedReason", task.blockedReason, task.state === "blocked" ? moved?.payload["blockedReason"] : undefined],
  ]);
}

function checkTakeover(task: TaskRow, events: readonly Told[]): Violation[] {
  const claims = events.filter((event) => event.type === "LeaseClaimed");
  if (claims.some((event) => event.isWithheld)) return [];
  const taken = claims.filter((event) => event.payload["takeover"] === true).at(-1);
  return compareFacts("I05", task.taskKey, [["takeoverToken", task.takeoverToken, taken?.payload["token"] ?? 0]]);
}

function checkRegistered(task: TaskRow, entry: CompensationRow, events: readonly Told[]): Violation[] {
  const payload =
    events.find((event) => event.type === "CompensationRegistered" && event.payload["compensationId"] === entry.id)
      ?.payload ?? {};
  return compareFacts("I07", task.taskKey, [
    [`${entry.id} action`, entry.action, payload["action"]],
    [`${entry.id} grade`, entry.grade, payload["grade"]],
    [`${entry.id} position`, entry.position, payload["position"]],
  ]);
}
