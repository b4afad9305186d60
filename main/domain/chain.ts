import { canonicalJson, GENESIS, sha256 } from "./hashing";
import type { Instant, OperationId, Sha256, TaskId } from "./ids";
import type { EventRow } from "./records";

/** An event as the domain states it; number, chain and hashes are added when it is appended. */
export interface EventDraft {
  type: string;
  fromState: string | null;
  toState: string | null;
  reason: string | null;
  operationId: OperationId | null;
  evidenceRefs: readonly string[];
  /** JSON value; never customer content, addresses or tokens. A `context` object in it is folded into the task's context. */
  payload: Readonly<Record<string, unknown>>;
}

/** Where an event is put: who wrote it, when, and the heads of both chains before it. */
export interface EventPlace {
  seq: number;
  taskId: TaskId | null;
  taskSeq: number | null;
  actor: string;
  fencingToken: number | null;
  at: Instant;
  zone: string;
  prevHash: Sha256;
  taskPrevHash: Sha256 | null;
}

/**
 * Makes the stored row: canonical payload, canonical header with `payloadHash`, hash over the header's bytes.
 * Payloads can be withheld later and both chains still verify (domain 1).
 */
export function sealEvent(draft: EventDraft, place: EventPlace): EventRow {
  const payload = canonicalJson(draft.payload);
  // Field by field: each spread of objects of unlike shapes costs as much as both hashes together.
  const row = {
    seq: place.seq,
    taskId: place.taskId,
    taskSeq: place.taskSeq,
    type: draft.type,
    fromState: draft.fromState,
    toState: draft.toState,
    actor: place.actor,
    fencingToken: place.fencingToken,
    at: place.at,
    zone: place.zone,
    reason: draft.reason,
    operationId: draft.operationId,
    evidenceRefs: draft.evidenceRefs,
    payload,
    payloadHash: sha256(payload),
    prevHash: place.prevHash,
    taskPrevHash: place.taskPrevHash,
    header: "",
    hash: GENESIS,
  };
  row.header = canonicalJson(headerOf(row));
  row.hash = sha256(row.header);
  return row;
}

/** The fields under the hash, in one place for writing and verifying. */
export function headerOf(event: Omit<EventRow, "payload" | "header" | "hash">): Readonly<Record<string, unknown>> {
  return {
    actor: event.actor,
    at: event.at,
    evidenceRefs: event.evidenceRefs,
    fencingToken: event.fencingToken,
    fromState: event.fromState,
    operationId: event.operationId,
    payloadHash: event.payloadHash,
    prevHash: event.prevHash,
    reason: event.reason,
    seq: event.seq,
    taskId: event.taskId,
    taskPrevHash: event.taskPrevHash,
    taskSeq: event.taskSeq,
    toState: event.toState,
    type: event.type,
    zone: event.zone,
  };
}

export type ChainFault =
  | "header_hash"
  | "payload_hash"
  | "header_differs_from_row"
  | "prev_hash"
  | "task_prev_hash"
  | "seq_gap"
  | "task_seq_gap";

/**
 * Checks one stored event against the one before it in the journal and the one before it in its task.
 * Bytes first: the stored header is hashed as it stands, then compared with the row; nothing is re-made to be believed.
 */
export function verifyEvent(
  event: EventRow,
  before: { hash: Sha256; seq: number },
  taskBefore: { hash: Sha256; taskSeq: number },
): ChainFault[] {
  const faults: ChainFault[] = [];
  if (sha256(event.header) !== event.hash) faults.push("header_hash");
  if (event.payload !== null && sha256(event.payload) !== event.payloadHash) faults.push("payload_hash");
  if (canonicalJson(headerOf(event)) !== event.header) faults.push("header_differs_from_row");
  if (event.prevHash !== before.hash) faults.push("prev_hash");
  if (event.seq !== before.seq + 1) faults.push("seq_gap");
  if (event.taskId !== null) {
    if (event.taskPrevHash !== taskBefore.hash) faults.push("task_prev_hash");
    if (event.taskSeq !== taskBefore.taskSeq + 1) faults.push("task_seq_gap");
  }
  return faults;
}
