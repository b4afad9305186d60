import { type AlertOfTask, readDoneAlerts, readOpenAlerts } from "../../../db/queries/alerts";
import type { Output } from "../../../preload/contract";
import { alertContents, isMatterOver } from "../../domain/alert";
import { ACT_WITHIN_MS, alertRuleOf, snoozeEnd } from "../../domain/alert-rules";
import type { Instant, TaskId } from "../../domain/ids";
import type { ApprovalRow } from "../../domain/records";
import { type OwedReview, REVIEW_OWED } from "../../domain/recovery-patterns";
import { type CallCount, RETRY_RATE } from "../../domain/retry-baseline";
import type { TaskView } from "../../domain/view";
import type { ViewPorts } from "./view-ports";

type Alerts = Output<"alerts.get">;
type Approval = NonNullable<Alerts["open"][number]["lastApproval"]>;

/** How long what is done with stays in the inbox. */
const DONE_SHOWN_MS = 30 * 86_400_000;

/**
 * The inbox (domain 10): each open alert with everything that is needed to act on it, as the journal has it now, and what was
 * told lately. What is over by itself is not shown as open, also before the next pass has said so.
 * @param notifier whether the system's notifications work
 */
export function alertsView(
  { queries, clock: readClock, trusted }: Pick<ViewPorts, "queries" | "clock" | "trusted">,
  notifier: Alerts["notifier"],
): Alerts {
  const clock = readClock();
  const { now } = clock;
  return queries.consistent(() => {
    const views = new Map<TaskId, TaskView | null>();
    const viewOf = (id: TaskId) => {
      if (!views.has(id)) views.set(id, queries.tasks.view(id));
      return views.get(id) ?? null;
    };
    const open = readOpenAlerts(queries).flatMap((alert) => {
      const view = viewOf(alert.taskId);
      return view === null || isMatterOver(view, alert) ? [] : [toOpen(view, alert, now, trusted.read().at)];
    });
    return { clock, open, done: readDoneAlerts(queries, now - DONE_SHOWN_MS).map(toDone), notifier };
  });
}

function toOpen(view: TaskView, alert: AlertOfTask, now: Instant, trustedAt: Instant): Alerts["open"][number] {
  const { id, taskId, edition, code, urgency, at, times, lastAt, toldAt, escalatedAt, snoozedUntil, zone } = alert;
  const { todo } = alertRuleOf(code);
  const { lastApproval, operations, freezes, ...facts } = alertContents(view, alert.operationId, ownerOf(view, alert));
  return {
    ...{ id, taskId, code, urgency, todo, at, times, lastAt, toldAt, escalatedAt, snoozedUntil },
    ...facts,
    edition,
    actBy: at + ACT_WITHIN_MS[urgency],
    morningAt: snoozeEnd("morning", now, zone),
    operations: [...operations],
    retries: retriesOf(view, alert),
    itemId: view.recoveryItems().find((row) => row.id === alert.subject)?.id ?? null,
    recurs: recursIn(view, alert),
    freezes: [...freezes],
    lastApproval: lastApproval === null ? null : toApproval(lastApproval, trustedAt),
  };
}

/** What was counted when it was raised: it is what the alert was raised for, whatever has been called since. */
function retriesOf(view: TaskView, { id, code }: AlertOfTask): Alerts["open"][number]["retries"] {
  if (!code.startsWith(RETRY_RATE)) return null;
  const told = toldOf<{ recent: CallCount; baseline: CallCount }>(view, id);
  return told && { recent: told.recent, baseline: told.baseline };
}

function recursIn(view: TaskView, { id, code }: AlertOfTask): Alerts["open"][number]["recurs"] {
  const told = code === REVIEW_OWED ? toldOf<OwedReview>(view, id) : null;
  return told && { ...told.cause, lastWeek: told.lastWeek, lastMonth: told.lastMonth, review: told.review };
}

/** What an alert was raised with: the handler that raised it wrote it in this form. */
function toldOf<T>(view: TaskView, alertId: string): T | null {
  const details = view.alerts().find((row) => row.id === alertId)?.details;
  return details === undefined ? null : (JSON.parse(details) as T);
}

/** A block has an owner by its reason, an undo and an item have their own; everything else is the task's. */
function ownerOf(view: TaskView, { code, subject }: AlertOfTask): string | undefined {
  if (view.task.state === "blocked" && code.startsWith("blocked_"))
    return view.definition.blocked[view.task.blockedReason ?? ""]?.owner;
  return [...view.compensations(), ...view.recoveryItems()].find((row) => row.id === subject)?.owner;
}

function toApproval(
  approval: Pick<
    ApprovalRow,
    "id" | "scope" | "approver" | "issuedAt" | "expiresAt" | "revokedAt" | "endedAt" | "contentHash"
  >,
  at: Instant,
): Approval {
  const { id, scope, approver, issuedAt, expiresAt, contentHash } = approval;
  return { id, scope, approver, issuedAt, expiresAt, contentHash, state: stateOf(approval, at) };
}

function stateOf(
  { revokedAt, endedAt, expiresAt }: Pick<ApprovalRow, "revokedAt" | "endedAt" | "expiresAt">,
  at: Instant,
): Approval["state"] {
  if (revokedAt !== null) return "revoked";
  // The sweep that finds an approval expired also ends it; then it is its time that was over.
  if (expiresAt <= Math.min(at, endedAt ?? at)) return "expired";
  return endedAt === null ? "living" : "ended";
}

function toDone(alert: AlertOfTask): Alerts["done"][number] {
  const { id, taskId, edition, code, at, toldAt, escalatedAt, acknowledgedAt, acknowledgedBy, settledAt } = alert;
  const endedAt = acknowledgedAt ?? settledAt ?? at;
  return { id, taskId, edition, code, at, toldAt, escalatedAt, endedAt, by: acknowledgedBy };
}
