import { signatureMissing } from "./approval-signature";
import { canonicalJson, derivedId } from "./hashing";
import { asApprovalId, type Instant, type Sha256, type TaskId } from "./ids";
import type { ApprovalRow, ApprovalScope, SignerRow } from "./records";
import { type Unmet, unmet } from "./unmet";

/** What a person agrees to: every field goes into the statement's canonical bytes (domain 1). */
export interface ApprovalTerms {
  taskId: TaskId;
  scope: ApprovalScope;
  intentKey: string;
  hashRuleVersion: number;
  contentHash: Sha256 | null;
  packageHash: Sha256 | null;
  pageUrl: string | null;
  bodyHash: Sha256 | null;
  audienceHash: Sha256 | null;
  checkReceiptId: string | null;
  /** Hashes of what the person had before them. */
  evidence: readonly string[];
  comparedWith: { choice: string; hash: string | null };
  acknowledged: readonly string[];
  approver: string;
  issuedAt: Instant;
  expiresAt: Instant;
  timeSource: string;
  zone: string;
}

/**
 * Makes the approval's row; the statement is frozen here once and never rebuilt.
 * @param stateVersion of the task when it was given: the same words at the same moment, after a revocation, are another approval
 * @param signed the signature over the statement, and the registered key that is to have made it
 */
export function makeApproval(
  terms: ApprovalTerms,
  stateVersion: number,
  signed: Pick<ApprovalRow, "signature" | "signedBy"> = { signature: null, signedBy: null },
): ApprovalRow {
  const statement = canonicalJson({ format: "imprimatur-approval/1", ...terms });
  return {
    id: asApprovalId(derivedId("ap", statement, stateVersion)),
    taskId: terms.taskId,
    scope: terms.scope,
    intentKey: terms.intentKey,
    hashRuleVersion: terms.hashRuleVersion,
    contentHash: terms.contentHash,
    packageHash: terms.packageHash,
    pageUrl: terms.pageUrl,
    bodyHash: terms.bodyHash,
    audienceHash: terms.audienceHash,
    checkReceiptId: terms.checkReceiptId,
    approver: terms.approver,
    issuedAt: terms.issuedAt,
    expiresAt: terms.expiresAt,
    timeSource: terms.timeSource,
    zone: terms.zone,
    statement,
    ...signed,
    revokedAt: null,
    revokedBy: null,
    endedAt: null,
  };
}

/** Unexpired, unrevoked, not ended by a newer artifact, at trusted time `at`. */
export const isLiving = (approval: ApprovalRow, at: Instant): boolean =>
  approval.revokedAt === null && approval.endedAt === null && approval.issuedAt <= at && approval.expiresAt > at;

/** What is asked of an approval: the gate, the intent, the rule and every hash it must equal. */
export interface ApprovalDemand {
  scope: ApprovalScope;
  intentKey: string;
  hashRuleVersion: number;
  contentHash?: Sha256 | null;
  pageUrl?: string | null;
  bodyHash?: Sha256 | null;
  audienceHash?: Sha256 | null;
}

/**
 * Holds the newest approvals of a gate against a demand (I02, I04), their signatures with them.
 * @param signers every registered key, oldest first
 * @returns the living approval that fits, or everything that is missing.
 */
export function findApproval(
  approvals: readonly ApprovalRow[],
  demand: ApprovalDemand,
  at: Instant,
  signers: readonly SignerRow[],
): { approval: ApprovalRow } | { missing: Unmet[] } {
  const ofGate = approvals.filter((a) => a.scope === demand.scope);
  const lacking = (a: ApprovalRow) => [...differences(a, demand), ...signatureMissing(a, signers)];
  const fitting = ofGate.find((a) => isLiving(a, at) && lacking(a).length === 0);
  if (fitting) return { approval: fitting };
  const newest = ofGate[ofGate.length - 1];
  if (!newest) {
    const code = approvals.length > 0 ? "approval_other_gate" : "approval_missing";
    return { missing: [unmet(code, { gate: demand.scope })] };
  }
  const missing = lacking(newest);
  if (newest.revokedAt !== null) missing.push(unmet("approval_revoked", { at: newest.revokedAt }));
  else if (newest.endedAt !== null) missing.push(unmet("approval_outdated", { at: newest.endedAt }));
  if (newest.expiresAt <= at) missing.push(unmet("approval_expired", { at: newest.expiresAt }));
  if (newest.issuedAt > at) missing.push(unmet("trusted_time_missing", { at: newest.issuedAt }));
  return { missing };
}

/** Where an approval, or the terms of one that is about to be given, does not cover what is asked of it. */
export function differences(approval: Pick<ApprovalRow, keyof ApprovalDemand>, demand: ApprovalDemand): Unmet[] {
  const found: Unmet[] = [];
  const pair = (have: string | null, want: string | null) => ({ approved: have ?? "—", now: want ?? "—" });
  if (approval.hashRuleVersion !== demand.hashRuleVersion) {
    // Values under different rules are never compared (domain 1): stop before the hashes.
    return [unmet("hash_rule_differs", { approved: approval.hashRuleVersion, now: demand.hashRuleVersion })];
  }
  if (demand.contentHash !== undefined && approval.contentHash !== demand.contentHash)
    found.push(unmet("content_hash_differs", pair(approval.contentHash, demand.contentHash)));
  if (demand.pageUrl !== undefined && approval.pageUrl !== demand.pageUrl)
    found.push(unmet("page_url_differs", pair(approval.pageUrl, demand.pageUrl)));
  if (demand.bodyHash !== undefined && approval.bodyHash !== demand.bodyHash)
    found.push(unmet("body_hash_differs", pair(approval.bodyHash, demand.bodyHash)));
  if (demand.audienceHash !== undefined && approval.audienceHash !== demand.audienceHash)
    found.push(unmet("audience_hash_differs", pair(approval.audienceHash, demand.audienceHash)));
  if (found.length === 0 && approval.intentKey !== demand.intentKey)
    found.push(unmet("approval_outdated", { approved: approval.intentKey, now: demand.intentKey }));
  return found;
}
