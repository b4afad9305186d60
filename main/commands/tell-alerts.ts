import {
  type AlertOfTask,
  isToldSince,
  readOpenAlerts,
  readUntoldIncidents,
  readUntouchedItems,
  subjectsToldSince,
} from "../../db/queries/alerts";
import { readNewestTask } from "../../db/queries/newest-task";
import type { Queries } from "../../db/queries/open-queries";
import { readRetryRates } from "../../db/queries/retry-rates";
import { isMatterOver } from "../domain/alert";
import { ACT_WITHIN_MS, type AlertTodo, alertRuleOf, judgeAlert, type Telling } from "../domain/alert-rules";
import type { Instant } from "../domain/ids";
import { earliest } from "../domain/next-action";
import type { AlertUrgency } from "../domain/records";
import { UNTOUCHED_MS } from "../domain/recovery";
import { owedReviewOf, REVIEW_OWED, REVIEW_TOLD_AGAIN_MS } from "../domain/recovery-patterns";
import { isRetryRateDoubled, RETRY_RATE, RETRY_RECENT_MS } from "../domain/retry-baseline";
import { type Desk, executeFor } from "./desk";
import { type PatternWithItems, readPatterns } from "./read-patterns";
import { type DrillStanding, reportDrills } from "./report-drills";

/** What may be seen on a locked screen: which edition, what kind of thing, by when. No content, no address, no name. */
export interface AlertNotice {
  alertId: string;
  edition: string;
  todo: AlertTodo;
  urgency: AlertUrgency;
  actBy: Instant;
  zone: string;
  isEscalation: boolean;
  /** How many more about the same edition are told with it. */
  more: number;
}

/** Where people are told outside of the window. @throws where it cannot, for whatever reason. */
export interface Notifier {
  tell(notice: AlertNotice): void;
}

export interface TellAlerts {
  /** In the program's own name: who tells is `system`. */
  desk: Desk;
  queries: Queries;
  /** Null where there is nobody to be told: headless. */
  notifier: Notifier | null;
  onNotifier(failure: unknown): void;
  /** How the drills stand; absent where nobody plays any. */
  drills?: () => DrillStanding;
}

interface Due {
  alert: AlertOfTask;
  telling: Telling;
}

/**
 * One pass over the open alerts (domain 10): settles what is over, tells what is due, each once, however long nobody could
 * look. It is the program's, not the engine's: an engine without people has nobody to tell. A notifier that fails is reported
 * and the alert counts as told in the inbox.
 * @returns when the next pass is due at the latest, or null
 */
export function tellAlerts(round: TellAlerts): Instant | null {
  const { desk, queries } = round;
  const now = desk.clock.now();
  reportIncidents(desk, queries);
  for (const { id, taskId } of readUntouchedItems(queries, now - UNTOUCHED_MS))
    executeFor(desk, { type: "report_untouched", taskId, itemId: id });
  for (const rates of readRetryRates(queries, now))
    if (isRetryRateDoubled(rates.recent, rates.baseline) && !wasTold(queries, rates.dependency, now))
      executeFor(desk, { type: "report_retry_rate", ...rates });
  if (round.drills) reportDrills(desk, queries, round.drills());
  const patterns = readPatterns(queries, now);
  reportOwedReviews(round, patterns);
  const due: Due[] = [];
  const next: (Instant | null)[] = [];
  for (const alert of readOpenAlerts(queries)) {
    const view = desk.journal.reader.view(alert.taskId);
    const reviewedItem = reviewAfter(alert, patterns);
    if (view !== null && (reviewedItem !== undefined || isMatterOver(view, alert))) {
      const proof = reviewedItem === undefined ? {} : { reviewedItem };
      executeFor(desk, { type: "settle_alert", taskId: alert.taskId, alertId: alert.id, ...proof });
      continue;
    }
    const { telling, nextAt } = judgeAlert(alert, alert.zone, now);
    if (telling) due.push({ alert, telling });
    next.push(nextAt ?? (telling ? now + alertRuleOf(alert.code).escalatesAfterMs : null));
  }
  for (const group of byTask(due)) tellTogether(round, group);
  return earliest(...next);
}

/** What was found about the journal itself is told at the newest edition. */
function reportIncidents(desk: Desk, queries: Queries): void {
  const taskId = readNewestTask(queries);
  if (taskId === null) return;
  for (const { id } of readUntoldIncidents(queries))
    executeFor(desk, { type: "report_incident", taskId, incidentId: id });
}

/** What recurs often enough is told about with its newest item, and again as long as nobody has reviewed it. */
function reportOwedReviews({ desk, queries }: TellAlerts, patterns: readonly PatternWithItems[]): void {
  const told = new Set(subjectsToldSince(queries, REVIEW_OWED, desk.clock.now() - REVIEW_TOLD_AGAIN_MS));
  for (const pattern of patterns) {
    const owed = owedReviewOf(pattern);
    const newest = pattern.items.at(-1);
    if (owed === null || newest === undefined || pattern.itemIds.some((id) => told.has(id))) continue;
    executeFor(desk, { type: "report_review_owed", taskId: newest.taskId, itemId: newest.id, owed });
  }
}

/** @returns the item at which the cause of an alert was reviewed since, or undefined: it is another alert, or still owed. */
function reviewAfter(alert: AlertOfTask, patterns: readonly PatternWithItems[]): string | undefined {
  if (alert.code !== REVIEW_OWED) return undefined;
  const pattern = patterns.find(({ itemIds }) => itemIds.includes(alert.subject));
  if (pattern?.review !== "none") return undefined;
  return pattern.items.find(({ stage, stageAt }) => stage === "reviewed" && (stageAt ?? 0) >= alert.lastAt)?.id;
}

/** Told at an edition, a dependency is not told again at the next one. */
const wasTold = (queries: Queries, dependency: string, now: Instant): boolean =>
  isToldSince(queries, `${RETRY_RATE}${dependency}`, now - RETRY_RECENT_MS);

/** What befalls one edition at one moment is one interruption. */
function byTask(due: readonly Due[]): Due[][] {
  const groups = new Map<string, Due[]>();
  for (const one of due) groups.set(one.alert.taskId, [...(groups.get(one.alert.taskId) ?? []), one]);
  return [...groups.values()];
}

function tellTogether(round: TellAlerts, group: readonly Due[]): void {
  const how = notify(round, group);
  for (const { alert, telling } of group)
    executeFor(round.desk, { type: "tell_alert", taskId: alert.taskId, alertId: alert.id, to: telling.to, how });
}

function notify({ notifier, onNotifier }: TellAlerts, group: readonly Due[]): "notification" | "inbox" {
  const [first] = group;
  if (notifier === null || !first) return "inbox";
  const { alert, telling } = first;
  const { id: alertId, edition, code, urgency, at, zone } = alert;
  const actBy = at + ACT_WITHIN_MS[urgency];
  const { todo } = alertRuleOf(code);
  const { isEscalation } = telling;
  try {
    notifier.tell({ alertId, edition, todo, urgency, actBy, zone, isEscalation, more: group.length - 1 });
    onNotifier(null);
    return "notification";
  } catch (error) {
    onNotifier(error ?? new Error("the notifier failed"));
    return "inbox";
  }
}
