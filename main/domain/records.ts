import type { CompensationGrade } from "./compensation-grade";
import type { CompensationStep } from "./compensation-step";
import type { ErrorClass } from "./errors";
import type { ApprovalId, CompensationId, Instant, OperationId, Sha256, TaskId } from "./ids";
import type { IncidentKind, IncidentRule, IncidentScope } from "./incident";
import type { OperationKind, OperationPhase } from "./ports";

export type { AlertProgress, AlertRow, AlertUrgency, NewAlert } from "./alert-row";

/**
 * The journal's records (domain section 1) as plain rows. Field names equal the columns in `db/schema.ts`.
 * None of them may hold customer content, addresses or tokens: hashes and references only.
 */

/** Small named values a task carries from event to event: hashes, ids, counts. It is a fold over the events' `context` patches. */
export type TaskContext = Readonly<Record<string, string | number | null>>;

export interface TaskRow {
  id: TaskId;
  taskKey: string;
  taskVersion: number;
  pipeline: string;
  definitionHash: Sha256;
  edition: string;
  language: string;
  state: string;
  /** Rises only when the state changes; what a person's command is checked against. */
  stateVersion: number;
  stateSince: Instant;
  resumeState: string | null;
  /** When a waiting retry becomes due. */
  retryAt: Instant | null;
  blockedReason: string | null;
  deadlineAt: Instant;
  zone: string;
  leaseOwner: string | null;
  fencingToken: number;
  leaseExpiresAt: Instant | null;
  lastHeartbeatAt: Instant | null;
  /** The token at which a lease that nobody had released was taken over last; 0 if never. */
  takeoverToken: number;
  supersedesTaskId: TaskId | null;
  owner: string;
  backupOwner: string;
  callsUsed: number;
  context: TaskContext;
  createdBy: string;
  createdAt: Instant;
  /** The task's own chain: number and hash of its last event. */
  taskSeq: number;
  taskHead: Sha256;
}

export interface StepRow {
  taskId: TaskId;
  name: string;
  /** Which time the stage is gone through (a person may send the task back). */
  round: number;
  startedAt: Instant;
  endedAt: Instant | null;
  attempts: number;
  /** What is done; from any checkpoint the result equals a run from zero. Hashes, counts and codes only. */
  checkpoint: Readonly<Record<string, unknown>>;
}

export type OperationState =
  | "prepared"
  | "request_sent"
  | "unknown"
  | "confirmed"
  | "rejected"
  | "cancelled"
  | "not_found"
  | "conflict"
  | "locked";

export interface OperationRow {
  id: OperationId;
  taskId: TaskId;
  // immutable: the intent
  operationKey: string;
  intentKey: string;
  phase: OperationPhase;
  slot: string;
  kind: OperationKind;
  adapter: string;
  target: string;
  recipientId: string | null;
  intentHash: Sha256;
  contentHash: Sha256 | null;
  pageUrl: string | null;
  bodyHash: Sha256 | null;
  audienceHash: Sha256 | null;
  hashRuleVersion: number;
  parentId: OperationId | null;
  /** The operation that must be confirmed before this one may leave (create before trigger). */
  afterId: OperationId | null;
  compensationId: CompensationId | null;
  /** True where no person stands between this write and the one before it. */
  automatic: boolean;
  // mutable: each change comes with an event
  state: OperationState;
  settled: boolean;
  preparedAt: Instant;
  preparedToken: number;
  requestSentAt: Instant | null;
  /** Content hash recomputed from the very bytes of the request, right before they left (I02). */
  requestContentHash: Sha256 | null;
  requestPageUrl: string | null;
  requestBodyHash: Sha256 | null;
  requestAudienceHash: Sha256 | null;
  requestBytesHash: Sha256 | null;
  remoteId: string | null;
  remoteUrl: string | null;
  looksUsed: number;
  nextLookAt: Instant | null;
  lastObservedAt: Instant | null;
  unknownSince: Instant | null;
}

export interface AttemptRow {
  operationId: OperationId;
  number: number;
  taskId: TaskId;
  approvalId: ApprovalId | null;
  actor: string;
  fencingToken: number;
  policyVersion: number;
  baseDelayMs: number;
  hintMs: number | null;
  actualDelayMs: number;
  startedAt: Instant;
  endedAt: Instant | null;
  outcome: "confirmed" | "rejected" | "not_sent" | "unknown" | null;
  rawCode: string | null;
  rawReference: string | null;
  errorClass: ErrorClass | null;
}

export interface EventRow {
  seq: number;
  taskId: TaskId | null;
  taskSeq: number | null;
  type: string;
  fromState: string | null;
  toState: string | null;
  actor: string;
  fencingToken: number | null;
  at: Instant;
  zone: string;
  reason: string | null;
  operationId: OperationId | null;
  evidenceRefs: readonly string[];
  /** Canonical JSON; null once withheld. */
  payload: string | null;
  payloadHash: Sha256;
  prevHash: Sha256;
  taskPrevHash: Sha256 | null;
  /** The canonical bytes that were hashed: the header with `payloadHash`, so that a payload can be withheld. */
  header: string;
  hash: Sha256;
}

export type ApprovalScope = "publish" | "send" | "correct";

export interface ApprovalRow {
  id: ApprovalId;
  taskId: TaskId;
  scope: ApprovalScope;
  intentKey: string;
  hashRuleVersion: number;
  contentHash: Sha256 | null;
  packageHash: Sha256 | null;
  pageUrl: string | null;
  bodyHash: Sha256 | null;
  audienceHash: Sha256 | null;
  checkReceiptId: string | null;
  approver: string;
  issuedAt: Instant;
  expiresAt: Instant;
  timeSource: string;
  zone: string;
  /** Canonical JSON of everything the person agreed to: the bytes that are signed. */
  statement: string;
  /** Armoured SSH signature over the statement; null where no key was registered when it was given. */
  signature: string | null;
  /** Fingerprint of the registered key that signed. */
  signedBy: string | null;
  revokedAt: Instant | null;
  revokedBy: string | null;
  /** Set by `ArtifactChanged` and the expiry sweep: such an approval never comes back to life. */
  endedAt: Instant | null;
}

