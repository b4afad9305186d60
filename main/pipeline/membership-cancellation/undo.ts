import type { RemoteObject } from "../../domain/ports";
import type { CompensationRow, OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import type { PreparedRequest, UndoAsked, UndoProof, UndoRuntime } from "../../engine/runtime";
import { askFor, confirmedForward, NOTHING_BOUND, proveObject, receiptOf, undoIntent } from "../../engine/undo-look";
import { CANCELLING, FROZEN, placeOf } from "./intents";
import type { MembershipPorts } from "./ports";

/** Brings status and vouchers back; the message is a person's and never comes here. */
export function membershipUndo(ports: MembershipPorts): UndoRuntime {
  return {
    ask: (view, entry) => ask(ports, view, entry),
    prove: (view, entry) => prove(ports, view, entry),
  };
}

const targetOf = (entry: CompensationRow): string => (JSON.parse(entry.args) as { targetState: string }).targetState;

/** What the forward write made of it: only that is taken back. Anything else is somebody's later decision. */
const leftAs = (forward: OperationRow): string => (placeOf(forward.slot) === "vouchers" ? FROZEN : CANCELLING);

async function ask(ports: MembershipPorts, view: TaskView, entry: CompensationRow): Promise<UndoAsked> {
  const forward = confirmedForward(view, entry);
  const shown = await askFor(ports.clock, ports.members.adapter, forward);
  if (shown.kind === "failed") return shown;
  if (shown.kind === "late") return { kind: "wait", until: shown.until };
  const { object } = shown;
  const seen = receiptOf(object);
  if (object?.state === targetOf(entry)) return { kind: "reached", seen };
  if (object === null || object.state !== leftAs(forward)) return { kind: "changed", seen };
  return {
    kind: "holds",
    seen,
    forwardId: forward.id,
    intent: undoIntent(view, entry, forward),
    requestFor: (operation) => requestFor(ports, entry, operation, object),
  };
}

function requestFor(
  ports: MembershipPorts,
  entry: CompensationRow,
  operation: OperationRow,
  object: RemoteObject,
): PreparedRequest {
  const { operationKey, requestBytesHash } = operation;
  const bytes =
    requestBytesHash === null
      ? ports.members.request({ operationKey, status: targetOf(entry), expectedRevision: object.revision })
      : ports.blobs.get(requestBytesHash);
  const { remoteId } = object;
  return { kind: "ready", bytes, bytesHash: ports.blobs.put(bytes), recomputed: NOTHING_BOUND, remoteId };
}

function prove(ports: MembershipPorts, view: TaskView, entry: CompensationRow): Promise<UndoProof> {
  const target = targetOf(entry);
  const forward = confirmedForward(view, entry);
  const isReached = (object: RemoteObject | null) => object?.state === target;
  return proveObject(ports.clock, ports.members.adapter, forward, isReached, `not_${target}`);
}
