import { type ComparedObject, compareObject } from "./commands";
import type { Instant } from "./ids";
import type { AdapterManifest, LookAnswer, RemoteObject } from "./ports";
import type { LookVerdict, OperationRow } from "./records";

export interface JudgedLook {
  verdict: LookVerdict;
  able: boolean;
  objects: readonly ComparedObject[];
  chosen: { remoteId: string; url: string | null } | null;
  rawCode: string | null;
  nextLookAt: Instant | null;
  pastHorizon: boolean;
}

/**
 * Judges one look (domain 6): two objects with our key are a duplicate; one is held against every hash; none counts as
 * "not found" only from a query able to see, after the adapter's horizon. A query that failed tells nothing.
 */
export function judgeLook(
  operation: OperationRow,
  createKey: string,
  answer: LookAnswer,
  manifest: AdapterManifest,
  now: Instant,
): JudgedLook {
  const horizonAt = (operation.requestSentAt ?? now) + manifest.query.horizonMs;
  const looks = operation.looksUsed + 1;
  const next = nextLook(looks, manifest, now, horizonAt);
  const spent = looks >= manifest.query.lookBudget || !manifest.query.reliable;
  if (answer.kind === "failed" || !answer.able) {
    const rawCode = answer.kind === "failed" ? answer.error.code : "not_able_to_see";
    const hint = answer.kind === "failed" ? answer.error.retryAfterMs : null;
    const at = hint === null ? next : Math.max(next, now + hint);
    return {
      verdict: spent ? "locked" : "failed",
      able: false,
      objects: [],
      chosen: null,
      rawCode,
      nextLookAt: spent ? null : at,
      pastHorizon: false,
    };
  }
  const objects = answer.objects.map((object) => compareWith(operation, createKey, object));
  const ours = answer.objects.flatMap((object, index) => {
    const compared = objects[index] as ComparedObject;
    return carriesOut(operation, object.appliedKeys, compared) ? [compared] : [];
  });
  const seen = { able: true, objects, rawCode: null, pastHorizon: false };
  const only = ours[0];
  if (operation.state === "prepared") {
    // Before we have sent anything the place must be empty, and a later phase not yet carried out: what is there, ours from
    // a forgotten time or somebody else's, is for a person to judge. The machine has no way from prepared to confirmed.
    const isCreate = operation.phase === "create" || operation.phase === "deliver";
    const there = ours[0] ?? (isCreate ? objects[0] : undefined);
    const chosen = there ? { remoteId: there.remoteId, url: there.url } : null;
    return { ...seen, verdict: there ? "conflict" : "absent_yet", chosen, nextLookAt: null };
  }
  if (ours.length > 1) return { ...seen, verdict: "duplicate", chosen: null, nextLookAt: null };
  if (only) {
    const fits = only.intentEqual !== false && only.contentEqual !== false && only.taskEqual !== false;
    const chosen = { remoteId: only.remoteId, url: only.url };
    return { ...seen, verdict: fits ? "confirmed" : "conflict", chosen, nextLookAt: null };
  }
  const pastHorizon = now >= horizonAt;
  if (pastHorizon) return { ...seen, verdict: "not_found", chosen: null, nextLookAt: null, pastHorizon };
  return { ...seen, verdict: "absent_yet", chosen: null, nextLookAt: spent ? horizonAt : next };
}

/** A later phase acts on the object that the create made: key and intent of that object are the create's. */
function compareWith(operation: OperationRow, createKey: string, object: RemoteObject): ComparedObject {
  const { intentHash, taskId } = operation;
  const contentHash = operation.contentHash ?? operation.bodyHash;
  const compared = compareObject(object, { key: createKey, intentHash, contentHash, taskId });
  const bearsOwnIntent = operation.phase === "create" || operation.phase === "deliver" || operation.phase === "update";
  return bearsOwnIntent ? compared : { ...compared, intentEqual: null };
}

/** A create is found by its own key; a later phase by the key the remote says it has carried out. */
function carriesOut(operation: OperationRow, appliedKeys: readonly string[], object: ComparedObject): boolean {
  return operation.phase === "create" || operation.phase === "deliver"
    ? object.keyEqual
    : appliedKeys.includes(operation.operationKey);
}

/** First after the visibility delay, then doubling; the last look falls on the horizon, where absence begins to count. */
function nextLook(looks: number, manifest: AdapterManifest, now: Instant, horizonAt: Instant): Instant {
  const delay = manifest.query.visibilityDelayMs * 2 ** Math.min(looks - 1, 10);
  const at = now + delay;
  return now < horizonAt ? Math.min(at, horizonAt) : at;
}
