import { makeApproval } from "../approval";
import { newSignatureMissing } from "../approval-signature";
import type { EventDraft } from "../chain";
import type { CommandContext, TransitionCommand } from "../commands";
import { isTerminal, type PipelineDefinition, rulesFor, type TransitionRule, type WayOut } from "../definition";
import { evaluate } from "../guards";
import type { GuardInput } from "../guards/input";
import { hasLeft } from "../operation";
import { type Decision, draftEvent, type Plan, refuse, type Write } from "../plan";
import type { ApprovalRow, TaskRow } from "../records";
import { type Unmet, unmet } from "../unmet";
import type { TaskView } from "../view";
import { causerOf, checkStanding } from "./actor";
import { blockedReasonOf, blockedWrites, recipientsOpen } from "./blocking";
import { prepareOperations } from "./prepare-operations";
import { enterStage } from "./stage";

/**
 * Moves a task by one event of its definition's table, or says everything that stands against it (domain 3 and 4).
 * Pure: returns events and writes as data.
 */
export function decideTransition(view: TaskView, command: TransitionCommand, context: CommandContext): Decision {
  const { task, definition } = view;
  if (isTerminal(task.state)) return refuse("illegal_transition", unmet("state_is", { state: task.state }));
  const standing = checkStanding(task, context, true);
  if (standing) return { ok: false, refusal: standing };
  const rule = rulesFor(definition, task.state, command.event);
  if (!rule) return refuse("illegal_transition", unmet("state_is", { state: task.state, event: command.event }));
  const input: GuardInput = { view, command, context };
  const target = resolveTarget(view, rule, command);
  const missing = [...checkCauser(definition, rule, context), ...evaluate(rule.guards, input)];
  if ("missing" in target) missing.push(...target.missing);
  else if (target.way) missing.push(...evaluate(target.way.guards, input));
  if (rule.reasons && !rule.reasons.includes(command.blockedReason ?? "")) missing.push(unmet("reason_missing"));
  if (command.audience) missing.push(...accountsKept(view));
  if (command.approval) {
    missing.push(...statedInTime(command, context));
    missing.push(...newSignatureMissing(approvalOf(view, command, context), view.signers()));
  }
  if (missing.length > 0) return refuse("guard_failed", ...missing);
  if ("missing" in target) return refuse("guard_failed", ...target.missing);
  return planTransition(view, command, context, rule, target);
}

interface Target {
  to: string;
  way: WayOut | null;
}

function resolveTarget(
  view: TaskView,
  rule: TransitionRule,
  command: TransitionCommand,
): Target | { missing: Unmet[] } {
  const { task, definition } = view;
  if (rule.to === "=") return { to: task.state, way: null };
  if (rule.to === "@resume") return { to: task.resumeState ?? task.state, way: null };
  if (rule.to !== "@way_out") return { to: rule.to, way: null };
  const wanted = command.wayOut?.to ?? "";
  const ways = definition.blocked[task.blockedReason ?? ""]?.waysOut ?? [];
  const way = ways.find(
    (candidate) =>
      (candidate.to === "@resume" ? task.resumeState : candidate.to) === wanted &&
      (candidate.blockedIn === undefined || candidate.blockedIn.includes(task.resumeState ?? "")),
  );
  if (!way) return { missing: [unmet("way_out_closed", { reason: task.blockedReason ?? "—", to: wanted })] };
  return { to: wanted, way };
}

function checkCauser(definition: PipelineDefinition, rule: TransitionRule, context: CommandContext): Unmet[] {
  const causer = causerOf(context.actor);
  // Undoing begins by itself only where the definition was judged fit for it (domain 3).
  const isWaited = rule.to === "compensating" && causer !== "person" && definition.startCompensation !== "automatic";
  if (isWaited) return [unmet("person_required", { event: rule.event })];
  if (rule.by.includes(causer)) return [];
  return [unmet(rule.by.includes("person") ? "person_required" : "executor_required", { event: rule.event })];
}

