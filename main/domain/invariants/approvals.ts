import type { ApprovalRow, OperationRow } from "../records";
import { contextOf, type Evidence, isPerson, REVOKING, type Told, type Violation } from "./snapshot";

/**
 * I02 and I04, judged from what left: for every `RequestSent` of a publish, send or correction, an approval existed whose hashes
 * equal the request's, that a person's event had given before and that was neither expired, revoked nor ended at that moment; and
 * no send left before the public page, as it was written last, had been verified.
 */
export function checkApprovals(evidence: Evidence): Violation[] {
  return evidence.snapshot.operations.flatMap((operation) => {
    if (!isGoverned(operation)) return [];
    const sent = evidence.ofOperation(operation.id).filter((event) => event.type === "RequestSent");
    return sent.flatMap((event) => checkRequest(evidence, operation, event, event === sent[sent.length - 1]));
  });
}

function checkRequest(evidence: Evidence, operation: OperationRow, event: Told, isLast: boolean): Violation[] {
  const invariant = operation.kind === "publish" ? "I02" : "I04";
  const found: Violation[] = [];
  const missing = (detail: string) =>
    found.push({ invariant, subject: operation.operationKey, detail: `event ${event.seq}: ${detail}` });
  const changed = differsFromIntent(operation);
  if (changed) missing(changed);
  const bound = evidence.approvalsOf(operation.taskId).filter((approval) => isBound(approval, operation));
  const at = (isLast ? operation.requestSentAt : null) ?? trustedAtOf(event);
  if (bound.length === 0) missing("no approval of these bytes was ever given");
  else if (!bound.some((approval) => isLivingAt(evidence, approval, event, at)))
    missing("no approval of these bytes was living when the request left");
  if (operation.kind !== "publish" && !isPageProved(evidence, operation, event))
    missing("the public page had not been verified since it was written last");
  return found;
}

/** No gate governs an undo, nor a write that is neither published nor mailed. */
const isGoverned = ({ kind }: OperationRow): boolean => kind !== "compensate" && kind !== "effect";

/** Whether an approval of exactly what left was living when the operation's newest request did, where one is needed. */
export function wasApproved(evidence: Evidence, operation: OperationRow): boolean {
  if (!isGoverned(operation)) return true;
  const event = evidence
    .ofOperation(operation.id)
    .filter(({ type }) => type === "RequestSent")
    .at(-1);
  if (!event) return false;
  const at = operation.requestSentAt ?? event.at;
  const bound = evidence.approvalsOf(operation.taskId).filter((approval) => isBound(approval, operation));
  return bound.some((approval) => isLivingAt(evidence, approval, event, at));
}

/** What left must be what the operation was made for: the recomputed hashes are the intent's. */
function differsFromIntent(operation: OperationRow): string | null {
  const pairs = [
    ["content", operation.requestContentHash, operation.contentHash],
    ["page", operation.requestPageUrl, operation.pageUrl],
    ["body", operation.requestBodyHash, operation.bodyHash],
    ["audience", operation.requestAudienceHash, operation.audienceHash],
  ] as const;
  const wanted = operation.kind === "publish" ? pairs.slice(0, 1) : pairs.slice(1);
  const other = wanted.find(([, sent, intended]) => sent === null || sent !== intended);
  return other ? `the ${other[0]} of the request is not the intent's` : null;
}

function isBound(approval: ApprovalRow, operation: OperationRow): boolean {
  if (approval.scope !== operation.kind || approval.intentKey !== operation.intentKey) return false;
  // Values under different rules are never compared.
  if (approval.hashRuleVersion !== operation.hashRuleVersion) return false;
  if (operation.kind === "publish") return approval.contentHash === operation.requestContentHash;
  return (
    approval.pageUrl === operation.requestPageUrl &&
    approval.bodyHash === operation.requestBodyHash &&
    approval.audienceHash === operation.requestAudienceHash
  );
}

/** A row alone is no consent: a person's event before the request named it. */
const wasGiven = (evidence: Evidence, approval: ApprovalRow, event: Told): boolean =>
  evidence
    .ofTask(approval.taskId)
    .some(
      (other) =>
        other.seq < event.seq &&
        isPerson(other.actor) &&
        (other.isWithheld || contextOf(other)[`${approval.scope}ApprovalId`] === approval.id),
    );

/** A revocation stays one, whatever the row says by now. */
const wasRevoked = (evidence: Evidence, approval: ApprovalRow, event: Told): boolean =>
  evidence
    .ofTask(approval.taskId)
    .some((other) => other.seq < event.seq && REVOKING.has(other.type) && other.payload["approvalId"] === approval.id);

/** Events that take an approval away. Only needed where times are equal: then the order of the events decides. */
const ENDING = new Set([
  "ApprovalRevoked",
  "RevocationNoted",
  "ApprovalExpired",
  "ArtifactChanged",
  "RecollectChosen",
  "ContentRejected",
  "SendRejected",
  "AudienceChanged",
  "PageChanged",
]);

/**
 * The trusted time at which a request left, by which approvals live. Events of an older version did not tell it, and the clock on
 * the wall (`event.at`) may have stood wrong: then only the order of the events is left to judge by.
 */
const trustedAtOf = ({ payload }: Told): number | null =>
  typeof payload["trustedAt"] === "number" ? payload["trustedAt"] : null;

function isLivingAt(evidence: Evidence, approval: ApprovalRow, event: Told, at: number | null): boolean {
  if (at !== null && (approval.issuedAt > at || approval.expiresAt <= at)) return false;
  if (!wasGiven(evidence, approval, event) || wasRevoked(evidence, approval, event)) return false;
  const endedFirst = (taken: number | null, moment: number): boolean => {
    if (taken === null || taken > moment) return false;
    if (taken < moment) return true;
    return evidence
      .ofTask(approval.taskId)
      .some((other) => other.seq < event.seq && other.at === event.at && ENDING.has(other.type));
  };
  return (at === null || !endedFirst(approval.revokedAt, at)) && !endedFirst(approval.endedAt, event.at);
}

function isPageProved(evidence: Evidence, operation: OperationRow, event: Told): boolean {
  const before = evidence.ofTask(operation.taskId).filter((other) => other.seq < event.seq);
  const publishes = new Set(
    evidence
      .operationsOf(operation.taskId)
      .filter(({ kind }) => kind === "publish")
      .map(({ id }) => id),
  );
  const wasWritten = (other: Told) =>
    other.type === "RequestSent" && other.operationId !== null && publishes.has(other.operationId);
  const writtenAt = before.filter(wasWritten).pop()?.seq ?? 0;
  return before.some((other) => other.type === "PageVerified" && other.seq > writtenAt);
}
