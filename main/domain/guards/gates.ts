import { differences, findApproval, isLiving } from "../approval";
import type { TransitionCommand } from "../commands";
import { HASH_RULE_VERSION } from "../hash-rule";
import type { Sha256 } from "../ids";
import { freezesWrite } from "../incident";
import { hasLeft, isOut } from "../operation";
import type { ApprovalRow, ApprovalScope, IncidentRow } from "../records";
import { type Unmet, unmet } from "../unmet";
import { describeIntents, validateActions } from "../validate-definition";
import type { TaskView } from "../view";
import { currentIntentKey, type Guard, gateOperations } from "./input";

/** The package on the table is the one the person saw, and its bytes still hash to what they saw (domain 3, ContentApproved). */
export const packageAsSeen: Guard = ({ view, command }) => {
  const missing: Unmet[] = [];
  const { packageHash, contentHash } = view.task.context;
  const seen = command.payload ?? {};
  if (typeof packageHash !== "string" || seen["packageHash"] !== packageHash)
    missing.push(
      unmet("package_changed", { seen: String(seen["packageHash"] ?? "—"), now: String(packageHash ?? "—") }),
    );
  if (seen["contentHash"] !== contentHash || seen["recomputedContentHash"] !== contentHash)
    missing.push(
      unmet("content_hash_differs", {
        approved: String(seen["contentHash"] ?? "—"),
        now: String(seen["recomputedContentHash"] ?? "—"),
      }),
    );
  return missing.length > 0 ? missing : approvalFits(view, command, "publish");
};

/**
 * The approval that comes with the click is for this gate, this intent and exactly what is on the table (case D4): what it is
 * found to cover only at the request would be told to the person an hour too late.
 */
function approvalFits(view: TaskView, command: TransitionCommand, scope: "publish" | "send"): Unmet[] {
  const terms = command.approval;
  if (!terms) return [unmet("approval_missing", { gate: scope })];
  if (terms.scope !== scope) return [unmet("approval_other_gate", { gate: scope })];
  const { context } = view.task;
  const intentKey = currentIntentKey(view, scope);
  if (intentKey === null) return [unmet("package_missing")];
  const hash = (name: string) => (context[name] ?? null) as Sha256 | null;
  const hashes =
    scope === "publish"
      ? { contentHash: hash("contentHash") }
      : { pageUrl: hash("pageUrl"), bodyHash: hash("bodyHash"), audienceHash: hash("audienceHash") };
  return differences(terms, { scope, intentKey, hashRuleVersion: HASH_RULE_VERSION, ...hashes });
}

/** Warnings are ticked one by one (redirects, timeouts, bot-blocked links, optional sources missing). */
export const warningsAcknowledged: Guard = ({ view, command }) => {
  const open = String(view.task.context["warnings"] ?? "")
    .split("\n")
    .filter((id) => id !== "");
  const ticked = new Set((command.payload?.["acknowledged"] as readonly string[] | undefined) ?? []);
  return open.filter((id) => !ticked.has(id)).map((id) => unmet("warning_not_acknowledged", { warning: id }));
};

/** What the person had before them at the send gate equals what is there now, recomputed at the click (I04). */
export const sendTermsAsSeen: Guard = ({ view, command }) => {
  const missing: Unmet[] = [];
  const { context } = view.task;
  const seen = command.payload ?? {};
  // Nothing seen and nothing there is no agreement.
  const differ = (name: string) =>
    typeof context[name] !== "string" || seen[name] !== context[name] || seen[`recomputed_${name}`] !== context[name];
  const pair = (name: string) => ({
    approved: String(seen[name] ?? "—"),
    now: String(seen[`recomputed_${name}`] ?? context[name] ?? "—"),
  });
  if (differ("pageUrl")) missing.push(unmet("page_url_differs", pair("pageUrl")));
  if (differ("bodyHash")) missing.push(unmet("body_hash_differs", pair("bodyHash")));
  if (differ("audienceHash")) missing.push(unmet("audience_hash_differs", pair("audienceHash")));
  if (seen["typed"] !== seen["confirmation"])
    missing.push(unmet("typed_confirmation_differs", { expected: String(seen["confirmation"] ?? "") }));
  const ticked = new Set((seen["acknowledgedAdditions"] as readonly string[] | undefined) ?? []);
  for (const id of (seen["additions"] as readonly string[] | undefined) ?? [])
    if (!ticked.has(id)) missing.push(unmet("addition_not_acknowledged", { recipient: id }));
  return missing.length > 0 ? missing : approvalFits(view, command, "send");
};

