import { findApproval } from "../approval";
import type { Command, CommandContext } from "../commands";
import { automaticStopAt } from "../deadlines";
import { evaluate } from "../guards";
import { frozenBy } from "../guards/gates";
import { HASH_RULE_VERSION } from "../hash-rule";
import { freezesWrite } from "../incident";
import { approvalScopeOf, isMailing } from "../operation";
import { type Decision, draftEvent, refuse } from "../plan";
import type { ApprovalRow, OperationRow } from "../records";
import { TASK_CALL_BUDGET } from "../retry";
import { type Unmet, unmet } from "../unmet";
import { isLookedForInVain, looksSincePrepared, operationById, type TaskView } from "../view";
import { checkExecutor, checkStanding } from "./actor";

type MarkRequestSent = Extract<Command, { type: "mark_request_sent" }>;

/**
 * The outbox's commit before the bytes leave (domain 6). Everything is judged again here: a guard passed an hour ago is not
 * a guard. Approval, freeze, epoch, deadline, page and audience are held against hashes recomputed from the frozen bytes.
 */
export function decideRequestSent(view: TaskView, command: MarkRequestSent, context: CommandContext): Decision {
  const standing = checkExecutor(context, "mark_request_sent") ?? checkStanding(view.task, context, true);
  if (standing) return { ok: false, refusal: standing };
  const operation = operationById(view, command.operationId);
  if (!operation) return refuse("not_found", unmet("operation_not_found"));
  const approval = demandApproval(view, operation, command, context);
  const missing = [
    ...stateConditions(view, operation),
    ...("missing" in approval ? approval.missing : []),
    ...recomputedEqual(operation, command),
    ...outsideConditions(view, operation, context),
  ];
  if (missing.length > 0) return refuse("guard_failed", ...missing);
  const granted = "approval" in approval ? approval.approval : null;
  return planRequestSent(view, operation, command, context, granted);
}

function planRequestSent(
  view: TaskView,
  operation: OperationRow,
  command: MarkRequestSent,
  context: CommandContext,
  approval: ApprovalRow | null,
): Decision {
  const number = view.attempts(operation.id).length + 1;
  return {
    ok: true,
    plan: {
      task: { callsUsed: view.task.callsUsed + 1 },
      events: [
        draftEvent("RequestSent", {
          operationId: operation.id,
          evidenceRefs: [command.requestBytesHash],
          payload: {
            operationState: "request_sent",
            attempt: number,
            approvalId: approval?.id ?? null,
            requestBytesHash: command.requestBytesHash,
            trustedTimeSource: context.trusted.source,
            trustedAt: context.trusted.at,
          },
        }),
      ],
      writes: [
        {
          table: "operation",
          was: operation.state,
          update: {
            id: operation.id,
            state: "request_sent",
            settled: false,
            requestSentAt: context.trusted.at,
            requestContentHash: command.recomputed.contentHash,
            requestPageUrl: command.recomputed.pageUrl,
            requestBodyHash: command.recomputed.bodyHash,
            requestAudienceHash: command.recomputed.audienceHash,
            requestBytesHash: command.requestBytesHash,
            nextLookAt: null,
          },
        },
        {
          table: "attempt",
          insert: {
            operationId: operation.id,
            number,
            taskId: view.task.id,
            approvalId: approval?.id ?? null,
            actor: context.actor,
            fencingToken: context.fencingToken ?? 0,
            ...command.delay,
            startedAt: context.now,
            endedAt: null,
            outcome: null,
            rawCode: null,
            rawReference: null,
            errorClass: null,
          },
        },
      ],
    },
  };
}

/** The approval that covers this very operation, with the hashes as they are now (I02, I04), where a gate governs its kind. */
function demandApproval(view: TaskView, operation: OperationRow, command: MarkRequestSent, context: CommandContext) {
  const scope = approvalScopeOf(operation.kind);
  if (scope === null) return { none: true as const };
  const { intentKey } = operation;
  const { contentHash, pageUrl, bodyHash, audienceHash } = command.recomputed;
  const hashes = scope === "publish" ? { contentHash } : { pageUrl, bodyHash, audienceHash };
  return findApproval(
    view.approvals(),
    { scope, intentKey, hashRuleVersion: HASH_RULE_VERSION, ...hashes },
    context.trusted.at,
    view.signers(),
  );
}

function stateConditions(view: TaskView, operation: OperationRow): Unmet[] {
  const missing: Unmet[] = [];
  const resendable =
    operation.state === "prepared" ||
    // With a look due (a late answer came) its absence is no longer proven.
    (operation.state === "not_found" && operation.settled && operation.nextLookAt === null);
  if (!resendable)
    missing.push(unmet("operation_state_is", { operation: operation.operationKey, state: operation.state }));
  if (!view.definition.outsideStates.includes(view.task.state))
    missing.push(unmet("state_is", { state: view.task.state }));
  if ((operation.kind === "compensate") !== (view.task.state === "compensating"))
    missing.push(unmet("undo_only_while_compensating", { operation: operation.operationKey }));
  const before = operation.afterId === null ? null : operationById(view, operation.afterId);
  if (operation.afterId !== null && before?.state !== "confirmed")
    missing.push(unmet("predecessor_not_confirmed", { operation: before?.operationKey ?? "—" }));
  // A look at it is due (a draft before its publishing, a late answer): what it shows may be two of it.
  if (before && (before.nextLookAt !== null || isLookedForInVain(view, before)))
    missing.push(unmet("operation_unsettled", { operation: before.operationKey }));
  const lastLook = looksSincePrepared(view, operation).at(-1);
  if (
    operation.state === "prepared" &&
    lastLook &&
    (lastLook.verdict === "conflict" || lastLook.verdict === "duplicate")
  )
    missing.push(unmet("slot_has_object", { slot: operation.slot, object: lastLook.chosenRemoteId ?? "—" }));
  if (needsLookFirst(view, operation))
    missing.push(unmet("operation_unsettled", { operation: operation.operationKey }));
  return missing;
}

