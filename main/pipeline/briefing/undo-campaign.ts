import type { RemoteObject } from "../../domain/ports";
import type { CompensationRow, OperationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import type { UndoAsked, UndoProof } from "../../engine/runtime";
import type { BriefingPorts } from "./ports";
import { askFor, confirmedForward, receiptOf, undoIntent } from "./undo-look";

/** A campaign in one of these is mailed, or on its way: nothing of it can be held back any more. */
const MAILED: readonly string[] = ["sending", "sent"];

/**
 * "Still our campaign, and not mailed yet?" What our own start has mailed needs no stopping; it is the business of the entry
 * that tells the customers.
 */
export async function askCampaign(ports: BriefingPorts, view: TaskView, entry: CompensationRow): Promise<UndoAsked> {
  const forward = confirmedForward(view, entry);
  if (isTriggered(view, forward)) return { kind: "reached", seen: { remote: "mailed" } };
  const shown = await askFor(ports, ports.mail, view, forward);
  if (shown.kind === "failed") return shown;
  if (shown.kind === "late") return { kind: "wait", until: shown.until };
  const { object } = shown;
  const seen = receiptOf(object);
  if (object === null || isStopped(object)) return { kind: "reached", seen };
  if (object.contentHash !== null && object.contentHash !== forward.bodyHash) return { kind: "changed", seen };
  return {
    kind: "holds",
    forwardId: forward.id,
    intent: undoIntent(view, entry, forward),
    requestFor: (operation) => {
      const bytes = ports.mail.requests.cancel({ operationKey: operation.operationKey });
      const recomputed = { contentHash: null, pageUrl: null, bodyHash: null, audienceHash: null };
      return { kind: "ready", bytes, bytesHash: ports.blobs.put(bytes), recomputed, remoteId: forward.remoteId };
    },
  };
}

/** The provider itself says that nothing more goes out. */
export async function proveCampaign(ports: BriefingPorts, view: TaskView, entry: CompensationRow): Promise<UndoProof> {
  const forward = confirmedForward(view, entry);
  const shown = await askFor(ports, ports.mail, view, forward);
  const found = { artifacts: [], evidenceRefs: [], calls: 1 };
  const { visibilityDelayMs } = ports.mail.adapter.manifest.query;
  const nextAt = ports.clock.now() + visibilityDelayMs;
  if (shown.kind === "failed")
    return { ...found, kind: "not_yet", code: shown.error.code, class: "transient", nextAt, seen: {} };
  const object = shown.kind === "shown" ? shown.object : null;
  const seen = receiptOf(object);
  const isProved = shown.kind === "shown" && (object === null || isStopped(object));
  return isProved
    ? { ...found, kind: "proved", seen }
    : { ...found, kind: "not_yet", code: "campaign_not_stopped", class: null, nextAt, seen };
}

const isStopped = (object: RemoteObject): boolean => object.state === "cancelled" || MAILED.includes(object.state);

const isTriggered = (view: TaskView, forward: OperationRow): boolean =>
  view.operations().some((row) => row.phase === "trigger" && row.slot === forward.slot && row.state === "confirmed");
