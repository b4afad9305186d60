import type { ExecuteResult } from "../../db/journal";
import type { Input } from "../../preload/contract";
import type { Desk } from "../commands/desk";
import { workOnIncident } from "../commands/work-on-incident";
import type { TaskId } from "../domain/ids";
import { INVENTORY } from "../domain/incident-inventory";
import { observePage } from "../pipeline/briefing/incident-evidence";
import type { Workspace } from "./workspace";

/**
 * Ends an incident of any kind but the two objects that a look found. Where the public page is a piece of its evidence, it is read
 * at this very moment: nobody can type that proof.
 */
export async function settleIncident(
  workspace: Pick<Workspace, "journal" | "ports">,
  desk: Desk,
  { incidentId, proofs, reason, ...asked }: Input<"incident.settle">,
): Promise<ExecuteResult> {
  const taskId = asked.taskId as TaskId | null;
  const { reader } = workspace.journal;
  const incident = reader.incident(incidentId);
  const view = taskId === null ? null : reader.view(taskId);
  const isLooked = incident !== null && INVENTORY[incident.kind].some((piece) => piece.isLooked === true);
  const seen = isLooked && view !== null ? await observePage(workspace.ports, view) : null;
  return workOnIncident(desk, {
    ...{ type: "settle_incident", taskId, incidentId, proofs, reason, observed: seen?.evidence ?? null },
    ...(seen === null ? {} : { artifacts: seen.artifacts }),
  });
}
