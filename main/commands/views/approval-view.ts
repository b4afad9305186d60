import type { Output } from "../../../preload/contract";
import { isLiving } from "../../domain/approval";
import { signatureMissing } from "../../domain/approval-signature";
import { currentIntentKey } from "../../domain/guards/input";
import type { Instant } from "../../domain/ids";
import type { ApprovalRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";

export type ApprovalView = NonNullable<Output<"run.get">>["approvals"][number];

/** The approvals of a task as they stand at trusted time, oldest first. */
export function approvalViews(view: TaskView, trustedAt: Instant): ApprovalView[] {
  return view.approvals().flatMap((approval) => {
    const { scope } = approval;
    // Corrections have no screen of their own yet.
    if (scope === "correct") return [];
    const { id, approver, issuedAt, expiresAt, revokedAt, contentHash, timeSource, signedBy } = approval;
    const state = stateOf(view, approval, trustedAt);
    const signature = signatureOf(view, approval);
    const given = { id, scope, approver, issuedAt, expiresAt, revokedAt, contentHash, timeSource };
    return [{ ...given, state, signature, signedBy }];
  });
}

/** The newest approval of a gate, whatever became of it. */
export function newestApproval(view: TaskView, scope: ApprovalView["scope"], trustedAt: Instant): ApprovalView | null {
  return (
    approvalViews(view, trustedAt)
      .filter((approval) => approval.scope === scope)
      .at(-1) ?? null
  );
}

/** The first thing that ended it decides; an approval of other bytes than those on the table is outdated though nothing ended it. */
function stateOf(view: TaskView, approval: ApprovalRow, at: Instant): ApprovalView["state"] {
  if (approval.revokedAt !== null) return "revoked";
  // The sweep that finds an approval expired also ends it; then it is its time that was over.
  if (approval.expiresAt <= Math.min(at, approval.endedAt ?? at)) return "expired";
  const isOfTheTable = approval.intentKey === currentIntentKey(view, approval.scope);
  return isLiving(approval, at) && isOfTheTable ? "living" : "outdated";
}

/** Held against the registered keys each time it is shown: what was right an hour ago may have been rewritten since. */
function signatureOf(view: TaskView, approval: ApprovalRow): ApprovalView["signature"] {
  if (signatureMissing(approval, view.signers()).length > 0) return "wrong";
  return approval.signature === null ? "none" : "good";
}
