import type { Actor } from "./commands";
import type { PipelineDefinition } from "./definition";
import type { Instant, OperationId, Sha256 } from "./ids";
import type {
  AlertRow,
  ApprovalRow,
  ArtifactRow,
  AttemptRow,
  AudienceSnapshotRow,
  CompensationRow,
  IncidentRow,
  OperationRow,
  RecipientAccountRow,
  ReconciliationRow,
  RecoveryItemRow,
  SignerRow,
  StepRow,
  TaskRow,
} from "./records";

/**
 * What a decision may know: one task and what belongs to it, as the journal has it inside the deciding transaction.
 * Reads are lazy, so that a heartbeat does not pay for a guard that looks at every recipient.
 */
export interface TaskView {
  readonly task: TaskRow;
  readonly definition: PipelineDefinition;
  operations(): readonly OperationRow[];
  approvals(): readonly ApprovalRow[];
  /** The newest round of a stage, or null if it was never entered. */
  step(name: string): StepRow | null;
  compensations(): readonly CompensationRow[];
  attempts(operationId: OperationId): readonly AttemptRow[];
  looks(operationId: OperationId): readonly ReconciliationRow[];
  audience(hash: Sha256): AudienceSnapshotRow | null;
  recipients(): readonly RecipientAccountRow[];
  recoveryItems(): readonly RecoveryItemRow[];
  /** Every alert about the task, oldest first. */
  alerts(): readonly AlertRow[];
  artifacts(kind: string): readonly ArtifactRow[];
  /** The newest event of a type, or null. */
  lastEvent(type: string): { seq: number; taskSeq: number; at: Instant } | null;
  /** The newest event of a type about one operation, or null. */
  lastEventOf(operationId: OperationId, type: string): { seq: number; actor: Actor } | null;
  /** How often an operation's request left after an event. By numbers, since a clock may be set back between two events (case C8). */
  sentSince(operationId: OperationId, seq: number): number;
  /** Operations of any task in a slot: the place on the remote is shared by all versions of an edition. */
  slotOperations(slot: string): readonly OperationRow[];
  /** Incidents that are open and freeze this task's writes. */
  freezes(): readonly IncidentRow[];
  epoch(): { epoch: number; reconciled: number; raisedAt: Instant | null };
  suppressionVersion(): number;
  /** Every key that was registered for signing approvals, oldest first: the newest signs. */
  signers(): readonly SignerRow[];
  /** Undo entries of any task that the program gave up on since a moment: what people had to see to. */
  undoFailures(since: Instant): number;
}

/** Looks since the operation was prepared last: what was seen before that was answered by a person. */
export const looksSincePrepared = (view: TaskView, operation: OperationRow): readonly ReconciliationRow[] =>
  operation.looksUsed === 0 ? [] : view.looks(operation.id).slice(-operation.looksUsed);

/** Its looks are spent without having seen, and since then nobody has: neither a look nor a person with a verdict. */
export function isLookedForInVain(view: TaskView, operation: OperationRow): boolean {
  const last = looksSincePrepared(view, operation).at(-1);
  return last?.verdict === "locked" && !last.able && (operation.lastObservedAt ?? 0) < last.at;
}

export const operationById = (view: TaskView, id: OperationId): OperationRow | null =>
  view.operations().find((operation) => operation.id === id) ?? null;
