import type { Sqlite } from "../../db/open";
import type { Instant } from "../domain/ids";
import type { OperationRow, TaskRow } from "../domain/records";
import { briefingDefinition } from "../pipeline/briefing/definition";

type Live = Pick<TaskRow, "id" | "state" | "taskKey">;
type Open = Pick<OperationRow, "operationKey" | "state" | "nextLookAt">;

/** States in which somebody is asked; undoing is one where an entry waits for a person. */
const HUMAN: ReadonlySet<string> = new Set([...briefingDefinition.humanStates, "succeeded", "compensated", "closed"]);

/**
 * Tasks that hang: neither ended nor a person's, long after the last fault, or with a call that nobody will ever ask about.
 * Published with a rejected mailing waits for new words, and a running undo for a person: both are somebody's.
 */
export function stuckTasks(sqlite: Sqlite, now: Instant): string[] {
  const live = sqlite
    .prepare<[], Live>(
      "SELECT id, state, task_key AS taskKey FROM task WHERE state NOT IN ('succeeded', 'compensated', 'closed')",
    )
    .all();
  return live.flatMap((task) => {
    const said = `${task.taskKey} is ${task.state}`;
    if (!HUMAN.has(task.state) && !isForPerson(sqlite, task)) return [said];
    return forgottenCalls(sqlite, task, now).map((key) => `${said}, and nobody asks about ${key}`);
  });
}

/**
 * An undo waits for a person where an entry is theirs, where its forward call waits for a verdict, or where an open incident holds
 * every write of the place back.
 */
function isForPerson(sqlite: Sqlite, { id, state, taskKey }: Live): boolean {
  if (state !== "compensating") return false;
  if (incidentsOf(sqlite, taskKey, "closed_at IS NULL") > 0) return true;
  const count = sqlite
    .prepare<[string], number>(
      `SELECT count(*) FROM compensation c WHERE c.task_id = ? AND c.state IN ('failed', 'registered', 'running')
       AND (c.state = 'failed' OR c.grade IN ('C', 'D') OR EXISTS (SELECT 1 FROM operation o
         WHERE o.compensation_id = c.id AND o.kind <> 'compensate' AND o.state IN ('conflict', 'locked')))`,
    )
    .pluck()
    .get(id);
  return (count ?? 0) > 0;
}

function incidentsOf(sqlite: Sqlite, place: string, where: "closed_at IS NULL" | "rule = 'duplicate_remote'"): number {
  const count = sqlite
    .prepare<[string], number>(`SELECT count(*) FROM incident WHERE scope_value LIKE '%' || ? AND ${where}`)
    .pluck()
    .get(place);
  return count ?? 0;
}

/** Whether two objects in a place have become an incident. */
export const isIncident = (sqlite: Sqlite, slot: string): boolean =>
  incidentsOf(sqlite, slot, "rule = 'duplicate_remote'") > 0;

function forgottenCalls(sqlite: Sqlite, { id }: Live, now: Instant): string[] {
  const open = sqlite
    .prepare<[string], Open>(
      `SELECT operation_key AS operationKey, state, next_look_at AS nextLookAt FROM operation
       WHERE task_id = ? AND state IN ('request_sent', 'unknown')`,
    )
    .all(id);
  return open
    .filter(({ state, nextLookAt }) => state === "request_sent" || nextLookAt === null || nextLookAt < now)
    .map(({ operationKey }) => operationKey);
}
