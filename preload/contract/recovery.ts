import { z } from "zod";
import { ClockInfo } from "./app";
import { ForTask, Instant, Reason, TaskId, Version } from "./primitives";

export const RecoveryStage = z.enum(["to_triage", "triaged", "recovering", "to_verify", "closed", "reviewed"]);
const ItemId = z.string().min(1).max(80);

/** What a stage asks for before an item may be in it. */
const Proof = z.enum(["method", "verification", "review"]);

export const RecoveryItem = z.object({
  id: ItemId,
  taskId: TaskId,
  edition: z.string(),
  taskState: z.string(),
  stateVersion: Version,
  kind: z.enum([
    "dead_letter",
    "unknown_outcome",
    "customer_care",
    "blocked_expired",
    "compensation_failed",
    "compensation_manual",
    "reconciliation_difference",
    "drill_failed",
  ]),
  stage: RecoveryStage,
  /** As it was written down: an operation's key, an outcome and whose, a reason, an undo and its code. */
  subject: z.string(),
  errorClass: z.string().nullable(),
  /** The code behind it, as the remote or the network gave it. */
  code: z.string().nullable(),
  operation: z.object({ key: z.string(), kind: z.string(), phase: z.string(), adapter: z.string() }).nullable(),
  recipients: z.number().int().nullable(),
  owner: z.string(),
  backupOwner: z.string(),
  createdAt: Instant,
  dueAt: Instant,
  stageAt: Instant.nullable(),
  method: z.string().nullable(),
  verification: z.string().nullable(),
  minutes: z.number().int(),
  review: z.string().nullable(),
  /** Past its due time, or untouched for a day and so the backup owner's as well. */
  escalation: z.enum(["overdue", "untouched"]).nullable(),
  /** Where it may go from here, and what each still asks for. */
  ways: z.array(z.object({ to: RecoveryStage, asks: z.array(Proof) })),
  /** What recurs that it is one of, if anything. */
  pattern: z.string().nullable(),
});

/** What makes two items the same trouble. */
export const RecurringCause = z.object({
  kind: z.string(),
  errorClass: z.string().nullable(),
  action: z.string().nullable(),
  code: z.string().nullable(),
});

/** What came more than once: how often, and what follows from it. */
export const RecoveryPattern = RecurringCause.extend({
  fingerprint: z.string(),
  /** Of the items on the board, oldest first. */
  itemIds: z.array(z.string()),
  lastWeek: z.number().int(),
  lastMonth: z.number().int(),
  review: z.enum(["none", "due", "reopened"]),
  automation: z.object({ method: z.string(), times: z.number().int() }).nullable(),
});

/** The board, and the history of the item that is looked at. */
export const Recovery = z.object({
  clock: ClockInfo,
  items: z.array(RecoveryItem),
  patterns: z.array(RecoveryPattern),
  /** Dead letters that nobody has touched for a day. */
  untouchedDeadLetters: z.number().int(),
  /** Of the asked item, oldest first. */
  history: z.array(
    z.object({
      at: Instant,
      actor: z.string(),
      from: RecoveryStage.nullable(),
      to: RecoveryStage.nullable(),
      note: z.string(),
      minutes: z.number().int(),
    }),
  ),
});

export const AskRecovery = z.object({ itemId: ItemId.nullable() });

const Said = z.string().trim().max(2000).optional();
export const MoveRecovery = ForTask.extend({
  expectedVersion: Version,
  itemId: ItemId,
  from: RecoveryStage,
  to: RecoveryStage,
  note: Reason,
  minutes: z.number().int().min(0).max(10_000),
  owner: z.string().trim().min(1).max(120).optional(),
  method: Said,
  verification: Said,
  review: Said,
});
