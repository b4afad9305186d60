import type { ExecuteResult } from "../../db/journal";
import { type Desk, executeFor } from "../commands/desk";
import type { OperationId, TaskId } from "../domain/ids";
import { judgeLook, objectToAskFor } from "../domain/look";
import { unmet } from "../domain/unmet";
import { createKeyOf } from "../pipeline/briefing/publish";
import type { Workspace } from "./workspace";

/** A look at the remote because a person asked for one: the same receipt as the executor's, in the person's name (domain 6). */
export async function lookNow(
  workspace: Workspace,
  desk: Desk,
  taskId: TaskId,
  operationId: OperationId,
): Promise<ExecuteResult> {
  const view = workspace.journal.reader.view(taskId);
  const operation = view?.operations().find((row) => row.id === operationId);
  if (!view || !operation) return { result: "not_found", unmet: [unmet("operation_not_found")] };
  const { ports } = workspace;
  const { adapter } = operation.adapter === ports.cms.name ? ports.cms : ports.mail;
  const createKey = createKeyOf(view, operation);
  const { operationKey, slot, phase, target } = operation;
  const started = executeFor(desk, { type: "start_look", taskId, operationId, query: `key=${operationKey}` });
  if (started.result !== "applied") return started;
  const timeout = desk.clock.timeout(adapter.manifest.callTimeoutMs);
  try {
    const remoteId = objectToAskFor(view, operation);
    const answer = await adapter.look(
      { operationKey, createKey, slot, phase, remoteId, target },
      { signal: timeout.signal, now: desk.clock.now() },
    );
    const moment = { now: desk.clock.now(), trusted: desk.trusted.read() };
    const judged = judgeLook(operation, createKey, answer, adapter.manifest, moment);
    return executeFor(desk, { type: "record_look", taskId, operationId, query: answer.query, ...judged });
  } finally {
    timeout.cancel();
  }
}