function planTransition(
  view: TaskView,
  command: TransitionCommand,
  context: CommandContext,
  rule: TransitionRule,
  target: Target,
): Decision {
  const { task } = view;
  const writes: Write[] = artifactWrites(view, command, context);
  const events: EventDraft[] = [];
  const contextPatch: Record<string, string | number | null> = { ...command.context };
  writes.push(...endApprovals(view, rule, context));
  if (command.approval) {
    const approval = approvalOf(view, command, context);
    writes.push({ table: "approval", insert: approval });
    contextPatch[`${approval.scope}ApprovalId`] = approval.id;
  }
  // By which reason's way a person led it out: whether they decided about sending anew is read from it later.
  if (rule.to === "@way_out") contextPatch["unblockedReason"] = task.blockedReason;
  if (command.event === "ApprovalRevoked" || command.event === "RevocationNoted")
    writes.push(revocation(command, context));
  if (command.audience) writes.push(...audienceWrites(view, command, context));
  const changes = stateChanges(view, command, context, target);
  if (target.to !== task.state) {
    const stage = enterStage(
      view,
      target.to,
      { keepsCheckpoint: target.way?.keepsCheckpoint ?? false, resuming: rule.to === "@resume" },
      context.now,
    );
    writes.push(...stage);
    cancelPrepared(view, target.to, writes, events);
  }
  if (command.operations) {
    const prepared = prepareOperations(view, command.operations, context);
    if (!prepared.ok) return { ok: false, refusal: prepared.refusal };
    writes.push(...prepared.writes);
    events.push(...prepared.events);
  }
  if (target.to === "blocked") writes.push(...blockedWrites(view, command, context));
  if (target.to === "awaiting_observation") writes.push(recipientsOpen(view, context));
  const main = draftEvent(command.event, {
    fromState: task.state,
    toState: target.to,
    reason: command.reason ?? command.wayOut?.evidence ?? null,
    evidenceRefs: command.evidenceRefs ?? [],
    payload: eventPayload(command, contextPatch),
  });
  const plan: Plan = { task: changes, events: [main, ...events], writes };
  return { ok: true, plan };
}

/** Payload as stored: what the command brought, the reason of a block, the error as a record, the context's changes. */
function eventPayload(
  command: TransitionCommand,
  context: Readonly<Record<string, string | number | null>>,
): Record<string, unknown> {
  return {
    ...command.payload,
    ...(command.blockedReason === undefined ? {} : { blockedReason: command.blockedReason }),
    ...(command.error === undefined ? {} : { error: command.error }),
    ...(command.wayOut?.newDeadlineAt === undefined ? {} : { newDeadlineAt: command.wayOut.newDeadlineAt }),
    ...(command.retryAt === undefined ? {} : { retryAt: command.retryAt }),
    ...(Object.keys(context).length === 0 ? {} : { context }),
  };
}

function stateChanges(
  view: TaskView,
  command: TransitionCommand,
  context: CommandContext,
  target: Target,
): Partial<TaskRow> {
  const { task, definition } = view;
  const changes: Partial<TaskRow> = {};
  if (command.wayOut?.newDeadlineAt !== undefined) changes.deadlineAt = command.wayOut.newDeadlineAt;
  if (target.to === task.state) return changes;
  changes.state = target.to;
  changes.stateVersion = task.stateVersion + 1;
  changes.stateSince = context.now;
  changes.blockedReason = target.to === "blocked" ? blockedReasonOf(command) : null;
  changes.retryAt = target.to === "retry_wait" ? (command.retryAt ?? context.now) : null;
  const from = task.state === "retry_wait" ? task.resumeState : task.state;
  changes.resumeState = target.to === "blocked" || target.to === "retry_wait" ? from : null;
  if (definition.releasesLease.includes(target.to) || isTerminal(target.to)) {
    changes.leaseOwner = null;
    changes.leaseExpiresAt = null;
  }
  return changes;
}

function artifactWrites(view: TaskView, command: TransitionCommand, context: CommandContext): Write[] {
  return (command.artifacts ?? []).map((artifact) => ({
    table: "artifact" as const,
    insertIfNew: { ...artifact, taskId: view.task.id, at: context.now },
  }));
}

