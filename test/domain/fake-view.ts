import type { Actor, CommandContext, TransitionCommand } from "../../main/domain/commands";
import { definitionHash, type PipelineDefinition } from "../../main/domain/definition";
import { HASH_RULE_VERSION } from "../../main/domain/hash-rule";
import { GENESIS, sha256 } from "../../main/domain/hashing";
import { asApprovalId, asCompensationId, asTaskId, type OperationId, type Sha256 } from "../../main/domain/ids";
import { intentHashOf, operationIdOf, operationKeyOf, publishIntentKey, sendIntentKey } from "../../main/domain/keys";
import type {
  AlertRow,
  ApprovalRow,
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
} from "../../main/domain/records";
import type { TaskView } from "../../main/domain/view";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";

/** A task and what belongs to it, made by hand: for rules that look at a view and decide. */
export const NOW = Date.parse("2026-07-20T01:00:00Z");
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DEADLINE = Date.parse("2026-07-20T02:30:00Z");
/** The deadline minus the ten minutes kept for a person. */
export const AUTOMATIC_STOP = Date.parse("2026-07-20T02:20:00Z");
export const TASK_KEY = "weekly-briefing:2026-W30:zh-CN";
export const EXECUTOR = "executor:a";
export const EDITOR = "editor:lin";
export const TOKEN = 3;

export const CONTENT = sha256("content");
export const PACKAGE = sha256("package");
export const BODY = sha256("body");
export const AUDIENCE = sha256("audience");
export const PAGE = "https://site.example/w30";

/** What the context holds once the page is proved and the audience counted. */
export const SENDABLE = {
  contentHash: CONTENT,
  packageHash: PACKAGE,
  verifiedContentHash: CONTENT,
  captureHash: sha256("capture"),
  pageUrl: PAGE,
  bodyHash: BODY,
  audienceHash: AUDIENCE,
} as const;

export const PUBLISH_INTENT = publishIntentKey(TASK_KEY, 1, CONTENT);
export const SEND_INTENT = sendIntentKey(TASK_KEY, 1, { pageUrl: PAGE, bodyHash: BODY, audienceHash: AUDIENCE });

export function taskRow(more: Partial<TaskRow> = {}): TaskRow {
  return {
    id: asTaskId("t1"),
    taskKey: TASK_KEY,
    taskVersion: 1,
    pipeline: "weekly-briefing",
    definitionHash: definitionHash(briefingDefinition),
    edition: "2026-W30",
    language: "zh-CN",
    state: "created",
    stateVersion: 7,
    stateSince: NOW - MINUTE,
    resumeState: null,
    retryAt: null,
    blockedReason: null,
    deadlineAt: DEADLINE,
    zone: "Asia/Shanghai",
    leaseOwner: EXECUTOR,
    fencingToken: TOKEN,
    leaseExpiresAt: NOW + MINUTE,
    lastHeartbeatAt: NOW,
    takeoverToken: 0,
    supersedesTaskId: null,
    owner: "editor",
    backupOwner: "backup_editor",
    callsUsed: 0,
    context: {},
    createdBy: "scheduler",
    createdAt: NOW - HOUR,
    taskSeq: 9,
    taskHead: GENESIS,
    ...more,
  };
}

/** A publish operation of the present content, unless told otherwise. */
export function operationRow(more: Partial<OperationRow> = {}): OperationRow {
  const kind = more.kind ?? "publish";
  const phase = more.phase ?? "create";
  const isPublish = kind === "publish";
  const hashes = {
    contentHash: isPublish ? CONTENT : null,
    pageUrl: isPublish ? null : PAGE,
    bodyHash: isPublish ? null : BODY,
    audienceHash: isPublish ? null : AUDIENCE,
  };
  const intentKey = more.intentKey ?? (isPublish ? PUBLISH_INTENT : SEND_INTENT);
  const recipientId = more.recipientId ?? null;
  const operationKey = operationKeyOf(intentKey, phase, recipientId);
  const adapter = isPublish ? "cms" : "mail";
  const slot = more.slot ?? `${kind}:${TASK_KEY}`;
  const state = more.state ?? "prepared";
  const wasSent = !["prepared", "cancelled"].includes(state);
  return {
    id: operationIdOf(operationKey),
    taskId: asTaskId("t1"),
    operationKey,
    intentKey,
    phase,
    slot,
    kind,
    adapter,
    target: "http://remote",
    recipientId,
    intentHash: intentHashOf({ kind, adapter, target: "http://remote", slot, phase, recipientId, hashes }),
    ...hashes,
    hashRuleVersion: HASH_RULE_VERSION,
    parentId: null,
    afterId: null,
    compensationId: asCompensationId(`cp-${kind}-${phase}`),
    automatic: phase === "trigger",
    state,
    settled: ["confirmed", "rejected", "cancelled"].includes(state),
    preparedAt: NOW - MINUTE,
    preparedToken: TOKEN,
    requestSentAt: wasSent ? NOW - MINUTE : null,
    requestContentHash: wasSent ? hashes.contentHash : null,
    requestPageUrl: wasSent ? hashes.pageUrl : null,
    requestBodyHash: wasSent ? hashes.bodyHash : null,
    requestAudienceHash: wasSent ? hashes.audienceHash : null,
    requestBytesHash: wasSent ? sha256("bytes") : null,
    remoteId: state === "confirmed" ? "18427" : null,
    remoteUrl: state === "confirmed" ? PAGE : null,
    looksUsed: 0,
    nextLookAt: null,
    lastObservedAt: null,
    unknownSince: null,
    ...more,
  };
}

