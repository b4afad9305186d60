import { z } from "zod";
import { ClockInfo } from "./app";
import { ApprovalView, SourceView } from "./content-review";
import { IncidentView } from "./incident";
import { Hash, Instant, OperationId, TaskId, Unmet, Version } from "./primitives";

export const EventView = z.object({
  seq: z.number().int(),
  type: z.string(),
  fromState: z.string().nullable(),
  toState: z.string().nullable(),
  actor: z.string(),
  at: Instant,
  reason: z.string().nullable(),
  operationId: OperationId.nullable(),
  fencingToken: z.number().int().nullable(),
  hash: Hash,
  payload: z.string().nullable(),
});

export const AttemptView = z.object({
  number: z.number().int(),
  at: Instant,
  endedAt: Instant.nullable(),
  outcome: z.string().nullable(),
  code: z.string().nullable(),
  errorClass: z.string().nullable(),
  fencingToken: z.number().int(),
});

export const LookView = z.object({
  at: Instant,
  query: z.string(),
  verdict: z.string(),
  able: z.boolean(),
  objects: z.array(
    z.object({
      remoteId: z.string(),
      state: z.string(),
      keyEqual: z.boolean(),
      intentEqual: z.boolean().nullable(),
      contentEqual: z.boolean().nullable(),
      taskEqual: z.boolean().nullable(),
      url: z.string().nullable(),
    }),
  ),
  nextLookAt: Instant.nullable(),
  actor: z.string(),
});

export const OperationView = z.object({
  id: OperationId,
  operationKey: z.string(),
  intentKey: z.string(),
  kind: z.string(),
  phase: z.string(),
  slot: z.string(),
  adapter: z.string(),
  target: z.string(),
  state: z.string(),
  remoteId: z.string().nullable(),
  url: z.string().nullable(),
  intentHash: Hash,
  contentHash: Hash.nullable(),
  requestSentAt: Instant.nullable(),
  settledAt: Instant.nullable(),
  nextLookAt: Instant.nullable(),
  looksUsed: z.number().int(),
  lookBudget: z.number().int(),
  attempts: z.array(AttemptView),
  looks: z.array(LookView),
  /** Verdicts a person may give now; empty where none is asked for. */
  verdicts: z.array(z.enum(["happened", "did_not_happen", "cannot_tell"])),
});

export const Way = z.object({
  event: z.string(),
  to: z.string(),
  open: z.boolean(),
  unmet: z.array(Unmet),
  by: z.enum(["person", "executor", "either"]),
});

export const Run = z.object({
  taskId: TaskId,
  taskKey: z.string(),
  taskVersion: z.number().int(),
  edition: z.string(),
  state: z.string(),
  stateVersion: Version,
  resumeState: z.string().nullable(),
  blocked: z
    .object({
      reason: z.string(),
      owner: z.string(),
      evidenceNeeded: z.array(z.string()),
      waysOut: z.array(
        z.object({ to: z.string(), needsDeadline: z.boolean(), open: z.boolean(), unmet: z.array(Unmet) }),
      ),
      expiresAt: Instant.nullable(),
    })
    .nullable(),
  deadlineAt: Instant,
  zone: z.string(),
  lease: z.object({ owner: z.string(), token: z.number().int(), expiresAt: Instant }).nullable(),
  sources: z.array(SourceView),
  operations: z.array(OperationView),
  events: z.array(EventView),
  approvals: z.array(ApprovalView),
  artifacts: z.array(z.object({ hash: Hash, kind: z.string(), bytes: z.number().int(), at: Instant })),
  recipients: z.object({
    total: z.number().int(),
    accepted: z.number().int(),
    delivered: z.number().int(),
    bounced: z.number().int(),
    complained: z.number().int(),
    excluded: z.number().int(),
    closedByPerson: z.number().int(),
    unknown: z.number().int(),
  }),
  /** Ids of the recipients without a final outcome, which `run.closeRecipients` may account for; left out where that is not offered. */
  openRecipients: z.array(z.string()).optional(),
  ways: z.array(Way),
  /** Open incidents that freeze this edition's writes. */
  incidents: z.array(IncidentView),
  careQueue: z.array(z.object({ recipientId: z.string(), outcome: z.string(), at: Instant })),
  clock: ClockInfo,
});
