import { BlobDamaged } from "../../db/blobs";
import type { Workspace } from "./workspace";

/** Frozen pages and mails that may be shown in a preview frame; everything else has no address there. */
const SHOWN = new Set(["page", "email-preview", "page-capture", "email-html"]);

/** The bytes behind a preview's address, or null. Hostile content: the frame's own policy keeps it still. */
export function previewBytes(workspace: Workspace, hash: string): { bytes: Uint8Array; mediaType: string } | null {
  const row = workspace.reader
    .prepare<[string], { kind: string; mediaType: string }>(
      "SELECT kind, media_type AS mediaType FROM artifact WHERE hash = ? LIMIT 1",
    )
    .get(hash);
  if (!row || !SHOWN.has(row.kind)) return null;
  try {
    return { bytes: workspace.blobs.get(hash as never), mediaType: row.mediaType };
  } catch (error) {
    // Damaged bytes are not shown; the check of the workspace names them.
    if (error instanceof BlobDamaged) return null;
    throw error;
  }
}
