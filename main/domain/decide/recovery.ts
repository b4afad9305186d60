import type { Command, CommandContext } from "../commands";
import { type Decision, draftEvent, refuse } from "../plan";
import type { RecoveryItemRow } from "../records";
import { proofsNeeded, RECOVERY_WAYS, REVIEW_OUTCOME } from "../recovery";
import { type Unmet, unmet } from "../unmet";
import type { TaskView } from "../view";
import { causerOf, checkStanding } from "./actor";

type MoveItem = Extract<Command, { type: "move_recovery_item" }>;

/**
 * A person takes a recovery item to its next stage, or says something about it where it is (domain 10). An item is closed on
 * what proved it and reviewed on a changed rule or a test; its minutes add up. The task itself does not move, so this works on
 * one that has ended as well.
 */
export function decideMoveItem(view: TaskView, command: MoveItem, context: CommandContext): Decision {
  const standing = checkStanding(view.task, context, true);
  if (standing) return { ok: false, refusal: standing };
  const item = view.recoveryItems().find((row) => row.id === command.itemId);
  if (!item) return refuse("not_found", unmet("recovery_item_not_found"));
  if (item.stage !== command.from)
    return refuse("stale_version", unmet("recovery_stage_is", { stage: item.stage, seen: command.from }));
  if (command.to !== item.stage && !RECOVERY_WAYS[item.stage].includes(command.to))
    return refuse("illegal_transition", unmet("recovery_stage_is", { stage: item.stage, seen: command.to }));
  const next = workedOn(item, command, context);
  const missing = [
    ...(causerOf(context.actor) === "person" ? [] : [unmet("person_required", { event: "RecoveryItemMoved" })]),
    ...(command.note.trim() === "" ? [unmet("reason_missing")] : []),
    ...missingProofs(next),
  ];
  if (missing.length > 0) return refuse("guard_failed", ...missing);
  const { id, stage, owner, method, verification, minutes, review, stageAt } = next;
  const moved = draftEvent("RecoveryItemMoved", {
    operationId: item.operationId,
    reason: command.note,
    payload: {
      ...{ itemId: id, kind: item.kind, from: item.stage, to: stage, owner, method, verification, review },
      minutes: command.minutes,
    },
  });
  const update = { id, stage, owner, method, verification, minutes, review, stageAt };
  return {
    ok: true,
    plan: { task: {}, events: [moved], writes: [{ table: "recovery_item", update, was: item.stage }] },
  };
}

function workedOn(item: RecoveryItemRow, command: MoveItem, context: CommandContext): RecoveryItemRow {
  const said = (text: string | undefined, before: string | null) => (text?.trim() ? text.trim() : before);
  return {
    ...item,
    stage: command.to,
    owner: said(command.owner, item.owner) ?? item.owner,
    method: said(command.method, item.method),
    verification: verificationOf(item, command),
    review: command.to === "reviewed" ? said(command.review, item.review) : item.review,
    minutes: item.minutes + command.minutes,
    stageAt: command.to === item.stage ? item.stageAt : context.now,
  };
}

/** A failed drill is proved by a later play, which the program saw, and by nothing that is written. */
function verificationOf(item: RecoveryItemRow, command: MoveItem): string | null {
  if (item.kind === "drill_failed") return item.verification;
  // Taken up again, what proved it before has turned out to prove nothing.
  return command.to === "recovering" ? null : command.verification?.trim() || item.verification;
}

function missingProofs(item: RecoveryItemRow): Unmet[] {
  const absent = proofsNeeded(item.stage).filter((what) => item[what] === null);
  const isVague = item.stage === "reviewed" && item.review !== null && !REVIEW_OUTCOME.test(item.review);
  return [
    ...absent.map((what) =>
      what === "verification" && item.kind === "drill_failed"
        ? unmet("drill_not_passed")
        : unmet("recovery_proof_missing", { what }),
    ),
    ...(isVague ? [unmet("review_without_outcome")] : []),
    ...(Number.isSafeInteger(item.minutes) && item.minutes >= 0 ? [] : [unmet("minutes_not_counted")]),
  ];
}
