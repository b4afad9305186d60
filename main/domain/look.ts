import { type ComparedObject, compareObject, type TrustedReading } from "./commands";
import type { Instant } from "./ids";
import type { AdapterManifest, LookAnswer, RemoteObject } from "./ports";
import type { LookVerdict, OperationRow } from "./records";
import type { TaskView } from "./view";

export interface JudgedLook {
  verdict: LookVerdict;
  able: boolean;
  objects: readonly ComparedObject[];
  chosen: { remoteId: string; url: string | null } | null;
  rawCode: string | null;
  nextLookAt: Instant | null;
  pastHorizon: boolean;
  /** Its number, counted from one since the operation was prepared. */
  look: number;
}

/** The moment of a look. Whether a horizon is over is told by trusted time alone: the wall clock may have been set (case C8). */
export interface LookMoment {
  now: Instant;
  trusted: TrustedReading;
}

/** Close to the end of the time for which a remote remembers a key, a request might arrive after it. */
const KEY_WINDOW_MARGIN_MS = 5 * 60_000;

/** Past the remote's memory of the key only questions are safe: a second request would be a new one to it (domain 6, case E5). */
export function isKeyWindowOver(operation: OperationRow, manifest: AdapterManifest, trustedAt: Instant): boolean {
  const { keyRetentionMs } = manifest.query;
  if (keyRetentionMs === null || operation.requestSentAt === null) return false;
  return trustedAt >= operation.requestSentAt + keyRetentionMs - KEY_WINDOW_MARGIN_MS;
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
  moment: LookMoment,
): JudgedLook {
  const { now, trusted } = moment;
  // Untrusted, nothing is known to have passed: absence does not count yet, and is looked for again.
  const sentAgoMs = trusted.trusted && operation.requestSentAt !== null ? trusted.at - operation.requestSentAt : 0;
  const horizonAt = now + manifest.query.horizonMs - sentAgoMs;
  const look = operation.looksUsed + 1;
  const next = nextLook(look, manifest, now, horizonAt);
  const spent = look >= manifest.query.lookBudget || !manifest.query.reliable;
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
      look,
    };
  }
  const objects = answer.objects.map((object) => compareWith(operation, createKey, object));
  const ours = answer.objects.flatMap((object, index) => {
    const compared = objects[index] as ComparedObject;
    return carriesOut(operation, object.appliedKeys, compared) ? [compared] : [];
  });
  const seen = { able: true, objects, rawCode: null, pastHorizon: false, look };
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
  const locked = { ...seen, verdict: "locked" as const, chosen: null, nextLookAt: null };
  // A query that may miss things proves nothing by seeing nothing: a person decides (domain 6).
  if (!manifest.query.reliable) return { ...locked, rawCode: "query_not_reliable" };
  const pastHorizon = now >= horizonAt;
  // Ours is not there, and somebody else's object has the place: a second request would make another object beside it.
  const isTaken = objects.length > 0 && (operation.phase === "create" || operation.phase === "deliver");
  if (pastHorizon && isTaken) return { ...seen, verdict: "conflict", chosen: null, nextLookAt: null };
  if (pastHorizon && isKeyWindowOver(operation, manifest, trusted.at))
    return { ...locked, rawCode: KEY_WINDOW_EXPIRED };
  if (pastHorizon) return { ...seen, verdict: "not_found", chosen: null, nextLookAt: null, pastHorizon };
  return { ...seen, verdict: "absent_yet", chosen: null, nextLookAt: spent ? horizonAt : next };
}

/**
 * The object that a look asks for by its id; null: by key. What a create made is always asked for by key, also when its id is
 * known: asked by id a remote shows that one object, and never a second one with our key.
 */
export function objectToAskFor(view: TaskView, operation: OperationRow): string | null {
  if (operation.phase === "create" || operation.phase === "deliver") return null;
  if (operation.remoteId !== null) return operation.remoteId;
  return view.operations().find((row) => row.id === operation.afterId)?.remoteId ?? null;
}

/**
 * When a create that is confirmed has to be looked at once more; null: not at all. It was sent anew after its absence had been
 * proven, and a proof is only as good as the remote's own limits: the first request may have come true since, as a second object
 * that no answer tells of. One look past the horizon of the newest request sees both.
 */
export function lookAgainAt(
  view: TaskView,
  operation: OperationRow,
  manifest: AdapterManifest,
  now: Instant,
): Instant | null {
  if (operation.phase !== "create" && operation.phase !== "deliver") return null;
  const attempts = view.attempts(operation.id);
  const newest = attempts.at(-1);
  if (!newest || !attempts.slice(0, -1).some(({ outcome }) => outcome === "unknown")) return null;
  const horizonAt = newest.startedAt + manifest.query.horizonMs;
  return now < horizonAt ? horizonAt : null;
}

/** The code under which a look locks an operation because the remote may have forgotten its key. */
export const KEY_WINDOW_EXPIRED = "key_window_expired";

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