export function approvalRow(more: Partial<ApprovalRow> = {}): ApprovalRow {
  const scope = more.scope ?? "publish";
  const isPublish = scope === "publish";
  return {
    id: asApprovalId(`ap-${scope}`),
    taskId: asTaskId("t1"),
    scope,
    intentKey: isPublish ? PUBLISH_INTENT : SEND_INTENT,
    hashRuleVersion: HASH_RULE_VERSION,
    contentHash: CONTENT,
    packageHash: PACKAGE,
    pageUrl: isPublish ? null : PAGE,
    bodyHash: isPublish ? null : BODY,
    audienceHash: isPublish ? null : AUDIENCE,
    checkReceiptId: "receipt-1",
    approver: EDITOR,
    issuedAt: NOW - 5 * MINUTE,
    expiresAt: NOW - 5 * MINUTE + 24 * HOUR,
    timeSource: "test",
    zone: "Asia/Shanghai",
    statement: "{}",
    signature: null,
    signedBy: null,
    revokedAt: null,
    revokedBy: null,
    endedAt: null,
    ...more,
  };
}

export function compensationRow(more: Partial<CompensationRow> = {}): CompensationRow {
  return {
    id: asCompensationId("cp-publish-create"),
    taskId: asTaskId("t1"),
    position: 1,
    service: "cms",
    action: "take_page_down",
    args: "{}",
    grade: "B",
    precondition: "page_still_has_this_content",
    owner: "editor",
    verification: "public_page_fetched",
    timeoutMs: 30_000,
    retryMax: 3,
    steps: [{ name: "take_page_down", kind: "call" }],
    state: "registered",
    stepsDone: 0,
    attempts: 0,
    callsJudged: 0,
    nextAt: null,
    code: null,
    ...more,
  };
}

export function lookRow(operation: OperationRow, more: Partial<ReconciliationRow> = {}): ReconciliationRow {
  return {
    id: `rc-${more.verdict ?? "absent_yet"}-${more.at ?? NOW}`,
    operationId: operation.id,
    taskId: operation.taskId,
    at: NOW,
    query: "key=…",
    able: true,
    verdict: "absent_yet",
    objects: "[]",
    chosenRemoteId: null,
    rawCode: null,
    actor: EXECUTOR,
    nextLookAt: null,
    ...more,
  };
}

export function attemptRow(operation: OperationRow, more: Partial<AttemptRow> = {}): AttemptRow {
  return {
    operationId: operation.id,
    number: 1,
    taskId: operation.taskId,
    approvalId: asApprovalId("ap-publish"),
    actor: EXECUTOR,
    fencingToken: TOKEN,
    policyVersion: 1,
    baseDelayMs: 0,
    hintMs: null,
    actualDelayMs: 0,
    startedAt: NOW - MINUTE,
    endedAt: NOW - MINUTE,
    outcome: "unknown",
    rawCode: "timeout",
    rawReference: null,
    errorClass: "unknown_outcome",
    ...more,
  };
}

export function incidentRow(more: Partial<IncidentRow> = {}): IncidentRow {
  return {
    id: "in-1",
    taskId: asTaskId("t1"),
    rule: "duplicate_remote",
    kind: "duplicate_remote",
    operationId: null,
    scope: "slot",
    scopeValue: `publish:${TASK_KEY}`,
    openedAt: NOW,
    openedBy: EXECUTOR,
    closedAt: null,
    ...more,
  };
}

