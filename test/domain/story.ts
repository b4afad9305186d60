import { type EventDraft, sealEvent } from "../../main/domain/chain";
import { isTerminal } from "../../main/domain/definition";
import { canonicalJson, GENESIS, sha256 } from "../../main/domain/hashing";
import { asApprovalId, asCompensationId, asTaskId, type OperationId, type TaskId } from "../../main/domain/ids";
import type { JournalSnapshot } from "../../main/domain/invariants";
import { intentHashOf, operationIdOf, operationKeyOf, publishIntentKey, sendIntentKey } from "../../main/domain/keys";
import type { BoundHashes } from "../../main/domain/ports";
import type {
  ApprovalRow,
  CompensationProgress,
  CompensationRow,
  EventRow,
  OperationRow,
  TaskRow,
} from "../../main/domain/records";

/**
 * Tells a journal event by event, without any of the code that decides: rows follow the events by the plainest rule. So a test
 * can also tell what must never happen, and see whether the checkers notice.
 */
export const AT = 1_753_000_000_000;
export const EXECUTOR = "executor:a";
export const EDITOR = "editor:lin";
export const CONTENT = sha256("content");
export const BODY = sha256("body");
export const AUDIENCE = sha256("audience");
export const PAGE = "https://site.example/w30";

type Mutable<T> = { -readonly [K in keyof T]: T[K] extends readonly (infer U)[] ? U[] : T[K] };
export type EventMore = Partial<EventDraft> & { actor?: string; token?: number | null; at?: number };

export class Story {
  readonly data: Mutable<JournalSnapshot> = {
    isWhole: true,
    tasks: [],
    events: [],
    operations: [],
    attempts: [],
    approvals: [],
    compensations: [],
    reconciliations: [],
    audiences: [],
    recipients: [],
  };
  now = AT;

  snapshot(): JournalSnapshot {
    return structuredClone(this.data);
  }

  task(id: TaskId): TaskRow {
    const task = this.data.tasks.find((row) => row.id === id);
    if (!task) throw new Error(`no task ${id}`);
    return task;
  }

  createTask(more: Partial<TaskRow> & { actor?: string } = {}): TaskId {
    const { actor = "scheduler", ...fields } = more;
    const version = fields.taskVersion ?? 1;
    const row: TaskRow = {
      id: asTaskId(`t${this.data.tasks.length + 1}`),
      taskKey: "weekly:w30:zh",
      taskVersion: version,
      pipeline: "weekly",
      definitionHash: sha256("{}"),
      edition: "2026-W30",
      language: "zh-CN",
      state: "created",
      stateVersion: 0,
      stateSince: this.now,
      resumeState: null,
      retryAt: null,
      blockedReason: null,
      deadlineAt: AT + 86_400_000,
      zone: "Asia/Shanghai",
      leaseOwner: null,
      fencingToken: 0,
      leaseExpiresAt: null,
      lastHeartbeatAt: null,
      takeoverToken: 0,
      supersedesTaskId: null,
      owner: "editor",
      backupOwner: "backup",
      callsUsed: 0,
      context: {},
      createdBy: actor,
      createdAt: this.now,
      taskSeq: 0,
      taskHead: GENESIS,
      ...fields,
    };
    this.data.tasks.push(row);
    const { at } = this.event(row.id, "TaskCreated", { actor, token: null, toState: row.state });
    Object.assign(row, { createdAt: at, stateSince: at });
    return row.id;
  }

  claim(taskId: TaskId, actor = EXECUTOR): void {
    const task = this.task(taskId);
    const token = task.fencingToken + 1;
    Object.assign(task, { fencingToken: token, leaseOwner: actor, leaseExpiresAt: this.now + 90_000 });
    this.event(taskId, "LeaseClaimed", { actor, payload: { owner: actor, token, takeover: false } });
  }

