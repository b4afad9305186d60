import type { Sha256 } from "../../domain/ids";
import type { OperationRow } from "../../domain/records";

/** What the journal knows of one place on the website: which object is there, what it holds, whether readers get it. */
export interface SiteState {
  /** The operation that made the object. */
  create: OperationRow;
  contentHash: Sha256 | null;
  isUp: boolean;
}

/**
 * Folds the confirmed operations of a slot, of all its task versions, in the order in which they left. An update leaves a page
 * up or down as it was; what an undo did counts like everything else.
 * @returns null while nothing was ever made there
 */
export function siteState(operations: readonly OperationRow[]): SiteState | null {
  const sent = operations
    .filter((row) => row.state === "confirmed")
    .sort((a, b) => (a.requestSentAt ?? 0) - (b.requestSentAt ?? 0));
  let state: SiteState | null = null;
  for (const row of sent) state = after(state, row);
  return state;
}

function after(before: SiteState | null, row: OperationRow): SiteState | null {
  if (row.phase === "create") return { create: row, contentHash: row.contentHash, isUp: true };
  if (before === null) return null;
  if (row.phase === "update") return { ...before, contentHash: row.contentHash };
  if (row.phase === "publish") return { ...before, isUp: true };
  if (row.phase !== "undo") return before;
  // An undo that names a content has brought it back; one that names none has taken the page down.
  return row.contentHash === null ? { ...before, isUp: false } : { ...before, contentHash: row.contentHash };
}
