import type { Instant, OperationId, TaskId } from "./ids";

/** By when a person must act (domain 10). */
export type AlertUrgency = "five_minutes" | "one_hour" | "working_hours";

/** An alert as it is raised: nobody has been told. */
export interface NewAlert {
  id: string;
  taskId: TaskId | null;
  operationId: OperationId | null;
  /** What it is about: the operation, undo, item or task. While an alert is open, the same code about the same is that alert. */
  subject: string;
  code: string;
  urgency: AlertUrgency;
  at: Instant;
  /** What to act on, complete: keys, ids, hashes as canonical JSON. */
  details: string;
}

/** What became of an alert, each time with an event that tells it. */
export interface AlertProgress {
  /** When somebody was told last. */
  toldAt: Instant | null;
  /** When it went to the backup owner as well: once. */
  escalatedAt: Instant | null;
  /** Silent until then, by a person's word; null once it was told again. */
  snoozedUntil: Instant | null;
  acknowledgedAt: Instant | null;
  acknowledgedBy: string | null;
  /** What it was about is over, without anybody having acknowledged it. */
  settledAt: Instant | null;
}

export interface AlertRow extends NewAlert, AlertProgress {
  /** How often it was raised while it was open, and when last. */
  times: number;
  lastAt: Instant;
}
