import type { Sha256, TaskId } from "../domain/ids";
import type { ArtifactRow } from "../domain/records";
import { BAG, extensionOf } from "./bag-layout";
import { mayPassOn } from "./licence";

/** Why bytes are not in the bundle. Their hash always is. */
export type WithheldReason =
  /** The source's licence does not let a copy be passed on. */
  | "licence"
  /** Whoever made the bundle left all bytes out. */
  | "choice"
  /** Addresses, mails as they were sent, or what was computed from addresses. */
  | "addresses"
  /** The workspace does not have them any more. */
  | "not_kept";

/** One file that the journal names: in the bundle under `path`, or left out for a reason. */
export interface ListedFile {
  /** Empty for what belongs to the journal as a whole. */
  taskId: TaskId | "";
  kind: string;
  hash: Sha256;
  bytes: number | null;
  mediaType: string;
  title: string;
  url: string;
  licence: string;
  place: { path: string } | { withheld: WithheldReason };
}

/** What an artifact came from, where it came from outside. */
interface Origin {
  title?: unknown;
  url?: unknown;
  licence?: unknown;
}

/** What a page or a check answered: receipts rather than something we made. */
const RECEIPT_KINDS = ["page-capture", "link-report"];
/** Holds a keyed digest of every address. Nobody outside can check it, and nobody outside should have it. */
const ADDRESS_KINDS = ["audience"];

const folderOf = (kind: string): string =>
  kind === "source-snapshot" ? BAG.snapshots : RECEIPT_KINDS.includes(kind) ? BAG.receipts : BAG.artifacts;

/** Decides about a frozen file before it is opened; `isKept` says whether its bytes are still there. */
export function listArtifact(row: ArtifactRow, withBytes: boolean, isKept: (hash: Sha256) => boolean): ListedFile {
  const origin = (row.origin === null ? {} : JSON.parse(row.origin)) as Origin;
  const text = (value: unknown): string => (typeof value === "string" ? value : "");
  const licence = text(origin.licence);
  const judge = (): ListedFile["place"] => {
    if (ADDRESS_KINDS.includes(row.kind)) return { withheld: "addresses" };
    if (!isKept(row.hash)) return { withheld: "not_kept" };
    if (row.kind === "source-snapshot" && !mayPassOn(licence)) return { withheld: "licence" };
    if (!withBytes) return { withheld: "choice" };
    return { path: `${folderOf(row.kind)}${row.hash}.${extensionOf(row.mediaType)}` };
  };
  const { taskId, kind, hash, bytes, mediaType } = row;
  return {
    taskId,
    kind,
    hash,
    bytes,
    mediaType,
    title: text(origin.title),
    url: text(origin.url),
    licence,
    place: judge(),
  };
}
