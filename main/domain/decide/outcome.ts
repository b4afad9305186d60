import type { Command, CommandContext, ComparedObject } from "../commands";
import { canonicalJson, derivedId } from "../hashing";
import { assertNever } from "../ids";
import { canMove } from "../operation";
import { type Decision, draftEvent, refuse, type Write } from "../plan";
import type { OperationRow, OperationState } from "../records";
import { unmet } from "../unmet";
import { operationById, type TaskView } from "../view";
import { causerOf, checkStanding } from "./actor";

type RecordAnswer = Extract<Command, { type: "record_answer" }>;
type RecordLook = Extract<Command, { type: "record_look" }>;
type KeepLate = Extract<Command, { type: "keep_late_answer" }>;
type GiveVerdict = Extract<Command, { type: "give_verdict" }>;

const stateRefused = (operation: OperationRow) =>
  refuse("guard_failed", unmet("operation_state_is", { operation: operation.operationKey, state: operation.state }));

/**
 * What a call came to, saved before the task moves (domain 6). A timeout, a cut, a 5xx after sending, an unparsable answer
 * or a crash is `unknown`, never failed; only a proven non-start leads back to `prepared`.
 */
export function decideAnswer(view: TaskView, command: RecordAnswer, context: CommandContext): Decision {
  const standing = checkStanding(view.task, context, false);
  if (standing) return { ok: false, refusal: standing };
  const operation = operationById(view, command.operationId);
  if (!operation) return refuse("not_found", unmet("operation_not_found"));
  if (operation.state !== "request_sent") return stateRefused(operation);
  const { state, event } = answerTarget(command);
  const update: Partial<OperationRow> & Pick<OperationRow, "id"> = {
    id: operation.id,
    state,
    settled: state === "confirmed" || state === "rejected",
  };
  if (command.outcome === "confirmed")
    Object.assign(update, { remoteId: command.remoteId, remoteUrl: command.url, lastObservedAt: context.now });
  if (command.outcome === "unknown")
    Object.assign(update, { unknownSince: context.now, nextLookAt: command.firstLookAt });
  if (command.outcome === "not_sent")
    Object.assign(update, {
      nextLookAt: command.firstLookAt,
      preparedAt: context.now,
      preparedToken: view.task.fencingToken,
    });
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

/** The look's beginning is on record before the query leaves: a crash in between shows that we were asking. */
export function decideStartLook(
  view: TaskView,
  command: Extract<Command, { type: "start_look" }>,
  context: CommandContext,
): Decision {
  const standing = causerOf(context.actor) === "executor" ? checkStanding(view.task, context, false) : null;
  if (standing) return { ok: false, refusal: standing };
  const operation = operationById(view, command.operationId);
  if (!operation) return refuse("not_found", unmet("operation_not_found"));
  if (operation.state === "request_sent" || operation.state === "cancelled") return stateRefused(operation);
  const payload = { operationState: operation.state, look: operation.looksUsed + 1, query: command.query };
  return {
    ok: true,
    plan: {
      task: { callsUsed: view.task.callsUsed + 1 },
      events: [draftEvent("ReconcileStarted", { operationId: operation.id, payload })],
      writes: [],
    },
  };
}

/** A look is always a receipt; whether it moves the operation depends on what was seen and how able the query was. */
export function decideLook(view: TaskView, command: RecordLook, context: CommandContext): Decision {
  const standing = causerOf(context.actor) === "executor" ? checkStanding(view.task, context, false) : null;
  if (standing) return { ok: false, refusal: standing };
  const operation = operationById(view, command.operationId);
  if (!operation) return refuse("not_found", unmet("operation_not_found"));
  const target = lookTarget(command);
  const moves = target.state !== null && canMove(operation.state, target.state);
  const state = moves && target.state !== null ? target.state : operation.state;
  const update: Partial<OperationRow> & Pick<OperationRow, "id"> = {
    id: operation.id,
    looksUsed: operation.looksUsed + 1,
    lastObservedAt: command.verdict === "failed" ? operation.lastObservedAt : context.now,
    nextLookAt: state === "unknown" || state === "not_found" ? command.nextLookAt : null,
  };
  if (moves)
    Object.assign(update, { state, settled: state === "confirmed" || (state === "not_found" && command.pastHorizon) });
  if (moves && command.chosen)
    Object.assign(update, { remoteId: command.chosen.remoteId, remoteUrl: command.chosen.url });
  const payload = {
    operationState: state,
    verdict: command.verdict,
    able: command.able,
    pastHorizon: command.pastHorizon,
    objects: command.objects.length,
    remoteId: command.chosen?.remoteId ?? null,
    by: "reconciliation",
    code: command.rawCode,
    nextLookAt: update.nextLookAt,
  };
  return {
    ok: true,
    plan: {
      task: {},
      events: [draftEvent(target.event, { operationId: operation.id, payload })],
      writes: [
        { table: "operation", update, was: operation.state },
        { table: "reconciliation", insert: receipt(view, operation, command, context) },
        ...incidentWrites(view, operation, command, context),
      ],
    },
  };
}

function lookTarget(command: RecordLook): { state: OperationState | null; event: string } {
  switch (command.verdict) {
    case "confirmed":
      return { state: "confirmed", event: "RemoteConfirmed" };
    case "absent_yet":
      return { state: null, event: "RemoteNotFound" };
    case "not_found":
      return { state: "not_found", event: "RemoteNotFound" };
    case "conflict":
    case "duplicate":
      return { state: "conflict", event: "RemoteConflict" };
    case "locked":
      return { state: "locked", event: "OperationLocked" };
    case "failed":
      return { state: null, event: "OutcomeUnknown" };
    default:
      return assertNever(command.verdict, "look verdict");
  }
}

function receipt(view: TaskView, operation: OperationRow, command: RecordLook, context: CommandContext) {
  const objects = canonicalJson(command.objects.map(asPlain));
  return {
    id: derivedId("rc", operation.id, operation.looksUsed + 1, context.now, objects, context.actor),
    operationId: operation.id,
    taskId: view.task.id,
    at: context.now,
    query: command.query,
    able: command.able,
    verdict: command.verdict,
    objects,
    chosenRemoteId: command.chosen?.remoteId ?? null,
    rawCode: command.rawCode,
    actor: context.actor,
    nextLookAt: command.nextLookAt,
  };
}

const asPlain = (object: ComparedObject): Readonly<Record<string, unknown>> => ({ ...object });

/** Two objects in one slot is an incident and freezes writes (domain 6); a lock or conflict tells a person. */
function incidentWrites(
  view: TaskView,
  operation: OperationRow,
  command: RecordLook,
  context: CommandContext,
): Write[] {
  const { task } = view;
  const at = context.now;
  const details = canonicalJson({
    operationKey: operation.operationKey,
    objects: command.objects.map(asPlain),
    taskKey: task.taskKey,
  });
  const alert = (code: string): Write => ({
    table: "alert",
    insertIfNew: {
      id: derivedId("al", operation.id, code, operation.looksUsed),
      taskId: task.id,
      operationId: operation.id,
      code,
      urgency: "five_minutes",
      at,
      details,
    },
  });
  if (command.verdict === "duplicate") {
    const incident = {
      id: derivedId("in", operation.slot, "duplicate_remote"),
      taskId: task.id,
      rule: "duplicate_remote" as const,
      scope: "slot" as const,
      scopeValue: operation.slot,
      openedAt: at,
      openedBy: context.actor,
      closedAt: null,
    };
    return [{ table: "incident", insertIfNew: incident }, alert("duplicate_remote")];
  }
  if (command.verdict === "conflict") return [alert("remote_conflict")];
  if (command.verdict !== "locked") return [];
  const item = {
    id: derivedId("ri", operation.id, "unknown_outcome"),
    taskId: task.id,
    operationId: operation.id,
    kind: "unknown_outcome" as const,
    stage: "to_triage" as const,
    subject: operation.operationKey,
    errorClass: "unknown_outcome" as const,
    owner: task.owner,
    backupOwner: task.backupOwner,
    createdAt: at,
    dueAt: at + 3_600_000,
  };
  return [{ table: "recovery_item", insertIfNew: item }, alert("operation_locked")];
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
  const open = operation.state === "unknown" || operation.state === "not_found";
  const writes: Write[] = open
    ? [{ table: "operation", update: { id: operation.id, nextLookAt: context.now }, was: operation.state }]
    : [];
  return {
    ok: true,
    plan: { task: {}, events: [draftEvent("LateAnswerKept", { operationId: operation.id, payload })], writes },
  };
}

/**
 * A person's verdict on what no query could settle: with evidence, on `conflict` or `locked` only (domain 6). "Cannot tell"
 * is an answer too: it is kept and changes nothing.
 */
export function decideVerdict(view: TaskView, command: GiveVerdict, context: CommandContext): Decision {
  const operation = operationById(view, command.operationId);
  if (!operation) return refuse("not_found", unmet("operation_not_found"));
  if (causerOf(context.actor) !== "person")
    return refuse("guard_failed", unmet("person_required", { event: "verdict" }));
  if (command.evidence.trim() === "") return refuse("guard_failed", unmet("evidence_missing"));
  if (operation.state !== "conflict" && operation.state !== "locked")
    return refuse("guard_failed", unmet("verdict_not_asked", { state: operation.state }));
  if (command.verdict === "happened" && (command.remoteId ?? "") === "")
    return refuse("guard_failed", unmet("evidence_missing", { what: "remoteId" }));
  const state: OperationState =
    command.verdict === "happened" ? "confirmed" : command.verdict === "did_not_happen" ? "not_found" : operation.state;
  const event =
    command.verdict === "happened"
      ? "RemoteConfirmed"
      : command.verdict === "did_not_happen"
        ? "RemoteNotFound"
        : "OperationLocked";
  const update = {
    id: operation.id,
    state,
    settled: state === "confirmed" || state === "not_found",
    ...(state === "confirmed" ? { remoteId: command.remoteId, lastObservedAt: context.now } : {}),
  };
  const payload = {
    operationState: state,
    by: "person",
    verdict: command.verdict,
    remoteId: command.remoteId,
    pastHorizon: state === "not_found",
  };
  return {
    ok: true,
    plan: {
      task: {},
      events: [draftEvent(event, { operationId: operation.id, reason: command.evidence, payload })],
      writes: state === operation.state ? [] : [{ table: "operation", update, was: operation.state }],
    },
  };
}
