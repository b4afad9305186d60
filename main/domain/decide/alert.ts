import { isMatterOver, raiseAlert } from "../alert";
import { alertRuleOf, isOpenAlert, isSnoozable, judgeAlert } from "../alert-rules";
import type { AlertCommand, CommandContext } from "../commands";
import { type Decision, draftEvent, type Refusal, refuse } from "../plan";
import type { AlertProgress, AlertRow } from "../records";
import { escalationOf } from "../recovery";
import { REVIEW_OWED, REVIEW_TOLD_AGAIN_MS } from "../recovery-patterns";
import { isRetryRateDoubled, RETRY_RATE, RETRY_RECENT_MS } from "../retry-baseline";
import { type Unmet, unmet } from "../unmet";
import type { TaskView } from "../view";
import { causerOf, checkStanding } from "./actor";

type Of<T extends AlertCommand["type"]> = Extract<AlertCommand, { type: T }>;

/** Somebody was told, or the backup owner as well: only what is due, so that two programs at it tell it once. */
export function decideTellAlert(view: TaskView, command: Of<"tell_alert">, context: CommandContext): Decision {
  const found = openAlert(view, command.alertId, context, "system");
  if ("refusal" in found) return { ok: false, refusal: found.refusal };
  const { alert } = found;
  const { telling, nextAt } = judgeAlert(alert, view.task.zone, context.now);
  if (telling?.to !== command.to) return refuse("guard_failed", unmet("not_due_yet", { until: nextAt ?? 0 }));
  const { to, how } = command;
  // Under a clock that was set back, too, what was told stays told.
  const toldAt = Math.max(context.now, alert.toldAt ?? 0);
  const escalated = telling.isEscalation ? { escalatedAt: context.now } : {};
  return changed(alert, {
    type: telling.isEscalation ? "AlertEscalated" : "AlertTold",
    payload: { to, how },
    patch: { toldAt, snoozedUntil: null, ...escalated },
  });
}

/** A person knows. It is not told again; raised anew, it is another alert. */
export function decideAcknowledgeAlert(
  view: TaskView,
  command: Of<"acknowledge_alert">,
  context: CommandContext,
): Decision {
  const found = openAlert(view, command.alertId, context, "person");
  if ("refusal" in found) return { ok: false, refusal: found.refusal };
  return changed(found.alert, {
    type: "AlertAcknowledged",
    reason: command.note.trim() || null,
    payload: {},
    patch: { acknowledgedAt: context.now, acknowledgedBy: context.actor },
  });
}

/** A person wants to be told again later, within a day. */
export function decideSnoozeAlert(view: TaskView, command: Of<"snooze_alert">, context: CommandContext): Decision {
  const found = openAlert(view, command.alertId, context, "person");
  if ("refusal" in found) return { ok: false, refusal: found.refusal };
  const { until } = command;
  if (!isSnoozable(context.now, until)) return refuse("guard_failed", unmet("snooze_too_long", { until }));
  return changed(found.alert, { type: "AlertSnoozed", payload: { until }, patch: { snoozedUntil: until } });
}

/** What it was about is over: whoever saw to it need not acknowledge it as well. */
export function decideSettleAlert(view: TaskView, command: Of<"settle_alert">, context: CommandContext): Decision {
  const found = openAlert(view, command.alertId, context, "system");
  if ("refusal" in found) return { ok: false, refusal: found.refusal };
  const { alert } = found;
  const { reviewedItem } = command;
  const isReviewed = alertRuleOf(alert.code).matter === "review" && reviewedItem !== undefined;
  if (!isReviewed && !isMatterOver(view, alert)) return refuse("guard_failed", unmet("alert_not_over"));
  const payload = isReviewed ? { reviewedItem } : {};
  return changed(alert, { type: "AlertSettled", payload, patch: { settledAt: context.now } });
}

/** A recovery item that nobody has touched for a day is told about, once (domain 10, 11). */
export function decideReportUntouched(
  view: TaskView,
  command: Of<"report_untouched">,
  context: CommandContext,
): Decision {
  const standing = standingOf(view, context, "system", "RecoveryItemUntouched");
  if (standing) return { ok: false, refusal: standing };
  const item = view.recoveryItems().find(({ id }) => id === command.itemId);
  if (!item) return refuse("not_found", unmet("recovery_item_not_found"));
  const isTold = view.alerts().some(({ subject, code }) => subject === item.id && code === "recovery_untouched");
  if (isTold || escalationOf(item, context.now) !== "untouched")
    return refuse("guard_failed", unmet("not_due_yet", { until: 0 }));
  const { id, kind, subject, owner, operationId, dueAt } = item;
  const event = draftEvent("RecoveryItemUntouched", { operationId, payload: { itemId: id, kind } });
  const more = { itemId: id, kind, about: subject, dueAt };
  const alert = raiseAlert(view, context, { code: "recovery_untouched", operationId, subject: id, owner, more });
  return { ok: true, plan: { task: {}, events: [event], writes: [alert] } };
}

