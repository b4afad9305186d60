import { Bug, type Sha256 } from "../../domain/ids";
import type { BlobStore, Fact, LinkCheck } from "../../domain/ports";

/**
 * Frozen documents as the screens read them: the fields they show, by the names under which the pipeline froze them. The
 * bytes were verified against their address; a document of another format is never read as if it were this one.
 */
export interface FrozenPackage {
  format: "imprimatur-package/1";
  document: {
    language: string;
    title: string;
    intro: string;
    facts: readonly Fact[];
    citations: readonly FrozenCitation[];
    links: readonly string[];
  };
  contentHash: Sha256;
  hashRuleVersion: number;
  operationKey: string;
  pageHash: Sha256;
  linkReportHash: Sha256;
  emailPreviewHash: Sha256;
  plannedUrl: string;
  email: { subject: string; intro: string };
  sources: readonly { sourceId: string; snapshotHash: Sha256 }[];
  checkReceiptId: string;
  warnings: readonly string[];
}

export interface FrozenCitation {
  factId: string;
  title: string;
  url: string;
  licence: string;
  snapshotHash: Sha256;
  start: number;
  end: number;
}

export interface FrozenLinkReport {
  format: "imprimatur-links/1";
  links: readonly LinkCheck[];
}

export interface FrozenAudience {
  format: "imprimatur-audience/1";
  suppressionVersion: number;
  recipients: readonly { id: string; digest: string; group: string }[];
  excluded: readonly { id: string; group: string; reason: string }[];
}

export interface FrozenEmail {
  subject: string;
  text: string;
  html: string;
}

/** Where the bytes of a source snapshot came from: the `origin` of its artifact. */
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

export type FrozenBytes = Pick<BlobStore, "get" | "has">;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Frozen text. @throws BlobDamaged when the bytes are gone or differ. */
export const readFrozenText = (blobs: FrozenBytes, hash: string): string => decoder.decode(blobs.get(hash as Sha256));

/**
 * Frozen JSON that names its format.
 * @throws Bug when it names another: a newer program wrote it, and this one would show it wrongly.
 */
export function readFrozen<T extends { format: string }>(blobs: FrozenBytes, hash: string, format: T["format"]): T {
  const value = readFrozenJson<Partial<T>>(blobs, hash);
  if (value.format !== format) throw new Bug(`frozen artifact ${hash} is not of the format ${format}`);
  return value as T;
}

/** Frozen JSON without a format of its own. @throws Bug when it is no JSON. */
export function readFrozenJson<T>(blobs: FrozenBytes, hash: string): T {
  try {
    return JSON.parse(readFrozenText(blobs, hash)) as T;
  } catch (error) {
    if (error instanceof SyntaxError) throw new Bug(`frozen artifact ${hash} is not JSON`, { cause: error });
    throw error;
  }
}
