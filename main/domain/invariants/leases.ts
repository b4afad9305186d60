import type { AttemptRow, OperationRow, TaskRow } from "../records";
import { type Evidence, groupBy, type Told, type Violation } from "./snapshot";

const isExecutor = (actor: string): boolean => actor.startsWith("executor:");

/**
 * I05: tokens rise by claims alone, an executor's events and attempts carry the token of the newest claim before them and come
 * from who made it. A late answer is the exception by design: kept from an old holder, changing nothing.
 */
export function checkLeases(evidence: Evidence): Violation[] {
  const attempts = groupBy(evidence.snapshot.attempts, (attempt) => attempt.operationId);
  return [
    ...evidence.snapshot.tasks.flatMap((task) => checkEvents(evidence, task)),
    ...evidence.snapshot.operations.flatMap((row) => checkAttempts(evidence, row, attempts.get(row.id) ?? [])),
  ];
}

const violation = (subject: string, detail: string): Violation => ({ invariant: "I05", subject, detail });

interface Lease {
  token: number;
  owner: string | null;
}

function checkEvents(evidence: Evidence, task: TaskRow): Violation[] {
  const found: Violation[] = [];
  let lease: Lease = { token: 0, owner: null };
  for (const event of evidence.ofTask(task.id)) {
    const say = (detail: string) => found.push(violation(task.taskKey, `event ${event.seq} ${event.type}: ${detail}`));
    if (event.type === "LeaseClaimed") {
      const token = Number(event.payload["token"] ?? event.fencingToken);
      if (token !== lease.token + 1) say(`claims token ${token} after ${lease.token}`);
      if (event.fencingToken !== token) say(`claims token ${token} under ${String(event.fencingToken)}`);
      lease = { token, owner: event.actor };
    } else if (isExecutor(event.actor)) checkHolder(event, lease, say);
    if (event.type === "LeaseReleased") lease = { ...lease, owner: null };
  }
  if (task.fencingToken !== lease.token)
    found.push(violation(task.taskKey, `the task has token ${task.fencingToken}, the newest claim ${lease.token}`));
  return found;
}

function checkHolder(event: Told, lease: Lease, say: (detail: string) => void): void {
  if (event.fencingToken !== lease.token)
    say(`carries token ${String(event.fencingToken)}, the newest claim is ${lease.token}`);
  if (event.type !== "LateAnswerKept" && event.actor !== lease.owner)
    say(`${event.actor} wrote it, the lease is ${lease.owner === null ? "nobody's" : `${lease.owner}'s`}`);
}

/** Each attempt belongs to one `RequestSent`, in order, under the same token. */
function checkAttempts(evidence: Evidence, operation: OperationRow, rows: readonly AttemptRow[]): Violation[] {
  const sent = evidence.ofOperation(operation.id).filter((event) => event.type === "RequestSent");
  const attempts = [...rows].sort((a, b) => a.number - b.number);
  const subject = operation.operationKey;
  if (attempts.length !== sent.length)
    return [violation(subject, `${attempts.length} attempts, but ${sent.length} requests left`)];
  return attempts.flatMap((attempt, index) => {
    const isSame = !isExecutor(attempt.actor) || attempt.fencingToken === sent[index]?.fencingToken;
    return isSame ? [] : [violation(subject, `attempt ${attempt.number} has token ${attempt.fencingToken}`)];
  });
}
