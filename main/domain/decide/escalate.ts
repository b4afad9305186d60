import { raiseAlert } from "../alert";
import type { CommandContext } from "../commands";
import { derivedId } from "../hashing";
import type { Instant } from "../ids";
import { type Decision, draftEvent, refuse, type Write } from "../plan";
import type { TaskRow } from "../records";
import { unmet } from "../unmet";
import type { TaskView } from "../view";
import { causerOf, checkStanding } from "./actor";

/** The owner was told when the task was blocked: what lies past its expiry is theirs within the hour. */
const EXPIRED_DUE_MS = 3_600_000;

/** @returns when a block is to be told to people again (domain 3), or null where the task is not blocked. */
export function blockExpiresAt(view: TaskView): Instant | null {
  const { task, definition } = view;
  if (task.state !== "blocked") return null;
  const rule = definition.blocked[task.blockedReason ?? ""];
  return rule === undefined ? null : task.stateSince + rule.expiresAfterMs;
}

/** One block is escalated once: its item is named after the state's version, which rises with every block. */
const itemIdOf = (task: TaskRow): string => derivedId("ri", task.id, "blocked_expired", task.stateVersion);

/** True where this very block has its recovery item. */
export const isEscalated = (view: TaskView): boolean =>
  view.recoveryItems().some(({ id }) => id === itemIdOf(view.task));

/** A block that outlived its expiry: an alert and a recovery item with an owner; the state stays (domain 3). */
export function decideEscalateBlocked(view: TaskView, context: CommandContext): Decision {
  const { task } = view;
  const standing = checkStanding(task, context, true);
  if (standing) return { ok: false, refusal: standing };
  if (causerOf(context.actor) === "person")
    return refuse("guard_failed", unmet("executor_required", { event: "BlockedExpired" }));
  const expiresAt = blockExpiresAt(view);
  if (expiresAt === null)
    return refuse("illegal_transition", unmet("state_is", { state: task.state, event: "BlockedExpired" }));
  if (context.now < expiresAt) return refuse("guard_failed", unmet("not_due_yet", { until: expiresAt }));
  if (isEscalated(view)) return refuse("guard_failed", unmet("block_escalated_already"));
  const reason = task.blockedReason ?? "";
  const event = draftEvent("BlockedExpired", { reason, payload: { blockedSince: task.stateSince, expiresAt } });
  return { ok: true, plan: { task: {}, events: [event], writes: escalation(view, reason, context) } };
}

function escalation(view: TaskView, reason: string, context: CommandContext): Write[] {
  const { task, definition } = view;
  const { id: taskId, backupOwner, stateSince, resumeState } = task;
  const rule = definition.blocked[reason];
  const owner = rule?.owner ?? task.owner;
  const more = {
    ...{ reason, blockedSince: stateSince, blockedIn: resumeState },
    evidenceNeeded: [...(rule?.evidenceNeeded ?? [])],
  };
  const item = {
    ...{ id: itemIdOf(task), taskId, operationId: null, subject: reason, errorClass: null, owner, backupOwner },
    ...({ kind: "blocked_expired", stage: "to_triage" } as const),
    createdAt: context.now,
    dueAt: context.now + EXPIRED_DUE_MS,
  };
  return [
    { table: "recovery_item", insertIfNew: item },
    raiseAlert(view, context, { code: "blocked_expired", owner, more }),
  ];
}
