import { raiseAlert } from "../alert";
import type { CommandContext } from "../commands";
import type { DrillCommand } from "../drill-command";
import { subjectOfTrouble, troubleOf } from "../drill-trouble";
import { derivedId } from "../hashing";
import { type Decision, draftEvent, type Refusal, refuse } from "../plan";
import { type Unmet, unmet } from "../unmet";
import type { TaskView } from "../view";
import { causerOf, checkStanding } from "./actor";

type Of<T extends DrillCommand["type"]> = Extract<DrillCommand, { type: T }>;

/** A drill is caught up with in working time: within the week. */
const DUE_MS = 7 * 86_400_000;

/** The item of one trouble, in whichever edition it stands: looked at twice, it is the same. */
export const drillItemId = (subject: string): string => derivedId("ri", "drill", subject);

/** A drill that failed or is overdue becomes an alert and somebody's item, once (domain section 10). */
export function decideReportDrill(view: TaskView, { trouble }: Of<"report_drill">, context: CommandContext): Decision {
  const refusal = standingOf(view, context);
  if (refusal) return { ok: false, refusal };
  const subject = subjectOfTrouble(trouble);
  const id = drillItemId(subject);
  if (view.recoveryItems().some((item) => item.id === id))
    return refuse("guard_failed", unmet("not_due_yet", { until: 0 }));
  const { id: taskId, owner, backupOwner } = view.task;
  const item = {
    ...{ id, taskId, operationId: null, subject, errorClass: null, owner, backupOwner },
    ...({ kind: "drill_failed", stage: "to_triage" } as const),
    createdAt: context.now,
    dueAt: context.now + DUE_MS,
  };
  const code = `${trouble.why === "overdue" ? "drill_overdue" : "drill_failed"}_${trouble.about}`;
  const payload = { itemId: id, ...trouble };
  return {
    ok: true,
    plan: {
      task: {},
      events: [draftEvent(trouble.why === "overdue" ? "DrillOverdue" : "DrillFailed", { payload })],
      writes: [
        { table: "recovery_item", insertIfNew: item },
        raiseAlert(view, context, { code, subject: id, owner, more: payload }),
      ],
    },
  };
}

/**
 * A later play came to a good end: that is what proves the item, and nothing that anybody writes. Whose item it is closes it and
 * says what was learned.
 */
export function decideReportDrillPassed(
  view: TaskView,
  { itemId, playedAt }: Of<"report_drill_passed">,
  context: CommandContext,
): Decision {
  const refusal = standingOf(view, context);
  if (refusal) return { ok: false, refusal };
  const item = view.recoveryItems().find(({ id }) => id === itemId);
  const trouble = item === undefined ? null : troubleOf(item.subject);
  if (!item || trouble === null) return refuse("not_found", unmet("recovery_item_not_found"));
  if (item.verification !== null || playedAt <= trouble.since)
    return refuse("guard_failed", unmet("not_due_yet", { until: 0 }));
  const { id, kind, stage, owner, method, review } = item;
  const verification = `${trouble.about} ${new Date(playedAt).toISOString()}`;
  const event = draftEvent("RecoveryItemMoved", {
    payload: { ...{ itemId: id, kind, from: stage, to: stage, owner, method, verification, review }, minutes: 0 },
  });
  return {
    ok: true,
    plan: {
      task: {},
      events: [event],
      writes: [{ table: "recovery_item", update: { id, verification }, was: stage }],
    },
  };
}

function standingOf(view: TaskView, context: CommandContext): Refusal | null {
  const missing: Unmet = unmet("executor_required", { event: "DrillFailed" });
  if (causerOf(context.actor) !== "system") return { result: "guard_failed", unmet: [missing] };
  return checkStanding(view.task, context, true);
}
