import type { Sha256 } from "../../domain/ids";
import type { LinkCheck } from "../../domain/ports";
import type { EditionDocument } from "./edition-document";

/**
 * The names under which the briefing keeps values in its task's context, and the shapes of what it freezes. Hashes, ids,
 * counts and addresses of pages only; texts are in the frozen artifacts that the hashes name.
 */
export interface BriefingContext {
  /** Not before this moment (ms UTC); a task started by hand has the moment of its start. */
  startAt: number;
  /** SHA-256 over the sorted snapshot hashes. */
  snapshotSetHash: Sha256;
  sourcesFrozen: number;
  sourcesFailed: number;
  draftHash: Sha256;
  /** A draft the editor made, waiting to be taken up by drafting or checking; null once it is. */
  editedDraftHash: Sha256 | null;
  /** The editor's unfinished edit, the draft it was begun on and when it was kept (ms UTC); null once it is over. */
  workingDraftHash: Sha256 | null;
  workingDraftBase: Sha256 | null;
  workingDraftAt: number | null;
  factCount: number;
  /** Facts fewer than wanted. */
  shortfall: number;
  packageHash: Sha256;
  contentHash: Sha256;
  /** The page exactly as it will be sent. */
  pageHash: Sha256;
  linkReportHash: Sha256;
  checkReceiptId: string;
  linkCount: number;
  /** Warnings to be ticked one by one: ids separated by line feeds (`link_redirect:3`, `source_failed:x`, `shortfall:2`). */
  warnings: string;
  /** How often the frozen sources were read again while this package waits. */
  rechecks: number;
  /** What changed since freezing and was warned about: source id and hash of its new text, separated by line feeds. */
  changedSources: string | null;
  publishApprovalId: string;
  sendApprovalId: string;
  probeAttempts: number;
  nextProbeAt: number;
  pageUrl: string;
  captureHash: Sha256;
  /** The content hash that the public page was proved for. */
  verifiedContentHash: Sha256;
  verifiedAt: number;
  /** The words of the e-mail the editor wrote for this edition, where they differ from the draft's. */
  emailWordsHash: Sha256 | null;
  emailHash: Sha256;
  bodyHash: Sha256;
  audienceHash: Sha256;
  audienceArtifactHash: Sha256;
  /** The audience of this edition that was on the table before it changed: what the change is shown against. */
  audienceBeforeHash: Sha256 | null;
  audienceCount: number;
  suppressionVersion: number;
  importVersion: number;
  /** 1 while a rejected send review waits for the editor. */
  sendRejected: number;
  nextObserveAt: number | null;
}

/** Kinds of frozen artifacts, as they stand in the journal. */
export type ArtifactKind =
  | "source-snapshot"
  | "draft"
  | "working-draft"
  | "link-report"
  | "package"
  | "page"
  | "email-preview"
  | "request"
  | "page-capture"
  | "email-words"
  | "email"
  | "email-html"
  | "audience";

/** Where a frozen source came from: the `origin` of a `source-snapshot` artifact. */
export interface SourceOrigin {
  sourceId: string;
  title: string;
  url: string;
  finalUrl: string;
  contentType: string | null;
  format: string;
  licence: string;
  required: boolean;
  fetchedAt: number;
}

/** One source in the checkpoint of `collecting`. */
export interface SourceProgress {
  state: "waiting" | "frozen" | "failed";
  required: boolean;
  attempts: number;
  nextAt: number | null;
  hash: Sha256 | null;
  fetchedAt: number | null;
  errorCode: string | null;
  errorClass: string | null;
  items: number | null;
  newItems: number | null;
}

export type CollectCheckpoint = { round: number; sources: Record<string, SourceProgress> };

/** What the editor approves: one frozen document that names every other by hash. */
export interface ContentPackage {
  format: "imprimatur-package/1";
  document: EditionDocument;
  contentHash: Sha256;
  hashRuleVersion: number;
  operationKey: string;
  pageHash: Sha256;
  draftHash: Sha256;
  linkReportHash: Sha256;
  emailPreviewHash: Sha256;
  plannedUrl: string;
  email: { subject: string; intro: string };
  sources: readonly { sourceId: string; snapshotHash: Sha256 }[];
  checkReceiptId: string;
  warnings: readonly string[];
}

export interface LinkReport {
  format: "imprimatur-links/1";
  links: readonly LinkCheck[];
}

/** The audience as hashed: sorted ids with keyed digests of their canonical addresses, and the suppression list's version. */
export interface FrozenAudience {
  format: "imprimatur-audience/1";
  suppressionVersion: number;
  recipients: readonly { id: string; digest: string; group: string }[];
  excluded: readonly { id: string; group: string; reason: string }[];
}