export function recipientRow(recipientId: string, more: Partial<RecipientAccountRow> = {}): RecipientAccountRow {
  return { taskId: asTaskId("t1"), recipientId, group: "paid", outcome: "delivered", at: NOW, code: null, ...more };
}

export function audienceRow(more: Partial<AudienceSnapshotRow> = {}): AudienceSnapshotRow {
  return {
    id: "au-1",
    taskId: asTaskId("t1"),
    audienceHash: AUDIENCE,
    suppressionVersion: 0,
    count: 2,
    excluded: 1,
    at: NOW,
    artifactHash: sha256("audience artifact"),
    ...more,
  };
}

export const stepRow = (
  name: string,
  checkpoint: StepRow["checkpoint"] = {},
  more: Partial<StepRow> = {},
): StepRow => ({
  taskId: asTaskId("t1"),
  name,
  round: 1,
  startedAt: NOW - MINUTE,
  endedAt: null,
  attempts: 1,
  checkpoint,
  ...more,
});

export interface ViewParts {
  task?: Partial<TaskRow>;
  definition?: PipelineDefinition;
  operations?: readonly OperationRow[];
  /** Of other tasks, in the same place on the remote. */
  strangers?: readonly OperationRow[];
  approvals?: readonly ApprovalRow[];
  steps?: readonly StepRow[];
  compensations?: readonly CompensationRow[];
  attempts?: readonly AttemptRow[];
  looks?: readonly ReconciliationRow[];
  audiences?: readonly AudienceSnapshotRow[];
  recipients?: readonly RecipientAccountRow[];
  recoveryItems?: readonly RecoveryItemRow[];
  alerts?: readonly AlertRow[];
  /** The newest event of a type, by when it was. */
  events?: Readonly<Record<string, number>>;
  /** By type and operation: `OperationLocked op-1`. */
  operationEvents?: Readonly<Record<string, { seq: number; actor: Actor }>>;
  freezes?: readonly IncidentRow[];
  epoch?: { epoch: number; reconciled: number; raisedAt: number | null };
  undoFailures?: number;
  signers?: readonly SignerRow[];
}

export function fakeView(parts: ViewParts = {}): TaskView {
  const of = <T extends { operationId: OperationId }>(rows: readonly T[] | undefined, id: OperationId) =>
    (rows ?? []).filter((row) => row.operationId === id);
  return {
    task: taskRow(parts.task),
    definition: parts.definition ?? briefingDefinition,
    operations: () => parts.operations ?? [],
    approvals: () => parts.approvals ?? [],
    step: (name) => parts.steps?.filter((step) => step.name === name).at(-1) ?? null,
    compensations: () => parts.compensations ?? [],
    attempts: (id) => of(parts.attempts, id),
    looks: (id) => of(parts.looks, id),
    audience: (hash) => parts.audiences?.find((row) => row.audienceHash === hash) ?? null,
    recipients: () => parts.recipients ?? [],
    recoveryItems: () => parts.recoveryItems ?? [],
    alerts: () => parts.alerts ?? [],
    artifacts: () => [],
    lastEvent: (type) => {
      const at = parts.events?.[type];
      return at === undefined ? null : { seq: at, taskSeq: 1, at };
    },
    // An event's number is its moment here.
    sentSince: (id, seq) => of(parts.attempts, id).filter(({ startedAt }) => startedAt > seq).length,
    lastEventOf: (id, type) => parts.operationEvents?.[`${type} ${id}`] ?? null,
    slotOperations: (slot) =>
      [...(parts.operations ?? []), ...(parts.strangers ?? [])].filter((row) => row.slot === slot),
    freezes: () => parts.freezes ?? [],
    epoch: () => parts.epoch ?? { epoch: 1, reconciled: 1, raisedAt: null },
    suppressionVersion: () => 0,
    signers: () => parts.signers ?? [],
    undoFailures: () => parts.undoFailures ?? 0,
  };
}

/** A command's circumstances in which nothing is missing: the holder of the lease, or a person on the newest version. */
export function contextAs(actor: Actor, more: Partial<CommandContext> = {}): CommandContext {
  return {
    actor,
    now: NOW,
    trusted: { at: NOW, trusted: true, source: "test" },
    expectedVersion: 7,
    ...(actor.startsWith("executor:") ? { fencingToken: TOKEN } : {}),
    ...more,
  };
}

export const transition = (event: string, more: Partial<TransitionCommand> = {}): TransitionCommand => ({
  type: "transition",
  taskId: asTaskId("t1"),
  event,
  ...more,
});

export const otherHash = (name: string): Sha256 => sha256(`other ${name}`);
