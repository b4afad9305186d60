import { index, integer, primaryKey, sqliteTable, text, unique } from "drizzle-orm/sqlite-core";

/** What was done outside and what is known about it: operations, tries, looks and the event chain. */

/** One effect on one remote: an immutable intent and a state of its own machine (I02, I03, I04, I07). */
export const operation = sqliteTable(
  "operation",
  {
    id: text("id").primaryKey(),
    taskId: text("task_id").notNull(),
    operationKey: text("operation_key").notNull().unique(),
    intentKey: text("intent_key").notNull(),
    phase: text("phase").notNull(),
    slot: text("slot").notNull(),
    kind: text("kind").notNull(),
    adapter: text("adapter").notNull(),
    target: text("target").notNull(),
    recipientId: text("recipient_id"),
    intentHash: text("intent_hash").notNull(),
    contentHash: text("content_hash"),
    pageUrl: text("page_url"),
    bodyHash: text("body_hash"),
    audienceHash: text("audience_hash"),
    hashRuleVersion: integer("hash_rule_version").notNull(),
    parentId: text("parent_id"),
    afterId: text("after_id"),
    compensationId: text("compensation_id"),
    automatic: integer("automatic", { mode: "boolean" }).notNull(),
    state: text("state").notNull(),
    settled: integer("settled", { mode: "boolean" }).notNull(),
    preparedAt: integer("prepared_at").notNull(),
    preparedToken: integer("prepared_token").notNull(),
    requestSentAt: integer("request_sent_at"),
    requestContentHash: text("request_content_hash"),
    requestPageUrl: text("request_page_url"),
    requestBodyHash: text("request_body_hash"),
    requestAudienceHash: text("request_audience_hash"),
    requestBytesHash: text("request_bytes_hash"),
    remoteId: text("remote_id"),
    remoteUrl: text("remote_url"),
    looksUsed: integer("looks_used").notNull().default(0),
    nextLookAt: integer("next_look_at"),
    lastObservedAt: integer("last_observed_at"),
    unknownSince: integer("unknown_since"),
  },
  (t) => [index("operation_by_task").on(t.taskId, t.preparedAt), index("operation_by_slot").on(t.slot, t.phase)],
);

/** One try of an operation, with the approval it relied on and the token it was made under (I05). */
export const attempt = sqliteTable(
  "attempt",
  {
    operationId: text("operation_id").notNull(),
    number: integer("number").notNull(),
    taskId: text("task_id").notNull(),
    approvalId: text("approval_id"),
    actor: text("actor").notNull(),
    fencingToken: integer("fencing_token").notNull(),
    policyVersion: integer("policy_version").notNull(),
    baseDelayMs: integer("base_delay_ms").notNull(),
    hintMs: integer("hint_ms"),
    actualDelayMs: integer("actual_delay_ms").notNull(),
    startedAt: integer("started_at").notNull(),
    endedAt: integer("ended_at"),
    outcome: text("outcome"),
    rawCode: text("raw_code"),
    rawReference: text("raw_reference"),
    errorClass: text("error_class"),
  },
  (t) => [primaryKey({ columns: [t.operationId, t.number] })],
);

/** The append-only record of everything that happened, under two hash chains (I05, I08). */
export const event = sqliteTable(
  "event",
  {
    seq: integer("seq").primaryKey(),
    taskId: text("task_id"),
    taskSeq: integer("task_seq"),
    type: text("type").notNull(),
    fromState: text("from_state"),
    toState: text("to_state"),
    actor: text("actor").notNull(),
    fencingToken: integer("fencing_token"),
    at: integer("at").notNull(),
    zone: text("zone").notNull(),
    reason: text("reason"),
    operationId: text("operation_id"),
    evidenceRefs: text("evidence_refs", { mode: "json" }).$type<readonly string[]>().notNull(),
    payload: text("payload"),
    payloadHash: text("payload_hash").notNull(),
    prevHash: text("prev_hash").notNull().unique(),
    taskPrevHash: text("task_prev_hash"),
    header: text("header").notNull(),
    hash: text("hash").notNull().unique(),
  },
  (t) => [unique().on(t.taskId, t.taskSeq), index("event_by_task_type").on(t.taskId, t.type)],
);

/** One look at a remote and what it came to: a receipt, never changed (I08). */
export const reconciliation = sqliteTable(
  "reconciliation",
  {
    id: text("id").primaryKey(),
    operationId: text("operation_id").notNull(),
    taskId: text("task_id").notNull(),
    at: integer("at").notNull(),
    query: text("query").notNull(),
    able: integer("able", { mode: "boolean" }).notNull(),
    verdict: text("verdict").notNull(),
    objects: text("objects").notNull(),
    chosenRemoteId: text("chosen_remote_id"),
    rawCode: text("raw_code"),
    actor: text("actor").notNull(),
    nextLookAt: integer("next_look_at"),
  },
  (t) => [index("reconciliation_by_operation").on(t.operationId, t.at)],
);

/** A refused mismatch: the same key came with other parameters, and both hashes are kept (I03). */
export const intentConflict = sqliteTable("intent_conflict", {
  id: text("id").primaryKey(),
  operationKey: text("operation_key").notNull(),
  keptIntentHash: text("kept_intent_hash").notNull(),
  refusedIntentHash: text("refused_intent_hash").notNull(),
  actor: text("actor").notNull(),
  at: integer("at").notNull(),
});
