import type { Sha256 } from "./ids";
import type { OperationRow } from "./records";

/** What the journal knows of one place on a remote: which object is there, what it holds, whether the public gets it. */
export interface Standing {
  /** The operation that made the object. */
  create: OperationRow;
  /** The operation that put the present content there. */
  holder: OperationRow;
  contentHash: Sha256 | null;
  isUp: boolean;
  /** The operation that changed anything of this last. */
  last: OperationRow;
}

/**
 * Folds the confirmed operations of a slot, of all its task versions, in the order in which they left. An update leaves a page
 * up or down as it was; what an undo did counts like everything else.
 * @returns null while nothing was ever made there
 */
export function standingOf(operations: readonly OperationRow[]): Standing | null {
  const sent = operations
    .filter((row) => row.state === "confirmed")
    .sort((a, b) => (a.requestSentAt ?? 0) - (b.requestSentAt ?? 0));
  let state: Standing | null = null;
  for (const row of sent) state = after(state, row);
  return state;
}

function after(before: Standing | null, row: OperationRow): Standing | null {
  const contentHash = row.contentHash ?? row.bodyHash;
  if (row.phase === "create") return { create: row, holder: row, contentHash, isUp: true, last: row };
  if (before === null) return null;
  if (row.phase === "update") return { ...before, holder: row, contentHash, last: row };
  if (row.phase === "publish") return { ...before, isUp: true, last: row };
  if (row.phase !== "undo") return before;
  // An undo that names a content has brought it back; one that names none has taken the page down.
  const undone = { ...before, last: row };
  return row.contentHash === null ? { ...undone, isUp: false } : { ...undone, holder: row, contentHash };
}
