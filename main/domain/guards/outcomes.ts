import { planHash } from "../compensation";
import { causerOf } from "../decide/actor";
import { hasCome } from "../has-come";
import { isOpenAccount } from "../open-account";
import type { OperationRow } from "../records";
import { type Unmet, unmet } from "../unmet";
import { contextValue, type Guard, gateOperations } from "./input";

/** Every operation of the publishing intent is confirmed by the remote. */
export const publishConfirmed: Guard = ({ view }) => {
  const operations = gateOperations(view);
  if (operations.length === 0) return [unmet("operation_not_found")];
  return operations
    .filter((operation) => operation.state !== "confirmed")
    .map((operation) => unmet("operation_state_is", { operation: operation.operationKey, state: operation.state }));
};

/** The public page was fetched and matched for the very content that is on the table (I04). */
export const pageVerified: Guard = (input) => {
  const { view } = input;
  const contentHash = view.task.context["contentHash"];
  return view.lastEvent("PageVerified") !== null && contextValue(input, "verifiedContentHash") === contentHash
    ? []
    : [unmet("page_not_verified")];
};

export const pageCaptured: Guard = (input) =>
  typeof contextValue(input, "captureHash") === "string" ? [] : [unmet("page_proof_missing")];

export const audienceComputed: Guard = ({ view, command }) => {
  const hash = command.context?.["audienceHash"] ?? view.task.context["audienceHash"];
  return typeof hash === "string" && (command.audience !== undefined || view.task.context["audienceHash"] === hash)
    ? []
    : [unmet("audience_missing")];
};

/**
 * Parents are settled well: confirmed, or cancelled before they left. What was refused or proven absent is so too where another
 * operation has taken its place since: the edition's content or audience changed in between, and nothing of the old one is out.
 */
export const operationsSettledWell: Guard = ({ view }) => {
  const missing: Unmet[] = [];
  const operations = view.operations();
  const isReplaced = ({ slot, phase }: OperationRow) =>
    operations.some((other) => other.slot === slot && other.phase === phase && other.state === "confirmed");
  for (const operation of operations) {
    const isWell = operation.state === "confirmed" || operation.state === "cancelled";
    if (!operation.settled) missing.push(unmet("operation_unsettled", { operation: operation.operationKey }));
    else if (operation.parentId === null && !isWell && !isReplaced(operation))
      missing.push(unmet("operation_failed", { operation: operation.operationKey, state: operation.state }));
  }
  return missing;
};

/** An account of every recipient, none of them unknown or merely accepted (I06). */
export const recipientsAccounted: Guard = ({ view }) => {
  const audienceHash = view.task.context["audienceHash"];
  const audience = typeof audienceHash === "string" ? view.audience(audienceHash as never) : null;
  if (!audience) return [unmet("audience_missing")];
  const rows = view.recipients();
  const open = rows.filter(isOpenAccount).length;
  const total = audience.count + audience.excluded;
  return open === 0 && rows.length === total
    ? []
    : [unmet("recipients_unaccounted", { open, accounted: rows.length - open, total })];
};

export const observationWindowOver: Guard = ({ view, context }) => {
  const until = view.task.stateSince + view.definition.deadlines.observationMs;
  return hasCome(until, context.now) ? [] : [unmet("observation_window_open", { until })];
};

/** The remote's totals do not match the audience, or name somebody who is not in it: said, never adjusted. */
export const totalsDiffer: Guard = ({ command }) => {
  const { reported, audience, strangers = 0 } = command.payload ?? {};
  return reported !== audience || strangers !== 0 ? [] : [unmet("totals_do_match")];
};

export const nothingUnsettled: Guard = ({ view }) =>
  view
    .operations()
    .filter((operation) => operation.kind !== "compensate" && !operation.settled)
    .map((operation) => unmet("operation_unsettled", { operation: operation.operationKey }));

/**
 * Undoing by a person starts from the plan that they have read: its hash comes back with the click.
 */
export const undoPlanReviewed: Guard = ({ view, command, context }) => {
  const entries = view.compensations();
  if (entries.length === 0) return [unmet("nothing_to_undo")];
  if (causerOf(context.actor) !== "person") return [];
  const now = planHash(entries);
  const seen = String(command.payload?.["planHash"] ?? "—");
  return seen === now ? [] : [unmet("undo_plan_changed", { seen, now })];
};

/** No undo is out without an answer, and none is still to be made. */
export const undoSettled: Guard = ({ view }) =>
  view
    .operations()
    .filter((operation) => operation.kind === "compensate" && !operation.settled)
    .map((operation) => unmet("operation_unsettled", { operation: operation.operationKey }));

export const compensationFinished: Guard = ({ view }) =>
  view
    .compensations()
    .filter((entry) => entry.state === "registered" || entry.state === "running" || entry.state === "failed")
    .map((entry) => unmet("compensation_open", { action: entry.action, state: entry.state }));
