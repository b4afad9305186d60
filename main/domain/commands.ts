import type { AlertAudience } from "./alert-rules";
import type { ApprovalTerms } from "./approval";
import type { CompensationPlan } from "./compensation";
import type { Difference } from "./difference";
import type { DraftCommand } from "./draft-command";
import type { DrillCommand } from "./drill-command";
import type { ClassifiedError, ErrorClass } from "./errors";
import type { CompensationId, Instant, OperationId, Sha256, TaskId } from "./ids";
import type { IncidentCommand } from "./incident-command";
import type { BoundHashes, OperationKind, OperationPhase, RemoteObject } from "./ports";
import type {
  ArtifactRow,
  AudienceSnapshotRow,
  LookVerdict,
  RecipientAccountRow,
  RecipientOutcome,
  RecoveryItemRow,
  TaskContext,
} from "./records";
import type { OwedReview } from "./recovery-patterns";
import type { CallCount } from "./retry-baseline";
import type { Unmet } from "./unmet";

/** Who acts. `operator-script` stands for a person in demos and drills and is named as such in every event. */
export type Actor = `editor:${string}` | `executor:${string}` | "scheduler" | "system" | "operator-script";

/** Trusted time as read when the command was made (domain 8). */
export interface TrustedReading {
  at: Instant;
  trusted: boolean;
  source: string;
}

export interface CommandContext {
  actor: Actor;
  now: Instant;
  trusted: TrustedReading;
  /** What the person had before them; a command on an older state is refused as `stale_version`. */
  expectedVersion?: number;
  /** Only executors have one (I05). */
  fencingToken?: number;
}

/** An operation as intended: data, put into the journal by the transition that needs it. */
export interface OperationIntent {
  intentKey: string;
  kind: OperationKind;
  phase: OperationPhase;
  adapter: string;
  target: string;
  slot: string;
  recipientId: string | null;
  hashes: BoundHashes;
  hashRuleVersion: number;
  /** Index of the intent in the same list that must be confirmed first. */
  after: number | null;
  automatic: boolean;
  /** The undo, written down first (I07). Null only where an earlier intent of the list registers the shared one. */
  compensation: CompensationPlan | null;
  /** Of an undo itself: which entry it carries out, and the forward operation whose object it acts on. */
  undoes?: { compensationId: CompensationId; forwardId: OperationId };
}

export interface NewAudience {
  snapshot: Omit<AudienceSnapshotRow, "taskId" | "at">;
  recipients: readonly Pick<RecipientAccountRow, "recipientId" | "group" | "outcome">[];
}

export type NewArtifact = Omit<ArtifactRow, "taskId" | "at">;

/** Moves the task by one event of its definition's table. */
export interface TransitionCommand {
  type: "transition";
  taskId: TaskId;
  event: string;
  reason?: string;
  payload?: Readonly<Record<string, unknown>>;
  /** Folded into the task's context. */
  context?: TaskContext;
  artifacts?: readonly NewArtifact[];
  operations?: readonly OperationIntent[];
  /** The signature over the statement that these terms make at this moment, where a signing key is registered. */
  approvalSignature?: string;
  /** When the words were made that were signed, where the key took a while to answer: the statement's time is this one. */
  approvalStated?: CommandContext["trusted"];
  approval?: Omit<ApprovalTerms, "taskId" | "issuedAt" | "expiresAt" | "timeSource" | "approver" | "zone">;
  audience?: NewAudience;
  /** For events that block: the reason; for `Unblocked`: where to and with what. */
  blockedReason?: string;
  wayOut?: { to: string; evidence: string; newDeadlineAt?: Instant };
  retryAt?: Instant;
  error?: ClassifiedError;
  /** Conditions the pipeline found unmet itself (a quote missing, a link broken): they refuse the event. */
  found?: readonly Unmet[];
  evidenceRefs?: readonly string[];
}

/** What a step of an undo came to. `isFinal`: another try would come to the same. */
export type UndoOutcome =
  | { kind: "done"; how: "confirmed" | "already_there" | "proved" }
  | { kind: "try_failed"; code: string; class: ErrorClass | null; isFinal: boolean; nextAt: Instant | null };

