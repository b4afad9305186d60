import type { Command, CommandContext } from "../commands";
import { assertNever } from "../ids";
import { type Decision, draftEvent, refuse, type Write } from "../plan";
import type { OperationRow, OperationState } from "../records";
import { unmet } from "../unmet";
import { operationById, type TaskView } from "../view";
import { checkExecutor, checkStanding } from "./actor";

type RecordAnswer = Extract<Command, { type: "record_answer" }>;
type KeepLate = Extract<Command, { type: "keep_late_answer" }>;

/** The operation stands where this cannot be said about it. */
export const refuseState = (operation: OperationRow): Decision =>
  refuse("guard_failed", unmet("operation_state_is", { operation: operation.operationKey, state: operation.state }));

/**
 * What a call came to, saved before the task moves (domain 6). A timeout, a cut, a 5xx after sending, an unparsable answer
 * or a crash is `unknown`, never failed; only a proven non-start leads back to `prepared`.
 */
export function decideAnswer(view: TaskView, command: RecordAnswer, context: CommandContext): Decision {
  const standing = checkExecutor(context, "record_answer") ?? checkStanding(view.task, context, false);
  if (standing) return { ok: false, refusal: standing };
  const operation = operationById(view, command.operationId);
  if (!operation) return refuse("not_found", unmet("operation_not_found"));
  if (operation.state !== "request_sent") return refuseState(operation);
  // An answer to an earlier try is not this try's: what that one came to has been written down already.
  const attempt = view.attempts(operation.id).at(-1);
  if (attempt?.number !== command.attempt || attempt.endedAt !== null) return refuseState(operation);
  const { state, event } = answerTarget(command);
  const update: Partial<OperationRow> & Pick<OperationRow, "id"> = {
    id: operation.id,
    state,
    settled: state === "confirmed" || state === "rejected",
  };
  if (command.outcome === "confirmed")
    Object.assign(update, {
      remoteId: command.remoteId,
      remoteUrl: command.url,
      lastObservedAt: context.now,
      // A look that a late answer asked for stays due: this answer is about one object, that one may be about another.
      nextLookAt: operation.nextLookAt ?? command.firstLookAt,
    });
  if (command.outcome === "unknown")
    Object.assign(update, { unknownSince: context.now, nextLookAt: command.firstLookAt });
  // Not `preparedAt`: the order of operations and the budget of tries go by when it was first meant.
  if (command.outcome === "not_sent")
    Object.assign(update, { nextLookAt: command.firstLookAt, preparedToken: view.task.fencingToken });
  const close = {
    operationId: operation.id,
    number: command.attempt,
    endedAt: context.now,
    outcome: command.outcome,
    rawCode: command.error?.code ?? null,
    rawReference: command.error?.reference ?? null,
    errorClass: command.error?.class ?? null,
  };
  const payload = {
    operationState: state,
    attempt: command.attempt,
    remoteId: command.remoteId,
    by: "answer",
    error: command.error,
    nextLookAt: command.firstLookAt,
  };
  return {
    ok: true,
    plan: {
      task: {},
      events: [draftEvent(event, { operationId: operation.id, payload })],
      writes: [
        { table: "operation", update, was: operation.state },
        { table: "attempt", close },
      ],
    },
  };
}

function answerTarget(command: RecordAnswer): { state: OperationState; event: string } {
  switch (command.outcome) {
    case "confirmed":
      return { state: "confirmed", event: "RemoteConfirmed" };
    case "rejected":
      return { state: "rejected", event: "OperationRejected" };
    case "not_sent":
      return { state: "prepared", event: "OperationPrepared" };
    case "unknown":
      return { state: "unknown", event: "OutcomeUnknown" };
    default:
      return assertNever(command.outcome, "outcome");
  }
}

/** An answer that arrives with an old token: kept as evidence, changes no state, triggers a look (domain 4). */
export function decideLateAnswer(view: TaskView, command: KeepLate, context: CommandContext): Decision {
  const operation = operationById(view, command.operationId);
  if (!operation) return refuse("not_found", unmet("operation_not_found"));
  const payload = {
    operationState: operation.state,
    oldToken: command.oldToken,
    outcome: command.outcome,
    remoteId: command.remoteId,
  };
  // Also where we believe to know the end: the late answer may be about a second object (domain 5). What is prepared is
  // looked up before it may leave; conflict and locked are a person's.
  const triggersLook = ["request_sent", "unknown", "not_found", "confirmed"].includes(operation.state);
  const writes: Write[] = triggersLook
    ? [{ table: "operation", update: { id: operation.id, nextLookAt: context.now }, was: operation.state }]
    : [];
  const events = [draftEvent("LateAnswerKept", { operationId: operation.id, payload })];
  return { ok: true, plan: { task: {}, events, writes, keptFromAnyone: true } };
}
