import { z } from "zod";
import { ClockInfo } from "./app";
import { Hash, Instant, TaskId, Unmet, Version } from "./primitives";

export const FactView = z.object({
  id: z.string(),
  headline: z.string(),
  statement: z.string(),
  quote: z.string(),
  url: z.string(),
  sourceId: z.string(),
  sourceTitle: z.string(),
  snapshotHash: Hash,
  start: z.number().int(),
  end: z.number().int(),
  quoteFound: z.boolean(),
});

export const SourceView = z.object({
  id: z.string(),
  title: z.string(),
  url: z.string(),
  finalUrl: z.string().nullable(),
  licence: z.string(),
  required: z.boolean(),
  state: z.enum(["frozen", "waiting", "failed", "skipped"]),
  fetchedAt: Instant.nullable(),
  snapshotHash: Hash.nullable(),
  errorCode: z.string().nullable(),
  attempts: z.number().int(),
  newItems: z.number().int().nullable(),
});

export const LinkView = z.object({
  url: z.string(),
  verdict: z.enum(["ok", "redirect", "timeout", "bot_blocked", "broken"]),
  httpStatus: z.number().int().nullable(),
  finalUrl: z.string().nullable(),
});

export const ApprovalView = z.object({
  id: z.string(),
  scope: z.enum(["publish", "send"]),
  approver: z.string(),
  issuedAt: Instant,
  expiresAt: Instant,
  revokedAt: Instant.nullable(),
  state: z.enum(["living", "expired", "revoked", "outdated"]),
  contentHash: Hash.nullable(),
  timeSource: z.string(),
  /** Verified just now, over the stored statement. `none`: no key was registered when it was given. */
  signature: z.enum(["good", "wrong", "none"]),
  /** Fingerprint of the key that signed. */
  signedBy: z.string().nullable(),
});

/** A change between two versions of the content, by section. */
export const DiffPart = z.object({ kind: z.enum(["same", "added", "removed"]), text: z.string() });

export const ContentReview = z.object({
  taskId: TaskId,
  edition: z.string(),
  state: z.string(),
  stateVersion: Version,
  /** False for a package that a newer one has replaced: it can be read, never approved. */
  current: z.boolean(),
  packageHash: Hash,
  contentHash: Hash,
  hashRuleVersion: z.number().int(),
  checkReceipt: z.string(),
  title: z.string(),
  intro: z.string(),
  language: z.string(),
  facts: z.array(FactView),
  sources: z.array(SourceView),
  links: z.array(LinkView),
  /** Warnings that must be ticked one by one before approving: code and values. */
  warnings: z.array(Unmet),
  previewUrl: z.string(),
  emailPreviewUrl: z.string(),
  email: z.object({ subject: z.string(), intro: z.string() }),
  comparedWith: z.object({
    choice: z.enum(["last_approved", "last_published", "nothing"]),
    hash: Hash.nullable(),
    edition: z.string().nullable(),
  }),
  diff: z.array(DiffPart),
  approval: ApprovalView.nullable(),
  /** What an approval now would allow, and until when. */
  willCall: z.object({
    site: z.string(),
    url: z.string(),
    operationKey: z.string(),
    undo: z.string(),
    undoGrade: z.string(),
    expiresAt: Instant,
  }),
  canApprove: z.boolean(),
  unmet: z.array(Unmet),
  clock: ClockInfo,
});

export const Snapshot = z.object({
  hash: Hash,
  text: z.string(),
  encoding: z.string(),
  bytes: z.number().int(),
  sourceTitle: z.string(),
  url: z.string(),
  finalUrl: z.string().nullable(),
  fetchedAt: Instant,
  licence: z.string(),
});