/** What has to be shown before an incident about two objects in one place may be closed (domain 10). */
export interface IncidentEvidence {
  /** Every object with our key, where it is, and what the public gets there. */
  objects: readonly { remoteId: string; url: string | null; state: string; publicStatus: number | null }[];
  /** The one that stays. */
  canonicalId: string | null;
  /** The capture of its public page, and the approved content it was found equal to. */
  captureHash: Sha256 | null;
  provedContentHash: Sha256 | null;
  /** The owner's word that each of them may go on. */
  schedulerReleased: string;
  drafterReleased: string;
  /** Under which key the next edition will be. */
  nextTaskKey: string;
  /** Where both mailings went out, which nothing takes back: who got two, and what they were told. */
  mailedTwice?: string;
}

/** One task held against the outside: what a T+1 reconciliation found (domain 10). */
export interface RecordRound {
  type: "record_round";
  taskId: TaskId;
  /** Questions that were answered, and how many of the answers differ. */
  looked: number;
  different: number;
  /** Confirmed operations that could not be asked about: no query to be relied on, or too young to be shown. */
  notAsked: number;
  /** Hosts that gave no answer; then the task is asked about again. */
  unreachable: readonly string[];
  differences: readonly Difference[];
  artifacts: readonly NewArtifact[];
  evidenceRefs: readonly string[];
}

/** What happens to an alert after it was raised (domain 10); each is an event, so that the chain tells who was told and who knew. */
export type AlertCommand =
  /** `how`: through the system's notification, or in the inbox alone where there is none. */
  | { type: "tell_alert"; taskId: TaskId; alertId: string; to: AlertAudience; how: "notification" | "inbox" }
  | { type: "acknowledge_alert"; taskId: TaskId; alertId: string; note: string }
  | { type: "snooze_alert"; taskId: TaskId; alertId: string; until: Instant }
  /** `reviewedItem`: of an alert about a cause, the item whose review came after it. */
  | { type: "settle_alert"; taskId: TaskId; alertId: string; reviewedItem?: string }
  | { type: "report_untouched"; taskId: TaskId; itemId: string }
  /** Of an incident about no edition: it is told at the newest, whose people own it. */
  | { type: "report_incident"; taskId: TaskId; incidentId: string }
  | { type: "report_review_owed"; taskId: TaskId; itemId: string; owed: OwedReview }
  | { type: "report_retry_rate"; taskId: TaskId; dependency: string; recent: CallCount; baseline: CallCount };