  /** Appends an event and lets the rows follow it. */
  event(taskId: TaskId | null, type: string, more: EventMore = {}): EventRow {
    const { actor = EXECUTOR, at, token, ...draft } = more;
    this.now = at ?? this.now + 1_000;
    const task = taskId === null ? null : this.task(taskId);
    const last = this.data.events[this.data.events.length - 1];
    const ownToken = actor.startsWith("executor:") ? (task?.fencingToken ?? null) : null;
    const full: EventDraft = {
      type,
      fromState: null,
      toState: null,
      reason: null,
      operationId: null,
      evidenceRefs: [],
      payload: {},
      ...draft,
    };
    const event = sealEvent(full, {
      seq: (last?.seq ?? 0) + 1,
      taskId,
      taskSeq: task ? task.taskSeq + 1 : null,
      actor,
      fencingToken: token === undefined ? ownToken : token,
      at: this.now,
      zone: "Asia/Shanghai",
      prevHash: last?.hash ?? GENESIS,
      taskPrevHash: task?.taskHead ?? null,
    });
    this.data.events.push(event);
    if (task) this.follow(task, full, event);
    return event;
  }

  private follow(task: TaskRow, draft: EventDraft, event: EventRow): void {
    Object.assign(task, { taskSeq: event.taskSeq, taskHead: event.hash });
    const patch = draft.payload["context"];
    if (typeof patch === "object") task.context = { ...task.context, ...(patch as TaskRow["context"]) };
    if (draft.toState !== null && draft.toState !== draft.fromState && draft.type !== "TaskCreated")
      Object.assign(task, { state: draft.toState, stateVersion: task.stateVersion + 1, stateSince: event.at });
    if (draft.toState !== null && isTerminal(draft.toState))
      Object.assign(task, { leaseOwner: null, leaseExpiresAt: null });
    const operation = this.data.operations.find((row) => row.id === draft.operationId);
    const state = draft.payload["operationState"] as OperationRow["state"] | undefined;
    if (!operation || state === undefined) return;
    operation.state = state;
    const remoteId = draft.payload["remoteId"];
    if (draft.type === "RemoteConfirmed" && typeof remoteId === "string") operation.remoteId = remoteId;
    operation.settled =
      ["confirmed", "rejected", "cancelled"].includes(state) ||
      (state === "not_found" && draft.payload["pastHorizon"] === true);
  }

  /** Moves the task along by name: from where it is to `to`. */
  move(taskId: TaskId, type: string, to: string, more: EventMore = {}): EventRow {
    return this.event(taskId, type, { fromState: this.task(taskId).state, toState: to, ...more });
  }

  compensation(taskId: TaskId, more: Partial<CompensationRow> = {}): CompensationRow {
    const position = this.data.compensations.filter((row) => row.taskId === taskId).length + 1;
    const row: CompensationRow = {
      id: asCompensationId(`cp-${taskId}-${position}`),
      taskId,
      position,
      service: "cms",
      action: "unpublish",
      args: "{}",
      grade: "B",
      precondition: "none",
      owner: "editor",
      verification: "page",
      timeoutMs: 1_000,
      retryMax: 3,
      steps: [{ name: "unpublish", kind: "call" }],
      state: "registered",
      stepsDone: 0,
      attempts: 0,
      callsJudged: 0,
      nextAt: null,
      code: null,
      ...more,
    };
    this.data.compensations.push(row);
    this.event(taskId, "CompensationRegistered", { payload: { compensationId: row.id } });
    return row;
  }

  /** How far an entry is, told and followed. */
  undone(entry: CompensationRow, type: string, progress: Partial<CompensationProgress>, more: EventMore = {}): void {
    const { state, stepsDone, attempts, callsJudged, nextAt, code } = { ...entry, ...progress };
    Object.assign(entry, progress);
    const payload = { compensationId: entry.id, entry: { state, stepsDone, attempts, callsJudged, nextAt, code } };
    this.event(entry.taskId, type, { payload, ...more });
  }