/** A backup may be from before its edition was begun: for a week, what is begun anew may be outside already (case B7). */
const FORGOTTEN_FOR_MS = 8 * 86_400_000;

/**
 * What a lost executor had prepared is looked up before it may leave: takeover in publishing, sending or compensating begins
 * with reconciliation, always (domain 5). The same holds for every operation of a task that is older than a restored backup:
 * the outside may know of a request that this journal has forgotten. And of one whose answer came too late to be believed.
 */
export function needsLookFirst(view: TaskView, operation: OperationRow): boolean {
  if (operation.state !== "prepared" && operation.state !== "not_found") return false;
  const { raisedAt } = view.epoch();
  const attempts = view.attempts(operation.id);
  const lastToken = operation.state === "prepared" ? operation.preparedToken : (attempts.at(-1)?.fencingToken ?? 0);
  const reasons = [
    raisedAt !== null && view.task.createdAt <= raisedAt + FORGOTTEN_FOR_MS ? raisedAt : null,
    lastToken < view.task.takeoverToken ? (view.lastEvent("LeaseClaimed")?.at ?? 0) : null,
    attempts.length > 0 ? (view.lastEvent("LateAnswerKept")?.at ?? null) : null,
  ].filter((at) => at !== null);
  const since = Math.max(...reasons);
  return (
    reasons.length > 0 &&
    !view.looks(operation.id).some((look) => look.at >= since && look.able && look.verdict !== "failed")
  );
}

function recomputedEqual(operation: OperationRow, command: MarkRequestSent): Unmet[] {
  const { recomputed } = command;
  const pair = (approved: string | null, now: string | null) => ({ approved: approved ?? "—", now: now ?? "—" });
  const missing: Unmet[] = [];
  if (recomputed.contentHash !== operation.contentHash)
    missing.push(unmet("content_hash_differs", pair(operation.contentHash, recomputed.contentHash)));
  if (recomputed.pageUrl !== operation.pageUrl)
    missing.push(unmet("page_url_differs", pair(operation.pageUrl, recomputed.pageUrl)));
  if (recomputed.bodyHash !== operation.bodyHash)
    missing.push(unmet("body_hash_differs", pair(operation.bodyHash, recomputed.bodyHash)));
  if (recomputed.audienceHash !== operation.audienceHash)
    missing.push(unmet("audience_hash_differs", pair(operation.audienceHash, recomputed.audienceHash)));
  if (operation.requestBytesHash !== null && operation.requestBytesHash !== command.requestBytesHash)
    missing.push(unmet("package_changed", { seen: operation.requestBytesHash, now: command.requestBytesHash }));
  return missing;
}

/**
 * An undo asks for no approval of its own, no time left and no calls left: a task that is past all of them must still be
 * taken back. Its bounds are the tries of its entry.
 */
function outsideConditions(view: TaskView, operation: OperationRow, context: CommandContext): Unmet[] {
  const input = { view, command: { type: "transition" as const, taskId: view.task.id, event: "RequestSent" }, context };
  const { task, definition } = view;
  const frozen = view
    .freezes()
    .filter((row) => freezesWrite(row, operation))
    .map(frozenBy);
  if (operation.kind === "compensate") return [...frozen, ...evaluate(["epoch_reconciled"], input)];
  // Trusted time is asked for where an approval is used (domain 8).
  const timed = approvalScopeOf(operation.kind) === null ? [] : (["trusted_time"] as const);
  const missing = [...frozen, ...evaluate(["epoch_reconciled", ...timed], input)];
  const stop = definition.fullDeadlineStates.includes(task.state)
    ? task.deadlineAt
    : automaticStopAt(task, definition.deadlines);
  if (context.now >= stop) missing.push(unmet("deadline_passed", { at: stop }));
  if (isMailing(operation.kind)) {
    const verified =
      view.lastEvent("PageVerified") !== null && task.context["verifiedContentHash"] === task.context["contentHash"];
    if (!verified) missing.push(unmet("page_not_verified"));
  }
  const entry = view.compensations().find((row) => row.id === operation.compensationId);
  if (!entry) missing.push(unmet("compensation_missing", { operation: operation.operationKey }));
  if (operation.automatic && entry?.grade === "D")
    missing.push(unmet("grade_d_never_automatic", { operation: operation.operationKey }));
  if (task.callsUsed >= TASK_CALL_BUDGET) missing.push(unmet("budget_left", { what: "task" }));
  return missing;
}
