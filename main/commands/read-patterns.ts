import type { Queries } from "../../db/queries/open-queries";
import { type BoardRow, readRecovery } from "../../db/queries/recovery";
import type { Instant } from "../domain/ids";
import { type PatternItem, patternsOf, type RecoveryPattern } from "../domain/recovery-patterns";

/** What recurs, with the items that it recurs in, oldest first. */
export interface PatternWithItems extends RecoveryPattern {
  items: readonly BoardRow[];
}

/** Kinds behind which there is a call whose answer is the trouble; the others name it in their subject. */
const OF_A_CALL: readonly BoardRow["kind"][] = ["dead_letter", "unknown_outcome"];

/** An item as far as its cause goes. */
export function toPatternItem(row: BoardRow): PatternItem {
  const { id, kind, stage, createdAt, stageAt, method, subject, errorClass, adapter, operationPhase } = row;
  const isOfCall = OF_A_CALL.includes(kind) && adapter !== null;
  return {
    ...{ id, kind, stage, createdAt, stageAt, method, subject, errorClass },
    action: isOfCall ? `${adapter}/${operationPhase}` : null,
    rawCode: isOfCall || kind === "customer_care" ? row.rawCode : null,
  };
}

/** @returns what recurs at a moment, from the items of the journal (domain 10). */
export function readPatterns(queries: Queries, now: Instant): PatternWithItems[] {
  const rows = new Map(readRecovery(queries, now, null).items.map((row) => [row.id, row]));
  return patternsOf([...rows.values()].map(toPatternItem), now).map((pattern) => ({
    ...pattern,
    items: pattern.itemIds.flatMap((id) => rows.get(id) ?? []),
  }));
}
