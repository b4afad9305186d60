import type { Desk } from "../commands/desk";
import type { Command, CommandContext, TransitionCommand } from "../domain/commands";
import type { TaskId } from "../domain/ids";
import type { BlobStore, Clock, OutgoingRequest } from "../domain/ports";
import type { OperationRow, TaskRow } from "../domain/records";
import { sendConfirmation } from "../pipeline/briefing/desk";
import type { Life } from "./crash";
import { Crash } from "./crash";
import type { MemoryCustomers } from "./memory";
import { undoPerhaps } from "./person-undo";
import type { Line } from "./remote";
import { simulatedCms, simulatedMail } from "./remote-adapters";

export interface Trespassing {
  clock: Clock;
  desk(): Desk | null;
  line: Line;
  life: Life;
  blobs: BlobStore;
  customers: MemoryCustomers;
  /** Has editions taken back, for worlds in which the rules about undoing are looked at. */
  undoes: boolean;
  note(text: string): void;
}

/** Often enough to be found, seldom enough to leave the world something to do. */
const TRIES = 2;

/** A moment after the event: what it tries must be tried while the occasion lasts. */
const AFTER_MS = 200;

/**
 * Tries, in every world and at every occasion, what each invariant forbids: through the journal's one handler, as a wrong program
 * or a wrong hand would. Always refused; where a rule is switched off it succeeds, and must be found.
 */
export class Trespasser {
  private readonly tried = new Map<string, number>();

  constructor(private readonly around: Trespassing) {}

  /** @param types events just committed */
  onEvents(types: readonly string[], taskId: TaskId | null): void {
    if (taskId === null) return;
    for (const type of types) {
      const attempt = ATTEMPTS[type];
      const occasion = `${type} ${taskId}`;
      const tries = this.tried.get(occasion) ?? 0;
      if (!attempt || tries >= TRIES) continue;
      this.tried.set(occasion, tries + 1);
      void this.around.clock.sleep(AFTER_MS).then(() => this.tryTo(attempt, taskId));
    }
  }

  private async tryTo(attempt: Attempt, taskId: TaskId): Promise<void> {
    const desk = this.around.desk();
    const task = desk?.journal.reader.task(taskId);
    if (!desk || !task) return;
    try {
      await attempt(this.around, desk, task);
    } catch (error) {
      if (!(error instanceof Crash)) throw error;
    }
  }
}

type Attempt = (around: Trespassing, desk: Desk, task: TaskRow) => Promise<void> | void;

const ATTEMPTS: Readonly<Record<string, Attempt>> = {
  TaskCreated: startAnother,
  CheckPassed: publishUnapproved,
  OutcomeUnknown: sendAgain,
  SendReviewOpened: mailUnapproved,
  LeaseClaimed: writeWithOldToken,
  SendAccepted: (around, desk, task) => move(around, desk, task, "DeliveryAccounted"),
  CompensationStarted: (around, desk, task) => move(around, desk, task, "Compensated"),
  DeliveryAccounted: reopen,
  ClosedProtectively: reopen,
  Compensated: reopen,
};

function execute(around: Trespassing, desk: Desk, command: Command, more: Partial<CommandContext>): boolean {
  const context = { actor: "editor:trespasser" as const, now: desk.clock.now(), trusted: desk.trusted.read() };
  const answer = desk.journal.execute(command, { ...context, ...more });
  if (answer.result === "applied") around.note(`${"event" in command ? command.event : command.type} went through`);
  return answer.result === "applied";
}

/** I01: a second task beside the living one. */
function startAnother(around: Trespassing, desk: Desk, task: TaskRow): void {
  if (task.taskVersion > 1) return;
  const { taskKey, pipeline, definitionHash, edition, language, deadlineAt, zone, id: supersedesTaskId } = task;
  const about = { taskKey, pipeline, definitionHash, edition, language, deadlineAt, zone, supersedesTaskId };
  execute(around, desk, { type: "create_task", taskVersion: 2, ...about, context: { startAt: 0 } }, {});
}