  approve(taskId: TaskId, scope: "publish" | "send", more: Partial<ApprovalRow> = {}): ApprovalRow {
    const task = this.task(taskId);
    const isPublish = scope === "publish";
    const bound = { pageUrl: PAGE, bodyHash: BODY, audienceHash: AUDIENCE };
    const row: ApprovalRow = {
      id: asApprovalId(`ap-${this.data.approvals.length + 1}`),
      taskId,
      scope,
      intentKey: isPublish
        ? publishIntentKey(task.taskKey, task.taskVersion, CONTENT)
        : sendIntentKey(task.taskKey, task.taskVersion, bound),
      hashRuleVersion: 2,
      contentHash: isPublish ? CONTENT : null,
      packageHash: null,
      pageUrl: isPublish ? null : PAGE,
      bodyHash: isPublish ? null : BODY,
      audienceHash: isPublish ? null : AUDIENCE,
      checkReceiptId: null,
      approver: EDITOR,
      issuedAt: this.now + 1_000,
      expiresAt: this.now + 86_400_000,
      timeSource: "test",
      zone: "Asia/Shanghai",
      statement: "",
      signature: null,
      signedBy: null,
      revokedAt: null,
      revokedBy: null,
      endedAt: null,
      ...more,
    };
    const { approver, contentHash, intentKey, issuedAt, expiresAt } = row;
    const terms = { format: "imprimatur-approval/1", approver, contentHash, intentKey, issuedAt, expiresAt };
    const signed = { ...row, statement: canonicalJson(terms) };
    this.data.approvals.push(signed);
    const payload = { context: { [`${scope}ApprovalId`]: row.id } };
    this.event(taskId, isPublish ? "ContentApproved" : "SendApproved", { actor: EDITOR, payload });
    return signed;
  }

  operation(taskId: TaskId, more: Partial<OperationRow> & Pick<OperationRow, "kind" | "phase">): OperationRow {
    const task = this.task(taskId);
    const isPublish = more.kind === "publish";
    const hashes: BoundHashes = {
      contentHash: isPublish ? CONTENT : null,
      pageUrl: isPublish ? null : PAGE,
      bodyHash: isPublish ? null : BODY,
      audienceHash: isPublish ? null : AUDIENCE,
    };
    const bound = { pageUrl: PAGE, bodyHash: BODY, audienceHash: AUDIENCE };
    const intentKey = isPublish
      ? publishIntentKey(task.taskKey, task.taskVersion, more.contentHash ?? CONTENT)
      : sendIntentKey(task.taskKey, task.taskVersion, { ...bound, audienceHash: more.audienceHash ?? AUDIENCE });
    const base = {
      intentKey,
      slot: `${more.kind}:${task.taskKey}`,
      adapter: isPublish ? "cms" : "mail",
      target: "https://remote.example",
      recipientId: null,
      ...hashes,
      ...more,
    };
    const { kind, phase, adapter, target, slot, recipientId, contentHash, pageUrl, bodyHash, audienceHash } = base;
    const operationKey = operationKeyOf(base.intentKey, phase, recipientId);
    const bindings = { contentHash, pageUrl, bodyHash, audienceHash };
    const row: OperationRow = {
      id: operationIdOf(operationKey),
      taskId,
      operationKey,
      intentHash: intentHashOf({ kind, adapter, target, slot, phase, recipientId, hashes: bindings }),
      hashRuleVersion: 2,
      parentId: null,
      afterId: null,
      compensationId: null,
      automatic: false,
      state: "prepared",
      settled: false,
      preparedAt: this.now,
      preparedToken: task.fencingToken,
      requestSentAt: null,
      requestContentHash: null,
      requestPageUrl: null,
      requestBodyHash: null,
      requestAudienceHash: null,
      requestBytesHash: null,
      remoteId: null,
      remoteUrl: null,
      looksUsed: 0,
      nextLookAt: null,
      lastObservedAt: null,
      unknownSince: null,
      ...base,
    };
    this.data.operations.push(row);
    const payload = { operationState: "prepared", intentHash: row.intentHash };
    this.event(taskId, "OperationPrepared", { operationId: row.id, payload });
    return row;
  }

  send(row: OperationRow, more: EventMore = {}): EventRow {
    const number = this.data.attempts.filter((attempt) => attempt.operationId === row.id).length + 1;
    const payload = { operationState: "request_sent", attempt: number };
    const event = this.event(row.taskId, "RequestSent", { operationId: row.id, payload, ...more });
    Object.assign(row, {
      requestSentAt: event.at,
      requestContentHash: row.contentHash,
      requestPageUrl: row.pageUrl,
      requestBodyHash: row.bodyHash,
      requestAudienceHash: row.audienceHash,
      requestBytesHash: sha256(`bytes of ${row.operationKey}`),
    });
    this.data.attempts.push({
      operationId: row.id,
      number,
      taskId: row.taskId,
      approvalId: null,
      actor: event.actor,
      fencingToken: event.fencingToken ?? 0,
      policyVersion: 1,
      baseDelayMs: 0,
      hintMs: null,
      actualDelayMs: 0,
      startedAt: event.at,
      endedAt: null,
      outcome: null,
      rawCode: null,
      rawReference: null,
      errorClass: null,
    });
    return event;
  }

