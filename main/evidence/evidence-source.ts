import type { Sha256, TaskId } from "../domain/ids";
import type { JournalSnapshot } from "../domain/invariants";
import type { ArtifactRow, EventRow, IncidentRow, RecoveryItemRow } from "../domain/records";

/** Everything the journal has about one task. */
export type TaskEvidence = Pick<
  JournalSnapshot,
  | "events"
  | "operations"
  | "attempts"
  | "approvals"
  | "compensations"
  | "reconciliations"
  | "audiences"
  | "recipients"
  | "registrations"
> & {
  task: JournalSnapshot["tasks"][number];
  artifacts: readonly ArtifactRow[];
  recoveryItems: readonly RecoveryItemRow[];
};

/** An incident with the events that tell of it, as far as the journal has told of it. */
export interface IncidentTrace {
  row: IncidentRow;
  /** A person's or a rule's opening, the look that saw two objects, or the raised epoch. */
  opened: EventRow | null;
  /** The closing, or the reconciliation of the epoch. */
  ended: EventRow | null;
  /** What was done about it meanwhile. */
  worked: readonly EventRow[];
}

/** Frozen bytes, to be read piece by piece. */
export interface FrozenFile {
  bytes: number;
  /** @throws where the bytes no longer have their hash. */
  chunks(): AsyncIterable<Uint8Array>;
}

/**
 * What a bundle is made from, as it stood at one moment: a port, so that evidence knows no database. Addresses and mails as
 * they were sent are behind none of its methods.
 */
export interface EvidenceSource {
  workspaceId: string;
  kind: "sandbox" | "real";
  epoch: number;
  /** The whole journal: how many events, the last one's hash, and the length of all headers with a line end each. */
  events: number;
  head: Sha256;
  headerBytes: number;
  /** Every event's header as it was hashed, in order. */
  headers(): Iterable<string>;
  readTask(id: TaskId): TaskEvidence;
  /** The incidents whose scope touches these tasks, oldest first; null: every incident of the journal. */
  readIncidents(tasks: readonly TaskId[] | null): IncidentTrace[];
  /** Null where the bytes are no longer kept. */
  frozen(hash: Sha256): FrozenFile | null;
}
