import type { Unmet } from "../unmet";
import * as evidence from "./evidence";
import * as gates from "./gates";
import type { Guard, GuardInput } from "./input";
import type { GuardName } from "./names";
import * as outcomes from "./outcomes";

/** Names to functions; the type makes a guard without a function, or the other way round, a compile error. */
export const GUARDS: Readonly<Record<GuardName, Guard>> = {
  due_or_by_hand: evidence.dueOrByHand,
  required_sources_frozen: evidence.requiredSourcesFrozen,
  reason_given: evidence.reasonGiven,
  evidence_given: evidence.evidenceGiven,
  draft_frozen: evidence.draftFrozen,
  repair_spent: evidence.repairSpent,
  nothing_found_missing: evidence.nothingFoundMissing,
  package_frozen: evidence.packageFrozen,
  package_as_seen: gates.packageAsSeen,
  warnings_acknowledged: gates.warningsAcknowledged,
  source_change_warned: evidence.sourceChangeWarned,
  nothing_out: gates.nothingOut,
  something_out: gates.somethingOut,
  nothing_unanswered: gates.nothingUnanswered,
  publish_approval_living: gates.publishApprovalLiving,
  publish_approval_expired: gates.publishApprovalExpired,
  publish_approval_revoked: gates.publishApprovalRevoked,
  send_approval_expired: gates.sendApprovalExpired,
  send_approval_revoked: gates.sendApprovalRevoked,
  compensation_registered: gates.compensationRegistered,
  deadline_open: evidence.deadlineOpen,
  deadline_passed: evidence.deadlinePassed,
  new_deadline_given: evidence.newDeadlineGiven,
  not_frozen: gates.notFrozen,
  epoch_reconciled: gates.epochReconciled,
  trusted_time: gates.trustedTime,
  publish_confirmed: outcomes.publishConfirmed,
  page_verified: outcomes.pageVerified,
  page_captured: outcomes.pageCaptured,
  audience_computed: outcomes.audienceComputed,
  send_terms_as_seen: gates.sendTermsAsSeen,
  operations_settled_well: outcomes.operationsSettledWell,
  recipients_accounted: outcomes.recipientsAccounted,
  observation_window_over: outcomes.observationWindowOver,
  totals_differ: outcomes.totalsDiffer,
  retry_allowed: evidence.retryAllowed,
  retry_due: evidence.retryDue,
  nothing_unsettled: outcomes.nothingUnsettled,
  undo_plan_reviewed: outcomes.undoPlanReviewed,
  undo_settled: outcomes.undoSettled,
  compensation_finished: outcomes.compensationFinished,
  edited_draft_given: evidence.editedDraftGiven,
};

/** Runs the named guards and lists everything that is missing: never just the first. */
export function evaluate(names: readonly GuardName[], input: GuardInput): Unmet[] {
  return names.flatMap((name) => [...GUARDS[name](input)]);
}
