import type { RemoteObject } from "../../domain/ports";
import type { CompensationRow, OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import type { UndoAsked, UndoProof } from "../../engine/runtime";
import { askFor, confirmedForward, NOTHING_BOUND, proveObject, receiptOf, undoIntent } from "../../engine/undo-look";
import type { BriefingPorts } from "./ports";

/** A campaign in one of these is mailed, or on its way: nothing of it can be held back any more. */
const MAILED: readonly string[] = ["sending", "sent"];

/**
 * "Still our campaign, and not mailed yet?" What our own start has mailed needs no stopping; it is the business of the entry
 * that tells the customers.
 */
export async function askCampaign(ports: BriefingPorts, view: TaskView, entry: CompensationRow): Promise<UndoAsked> {
  const forward = confirmedForward(view, entry);
  if (isTriggered(view, forward)) return { kind: "reached", seen: { remote: "mailed" } };
  const shown = await askFor(ports.clock, ports.mail.adapter, forward);
  if (shown.kind === "failed") return shown;
  if (shown.kind === "late") return { kind: "wait", until: shown.until };
  const { object } = shown;
  const seen = receiptOf(object);
  if (object === null || isStopped(object)) return { kind: "reached", seen };
  if (object.contentHash !== null && object.contentHash !== forward.bodyHash) return { kind: "changed", seen };
  return {
    kind: "holds",
    seen,
    forwardId: forward.id,
    intent: undoIntent(view, entry, forward),
    requestFor: (operation) => {
      const bytes = ports.mail.requests.cancel({ operationKey: operation.operationKey });
      const { remoteId } = forward;
      return { kind: "ready", bytes, bytesHash: ports.blobs.put(bytes), recomputed: NOTHING_BOUND, remoteId };
    },
  };
}

/** The provider itself says that nothing more goes out. */
export const proveCampaign = (ports: BriefingPorts, view: TaskView, entry: CompensationRow): Promise<UndoProof> =>
  proveObject(
    ports.clock,
    ports.mail.adapter,
    confirmedForward(view, entry),
    (object) => object === null || isStopped(object),
    "campaign_not_stopped",
  );

const isStopped = (object: RemoteObject): boolean => object.state === "cancelled" || MAILED.includes(object.state);

const isTriggered = (view: TaskView, forward: OperationRow): boolean =>
  view.operations().some((row) => row.phase === "trigger" && row.slot === forward.slot && row.state === "confirmed");
