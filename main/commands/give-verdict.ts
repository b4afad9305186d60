import type { ExecuteResult } from "../../db/journal";
import type { OperationId, TaskId } from "../domain/ids";
import { type Desk, executeFor } from "./desk";

/** A person says what no query could: it happened, it did not, or nobody can tell; always with evidence (domain 6). */
export function giveVerdict(
  desk: Desk,
  input: {
    taskId: TaskId;
    operationId: OperationId;
    verdict: "happened" | "did_not_happen" | "cannot_tell";
    remoteId: string | null;
    evidence: string;
  },
): ExecuteResult {
  return executeFor(desk, { type: "give_verdict", ...input });
}
