import { nameFault } from "./entry-names";

/** Evidence bag 1: where what stands (a BagIt folder, RFC 8493). Names inside are ASCII, so that they survive every unpacker. */
export const BAG = {
  declaration: "bagit.txt",
  info: "bag-info.txt",
  manifest: "manifest-sha256.txt",
  tagManifest: "tagmanifest-sha256.txt",
  signature: "tagmanifest-sha256.txt.sig",
  timestamp: "tagmanifest-sha256.txt.sig.tsr",
  readme: "README-VERIFY.txt",
  script: "verify.sh",
  report: "data/report.html",
  ledger: "data/ledger.csv",
  files: "data/files.csv",
  events: "data/journal/events.jsonl",
  bodies: "data/journal/bodies/",
  tasks: "data/tasks/",
  approvals: "data/approval/",
  approvalSigners: "data/approval/allowed_signers",
  operations: "data/operations/",
  reconciliations: "data/reconciliations/",
  compensations: "data/compensations/",
  incidents: "data/incidents/",
  recovery: "data/recovery/",
  receipts: "data/receipts/",
  snapshots: "data/snapshots/",
  artifacts: "data/artifacts/",
} as const;

export const EVIDENCE_FORMAT = "1";
export const BAG_DECLARATION = "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n";
/** The tag files that the tag manifest lists. It cannot list itself, nor the signature over it. */
export const TAG_FILES: readonly string[] = [BAG.declaration, BAG.info, BAG.manifest, BAG.readme, BAG.script];

/** What came after the tag manifest: it lists neither, and the one speaks about the other. The time stamp may be missing. */
export const UNLISTED_FILES: readonly string[] = [BAG.signature, BAG.timestamp];

const MAX_FOLDER_BYTES = 120;

/**
 * A folder's name out of what people call the thing, in any script: normal form C, without what some system forbids.
 * @param label for example `2026-W30` or `第三十期`
 */
export function bagFolder(label: string): string {
  let name = label
    .normalize("NFC")
    .replace(/[\p{C}\p{Zl}\p{Zp}\\/:*?"<>|]+/gu, "-")
    .trim();
  while (Buffer.byteLength(name) > MAX_FOLDER_BYTES) name = [...name].slice(0, -1).join("");
  const folder = `${name}.evidence`;
  return name === "" || nameFault(folder) !== null ? "bundle.evidence" : folder;
}

/** An id as a file's name: ids are ours and plain, but nothing else may ever become a path. */
export const fileOfId = (id: string): string => id.replace(/[^A-Za-z0-9._-]/g, "_").slice(0, 100);

const EXTENSIONS: Readonly<Record<string, string>> = {
  "text/html": "html",
  "application/xhtml+xml": "html",
  "application/json": "json",
  "application/feed+json": "json",
  "application/atom+xml": "xml",
  "application/rss+xml": "xml",
  "application/xml": "xml",
  "text/xml": "xml",
  "text/plain": "txt",
  "text/csv": "csv",
};

/** `.html` and the like for a media type; nothing known is `.bin`, which no program opens by itself. */
export const extensionOf = (mediaType: string): string =>
  EXTENSIONS[(mediaType.split(";")[0] ?? "").trim().toLowerCase()] ?? "bin";
