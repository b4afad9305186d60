import { integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";

/** Who it was for and what a person has to see to: recipients, recovery, incidents and timers. */

/** Who a mailing is for, as counted and hashed at one moment; recipient ids only. */
export const audienceSnapshot = sqliteTable(
  "audience_snapshot",
  {
    id: text("id").primaryKey(),
    taskId: text("task_id").notNull(),
    audienceHash: text("audience_hash").notNull(),
    suppressionVersion: integer("suppression_version").notNull(),
    count: integer("count").notNull(),
    excluded: integer("excluded").notNull(),
    at: integer("at").notNull(),
    artifactHash: text("artifact_hash").notNull(),
  },
  (t) => [unique().on(t.taskId, t.audienceHash)],
);

/** What became of one recipient of one task; success needs every one of them accounted for (I06). */
export const recipientAccount = sqliteTable(
  "recipient_account",
  {
    taskId: text("task_id").notNull(),
    recipientId: text("recipient_id").notNull(),
    group: text("group").notNull(),
    outcome: text("outcome").notNull(),
    at: integer("at").notNull(),
    code: text("code"),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.recipientId] })],
);

/** A recipient who gets no mail any more, by the version of the list that says so. */
export const suppression = sqliteTable("suppression", {
  recipientId: text("recipient_id").primaryKey(),
  version: integer("version").notNull(),
  reason: text("reason").notNull(),
  at: integer("at").notNull(),
});

/** Something a person has to see to, with an owner and a due time. */
export const recoveryItem = sqliteTable("recovery_item", {
  id: text("id").primaryKey(),
  taskId: text("task_id").notNull(),
  operationId: text("operation_id"),
  kind: text("kind").notNull(),
  stage: text("stage").notNull(),
  subject: text("subject").notNull(),
  errorClass: text("error_class"),
  owner: text("owner").notNull(),
  backupOwner: text("backup_owner").notNull(),
  createdAt: integer("created_at").notNull(),
  dueAt: integer("due_at").notNull(),
  stageAt: integer("stage_at"),
  method: text("method"),
  verification: text("verification"),
  minutes: integer("minutes").notNull().default(0),
  review: text("review"),
});

/** A broken promise under investigation; while it is open it freezes the writes of its scope. */
export const incident = sqliteTable("incident", {
  id: text("id").primaryKey(),
  taskId: text("task_id"),
  rule: text("rule").notNull(),
  scope: text("scope").notNull(),
  scopeValue: text("scope_value").notNull(),
  kind: text("kind").notNull().default("other"),
  operationId: text("operation_id"),
  openedAt: integer("opened_at").notNull(),
  openedBy: text("opened_by").notNull(),
  closedAt: integer("closed_at"),
});

/** What somebody was told to do, and how soon. */
export const alert = sqliteTable("alert", {
  id: text("id").primaryKey(),
  taskId: text("task_id"),
  operationId: text("operation_id"),
  subject: text("subject").notNull(),
  code: text("code").notNull(),
  urgency: text("urgency").notNull(),
  at: integer("at").notNull(),
  details: text("details").notNull(),
  times: integer("times").notNull().default(1),
  lastAt: integer("last_at").notNull(),
  toldAt: integer("told_at"),
  escalatedAt: integer("escalated_at"),
  snoozedUntil: integer("snoozed_until"),
  acknowledgedAt: integer("acknowledged_at"),
  acknowledgedBy: text("acknowledged_by"),
  settledAt: integer("settled_at"),
});

/** A rehearsal of a recovery, with its times and result. */
export const drill = sqliteTable("drill", {
  id: text("id").primaryKey(),
  kind: text("kind").notNull(),
  scheduledAt: integer("scheduled_at").notNull(),
  startedAt: integer("started_at"),
  endedAt: integer("ended_at"),
  result: text("result"),
});

/** A host that fails: kept on disk, so that a restart does not hammer it again. */
export const breaker = sqliteTable("breaker", {
  host: text("host").primaryKey(),
  failures: integer("failures").notNull(),
  openedAt: integer("opened_at"),
  retryAt: integer("retry_at"),
});

/** One row per local date and slot that a timer fired for: what makes two timers one. */
export const scheduleFire = sqliteTable(
  "schedule_fire",
  {
    schedule: text("schedule").notNull(),
    slot: text("slot").notNull(),
    firedAt: integer("fired_at").notNull(),
    lateMs: integer("late_ms").notNull(),
  },
  (t) => [primaryKey({ columns: [t.schedule, t.slot] })],
);

/** A schedule that waits for a person to look at the clock; resuming removes the row. */
export const schedulePause = sqliteTable("schedule_pause", {
  schedule: text("schedule").primaryKey(),
  since: integer("since").notNull(),
  reason: text("reason").notNull(),
  movedMs: integer("moved_ms").notNull(),
});
