import { MAX_STACK_DEPTH } from "../compensation";
import type { OperationRow, TaskRow } from "../records";
import { type Evidence, isPerson, type Told, type Violation } from "./snapshot";

/**
 * I07: before a forward write left, its undo was on the stack with its grade; a grade D action never ran by itself; between two
 * people's events nothing fallible followed a write of grade C or D; undo left while compensating and nothing else did; and a
 * task that says it is compensated has every entry at its end.
 */
export function checkUndo(evidence: Evidence): Violation[] {
  return evidence.snapshot.tasks.flatMap((task) => [
    ...checkStack(evidence, task),
    ...checkSegments(evidence, task),
    ...checkCompensating(evidence, task),
    ...checkCompensated(evidence, task),
  ]);
}

const violation = (subject: string, detail: string): Violation => ({ invariant: "I07", subject, detail });

function checkStack(evidence: Evidence, task: TaskRow): Violation[] {
  const depth = evidence.snapshot.compensations.filter((entry) => entry.taskId === task.id).length;
  const found = depth > MAX_STACK_DEPTH ? [violation(task.taskKey, `the stack is ${depth} deep`)] : [];
  for (const operation of evidence.operationsOf(task.id)) {
    if (operation.kind === "compensate") continue;
    const sent = evidence.ofOperation(operation.id).find((event) => event.type === "RequestSent");
    if (sent) found.push(...checkForward(evidence, task, operation, sent));
  }
  return found;
}

function checkForward(evidence: Evidence, task: TaskRow, operation: OperationRow, sent: Told): Violation[] {
  const entry = evidence.compensation(operation.compensationId);
  if (entry === null || entry.taskId !== task.id)
    return [violation(operation.operationKey, "it left without an undo on the task's stack")];
  const registered = evidence
    .ofTask(task.id)
    .some(
      (event) =>
        event.type === "CompensationRegistered" &&
        event.seq < sent.seq &&
        (event.isWithheld || event.payload["compensationId"] === entry.id),
    );
  const found: Violation[] = [];
  if (!registered) found.push(violation(operation.operationKey, "its undo was not registered before it left"));
  if (entry.grade === "D" && operation.automatic)
    found.push(violation(operation.operationKey, "an irreversible action ran in an automatic chain"));
  return found;
}

/**
 * A segment ends where a person moves the task. The phases and children of one intent share one undo and count as one write;
 * undoing is started by a person and exempt.
 */
function checkSegments(evidence: Evidence, task: TaskRow): Violation[] {
  const found: Violation[] = [];
  const operations = new Map<string, OperationRow>(evidence.operationsOf(task.id).map((row) => [row.id, row]));
  let hard: OperationRow | null = null;
  for (const event of evidence.ofTask(task.id)) {
    if (isPerson(event.actor) && event.toState !== null && event.toState !== event.fromState) hard = null;
    if (event.type !== "RequestSent") continue;
    const operation = operations.get(event.operationId ?? "");
    if (!operation || operation.kind === "compensate") continue;
    if (hard !== null && hard.intentKey !== operation.intentKey)
      found.push(violation(operation.operationKey, `it followed ${hard.operationKey} with nobody in between`));
    const grade = evidence.compensation(operation.compensationId)?.grade;
    if (grade === "C" || grade === "D") hard = operation;
  }
  return found;
}

/** Follows the task's state: the two kinds of writes never mix, or an undo and what it undoes could pass each other. */
function checkCompensating(evidence: Evidence, task: TaskRow): Violation[] {
  const undoing = new Set<string>(
    evidence
      .operationsOf(task.id)
      .filter(({ kind }) => kind === "compensate")
      .map(({ id }) => id),
  );
  const found: Violation[] = [];
  let state: string | null = null;
  for (const event of evidence.ofTask(task.id)) {
    if (event.toState !== null) state = event.toState;
    if (event.type !== "RequestSent" || event.operationId === null) continue;
    if (undoing.has(event.operationId) !== (state === "compensating"))
      found.push(violation(event.operationId, `event ${event.seq} sent it while the task was ${state}`));
  }
  return found;
}

/** Where an entry of the stack has come to its end. `failed` has not: it waits for a person. */
const ENDED = new Set(["done", "not_needed", "closed_by_person"]);

function checkCompensated(evidence: Evidence, task: TaskRow): Violation[] {
  if (task.state !== "compensated") return [];
  const open = evidence.snapshot.compensations.filter((row) => row.taskId === task.id && !ENDED.has(row.state));
  const unsettled = evidence.operationsOf(task.id).filter((row) => !row.settled);
  return [
    ...open.map((row) => violation(task.taskKey, `it is compensated, but ${row.action} is ${row.state}`)),
    ...unsettled.map((row) => violation(task.taskKey, `it is compensated, but ${row.operationKey} is ${row.state}`)),
  ];
}
