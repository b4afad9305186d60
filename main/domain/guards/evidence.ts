import { automaticStopAt } from "../deadlines";
import { hasCome } from "../has-come";
import { TASK_CALL_BUDGET } from "../retry";
import { type Unmet, unmet } from "../unmet";
import { contextValue, type Guard } from "./input";

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";

/** Started by hand, or its time has come. */
export const dueOrByHand: Guard = ({ view, context }) => {
  const startAt = view.task.context["startAt"];
  return typeof startAt === "number" && context.now < startAt ? [unmet("not_due_yet", { at: startAt })] : [];
};

/** Every required source is frozen, and none is still on its way. */
export const requiredSourcesFrozen: Guard = ({ view }) => {
  const sources = view.step("collecting")?.checkpoint["sources"] as
    | Record<string, { state: string; required: boolean }>
    | undefined;
  if (!sources || Object.keys(sources).length === 0) return [unmet("source_not_frozen", { source: "—" })];
  return Object.entries(sources)
    .filter(([, source]) => source.state === "waiting" || (source.required && source.state !== "frozen"))
    .map(([id]) => unmet("source_not_frozen", { source: id }));
};

export const reasonGiven: Guard = ({ command }) => (isText(command.reason) ? [] : [unmet("reason_missing")]);

export const evidenceGiven: Guard = ({ command }) =>
  isText(command.wayOut?.evidence) ? [] : [unmet("evidence_missing")];

export const draftFrozen: Guard = (input) => {
  if (!isText(contextValue(input, "draftHash"))) return [unmet("draft_missing")];
  const repairs = input.view.step("drafting")?.checkpoint["repairs"];
  return typeof repairs === "number" && repairs > 1 ? [unmet("repairs_spent", { repairs })] : [];
};

/** A draft is given up only after its one structural repair, or after an error that no repair can mend. */
export const repairSpent: Guard = ({ view, command }) => {
  const repairs = view.step("drafting")?.checkpoint["repairs"];
  if (command.error || (command.found?.length ?? 0) > 0) return [];
  return typeof repairs === "number" && repairs >= 1 ? [] : [unmet("budget_left", { what: "repair" })];
};

/** What the stage itself found missing refuses the event. */
export const nothingFoundMissing: Guard = ({ command }) => command.found ?? [];

export const packageFrozen: Guard = (input) =>
  ["packageHash", "contentHash", "checkReceiptId", "linkReportHash"].every((name) => isText(contextValue(input, name)))
    ? []
    : [unmet("package_missing")];

export const sourceChangeWarned: Guard = ({ view }) => {
  const warned = view.lastEvent("SourceChangeWarned");
  // A warning about sources that were collected anew since then is no reason any more.
  const frozen = view.lastEvent("SourcesFrozen");
  return warned && warned.seq > (frozen?.seq ?? 0) ? [] : [unmet("source_change_not_warned")];
};

export const editedDraftGiven: Guard = ({ command }) =>
  isText(command.context?.["editedDraftHash"]) ? [] : [unmet("draft_missing")];

export const newDeadlineGiven: Guard = ({ command, context }) => {
  const at = command.wayOut?.newDeadlineAt;
  return at !== undefined && at > context.now ? [] : [unmet("deadline_needed")];
};

/**
 * Nothing is started that could not end in time: before the automatic stop, or before the full deadline where a person has
 * just decided. A new deadline that comes with the command is the one that counts.
 */
export const deadlineOpen: Guard = ({ view, command, context }) => {
  const { task, definition } = view;
  const deadlineAt = command.wayOut?.newDeadlineAt ?? task.deadlineAt;
  const isFull = definition.fullDeadlineStates.includes(task.state);
  const at = isFull ? deadlineAt : automaticStopAt({ deadlineAt }, definition.deadlines);
  return context.now < at ? [] : [unmet("deadline_passed", { at })];
};

export const deadlinePassed: Guard = ({ view, context }) => {
  const at = effectiveDeadline(view);
  return context.now >= at ? [] : [unmet("deadline_not_passed", { at })];
};

/** The automatic stop, or the full deadline where a person is waited for or has just decided. */
export function effectiveDeadline(view: Parameters<Guard>[0]["view"]): number {
  const { task, definition } = view;
  return definition.fullDeadlineStates.includes(task.state)
    ? task.deadlineAt
    : automaticStopAt(task, definition.deadlines);
}

export const retryAllowed: Guard = ({ view, command }) => {
  const missing: Unmet[] = [];
  if (command.error && command.error.class !== "transient")
    missing.push(unmet("not_transient", { class: command.error.class }));
  if (view.task.callsUsed >= TASK_CALL_BUDGET) missing.push(unmet("budget_left", { what: "task" }));
  const stop = automaticStopAt(view.task, view.definition.deadlines);
  if (command.retryAt === undefined || command.retryAt >= stop) missing.push(unmet("deadline_passed", { at: stop }));
  return missing;
};

export const retryDue: Guard = ({ view, context }) => {
  const at = view.task.retryAt;
  return at !== null && hasCome(at, context.now) ? [] : [unmet("retry_not_due", { at: at ?? 0 })];
};