/** I02: an approval that approves nothing. */
function publishUnapproved(around: Trespassing, desk: Desk, task: TaskRow): void {
  const command: Command = { type: "transition", taskId: task.id, event: "ContentApproved" };
  execute(around, desk, command, { expectedVersion: task.stateVersion });
}

/** I03: the same call once more, while nobody knows what became of it. */
async function sendAgain(around: Trespassing, desk: Desk, task: TaskRow): Promise<void> {
  const operations = desk.journal.reader.view(task.id)?.operations() ?? [];
  const operation = operations.find(({ state, kind }) => state === "unknown" && kind !== "compensate");
  const { requestBytesHash } = operation ?? {};
  if (!operation || !requestBytesHash || task.leaseOwner === null) return;
  const command: Command = {
    ...{ type: "mark_request_sent", taskId: task.id, operationId: operation.id, requestBytesHash },
    recomputed: operation,
    delay: { policyVersion: 1, baseDelayMs: 0, hintMs: null, actualDelayMs: 0 },
  };
  const actor = task.leaseOwner as CommandContext["actor"];
  const more = { actor, expectedVersion: task.stateVersion, fencingToken: task.fencingToken };
  if (execute(around, desk, command, more)) await carry(around, task, operation, operations);
}

async function carry(
  around: Trespassing,
  task: TaskRow,
  operation: OperationRow,
  operations: readonly OperationRow[],
): Promise<void> {
  const { line, life, blobs, customers, clock } = around;
  const { id: operationId, operationKey, slot, kind, phase, target, requestBytesHash } = operation;
  const bytes = customers.keptRequest(operationId) ?? blobs.get(requestBytesHash ?? ("" as never));
  const remoteId = operations.find(({ id }) => id === operation.afterId)?.remoteId ?? operation.remoteId;
  const request: OutgoingRequest = {
    operationId,
    operationKey,
    taskId: task.id,
    slot,
    kind,
    phase,
    target,
    remoteId,
    bytes,
  };
  const adapter = kind === "publish" ? simulatedCms(line, life) : simulatedMail(line, life);
  await adapter.send(request, { signal: clock.timeout(30_000).signal, now: clock.now() });
}

/** I04: a mailing with everything but the approval. */
function mailUnapproved(around: Trespassing, desk: Desk, task: TaskRow): void {
  const view = desk.journal.reader.view(task.id);
  if (!view || task.state !== "awaiting_send_approval") return;
  if (around.undoes) return undoPerhaps({ note: around.note, dice: around.line.dice }, desk, task);
  const seen = { pageUrl: "", bodyHash: "", audienceHash: "", typed: sendConfirmation(task.edition, 0) };
  const made = desk.pipeline.sendApproval(view, { ...seen, acknowledgedAdditions: [] });
  if (!("command" in made)) return;
  const { approval: _left, ...command } = made.command;
  execute(around, desk, command, { expectedVersion: task.stateVersion });
}

/** I05: an executor that lost the task writes all the same. */
function writeWithOldToken(around: Trespassing, desk: Desk, task: TaskRow): void {
  const command: Command = {
    ...{ type: "note", taskId: task.id, event: "ProbeAttempted", operationId: null, payload: {} },
  };
  const expectedVersion = task.stateVersion;
  execute(around, desk, command, { actor: "executor:paused", expectedVersion, fencingToken: task.fencingToken - 1 });
}

function move(around: Trespassing, desk: Desk, task: TaskRow, event: string): void {
  const command: TransitionCommand = { type: "transition", taskId: task.id, event };
  execute(around, desk, command, { expectedVersion: task.stateVersion });
}

/** I08: what has ended, again. */
function reopen(around: Trespassing, desk: Desk, task: TaskRow): void {
  const command: TransitionCommand = {
    type: "transition",
    taskId: task.id,
    event: "ClosedProtectively",
    reason: "again",
  };
  execute(around, desk, command, { expectedVersion: task.stateVersion });
}
