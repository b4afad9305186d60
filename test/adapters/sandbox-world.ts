import type { asTaskId } from "../../main/domain/ids";
import { asOperationId, asTaskId as taskId } from "../../main/domain/ids";
import type { CallContext, OperationPhase, OutgoingRequest } from "../../main/domain/ports";
import { W30 } from "../sandbox/world";

/** What the adapter tests for the sandbox share: one task, its keys, and how a request is put together. */

export const TASK: ReturnType<typeof asTaskId> = taskId("task-1");
export const NOW = Date.parse(W30);

export const context = (more: { at?: number; limitMs?: number } = {}): CallContext => ({
  now: NOW + (more.at ?? 0),
  signal: AbortSignal.timeout(more.limitMs ?? 10_000),
});

export function outgoing(
  target: string,
  phase: OperationPhase,
  bytes: Uint8Array,
  more: Partial<OutgoingRequest> = {},
): OutgoingRequest {
  const operationKey = String(JSON.parse(new TextDecoder().decode(bytes)).key);
  return {
    operationId: asOperationId(`op:${operationKey}`),
    operationKey,
    taskId: TASK,
    slot: "publish:weekly-briefing:2026-W30:zh-CN",
    kind: "publish",
    phase,
    target,
    remoteId: null,
    bytes,
    ...more,
  };
}