  outcome(row: OperationRow, type: string, state: OperationRow["state"], payload: Record<string, unknown> = {}): void {
    this.event(row.taskId, type, {
      operationId: row.id as OperationId,
      payload: { operationState: state, ...payload },
    });
  }
}

/** The parts of an edition, each of which a test may leave out, change or tell twice. */
export interface Edition {
  story: Story;
  taskId: TaskId;
}

export function tellStart(more: Partial<TaskRow> & { actor?: string } = {}, story = new Story()): Edition {
  const taskId = story.createTask(more);
  story.claim(taskId);
  story.move(taskId, "CheckPassed", "awaiting_content_approval");
  story.move(taskId, "ContentApproved", "content_approved", { actor: EDITOR });
  return { story, taskId };
}

/** Publishing: the undo, the operation, the request. The approval is the caller's to give, or not. */
export function tellPublish({ story, taskId }: Edition, more: Partial<OperationRow> = {}): OperationRow {
  story.move(taskId, "PublishStarted", "publishing");
  const entry = story.compensation(taskId);
  return story.operation(taskId, {
    kind: "publish",
    phase: "create",
    compensationId: entry.id,
    automatic: true,
    ...more,
  });
}

export function tellVerified({ story, taskId }: Edition): void {
  story.event(taskId, "PageVerified", { payload: { context: { verifiedContentHash: CONTENT } } });
  story.move(taskId, "Published", "published");
}

/** The send gate and a campaign in two phases under one shared undo. */
export function tellSend({ story, taskId }: Edition): { create: OperationRow; trigger: OperationRow } {
  story.move(taskId, "SendReviewOpened", "awaiting_send_approval", {
    payload: { context: { audienceHash: AUDIENCE } },
  });
  story.move(taskId, "SendApproved", "sending", { actor: EDITOR });
  const entry = story.compensation(taskId, { grade: "C", service: "mail" });
  const create = story.operation(taskId, { kind: "send", phase: "create", compensationId: entry.id });
  const trigger = story.operation(taskId, {
    kind: "send",
    phase: "trigger",
    compensationId: entry.id,
    afterId: create.id,
    automatic: true,
  });
  return { create, trigger };
}

export function tellAccounted(
  { story, taskId }: Edition,
  outcomes: readonly string[] = ["delivered", "bounced"],
): void {
  story.move(taskId, "SendAccepted", "send_pending");
  for (const [index, outcome] of outcomes.entries())
    story.data.recipients.push({
      taskId,
      recipientId: `r${index}`,
      group: "paid",
      outcome: outcome as "delivered",
      at: story.now,
      code: null,
    });
  story.data.audiences.push({
    id: `au-${taskId}`,
    taskId,
    audienceHash: AUDIENCE,
    suppressionVersion: 0,
    count: outcomes.length,
    excluded: 0,
    at: story.now,
    artifactHash: sha256("audience list"),
  });
  story.move(taskId, "DeliveryAccounted", "succeeded");
}

/** From the approved content to the end. */
export function tellRest(edition: Edition): void {
  const { story, taskId } = edition;
  story.approve(taskId, "publish");
  const publish = tellPublish(edition);
  story.send(publish);
  story.outcome(publish, "RemoteConfirmed", "confirmed", { remoteId: "18427" });
  tellVerified(edition);
  story.approve(taskId, "send");
  const { create, trigger } = tellSend(edition);
  story.send(create);
  story.outcome(create, "RemoteConfirmed", "confirmed", { remoteId: "930" });
  story.send(trigger);
  story.outcome(trigger, "RemoteConfirmed", "confirmed");
  tellAccounted(edition);
}

/** One whole edition in which nothing went wrong. */
export function tellEdition(more: Partial<TaskRow> & { actor?: string } = {}, story = new Story()): Edition {
  const edition = tellStart(more, story);
  tellRest(edition);
  return edition;
}
