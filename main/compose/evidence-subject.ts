import type { EvidenceSelection } from "../../db/evidence-rows";
import type { Input } from "../../preload/contract";
import { startOfDay } from "../domain/schedule";

type Choice = Input<"evidence.export">;

/** What a bundle is to be made of, as it is asked for, called and remembered. */
export interface EvidenceSubject {
  selection: EvidenceSelection;
  /** What people call it: also the file's name. */
  label: string;
  /** Empty for a period. */
  taskId: string;
  /** Null for one edition. */
  of: string | null;
}

/**
 * @param editionOf what people call a task; null where there is no such task
 * @param zone the one by whose days a period is meant
 * @returns null where the choice names a task that is not there
 */
export function subjectOf(
  choice: Choice,
  { editionOf, zone }: { editionOf(taskId: string): string | null; zone: string },
): EvidenceSubject | null {
  if ("from" in choice) {
    const { from, to } = choice;
    const period = { from: startOfDay(from, zone), before: startOfDay(to, zone, 1) };
    return { selection: { kind: "period", ...period }, label: `${from} – ${to}`, taskId: "", of: `${from}/${to}` };
  }
  const { taskId } = choice;
  const edition = editionOf(taskId);
  if (edition === null) return null;
  if ("incidentId" in choice) {
    const { incidentId: id } = choice;
    return { selection: { kind: "incident", id }, label: `${edition} ${id}`, taskId, of: id };
  }
  return { selection: { kind: "task", idOrKey: taskId }, label: edition, taskId, of: null };
}
