import type { Command, CommandContext } from "../commands";
import { type Decision, draftEvent, refuse } from "../plan";
import type { OperationState } from "../records";
import { unmet } from "../unmet";
import { operationById, type TaskView } from "../view";
import { causerOf, checkStanding } from "./actor";

type GiveVerdict = Extract<Command, { type: "give_verdict" }>;

/**
 * A person's verdict on what no query could settle: with evidence, on `conflict` or `locked` only (domain 6). "Cannot tell"
 * is an answer too: it is kept and changes nothing.
 */
export function decideVerdict(view: TaskView, command: GiveVerdict, context: CommandContext): Decision {
  const operation = operationById(view, command.operationId);
  if (!operation) return refuse("not_found", unmet("operation_not_found"));
  if (causerOf(context.actor) !== "person")
    return refuse("guard_failed", unmet("person_required", { event: "verdict" }));
  const standing = checkStanding(view.task, context, true);
  if (standing) return { ok: false, refusal: standing };
  if (command.evidence.trim() === "") return refuse("guard_failed", unmet("evidence_missing"));
  if (operation.state !== "conflict" && operation.state !== "locked")
    return refuse("guard_failed", unmet("verdict_not_asked", { state: operation.state }));
  if (command.verdict === "happened" && (command.remoteId ?? "") === "")
    return refuse("guard_failed", unmet("evidence_missing", { what: "remoteId" }));
  const state: OperationState =
    command.verdict === "happened" ? "confirmed" : command.verdict === "did_not_happen" ? "not_found" : operation.state;
  const event =
    command.verdict === "happened"
      ? "RemoteConfirmed"
      : command.verdict === "did_not_happen"
        ? "RemoteNotFound"
        : "OperationLocked";
  const update = {
    id: operation.id,
    state,
    settled: state === "confirmed" || state === "not_found",
    ...(state === "confirmed" ? { remoteId: command.remoteId, lastObservedAt: context.now } : {}),
  };
  const payload = {
    operationState: state,
    by: "person",
    verdict: command.verdict,
    remoteId: command.remoteId,
    pastHorizon: state === "not_found",
  };
  return {
    ok: true,
    plan: {
      task: {},
      events: [draftEvent(event, { operationId: operation.id, reason: command.evidence, payload })],
      writes: state === operation.state ? [] : [{ table: "operation", update, was: operation.state }],
    },
  };
}