/** The public side of a key that approvals are signed with. The newest signs; none is forgotten. */
export interface SignerRow {
  /** As `ssh-keygen -l` shows it. */
  fingerprint: string;
  /** Which one it is, from 1. */
  position: number;
  /** As in a file of allowed signers: base64 of the SSH wire form. */
  publicKey: string;
  /** The name that the key stands for. */
  identity: string;
  /** Trusted time, as an approval's `issuedAt`. */
  registeredAt: Instant;
  registeredBy: string;
  reason: string;
}

export type LookVerdict = "confirmed" | "absent_yet" | "not_found" | "conflict" | "duplicate" | "failed" | "locked";

export interface ReconciliationRow {
  id: string;
  operationId: OperationId;
  taskId: TaskId;
  at: Instant;
  query: string;
  able: boolean;
  verdict: LookVerdict;
  /** Objects as seen and the comparison of key, intent, content and task id: canonical JSON. */
  objects: string;
  chosenRemoteId: string | null;
  rawCode: string | null;
  actor: string;
  nextLookAt: Instant | null;
}

export type CompensationState = "registered" | "not_needed" | "running" | "done" | "failed" | "closed_by_person";

/** What changes of an entry, each time with an event that tells all of it. */
export interface CompensationProgress {
  state: CompensationState;
  /** How many of its steps are done; the next one is where it goes on. */
  stepsDone: number;
  /** Tries of the present step that came to nothing, since it was begun or resumed. */
  attempts: number;
  /** Attempts of the present step's operation that were counted already. */
  callsJudged: number;
  /** Not before this moment: the wait before the next try survives a restart. */
  nextAt: Instant | null;
  /** What the present step failed with last. */
  code: string | null;
}

export interface CompensationRow extends CompensationProgress {
  id: CompensationId;
  taskId: TaskId;
  position: number;
  service: string;
  action: string;
  /** Canonical JSON of the target state, never a delta. */
  args: string;
  grade: CompensationGrade;
  precondition: string;
  owner: string;
  verification: string;
  timeoutMs: number;
  /** Tries of one step in all. */
  retryMax: number;
  steps: readonly CompensationStep[];
}

export type RecipientOutcome =
  | "excluded"
  | "unknown"
  | "accepted"
  | "delivered"
  | "bounced"
  | "complained"
  | "closed_by_person";

export interface RecipientAccountRow {
  taskId: TaskId;
  recipientId: string;
  group: string;
  outcome: RecipientOutcome;
  at: Instant;
  code: string | null;
}

export interface AudienceSnapshotRow {
  id: string;
  taskId: TaskId;
  audienceHash: Sha256;
  suppressionVersion: number;
  count: number;
  excluded: number;
  at: Instant;
  /** The artifact (recipient ids, groups and keyed digests; no address) that the hash was taken from. */
  artifactHash: Sha256;
}

export interface ArtifactRow {
  hash: Sha256;
  taskId: TaskId;
  kind: string;
  bytes: number;
  mediaType: string;
  at: Instant;
  /** Where it came from: canonical JSON (url, fetched at, licence) or null. */
  origin: string | null;
}

export interface IntentConflictRow {
  id: string;
  operationKey: string;
  keptIntentHash: Sha256;
  refusedIntentHash: Sha256;
  actor: string;
  at: Instant;
}

export interface RecoveryItemRow {
  id: string;
  taskId: TaskId;
  operationId: OperationId | null;
  kind:
    | "dead_letter"
    | "unknown_outcome"
    | "customer_care"
    | "blocked_expired"
    | "compensation_failed"
    | "compensation_manual"
    | "reconciliation_difference"
    | "drill_failed";
  stage: "to_triage" | "triaged" | "recovering" | "to_verify" | "closed" | "reviewed";
  subject: string;
  errorClass: ErrorClass | null;
  owner: string;
  backupOwner: string;
  createdAt: Instant;
  dueAt: Instant;
  /** When it came to its stage; null as long as nobody has touched it. */
  stageAt: Instant | null;
  /** How it was recovered, in a person's words. */
  method: string | null;
  /** What was looked at to prove it. */
  verification: string | null;
  /** Minutes that people spent on it so far. */
  minutes: number;
  /** The rule that was changed or the test that was written: `rule: …` or `test: …`. */
  review: string | null;
}

/** A recovery item as it is opened: nobody has worked on it. */
export type NewRecoveryItem = Omit<RecoveryItemRow, "stageAt" | "method" | "verification" | "minutes" | "review">;

export interface IncidentRow {
  id: string;
  taskId: TaskId | null;
  rule: IncidentRule;
  /** What it is about: by it the runbook and the evidence are chosen. */
  kind: IncidentKind;
  /** The call that it was found at, where there is one. */
  operationId: OperationId | null;
  scope: IncidentScope;
  /** Slot, task id or adapter; for `all` what was found, since two findings are two incidents. */
  scopeValue: string;
  openedAt: Instant;
  openedBy: string;
  closedAt: Instant | null;
}

export interface SuppressionRow {
  recipientId: string;
  version: number;
  reason: string;
  at: Instant;
}

export interface BreakerRow {
  host: string;
  failures: number;
  openedAt: Instant | null;
  retryAt: Instant | null;
}