/** What a rule found about the journal itself has an incident but no edition to tell it at; somebody has to hear of it (domain 10). */
export function decideReportIncident(
  view: TaskView,
  { incidentId }: Of<"report_incident">,
  context: CommandContext,
): Decision {
  const standing = standingOf(view, context, "system", "IncidentTold");
  if (standing) return { ok: false, refusal: standing };
  const incident = view.freezes().find(({ id, taskId }) => id === incidentId && taskId === null);
  if (!incident) return refuse("not_found", unmet("incident_not_found"));
  const isTold = view.alerts().some(({ subject, code }) => subject === incidentId && code === "incident_opened");
  if (isTold || incident.rule === "by_hand") return refuse("guard_failed", unmet("not_due_yet", { until: 0 }));
  const payload = { incidentId, rule: incident.rule, about: incident.scopeValue };
  const alert = raiseAlert(view, context, { code: "incident_opened", subject: incidentId, more: payload });
  return { ok: true, plan: { task: {}, events: [draftEvent("IncidentTold", { payload })], writes: [alert] } };
}

/** A cause whose review is owed is told about with its newest item, once in seven days until somebody has made it (domain 10). */
export function decideReportReviewOwed(
  view: TaskView,
  { itemId, owed }: Of<"report_review_owed">,
  context: CommandContext,
): Decision {
  const standing = standingOf(view, context, "system", "ReviewOwed");
  if (standing) return { ok: false, refusal: standing };
  const item = view.recoveryItems().find(({ id }) => id === itemId);
  if (!item) return refuse("not_found", unmet("recovery_item_not_found"));
  const told = view.alerts().filter(({ subject, code }) => subject === itemId && code === REVIEW_OWED);
  const isTold = told.some(({ lastAt }) => lastAt > context.now - REVIEW_TOLD_AGAIN_MS);
  if (isTold || item.stage === "reviewed") return refuse("guard_failed", unmet("not_due_yet", { until: 0 }));
  const { operationId, owner } = item;
  const payload = { itemId, ...owed, cause: { ...owed.cause } };
  const alert = raiseAlert(view, context, { code: REVIEW_OWED, operationId, subject: itemId, owner, more: payload });
  return {
    ok: true,
    plan: { task: {}, events: [draftEvent("ReviewOwed", { operationId, payload })], writes: [alert] },
  };
}

/** A dependency whose calls are repeated at twice the usual rate is told about, once in the time that is judged (domain 10). */
export function decideReportRetryRate(
  view: TaskView,
  { dependency, recent, baseline }: Of<"report_retry_rate">,
  context: CommandContext,
): Decision {
  const standing = standingOf(view, context, "system", "RetryRateDoubled");
  if (standing) return { ok: false, refusal: standing };
  const code = `${RETRY_RATE}${dependency}`;
  const told = view.alerts().filter((alert) => alert.code === code && alert.lastAt > context.now - RETRY_RECENT_MS);
  if (told.length > 0 || !isRetryRateDoubled(recent, baseline))
    return refuse("guard_failed", unmet("not_due_yet", { until: 0 }));
  const payload = { dependency, recent: { ...recent }, baseline: { ...baseline } };
  const alert = raiseAlert(view, context, { code, subject: `dependency ${dependency}`, more: payload });
  return { ok: true, plan: { task: {}, events: [draftEvent("RetryRateDoubled", { payload })], writes: [alert] } };
}

function standingOf(view: TaskView, context: CommandContext, by: "system" | "person", event: string): Refusal | null {
  const missing: Unmet = by === "person" ? unmet("person_required", { event }) : unmet("executor_required", { event });
  if (causerOf(context.actor) !== by) return { result: "guard_failed", unmet: [missing] };
  return checkStanding(view.task, context, true);
}

function openAlert(
  view: TaskView,
  alertId: string,
  context: CommandContext,
  by: "system" | "person",
): { alert: AlertRow } | { refusal: Refusal } {
  const standing = standingOf(view, context, by, "Alert");
  if (standing) return { refusal: standing };
  const alert = view.alerts().find(({ id }) => id === alertId);
  if (!alert) return { refusal: { result: "not_found", unmet: [unmet("alert_not_found")] } };
  if (!isOpenAlert(alert)) return { refusal: { result: "illegal_transition", unmet: [unmet("alert_is_done")] } };
  return { alert };
}

/** The row's change and the event that tells of it, in one plan. */
function changed(
  { id, code, operationId }: AlertRow,
  change: {
    type: string;
    reason?: string | null;
    payload: Readonly<Record<string, unknown>>;
    patch: Partial<AlertProgress>;
  },
): Decision {
  const { type, reason = null, payload, patch } = change;
  const event = draftEvent(type, { operationId, reason, payload: { alertId: id, code, ...payload } });
  return { ok: true, plan: { task: {}, events: [event], writes: [{ table: "alert", update: { id, ...patch } }] } };
}
