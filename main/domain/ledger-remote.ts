import type { RemoteRecords, RemoteThing } from "./invariants";
import { type Evidence, groupBy } from "./invariants/snapshot";
import type { OperationRow } from "./records";

/** How many objects and mails the remotes hold beyond the first of their place, whether they are still up or not. */
export function countDuplicates(evidence: Evidence, remote: RemoteRecords): number {
  const made = operationsByKey(evidence);
  // The place is the journal's: a second page gets another address from the website, but its key names the same slot.
  const objects = groupBy(remote.objects, (thing) => made.get(thing.key)?.slot ?? `${thing.system} ${thing.place}`);
  const mails = groupBy(remote.mailings, (mailing) => `${mailing.place} ${mailing.recipientId}`);
  return [...objects.values(), ...mails.values()].reduce((sum, same) => sum + same.length - 1, 0);
}

/**
 * How many pages the website holds that were not sent under a publish approval of exactly what they show, valid, not revoked and
 * not ended at the moment the request left.
 */
export function countUnapproved(evidence: Evidence, remote: RemoteRecords): number {
  const made = operationsByKey(evidence);
  const pages = remote.objects.filter((thing) => thing.system === "cms");
  return pages.filter((page) => !isApproved(evidence, made.get(page.key), page)).length;
}

const operationsByKey = (evidence: Evidence): ReadonlyMap<string | null, OperationRow> =>
  new Map(evidence.snapshot.operations.map((operation) => [operation.operationKey, operation]));

function isApproved(evidence: Evidence, made: OperationRow | undefined, page: RemoteThing): boolean {
  if (made === undefined) return false;
  const { approvals, attempts, operations } = evidence.snapshot;
  // What a page shows may be of a later write into the same place.
  const writes = operations.filter(
    (row) => row.kind === "publish" && row.slot === made.slot && row.requestContentHash === page.contentHash,
  );
  return writes.some((write) =>
    attempts.some((attempt) => {
      const at = write.requestSentAt;
      const approval = approvals.find((row) => attempt.operationId === write.id && row.id === attempt.approvalId);
      if (approval === undefined || at === null || approval.contentHash !== page.contentHash) return false;
      const wasTakenBack = [approval.revokedAt, approval.endedAt].some((end) => end !== null && end < at);
      return approval.scope === "publish" && approval.issuedAt <= at && at < approval.expiresAt && !wasTakenBack;
    }),
  );
}
