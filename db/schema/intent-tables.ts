import { index, integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";
import type { CompensationRow } from "../../main/domain/records";

/** What is intended and agreed to: tasks, their stages, bytes, undos and approvals. */

/** The one row about the journal itself: whose it is, and its epoch (nothing leaves until the epoch is reconciled). */
export const journalState = sqliteTable("journal_state", {
  id: integer("id").primaryKey(),
  workspaceId: text("workspace_id").notNull(),
  kind: text("kind").notNull(),
  epoch: integer("epoch").notNull(),
  epochReconciled: integer("epoch_reconciled").notNull(),
  createdAt: integer("created_at").notNull(),
  suppressionVersion: integer("suppression_version").notNull().default(0),
});

/** A pipeline's definition by its hash: a task runs on the version it began with. */
export const pipelineDefinition = sqliteTable(
  "pipeline_definition",
  {
    hash: text("hash").primaryKey(),
    name: text("name").notNull(),
    version: integer("version").notNull(),
    body: text("body").notNull(),
    registeredAt: integer("registered_at").notNull(),
  },
  (t) => [unique().on(t.name, t.version)],
);

/** One durable intent for one edition; at most one live per key (I01), final once terminal (I08). */
export const task = sqliteTable(
  "task",
  {
    id: text("id").primaryKey(),
    taskKey: text("task_key").notNull(),
    taskVersion: integer("task_version").notNull(),
    pipeline: text("pipeline").notNull(),
    definitionHash: text("definition_hash").notNull(),
    edition: text("edition").notNull(),
    language: text("language").notNull(),
    state: text("state").notNull(),
    stateVersion: integer("state_version").notNull(),
    stateSince: integer("state_since").notNull(),
    resumeState: text("resume_state"),
    retryAt: integer("retry_at"),
    blockedReason: text("blocked_reason"),
    deadlineAt: integer("deadline_at").notNull(),
    zone: text("zone").notNull(),
    leaseOwner: text("lease_owner"),
    fencingToken: integer("fencing_token").notNull().default(0),
    leaseExpiresAt: integer("lease_expires_at"),
    lastHeartbeatAt: integer("last_heartbeat_at"),
    takeoverToken: integer("takeover_token").notNull().default(0),
    supersedesTaskId: text("supersedes_task_id"),
    owner: text("owner").notNull(),
    backupOwner: text("backup_owner").notNull(),
    callsUsed: integer("calls_used").notNull().default(0),
    context: text("context", { mode: "json" }).$type<Readonly<Record<string, string | number | null>>>().notNull(),
    createdBy: text("created_by").notNull(),
    createdAt: integer("created_at").notNull(),
    taskSeq: integer("task_seq").notNull().default(0),
    taskHead: text("task_head").notNull(),
  },
  (t) => [unique().on(t.taskKey, t.taskVersion), index("task_by_state").on(t.state, t.stateSince)],
);

/** One internal stage of a task with its checkpoint: from any checkpoint the result equals a run from zero. */
export const step = sqliteTable(
  "step",
  {
    taskId: text("task_id").notNull(),
    name: text("name").notNull(),
    round: integer("round").notNull(),
    startedAt: integer("started_at").notNull(),
    endedAt: integer("ended_at"),
    attempts: integer("attempts").notNull().default(0),
    checkpoint: text("checkpoint", { mode: "json" }).$type<Readonly<Record<string, unknown>>>().notNull(),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.name, t.round] })],
);

/** Frozen bytes a task refers to; the bytes lie in the blob store under the same hash. */
export const artifact = sqliteTable(
  "artifact",
  {
    taskId: text("task_id").notNull(),
    hash: text("hash").notNull(),
    kind: text("kind").notNull(),
    bytes: integer("bytes").notNull(),
    mediaType: text("media_type").notNull(),
    at: integer("at").notNull(),
    origin: text("origin"),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.hash, t.kind] })],
);

/** One entry of the undo stack, registered before its forward call (I07). */
export const compensation = sqliteTable(
  "compensation",
  {
    id: text("id").primaryKey(),
    taskId: text("task_id").notNull(),
    position: integer("position").notNull(),
    service: text("service").notNull(),
    action: text("action").notNull(),
    args: text("args").notNull(),
    grade: text("grade").notNull(),
    precondition: text("precondition").notNull(),
    owner: text("owner").notNull(),
    verification: text("verification").notNull(),
    timeoutMs: integer("timeout_ms").notNull(),
    retryMax: integer("retry_max").notNull(),
    steps: text("steps", { mode: "json" }).$type<CompensationRow["steps"]>().notNull(),
    state: text("state").notNull(),
    stepsDone: integer("steps_done").notNull().default(0),
    attempts: integer("attempts").notNull().default(0),
    callsJudged: integer("calls_judged").notNull().default(0),
    nextAt: integer("next_at"),
    code: text("code"),
  },
  (t) => [unique().on(t.taskId, t.position)],
);

/** What a person agreed to, bound to a gate, an intent and exact hashes (I02, I04); never rewritten (I08). */
export const approval = sqliteTable(
  "approval",
  {
    id: text("id").primaryKey(),
    taskId: text("task_id").notNull(),
    scope: text("scope").notNull(),
    intentKey: text("intent_key").notNull(),
    hashRuleVersion: integer("hash_rule_version").notNull(),
    contentHash: text("content_hash"),
    packageHash: text("package_hash"),
    pageUrl: text("page_url"),
    bodyHash: text("body_hash"),
    audienceHash: text("audience_hash"),
    checkReceiptId: text("check_receipt_id"),
    approver: text("approver").notNull(),
    issuedAt: integer("issued_at").notNull(),
    expiresAt: integer("expires_at").notNull(),
    timeSource: text("time_source").notNull(),
    zone: text("zone").notNull(),
    statement: text("statement").notNull(),
    signature: text("signature"),
    signedBy: text("signed_by"),
    revokedAt: integer("revoked_at"),
    revokedBy: text("revoked_by"),
    endedAt: integer("ended_at"),
  },
  (t) => [index("approval_by_task").on(t.taskId, t.scope, t.issuedAt)],
);

/** The public side of each key that approvals are signed with; the newest signs, and none is forgotten. */
export const signer = sqliteTable("signer", {
  fingerprint: text("fingerprint").primaryKey(),
  position: integer("position").notNull(),
  publicKey: text("public_key").notNull(),
  identity: text("identity").notNull(),
  registeredAt: integer("registered_at").notNull(),
  registeredBy: text("registered_by").notNull(),
  reason: text("reason").notNull(),
});
