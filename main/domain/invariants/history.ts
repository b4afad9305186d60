import { verifyEvent } from "../chain";
import { compareStack } from "../compensation-replay";
import { isTerminal } from "../definition";
import { GENESIS } from "../hashing";
import type { Sha256 } from "../ids";
import { OPERATION_TRANSITIONS } from "../operation";
import type { EventRow, TaskRow } from "../records";
import { compareWithReplay, foldOperation, movesTask, type ReplayedOperation } from "../replay";
import { type Evidence, groupBy, type Violation } from "./snapshot";

/**
 * I08: both chains are whole over the stored bytes; a task that ended never moves again; every event begins in the state the one
 * before it left; operations only take ways that exist; and the rows say what the events say, no more and no less.
 */
export function checkHistory(evidence: Evidence): Violation[] {
  const { tasks, events } = evidence.snapshot;
  const byTask = groupBy(events, (event) => event.taskId);
  const stacks = groupBy(evidence.snapshot.compensations, (entry) => entry.taskId);
  return [
    ...checkChain(evidence),
    ...tasks.flatMap((task) => [
      ...checkMoves(evidence, task),
      ...[
        ...compareWithReplay(task, evidence.operationsOf(task.id), byTask.get(task.id) ?? []),
        ...compareStack(stacks.get(task.id) ?? [], evidence.ofTask(task.id)),
      ].map((difference) =>
        violation(
          task.taskKey,
          `${difference.subject} ${difference.field}: the row says ${difference.row}, the events ${difference.replayed}`,
        ),
      ),
    ]),
    ...evidence.snapshot.operations.flatMap((operation) => checkWays(evidence, operation)),
  ];
}

const violation = (subject: string, detail: string): Violation => ({ invariant: "I08", subject, detail });

/** In a part of a journal only the tasks' own chains are there to be followed. */
function checkChain(evidence: Evidence): Violation[] {
  const { events, isWhole } = evidence.snapshot;
  const found: Violation[] = [];
  const tasks = new Map<string, { hash: Sha256; taskSeq: number }>();
  let before = { hash: GENESIS, seq: 0 };
  for (const event of events) {
    const taskBefore = tasks.get(event.taskId ?? "") ?? { hash: GENESIS, taskSeq: 0 };
    const expected = isWhole ? before : { hash: event.prevHash, seq: event.seq - 1 };
    for (const fault of verifyEvent(event, expected, taskBefore)) found.push(violation(`event ${event.seq}`, fault));
    before = { hash: event.hash, seq: event.seq };
    if (event.taskId !== null && event.taskSeq !== null)
      tasks.set(event.taskId, { hash: event.hash, taskSeq: event.taskSeq });
  }
  return found;
}

function checkMoves(evidence: Evidence, task: TaskRow): Violation[] {
  const found: Violation[] = [];
  let state: string | null = null;
  for (const event of evidence.ofTask(task.id)) {
    const say = (detail: string) => found.push(violation(task.taskKey, `event ${event.seq} ${event.type}: ${detail}`));
    if (event.type === "TaskCreated") {
      if (state !== null) say("the task was created before");
      state = event.toState;
      continue;
    }
    if (state === null) say("nothing precedes it that created the task");
    if (event.fromState !== null && event.fromState !== state)
      say(`it begins in ${event.fromState}, the task was ${state}`);
    if (!movesTask(event)) continue;
    if (state !== null && isTerminal(state)) say(`it moves a task that had ended as ${state}`);
    state = event.toState;
  }
  return found;
}

function checkWays(evidence: Evidence, operation: { id: EventRow["operationId"]; operationKey: string }): Violation[] {
  const found: Violation[] = [];
  let before: ReplayedOperation | null = null;
  for (const event of operation.id === null ? [] : evidence.ofOperation(operation.id)) {
    const after = foldOperation(before, event);
    const say = (detail: string) =>
      found.push(violation(operation.operationKey, `event ${event.seq} ${event.type}: ${detail}`));
    if (before === null && after !== null && after.state !== "prepared") say(`it begins as ${after.state}`);
    if (before !== null && after !== null && before.state !== after.state) {
      if (!OPERATION_TRANSITIONS[before.state]?.includes(after.state))
        say(`there is no way from ${before.state} to ${after.state}`);
    } else if (event.type === "RequestSent" && before?.state === "request_sent") say("it left while it was out");
    before = after;
  }
  return found;
}
