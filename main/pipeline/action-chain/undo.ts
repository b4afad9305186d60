import type { Chain } from "../../domain/action-chain";
import type { RemoteObject } from "../../domain/ports";
import type { CompensationRow, OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import type { PreparedRequest, UndoAsked, UndoProof, UndoRuntime } from "../../engine/runtime";
import { askFor, confirmedForward, NOTHING_BOUND, proveObject, receiptOf, undoIntent } from "../../engine/undo-look";
import { actionOf } from "./intents";
import { type ChainPorts, subjectOf } from "./ports";

/** Brings states back, one after the other; what is a person's never comes here. */
export function chainUndo(ports: ChainPorts, chain: Chain): UndoRuntime {
  return {
    ask: (view, entry) => ask(ports, chain, view, entry),
    prove: (view, entry) => prove(ports, chain, view, entry),
  };
}

const targetOf = (entry: CompensationRow): string => (JSON.parse(entry.args) as { targetState: string }).targetState;

async function ask(ports: ChainPorts, chain: Chain, view: TaskView, entry: CompensationRow): Promise<UndoAsked> {
  const forward = confirmedForward(view, entry);
  const action = actionOf(chain, forward);
  const service = ports.serviceOf(action.service);
  const shown = await askFor(ports.clock, service.adapter, forward);
  if (shown.kind === "failed") return shown;
  if (shown.kind === "late") return { kind: "wait", until: shown.until };
  const { object } = shown;
  const seen = receiptOf(object);
  if (object?.state === targetOf(entry)) return { kind: "reached", seen };
  // What the forward write made of it is taken back; anything else is somebody's later decision.
  if (object === null || object.state !== action.state) return { kind: "changed", seen };
  return {
    kind: "holds",
    seen,
    forwardId: forward.id,
    intent: undoIntent(view, entry, forward),
    requestFor: (operation) => requestFor(ports, { view, entry, operation, object, service: action.service }),
  };
}

function requestFor(
  ports: ChainPorts,
  undo: { view: TaskView; entry: CompensationRow; operation: OperationRow; object: RemoteObject; service: string },
): PreparedRequest {
  const { view, entry, operation, object, service } = undo;
  const { operationKey, requestBytesHash } = operation;
  const { remoteId, revision: expectedRevision } = object;
  const input = { operationKey, subject: subjectOf(view.task), state: targetOf(entry), text: null, expectedRevision };
  const bytes = requestBytesHash === null ? ports.serviceOf(service).request(input) : ports.blobs.get(requestBytesHash);
  return { kind: "ready", bytes, bytesHash: ports.blobs.put(bytes), recomputed: NOTHING_BOUND, remoteId };
}

function prove(ports: ChainPorts, chain: Chain, view: TaskView, entry: CompensationRow): Promise<UndoProof> {
  const target = targetOf(entry);
  const forward = confirmedForward(view, entry);
  const { adapter } = ports.serviceOf(actionOf(chain, forward).service);
  const isReached = (object: RemoteObject | null) => object?.state === target;
  return proveObject(ports.clock, adapter, forward, isReached, `not_${target}`);
}
