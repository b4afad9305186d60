import { z } from "zod";
import { ClockInfo } from "./app";
import { ForTask, Hash, Instant, TaskId } from "./primitives";
import { RecurringCause } from "./recovery";

export const AlertId = z.string().min(1).max(80);

/** One call that an alert is about. */
const AlertOperation = z.object({
  operationKey: z.string(),
  kind: z.string(),
  phase: z.string(),
  adapter: z.string(),
  state: z.string(),
  remoteId: z.string().nullable(),
  intentHash: Hash,
  contentHash: Hash.nullable(),
});

const Calls = z.object({ calls: z.number().int(), again: z.number().int() });

/** An alert that somebody has to act on, with all that is needed for it. */
export const OpenAlert = z.object({
  id: AlertId,
  taskId: TaskId,
  edition: z.string(),
  code: z.string(),
  urgency: z.enum(["five_minutes", "one_hour", "working_hours"]),
  todo: z.string(),
  at: Instant,
  /** By when somebody has to have acted. */
  actBy: Instant,
  times: z.number().int(),
  lastAt: Instant,
  toldAt: Instant.nullable(),
  escalatedAt: Instant.nullable(),
  snoozedUntil: Instant.nullable(),
  /** When a snooze until the morning would end. */
  morningAt: Instant,
  taskKey: z.string(),
  state: z.string(),
  deadlineAt: Instant,
  owner: z.string(),
  backupOwner: z.string(),
  contentHash: z.string().nullable(),
  operations: z.array(AlertOperation),
  lastApproval: z
    .object({
      id: z.string(),
      scope: z.string(),
      approver: z.string(),
      issuedAt: Instant,
      expiresAt: Instant,
      state: z.enum(["living", "revoked", "expired", "ended"]),
      contentHash: Hash.nullable(),
    })
    .nullable(),
  /** Of an alert about a dependency: its calls of the last seven days, and of the four weeks before. Null: about something else. */
  retries: z.object({ recent: Calls, baseline: Calls }).nullable(),
  /** The recovery item that it is about, to be opened. Null: about something else. */
  itemId: z.string().nullable(),
  /** Of an alert about an owed review: what recurs and how often, as it was when it was raised. */
  recurs: RecurringCause.extend({
    lastWeek: z.number().int(),
    lastMonth: z.number().int(),
    review: z.enum(["due", "reopened"]),
  }).nullable(),
  freezes: z.array(
    z.object({ id: z.string(), rule: z.string(), scope: z.string(), scopeValue: z.string(), openedAt: Instant }),
  ),
});

export const DoneAlert = z.object({
  id: AlertId,
  taskId: TaskId,
  edition: z.string(),
  code: z.string(),
  at: Instant,
  toldAt: Instant.nullable(),
  escalatedAt: Instant.nullable(),
  endedAt: Instant,
  /** Who acknowledged it; null where what it was about was over before anybody did. */
  by: z.string().nullable(),
});

/** The inbox: what is open, by urgency, and what was told lately. */
export const Alerts = z.object({
  clock: ClockInfo,
  open: z.array(OpenAlert),
  done: z.array(DoneAlert),
  /** Whether the system's notifications work, as far as they were tried since the start. */
  notifier: z.object({
    state: z.enum(["untried", "works", "unsupported", "failed"]),
    at: Instant.nullable(),
  }),
});

const ForAlert = ForTask.extend({ alertId: AlertId });
export const AcknowledgeAlert = ForAlert.extend({ note: z.string().trim().max(2000) });
export const SnoozeAlert = ForAlert.extend({ span: z.enum(["hour", "morning"]) });
