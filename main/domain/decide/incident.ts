import type { Command, CommandContext, ComparedObject, IncidentEvidence } from "../commands";
import { isMailing } from "../operation";
import { type Decision, draftEvent, refuse } from "../plan";
import type { IncidentRow } from "../records";
import { type Unmet, unmet } from "../unmet";
import type { TaskView } from "../view";
import { causerOf, checkStanding } from "./actor";

type CloseIncident = Extract<Command, { type: "close_incident" }>;

/** Answers by which a server itself says that there is nothing under an address. An error page says nothing. */
const GONE: readonly (number | null)[] = [404, 410];

/**
 * A person closes an incident about two objects in one place: only with the whole inventory of domain 10, else every piece that
 * is missing is named. What froze the place lets go with it; neither object was deleted to get here.
 */
export function decideCloseIncident(view: TaskView, command: CloseIncident, context: CommandContext): Decision {
  const standing = checkStanding(view.task, context, true);
  if (standing) return { ok: false, refusal: standing };
  const incident = view.freezes().find((row) => row.id === command.incidentId);
  if (!incident) return refuse("not_found", unmet("incident_not_found"));
  const missing = [
    ...(causerOf(context.actor) === "person" ? [] : [unmet("person_required", { event: "IncidentClosed" })]),
    ...(command.reason.trim() === "" ? [unmet("reason_missing")] : []),
    ...inventory(view, incident, command.evidence),
  ];
  if (missing.length > 0) return refuse("guard_failed", ...missing);
  const { evidence } = command;
  const closed = draftEvent("IncidentClosed", {
    reason: command.reason,
    evidenceRefs: evidence.captureHash === null ? [] : [evidence.captureHash],
    payload: {
      incidentId: incident.id,
      rule: incident.rule,
      evidence: { ...evidence, objects: [...evidence.objects] },
    },
  });
  const artifacts = (command.artifacts ?? []).map((artifact) => ({
    table: "artifact" as const,
    insertIfNew: { ...artifact, taskId: view.task.id, at: context.now },
  }));
  const close = { table: "incident" as const, close: { id: incident.id, closedAt: context.now } };
  return { ok: true, plan: { task: {}, events: [closed], writes: [...artifacts, close] } };
}

/** A remote's own words for a mailing that has not gone out and does not go by itself. */
const HELD_BACK: readonly string[] = ["draft", "cancelled", "paused"];

/**
 * Both objects traceable, the right one canonical, the other one without effect, both released, the next edition apart. A page has no
 * effect once its address is gone, a mailing while it is held back; where both went out, only what those people were told is left.
 */
function inventory(view: TaskView, incident: IncidentRow, evidence: IncidentEvidence): Unmet[] {
  const { task } = view;
  const known = new Map(evidence.objects.map((object) => [object.remoteId, object]));
  const canonical = known.get(evidence.canonicalId ?? "");
  const others = evidence.objects.filter((object) => object !== canonical);
  const seen = seenObjects(view, incident).map((object) => object.remoteId);
  const isMailingSlot = view.slotOperations(incident.scopeValue).some(({ kind }) => isMailing(kind));
  const approved = task.context[isMailingSlot ? "bodyHash" : "contentHash"];
  const isProved = typeof approved === "string" && evidence.provedContentHash === approved;
  const isCanonicalProved = canonical !== undefined && isProved && (isMailingSlot || evidence.captureHash !== null);
  const isTraceable = (id: string) => (isMailingSlot ? known.has(id) : (known.get(id)?.url ?? null) !== null);
  const isWithout = isMailingSlot
    ? others.every(({ state }) => HELD_BACK.includes(state)) || (evidence.mailedTwice ?? "").trim() !== ""
    : others.every(({ publicStatus }) => GONE.includes(publicStatus));
  const isNextApart = evidence.nextTaskKey.trim() !== "" && evidence.nextTaskKey !== task.taskKey;
  const pieces: readonly (readonly [string, boolean])[] = [
    ["objects_traceable", seen.length > 1 && seen.every(isTraceable)],
    [isMailingSlot ? "canonical_mailing" : "canonical_page", isCanonicalProved],
    [isMailingSlot ? "duplicate_not_mailed" : "duplicate_not_public", others.length > 0 && isWithout],
    ["scheduler_released", evidence.schedulerReleased.trim() !== ""],
    ["drafter_released", evidence.drafterReleased.trim() !== ""],
    ["next_key", isNextApart],
  ];
  return pieces.filter(([, is]) => !is).map(([what]) => unmet("incident_evidence_missing", { what }));
}

export type SeenObject = Pick<ComparedObject, "remoteId" | "url" | "state">;

/** The objects of the receipt that opened the incident: what was seen then has to be accounted for now. */
export function seenObjects(view: TaskView, incident: IncidentRow): SeenObject[] {
  const receipt = view
    .slotOperations(incident.scopeValue)
    .flatMap((operation) => view.looks(operation.id))
    .filter((look) => look.verdict === "duplicate")
    .at(-1);
  const objects = JSON.parse(receipt?.objects ?? "[]") as readonly ComparedObject[];
  return objects.filter((object) => object.keyEqual);
}
