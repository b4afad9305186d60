import type { ExecuteResult } from "../../db/journal";
import type { Input } from "../../preload/contract";
import { closeIncident } from "../commands/close-incident";
import type { Desk } from "../commands/desk";
import type { TaskId } from "../domain/ids";
import { unmet } from "../domain/unmet";
import { observeDuplicate } from "../pipeline/briefing/incident-evidence";
import type { Workspace } from "./workspace";

/**
 * Closes an incident with what is observed at this very moment and what a person vouches for (S48). What can be looked up is
 * never taken from the page, so that nobody can type a proof.
 */
export async function closeObservedIncident(
  workspace: Pick<Workspace, "journal" | "ports">,
  desk: Desk,
  asked: Input<"incident.close">,
): Promise<ExecuteResult> {
  const {
    incidentId,
    canonicalId,
    schedulerReleased,
    drafterReleased,
    nextTaskKey,
    reason,
    expectedVersion,
    mailedTwice,
  } = asked;
  const taskId = asked.taskId as TaskId;
  const view = workspace.journal.reader.view(taskId);
  const incident = view?.freezes().find((row) => row.id === incidentId);
  const operation = view
    ?.operations()
    .find((row) => row.kind !== "compensate" && row.phase === "create" && row.slot === incident?.scopeValue);
  if (!view || !incident || !operation) return { result: "not_found", unmet: [unmet("incident_not_found")] };
  const observed = await observeDuplicate(workspace.ports, view, operation, canonicalId);
  return closeIncident(desk, {
    ...{ taskId, expectedVersion, incidentId, reason },
    evidence: {
      ...{ ...observed.evidence, schedulerReleased, drafterReleased, nextTaskKey },
      ...(mailedTwice === undefined ? {} : { mailedTwice }),
    },
    artifacts: observed.artifacts,
  });
}
