import type { ExecuteResult } from "../../db/journal";
import type { IncidentEvidence, NewArtifact } from "../domain/commands";
import type { TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** Ends an incident with everything that has to be shown for it; what is missing is named, and the place stays frozen (domain 10). */
export function closeIncident(
  desk: Desk,
  input: {
    taskId: TaskId;
    expectedVersion: number;
    incidentId: string;
    evidence: IncidentEvidence;
    artifacts: readonly NewArtifact[];
    reason: string;
  },
): ExecuteResult {
  const { expectedVersion, ...closing } = input;
  return executeFor(desk, { type: "close_incident", ...closing }, expectedVersion);
}