/** Nothing of the present intent has left: neither confirmed nor without an answer. */
export const nothingOut: Guard = ({ view }) =>
  gateOperations(view, view.task.state === "blocked" ? (view.task.resumeState ?? "") : view.task.state)
    .filter(hasLeft)
    .map((operation) => unmet("something_is_out", { operation: operation.operationKey }));

/** A revocation is merely noted only where it comes too late to hold everything back. */
export const somethingOut: Guard = ({ view }) => (gateOperations(view).some(hasLeft) ? [] : [unmet("nothing_is_out")]);

/** Nothing anywhere in the task is without an answer (protective closure). */
export const nothingUnanswered: Guard = ({ view }) =>
  view
    .operations()
    .filter(isOut)
    .map((operation) => unmet("operation_unsettled", { operation: operation.operationKey }));

export const publishApprovalLiving: Guard = ({ view, context }) => {
  const intentKey = currentIntentKey(view, "publish");
  if (intentKey === null) return [unmet("package_missing")];
  const contentHash = view.task.context["contentHash"] as Sha256;
  const answer = findApproval(
    view.approvals(),
    { scope: "publish", intentKey, hashRuleVersion: HASH_RULE_VERSION, contentHash },
    context.trusted.at,
    view.signers(),
  );
  return "missing" in answer ? answer.missing : [];
};

const newest = (view: TaskView, scope: ApprovalScope): ApprovalRow | null =>
  view
    .approvals()
    .filter((approval) => approval.scope === scope)
    .at(-1) ?? null;

/** The approval's 24 h are over; at a gate where none was given yet, the offered package's 24 h (domain 3). */
export const approvalExpiredAt = (view: TaskView): number | null => {
  const { task, definition } = view;
  const scope = definition.gates[task.state];
  if (scope === undefined) return null;
  if (definition.humanStates.includes(task.state)) return task.stateSince + definition.deadlines.approvalTtlMs;
  const approval = newest(view, scope);
  return approval && approval.revokedAt === null && approval.endedAt === null ? approval.expiresAt : null;
};

const expired: Guard = ({ view, context }) => {
  const at = approvalExpiredAt(view);
  return at !== null && context.trusted.at >= at ? [] : [unmet("approval_still_living", { until: at ?? 0 })];
};
export const publishApprovalExpired = expired;
export const sendApprovalExpired = expired;

const revocable =
  (scope: ApprovalScope): Guard =>
  ({ view, command, context }) => {
    const approval = view.approvals().find((row) => row.id === command.payload?.["approvalId"]);
    if (!approval || approval.scope !== scope) return [unmet("approval_not_found")];
    return isLiving(approval, context.trusted.at)
      ? []
      : [unmet("approval_outdated", { at: approval.revokedAt ?? approval.endedAt ?? approval.expiresAt })];
  };
export const publishApprovalRevoked = revocable("publish");
export const sendApprovalRevoked = revocable("send");

export const compensationRegistered: Guard = ({ command }) => {
  const intents = command.operations ?? [];
  if (intents.length === 0) return [unmet("operation_not_found")];
  if (intents[0]?.compensation == null) return [unmet("compensation_missing", { operation: intents[0]?.slot ?? "—" })];
  return validateActions(describeIntents(intents)).map((fault) =>
    fault.rule === "grade_d_automatic"
      ? unmet("grade_d_never_automatic", { operation: fault.action })
      : fault.rule === "write_after_grade_c"
        ? unmet("write_after_grade_c", { operation: fault.action, follower: fault.follower })
        : unmet("stack_too_deep", { depth: fault.depth }),
  );
};

/** No open incident holds back what the event would write; where it brings no write, whatever the task may write next. */
export const notFrozen: Guard = ({ view, command }) => {
  const writes = command.operations ?? [];
  return view
    .freezes()
    .filter((row) => writes.length === 0 || writes.some((write) => freezesWrite(row, write)))
    .map(frozenBy);
};

export const frozenBy = ({ id, rule }: IncidentRow): Unmet => unmet("writes_frozen", { incident: id, rule });

export const epochReconciled: Guard = ({ view }) => {
  const { epoch, reconciled } = view.epoch();
  return reconciled >= epoch ? [] : [unmet("epoch_not_reconciled", { epoch })];
};

export const trustedTime: Guard = ({ context }) =>
  context.trusted.trusted ? [] : [unmet("trusted_time_missing", { at: context.trusted.at })];
