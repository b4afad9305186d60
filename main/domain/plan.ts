import type { EventDraft } from "./chain";
import type {
  AlertProgress,
  AlertRow,
  ApprovalRow,
  ArtifactRow,
  AttemptRow,
  AudienceSnapshotRow,
  CompensationProgress,
  CompensationRow,
  IncidentRow,
  IntentConflictRow,
  NewAlert,
  NewRecoveryItem,
  OperationRow,
  RecipientAccountRow,
  ReconciliationRow,
  RecoveryItemRow,
  SignerRow,
  StepRow,
  SuppressionRow,
  TaskRow,
} from "./records";
import type { Unmet } from "./unmet";

/** One change of the journal as data. The journal carries them out in order, in one transaction, or none of them. */
export type Write =
  | { table: "task"; insert: TaskRow }
  | { table: "step"; upsert: StepRow }
  | { table: "artifact"; insertIfNew: ArtifactRow }
  | { table: "compensation"; insert: CompensationRow }
  | {
      table: "compensation";
      update: Partial<CompensationProgress> & Pick<CompensationRow, "id">;
      was: CompensationRow["state"];
    }
  | { table: "operation"; insert: OperationRow }
  | { table: "operation"; update: Partial<OperationRow> & Pick<OperationRow, "id">; was: OperationRow["state"] }
  | { table: "attempt"; insert: AttemptRow }
  | {
      table: "attempt";
      close: Pick<
        AttemptRow,
        "operationId" | "number" | "endedAt" | "outcome" | "rawCode" | "rawReference" | "errorClass"
      >;
    }
  | { table: "approval"; insert: ApprovalRow }
  | {
      table: "approval";
      update: Pick<ApprovalRow, "id"> & Partial<Pick<ApprovalRow, "revokedAt" | "revokedBy" | "endedAt">>;
    }
  | { table: "reconciliation"; insert: ReconciliationRow }
  | { table: "audience_snapshot"; insertIfNew: AudienceSnapshotRow }
  | { table: "recipient_account"; upsert: RecipientAccountRow }
  | { table: "recipient_account"; clear: TaskRow["id"] }
  | { table: "intent_conflict"; insertIfNew: IntentConflictRow }
  | { table: "recovery_item"; insertIfNew: NewRecoveryItem }
  | {
      table: "recovery_item";
      update: Partial<RecoveryItemRow> & Pick<RecoveryItemRow, "id">;
      was: RecoveryItemRow["stage"];
    }
  | { table: "incident"; insertIfNew: IncidentRow }
  | { table: "incident"; close: Pick<IncidentRow, "id" | "closedAt"> }
  | { table: "alert"; raise: NewAlert }
  | { table: "alert"; update: Partial<AlertProgress> & Pick<AlertRow, "id"> }
  | { table: "signer"; insert: SignerRow }
  | { table: "suppression"; insertIfNew: SuppressionRow }
  | { table: "suppression"; remove: Pick<SuppressionRow, "recipientId"> }
  | { table: "journal_state"; patch: { epoch?: number; epochReconciled?: number; suppressionVersion?: number } };

/** What a command would do: data only, nothing has happened yet. */
export interface Plan {
  /** Changed columns of the task, without chain and context, which the journal computes from the events. */
  task: Partial<TaskRow>;
  events: readonly EventDraft[];
  writes: readonly Write[];
  /** Evidence that counts for nothing, and so is taken from an executor that holds no lease any more (domain 5). */
  keptFromAnyone?: true;
}

/** The typed answers of domain section 4, besides `applied`. A refusal lists every unmet condition. */
export interface Refusal {
  result: "stale_version" | "stale_token" | "illegal_transition" | "guard_failed" | "intent_mismatch" | "not_found";
  unmet: readonly Unmet[];
  /** What is kept although the command is refused: the two hashes of an intent mismatch. */
  keep?: readonly Write[];
}

export type Decision = { ok: true; plan: Plan } | { ok: false; refusal: Refusal };

export const refuse = (result: Refusal["result"], ...missing: readonly Unmet[]): Decision => ({
  ok: false,
  refusal: { result, unmet: missing },
});

/** An event with the fields that most have empty left out. */
export function draftEvent(type: string, more: Partial<EventDraft> = {}): EventDraft {
  return {
    type,
    fromState: null,
    toState: null,
    reason: null,
    operationId: null,
    evidenceRefs: [],
    payload: {},
    ...more,
  };
}
