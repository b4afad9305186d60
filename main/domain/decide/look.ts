import { raiseAlert } from "../alert";
import type { Command, CommandContext, ComparedObject } from "../commands";
import { isTerminal } from "../definition";
import { canonicalJson, derivedId } from "../hashing";
import { assertNever } from "../ids";
import { canMove } from "../operation";
import { type Decision, draftEvent, refuse, type Write } from "../plan";
import type { OperationRow, OperationState } from "../records";
import { unmet } from "../unmet";
import { operationById, type TaskView } from "../view";
import { causerOf, checkStanding } from "./actor";
import { refuseState } from "./answer";

type RecordLook = Extract<Command, { type: "record_look" }>;

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
  if (operation.state === "request_sent" || operation.state === "cancelled") return refuseState(operation);
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

/** What a look may move. A call under way has its own answer coming; conflict and locked wait for a person's verdict (domain 6). */
const MOVED_BY_LOOKS: readonly OperationState[] = ["unknown", "not_found", "confirmed"];

/**
 * A look is always a receipt; whether it moves the operation depends on what was seen and how able the query was. A look that
 * another one has overtaken moves nothing: in between the request may have been sent anew, and what it saw is about before.
 * Nor does one at a task that has ended: what it found is an incident, and the account that was closed stays closed (I08).
 */
export function decideLook(view: TaskView, command: RecordLook, context: CommandContext): Decision {
  const standing = causerOf(context.actor) === "executor" ? checkStanding(view.task, context, false) : null;
  if (standing) return { ok: false, refusal: standing };
  const operation = operationById(view, command.operationId);
  if (!operation) return refuse("not_found", unmet("operation_not_found"));
  const target = lookTarget(command);
  const isOvertaken = command.look !== undefined && command.look !== operation.looksUsed + 1;
  const mayMove = !isOvertaken && !isTerminal(view.task.state) && MOVED_BY_LOOKS.includes(operation.state);
  const moves = mayMove && target.state !== null && canMove(operation.state, target.state);
  const state = moves && target.state !== null ? target.state : operation.state;
  const update: Partial<OperationRow> & Pick<OperationRow, "id"> = {
    id: operation.id,
    looksUsed: operation.looksUsed + 1,
    lastObservedAt: command.able ? context.now : operation.lastObservedAt,
    nextLookAt: isOvertaken ? operation.nextLookAt : nextLookAfter(operation, state, command),
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
        ...(isOvertaken && command.verdict !== "duplicate" ? [] : incidentWrites(view, operation, command, context)),
      ],
    },
  };
}

/**
 * When to look again. A prepared operation keeps the time before which it may not be sent; a look that failed is made again,
 * at its own pace, whatever it was for.
 */
function nextLookAfter(operation: OperationRow, state: OperationState, command: RecordLook): number | null {
  if (state === "unknown" || state === "not_found") return command.nextLookAt;
  if (state === "confirmed" && command.verdict === "confirmed") return command.nextLookAt;
  if (command.verdict === "failed" && command.nextLookAt !== null)
    return Math.max(command.nextLookAt, operation.nextLookAt ?? 0);
  return state === "prepared" ? operation.nextLookAt : null;
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
    id: derivedId("rc", operation.id, view.looks(operation.id).length + 1, context.now, context.actor),
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
  const more = { objects: command.objects.map(asPlain) };
  const alert = (code: string): Write => raiseAlert(view, context, { code, operationId: operation.id, more });
  if (command.verdict === "duplicate") {
    const isOpen = view
      .freezes()
      .some((row) => row.rule === "duplicate_remote" && row.scope === "slot" && row.scopeValue === operation.slot);
    // One incident at a time for a place; a duplicate found after it was closed is a new one, and freezes anew.
    if (isOpen) return [alert("duplicate_remote")];
    const incident = {
      id: derivedId("in", operation.id, "duplicate_remote", view.looks(operation.id).length),
      taskId: task.id,
      rule: "duplicate_remote" as const,
      kind: "duplicate_remote" as const,
      operationId: operation.id,
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
