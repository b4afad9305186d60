import type { OperationIntent } from "../../domain/commands";
import { forwardOperations, undoIntentKey } from "../../domain/compensation-forward";
import { presentStep } from "../../domain/compensation-need";
import type { RawError } from "../../domain/errors";
import { HASH_RULE_VERSION } from "../../domain/hash-rule";
import { Bug, type Instant } from "../../domain/ids";
import type { BoundHashes, RemoteObject, WriteAdapter } from "../../domain/ports";
import type { CompensationRow, OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import type { BriefingPorts } from "./ports";
import { createKeyOf } from "./publish";

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

/** Asks for the object by its id, with the login that sees drafts. */
export async function askFor(
  ports: BriefingPorts,
  side: { adapter: WriteAdapter },
  view: TaskView,
  forward: OperationRow,
): Promise<Shown> {
  const { manifest } = side.adapter;
  const timeout = ports.clock.timeout(manifest.callTimeoutMs);
  const { operationKey, slot, phase, target, remoteId } = forward;
  try {
    const query = { operationKey, createKey: createKeyOf(view, forward), slot, phase, remoteId, target };
    const answer = await side.adapter.look(query, { signal: timeout.signal, now: ports.clock.now() });
    if (answer.kind === "failed") return answer;
    const object = answer.objects.find((candidate) => candidate.remoteId === remoteId) ?? null;
    const now = ports.clock.now();
    const isYoung = now < (forward.lastObservedAt ?? forward.requestSentAt ?? 0) + manifest.query.horizonMs;
    if (isYoung && !showsWrite(forward, object)) return { kind: "late", until: now + manifest.query.visibilityDelayMs };
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
    hashes: { contentHash: null, pageUrl: null, bodyHash: null, audienceHash: null, ...hashes },
    hashRuleVersion: HASH_RULE_VERSION,
    after: null,
    automatic: true,
    compensation: null,
  };
}

/** What was seen of an object, as a receipt. */
export const receiptOf = (object: RemoteObject | null) =>
  object === null
    ? { remote: "absent" }
    : {
        remote: object.state,
        remoteId: object.remoteId,
        revision: object.revision,
        contentHash: object.contentHash,
        taskId: object.taskId,
      };
