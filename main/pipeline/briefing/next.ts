import { gateOperations } from "../../domain/guards/input";
import { recipientsAccounted } from "../../domain/guards/outcomes";
import { hasCome } from "../../domain/has-come";
import type { CoverageOf } from "../../domain/metrics-coverage";
import { type Action, operationAction, type StageNext } from "../../domain/next-action";
import type { AdapterManifest } from "../../domain/ports";
import type { TaskView } from "../../domain/view";
import { contextOf } from "./frozen";
import { nextRecheckAt } from "./recheck-sources";
import { waitsForWords } from "./waits-for-person";

const forPerson: Action = { do: "wait", until: null };
const work = (name: string): Action => ({ do: "work", work: name });

/** What each stage of the briefing wants next. Pure: asked by the executor, the screens and the tests alike. */
export function briefingNext(
  manifestOf: (adapter: string) => AdapterManifest,
  importVersion: () => number,
  coverage?: CoverageOf,
): StageNext {
  const carrying: Carrying = { manifestOf, coverage };
  return (view, moment) => {
    const { task } = view;
    switch (task.state) {
      case "created": {
        const startAt = contextOf(task, "startAt") ?? 0;
        return startAt <= moment.now
          ? { do: "transition", intent: { event: "CollectStarted" }, as: "executor" }
          : { do: "wait", until: startAt };
      }
      case "collecting":
      case "drafting":
      case "checking":
        return work(task.state);
      case "awaiting_content_approval": {
        const recheckAt = nextRecheckAt(view);
        const isDue = recheckAt !== null && recheckAt <= moment.now;
        return isDue ? work("recheck-sources") : { do: "wait", until: recheckAt };
      }
      case "content_approved":
        return work("start-publish");
      case "publishing":
        return publishingNext(view, moment, carrying);
      case "published":
        return waitsForWords(task) ? forPerson : work("open-send-review");
      case "awaiting_send_approval": {
        const isSame =
          view.suppressionVersion() === contextOf(task, "suppressionVersion") &&
          importVersion() === contextOf(task, "importVersion");
        return isSame ? forPerson : work("refresh-audience");
      }
      case "sending":
        return sendingNext(view, moment, carrying);
      case "send_pending":
      case "awaiting_observation":
        return observingNext(view, moment.now);
      default:
        return forPerson;
    }
  };
}

type Moment = Parameters<StageNext>[1];

interface Carrying {
  manifestOf: (adapter: string) => AdapterManifest;
  coverage: CoverageOf | undefined;
}

function publishingNext(view: TaskView, moment: Moment, { manifestOf, coverage }: Carrying): Action {
  const operations = gateOperations(view, "publishing");
  const action = operationAction(view, operations, moment, "PublishBlocked", manifestOf, coverage);
  if (action) return action;
  if (isRevoked(view, "publish"))
    return { do: "transition", intent: { event: "PublishBlocked", blockedReason: "approval_revoked" }, as: "executor" };
  const { task } = view;
  const isVerified = contextOf(task, "verifiedContentHash") === contextOf(task, "contentHash");
  if (isVerified && view.lastEvent("PageVerified") !== null)
    return { do: "transition", intent: { event: "Published" }, as: "executor" };
  const nextProbeAt = contextOf(task, "nextProbeAt") ?? 0;
  return hasCome(nextProbeAt, moment.now) ? work("probe") : { do: "wait", until: nextProbeAt };
}

function sendingNext(view: TaskView, moment: Moment, { manifestOf, coverage }: Carrying): Action {
  const operations = gateOperations(view, "sending");
  const open = operations.find((operation) => operation.state !== "confirmed");
  // No further phase starts after a revocation; what is out is settled first (domain 3, RevocationNoted).
  if (isRevoked(view, "send") && (open === undefined || open.state === "prepared"))
    return { do: "transition", intent: { event: "SendBlocked", blockedReason: "approval_revoked" }, as: "executor" };
  const action = operationAction(view, operations, moment, "SendBlocked", manifestOf, coverage);
  return action ?? { do: "transition", intent: { event: "SendAccepted" }, as: "executor" };
}

function observingNext(view: TaskView, now: number): Action {
  const { task, definition } = view;
  const accounted = recipientsAccounted({
    view,
    command: { type: "transition", taskId: task.id, event: "DeliveryAccounted" },
    context: { actor: "system", now, trusted: { at: now, trusted: true, source: "" } },
  });
  if (accounted.length === 0) return { do: "transition", intent: { event: "DeliveryAccounted" }, as: "executor" };
  const windowEnd = task.stateSince + definition.deadlines.observationMs;
  if (task.state === "send_pending" && hasCome(windowEnd, now))
    return { do: "transition", intent: { event: "ObservationTimedOut" }, as: "executor" };
  const nextAt = contextOf(task, "nextObserveAt") ?? 0;
  if (hasCome(nextAt, now)) return work("observe");
  return { do: "wait", until: task.state === "send_pending" ? Math.min(nextAt, windowEnd) : nextAt };
}

function isRevoked(view: TaskView, scope: "publish" | "send"): boolean {
  const id = contextOf(view.task, scope === "publish" ? "publishApprovalId" : "sendApprovalId");
  return view.approvals().some((approval) => approval.id === id && approval.revokedAt !== null);
}
