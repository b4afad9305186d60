import type { OperationIntent } from "../domain/commands";
import { forwardOperations, undoIntentKey } from "../domain/compensation-forward";
import { presentStep } from "../domain/compensation-need";
import type { RawError } from "../domain/errors";
import { HASH_RULE_VERSION } from "../domain/hash-rule";
import { Bug, type Instant } from "../domain/ids";
import type { BoundHashes, Clock, RemoteObject, WriteAdapter } from "../domain/ports";
import type { CompensationRow, OperationRow } from "../domain/records";
import type { TaskView } from "../domain/view";
import type { UndoProof } from "./runtime";

/** What pipelines have in common when they take a write back: whose object, what the remote shows of it, under which key. */

/** The newest write of an entry that is really there: whose object the undo acts on. */
export function confirmedForward(view: TaskView, entry: CompensationRow): OperationRow {
  const confirmed = forwardOperations(view, entry).filter((row) => row.state === "confirmed");
  const newest = confirmed.reduce<OperationRow | null>(
    (last, row) => (last === null || (row.requestSentAt ?? 0) >= (last.requestSentAt ?? 0) ? row : last),
    null,
  );
  if (newest === null) throw new Bug(`nothing of the undo entry ${entry.id} is confirmed`);
  return newest;
}

/** What the remote shows of a forward operation's object. */
export type Shown =
  | { kind: "shown"; object: RemoteObject | null }
  /** It does not show yet what it was seen to have: a replica behind the writes. Nothing may be concluded. */
  | { kind: "late"; until: Instant }
  | { kind: "failed"; error: RawError };

/** Asks for the object of a forward operation, with a login that sees everything. */
export async function askFor(
  clock: Clock,
  adapter: WriteAdapter,
  forward: OperationRow,
  createKey: string = forward.operationKey,
): Promise<Shown> {
  const { query, callTimeoutMs } = adapter.manifest;
  const timeout = clock.timeout(callTimeoutMs);
  const { operationKey, slot, phase, target, remoteId } = forward;
  try {
    const answer = await adapter.look(
      { operationKey, createKey, slot, phase, remoteId, target },
      { signal: timeout.signal, now: clock.now() },
    );
    if (answer.kind === "failed") return answer;
    const object = answer.objects.find((candidate) => candidate.remoteId === remoteId) ?? null;
    const now = clock.now();
    const isYoung = now < (forward.lastObservedAt ?? forward.requestSentAt ?? 0) + query.horizonMs;
    if (isYoung && !showsWrite(forward, object)) return { kind: "late", until: now + query.visibilityDelayMs };
    return { kind: "shown", object };
  } finally {
    timeout.cancel();
  }
}

const showsWrite = (forward: OperationRow, object: RemoteObject | null): boolean => {
  if (object === null) return false;
  return forward.phase === "create"
    ? object.externalKey === forward.operationKey
    : object.appliedKeys.includes(forward.operationKey);
};

/** The undo of the present step as an intent: the same place and remote as what it undoes, under a key of its own. */
export function undoIntent(
  view: TaskView,
  entry: CompensationRow,
  forward: OperationRow,
  hashes: Partial<BoundHashes> = {},
): OperationIntent {
  const intentKey = undoIntentKey(view, entry, presentStep(entry));
  if (intentKey === null) throw new Bug(`the undo entry ${entry.id} has no forward operation`);
  return {
    intentKey,
    kind: "compensate",
    phase: "undo",
    adapter: forward.adapter,
    target: forward.target,
    slot: forward.slot,
    recipientId: null,
    hashes: { ...NOTHING_BOUND, ...hashes },
    hashRuleVersion: HASH_RULE_VERSION,
    after: null,
    automatic: true,
    compensation: null,
  };
}

/** What the bytes of an undo are bound to that carries no content. */
export const NOTHING_BOUND: BoundHashes = { contentHash: null, pageUrl: null, bodyHash: null, audienceHash: null };

/**
 * One look at whether the remote itself holds what an undo wants; asked again at the pace at which it shows its own writes.
 * @param isReached judges the object as shown, null where it is proven absent
 * @param otherwise the code when it does not
 */
export async function proveObject(
  clock: Clock,
  adapter: WriteAdapter,
  forward: OperationRow,
  isReached: (object: RemoteObject | null) => boolean,
  otherwise: string,
): Promise<UndoProof> {
  const shown = await askFor(clock, adapter, forward);
  const found = { artifacts: [], evidenceRefs: [], calls: 1 };
  const nextAt = clock.now() + adapter.manifest.query.visibilityDelayMs;
  if (shown.kind === "failed")
    return { ...found, kind: "not_yet", code: shown.error.code, class: "transient", nextAt, seen: {} };
  const object = shown.kind === "shown" ? shown.object : null;
  const seen = receiptOf(object);
  return shown.kind === "shown" && isReached(object)
    ? { ...found, kind: "proved", seen }
    : { ...found, kind: "not_yet", code: otherwise, class: null, nextAt, seen };
}

/** What was seen of an object, as a receipt: states and hashes, no content. */
export const receiptOf = (object: RemoteObject | null): Readonly<Record<string, unknown>> =>
  object === null
    ? { remote: "absent" }
    : {
        remote: object.state,
        remoteId: object.remoteId,
        revision: object.revision,
        contentHash: object.contentHash,
        taskId: object.taskId,
      };