export type Command =
  | {
      type: "create_task";
      taskKey: string;
      taskVersion: number;
      pipeline: string;
      definitionHash: Sha256;
      edition: string;
      language: string;
      deadlineAt: Instant;
      zone: string;
      supersedesTaskId: TaskId | null;
      /** Why a person begins the edition once more. */
      reason?: string;
      context?: TaskContext;
    }
  | { type: "claim_lease"; taskId: TaskId }
  | { type: "heartbeat"; taskId: TaskId }
  | { type: "release_lease"; taskId: TaskId }
  | TransitionCommand
  | {
      type: "record_step";
      taskId: TaskId;
      step: string;
      checkpoint: Readonly<Record<string, unknown>>;
      calls: number;
      event?: { type: string; payload: Readonly<Record<string, unknown>>; evidenceRefs: readonly string[] };
      artifacts?: readonly NewArtifact[];
    }
  | {
      type: "note";
      taskId: TaskId;
      event: string;
      operationId: OperationId | null;
      reason?: string;
      payload: Readonly<Record<string, unknown>>;
      context?: TaskContext;
      artifacts?: readonly NewArtifact[];
      evidenceRefs?: readonly string[];
      calls?: number;
    }
  | {
      type: "mark_request_sent";
      taskId: TaskId;
      operationId: OperationId;
      requestBytesHash: Sha256;
      /** Recomputed from the frozen bytes and the present audience, right before the call. */
      recomputed: BoundHashes;
      delay: { policyVersion: number; baseDelayMs: number; hintMs: number | null; actualDelayMs: number };
    }
  | {
      type: "record_answer";
      taskId: TaskId;
      operationId: OperationId;
      attempt: number;
      outcome: "confirmed" | "rejected" | "not_sent" | "unknown";
      remoteId: string | null;
      url: string | null;
      error: ClassifiedError | null;
      firstLookAt: Instant | null;
    }
  | { type: "start_look"; taskId: TaskId; operationId: OperationId; query: string }
  | {
      type: "record_look";
      taskId: TaskId;
      operationId: OperationId;
      query: string;
      able: boolean;
      verdict: LookVerdict;
      objects: readonly ComparedObject[];
      chosen: { remoteId: string; url: string | null } | null;
      rawCode: string | null;
      nextLookAt: Instant | null;
      pastHorizon: boolean;
      /** Which look it was when it began: one that was overtaken by another moves nothing. */
      look?: number;
    }
  | {
      type: "keep_late_answer";
      taskId: TaskId;
      operationId: OperationId;
      oldToken: number;
      outcome: string;
      remoteId: string | null;
    }
  | {
      type: "give_verdict";
      taskId: TaskId;
      operationId: OperationId;
      verdict: "happened" | "did_not_happen" | "cannot_tell";
      remoteId: string | null;
      evidence: string;
    }
  | { type: "revoke_approval"; taskId: TaskId; approvalId: string; reason: string }
  | {
      type: "prepare_compensation";
      taskId: TaskId;
      compensationId: CompensationId;
      operation: OperationIntent;
      /** What the remote had when the precondition was asked: kept with the event. */
      seen?: Readonly<Record<string, unknown>>;
    }
  | {
      type: "record_compensation";
      taskId: TaskId;
      compensationId: CompensationId;
      /** Index of the step it is about; another one than the present is refused. */
      step: number;
      outcome: UndoOutcome;
      /** What was seen: a receipt, never content. */
      payload: Readonly<Record<string, unknown>>;
      evidenceRefs: readonly string[];
      artifacts?: readonly NewArtifact[];
      calls: number;
    }
  | { type: "skip_compensation"; taskId: TaskId; compensationId: CompensationId }
  | { type: "hand_over_compensation"; taskId: TaskId; compensationId: CompensationId }
  | { type: "close_compensation"; taskId: TaskId; compensationId: CompensationId; note: string; evidence: string }
  | { type: "resume_compensation"; taskId: TaskId; compensationId: CompensationId; reason: string }
  | {
      type: "account_recipients";
      taskId: TaskId;
      outcomes: readonly { recipientId: string; outcome: RecipientOutcome; code: string | null; at: Instant }[];
      nextObserveAt: Instant | null;
      evidence?: string;
    }
  | {
      type: "close_incident";
      taskId: TaskId;
      incidentId: string;
      evidence: IncidentEvidence;
      artifacts?: readonly NewArtifact[];
      reason: string;
    }
  | {
      type: "move_recovery_item";
      taskId: TaskId;
      itemId: string;
      /** The stage it was seen in; another one is refused. */
      from: RecoveryItemRow["stage"];
      /** The same as `from` where only something is added. */
      to: RecoveryItemRow["stage"];
      note: string;
      /** Minutes that a person spent since the last word about it. */
      minutes: number;
      owner?: string;
      method?: string;
      verification?: string;
      review?: string;
    }
  | { type: "escalate_blocked"; taskId: TaskId }
  | IncidentCommand
  | DraftCommand
  | DrillCommand
  | AlertCommand
  | RecordRound
  | { type: "suppress_recipient"; recipientId: string; reason: string }
  /** Off the suppression list again: who asked for it says why. */
  | { type: "release_recipient"; recipientId: string; reason: string }
  | { type: "raise_epoch"; reason: string }
  | { type: "settle_epoch" }
  | {
      type: "register_signer";
      /** Base64 of the SSH wire form, as in a file of allowed signers. */
      publicKey: string;
      identity: string;
      reason: string;
    };

/** One object as compared with what was intended. Untrusted texts are reduced to equal / unequal before they come here. */
export interface ComparedObject {
  remoteId: string;
  url: string | null;
  state: string;
  keyEqual: boolean;
  intentEqual: boolean | null;
  contentEqual: boolean | null;
  taskEqual: boolean | null;
}

/** Holds a remote object against the intent: key, intent hash, content hash and task id (domain 6). */
export function compareObject(
  object: RemoteObject,
  want: { key: string; intentHash: string; contentHash: string | null; taskId: string },
): ComparedObject {
  const equal = (have: string | null, wanted: string | null) =>
    have === null || wanted === null ? null : have === wanted;
  return {
    remoteId: object.remoteId,
    url: object.url,
    state: object.state,
    keyEqual: object.externalKey === want.key,
    intentEqual: equal(object.intentHash, want.intentHash),
    contentEqual: equal(object.contentHash, want.contentHash),
    taskEqual: equal(object.taskId, want.taskId),
  };
}
