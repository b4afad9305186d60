import { z } from "zod";
import { ClockInfo } from "./app";
import { ApprovalView } from "./content-review";
import { Hash, Instant, TaskId, Unmet, Version } from "./primitives";

export const RecipientChange = z.object({
  recipientId: z.string(),
  group: z.string(),
  change: z.enum(["added", "removed", "suppressed"]),
  reason: z.string(),
});

export const SendReview = z.object({
  taskId: TaskId,
  edition: z.string(),
  state: z.string(),
  stateVersion: Version,
  pageUrl: z.string(),
  proof: z.object({
    fetchedAt: Instant,
    captureHash: Hash,
    hashEqual: z.boolean(),
    titleEqual: z.boolean(),
    links: z.object({ expected: z.number().int(), missing: z.array(z.string()) }),
    attempts: z.number().int(),
  }),
  bodyHash: Hash,
  audienceHash: Hash,
  subject: z.string(),
  intro: z.string(),
  bodyText: z.string(),
  previewUrl: z.string(),
  audience: z.object({
    count: z.number().int(),
    groups: z.array(z.object({ group: z.string(), count: z.number().int() })),
    changes: z.array(RecipientChange),
    suppressed: z.number().int(),
    suppressionVersion: z.number().int(),
    comparedWith: z.string().nullable(),
  }),
  /** What must be typed to approve, exactly: edition and count. */
  confirmation: z.string(),
  approval: ApprovalView.nullable(),
  willCall: z.object({
    provider: z.string(),
    operationKeys: z.array(z.string()),
    undo: z.string(),
    undoGrade: z.string(),
    expiresAt: Instant,
  }),
  canApprove: z.boolean(),
  unmet: z.array(Unmet),
  clock: ClockInfo,
});