function endApprovals(view: TaskView, rule: TransitionRule, context: CommandContext): Write[] {
  const ends = rule.ends ?? [];
  return view
    .approvals()
    .filter((approval) => ends.includes(approval.scope) && approval.endedAt === null && approval.revokedAt === null)
    .map((approval) => ({ table: "approval" as const, update: { id: approval.id, endedAt: context.now } }));
}

/** A hardware key is looked for and touched in this time; who took longer approves what is there by then. */
const MOST_SIGNING_MS = 5 * 60_000;

/** What an approval is given for is judged by now; that its words are a moment older is granted to a signed one only. */
function statedInTime({ approvalStated, approvalSignature }: TransitionCommand, context: CommandContext): Unmet[] {
  if (approvalStated === undefined) return [];
  const age = context.trusted.at - approvalStated.at;
  const isGranted = approvalSignature !== undefined && age >= 0 && age <= MOST_SIGNING_MS;
  return isGranted ? [] : [unmet("signature_came_late", { at: approvalStated.at })];
}

/** The approval that a command gives at this moment: whoever signs it signs its statement. @throws where it gives none. */
export function approvalOf(view: TaskView, command: TransitionCommand, context: CommandContext): ApprovalRow {
  const { task, definition } = view;
  const terms = command.approval as NonNullable<TransitionCommand["approval"]>;
  const stated = command.approvalStated ?? context.trusted;
  const bound = {
    ...terms,
    taskId: task.id,
    approver: context.actor,
    issuedAt: stated.at,
    expiresAt: stated.at + definition.deadlines.approvalTtlMs,
    timeSource: stated.trusted ? stated.source : `untrusted:${stated.source}`,
    zone: task.zone,
  };
  const { approvalSignature: signature } = command;
  const signedBy = view.signers().at(-1)?.fingerprint ?? null;
  return makeApproval(bound, task.stateVersion, signature === undefined ? undefined : { signature, signedBy });
}

function revocation(command: TransitionCommand, context: CommandContext): Write {
  const id = String(command.payload?.["approvalId"] ?? "");
  return { table: "approval", update: { id: id as never, revokedAt: context.trusted.at, revokedBy: context.actor } };
}

/** Once a mailing has left, the accounts are of those it went to: no event may bring another audience (I06). */
const accountsKept = (view: TaskView): Unmet[] =>
  view
    .operations()
    .filter((row) => row.kind === "send" && (row.phase === "trigger" || row.phase === "deliver") && hasLeft(row))
    .map((row) => unmet("something_is_out", { operation: row.operationKey }));

function audienceWrites(view: TaskView, command: TransitionCommand, context: CommandContext): Write[] {
  const audience = command.audience as NonNullable<TransitionCommand["audience"]>;
  const { id: taskId } = view.task;
  return [
    { table: "audience_snapshot", insertIfNew: { ...audience.snapshot, taskId, at: context.now } },
    // Nothing has been sent yet at this point, so the accounts are simply those of the new audience.
    { table: "recipient_account", clear: taskId },
    ...audience.recipients.map((recipient) => ({
      table: "recipient_account" as const,
      upsert: { ...recipient, taskId, at: context.now, code: null },
    })),
  ];
}

/**
 * Leaving the stage that made them cancels its prepared operations; undoing starts, and a task ends, where nothing forward may
 * leave any more.
 * An undo is cancelled by nothing but the end of undoing itself.
 */
function cancelPrepared(view: TaskView, to: string, writes: Write[], events: EventDraft[]): void {
  const { task, definition } = view;
  const dropsForward =
    definition.cancelsPreparedOnLeaving.includes(task.state) || to === "compensating" || isTerminal(to);
  const dropsUndo = task.state === "compensating";
  for (const operation of view.operations()) {
    const isDropped = operation.kind === "compensate" ? dropsUndo : dropsForward;
    if (operation.state !== "prepared" || !isDropped) continue;
    writes.push({
      table: "operation",
      update: { id: operation.id, state: "cancelled", settled: true, nextLookAt: null },
      was: "prepared",
    });
    events.push(
      draftEvent("OperationCancelled", { operationId: operation.id, payload: { operationState: "cancelled" } }),
    );
  }
}
