import type { OperationIntent } from "../../domain/commands";
import type { CompensationPlan } from "../../domain/compensation";
import { HASH_RULE_VERSION } from "../../domain/hash-rule";
import { sha256 } from "../../domain/hashing";
import { effectIntentKey, slotOf } from "../../domain/keys";
import type { TaskRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import { NOTHING_BOUND } from "../../engine/undo-look";
import { type MembershipPorts, memberOf } from "./ports";

/** Where each of the three writes stands: the places of a task's slots. */
export type Place = "status" | "vouchers" | "sms";

export const placeOf = (slot: string): Place => slot.slice(slot.lastIndexOf(":") + 1) as Place;

/** The states that the writes are to reach, and what they are brought back to. */
export const CANCELLING = "cancelling";
export const FROZEN = "frozen";
export const USABLE = "usable";

/** What the member is told; its hash is what the message's intent is bound to. */
export const messageText = (task: Pick<TaskRow, "language" | "edition">): string =>
  task.language.startsWith("zh")
    ? `您的会员退订申请（${task.edition}）已受理，优惠券已冻结。`
    : `Your membership (${task.edition}) is being cancelled; its vouchers are frozen.`;

/**
 * The three writes in their order, each with its undo. What only a person can follow up stands last: nothing fallible comes
 * after the message (domain 9, and the validator).
 * @param previousStatus what the member's status was when the cancellation began: the state its undo names
 */
export function cancellationIntents(ports: MembershipPorts, view: TaskView, previousStatus: string): OperationIntent[] {
  const { task } = view;
  const memberId = memberOf(task);
  const common = (action: string, place: Place) => ({
    intentKey: effectIntentKey(task.taskKey, task.taskVersion, action),
    kind: "effect" as const,
    slot: slotOf("effect", task.taskKey, place),
    recipientId: null,
    hashes: NOTHING_BOUND,
    hashRuleVersion: HASH_RULE_VERSION,
    automatic: true,
  });
  return [
    {
      ...common(`set_status_${CANCELLING}`, "status"),
      phase: "update",
      adapter: ports.members.name,
      target: ports.members.statusUrl(memberId),
      after: null,
      compensation: {
        ...undoOf(view, ports.members),
        action: "restore_member_status",
        args: { memberId, targetState: previousStatus },
        precondition: "status_still_cancelling",
        verification: "status_asked",
        steps: [
          { name: "restore_member_status", kind: "call" },
          { name: "status_asked", kind: "proof" },
        ],
      },
    },
    {
      ...common("freeze_vouchers", "vouchers"),
      phase: "update",
      adapter: ports.members.name,
      target: ports.members.vouchersUrl(memberId),
      after: 0,
      compensation: {
        ...undoOf(view, ports.members),
        action: "release_frozen_vouchers",
        // Not how many were frozen: released is what is frozen when it is undone.
        args: { memberId, targetState: USABLE },
        precondition: "vouchers_still_frozen",
        verification: "vouchers_asked",
        steps: [
          { name: "release_frozen_vouchers", kind: "call" },
          { name: "vouchers_asked", kind: "proof" },
        ],
      },
    },
    {
      ...common("send_sms", "sms"),
      phase: "deliver",
      adapter: ports.messages.name,
      target: ports.messages.url,
      hashes: { ...NOTHING_BOUND, contentHash: sha256(messageText(task)) },
      after: 1,
      compensation: {
        ...undoOf(view, ports.messages),
        action: "follow_up_sms",
        args: { memberId, targetState: "member_told" },
        precondition: "the_rest_is_undone",
        verification: "note_and_link",
        steps: [{ name: "follow_up_sms", kind: "person", waitsForOthers: true }],
      },
    },
  ];
}

function undoOf(
  view: TaskView,
  side: MembershipPorts["members"] | MembershipPorts["messages"],
): Pick<CompensationPlan, "service" | "owner" | "timeoutMs" | "grade"> {
  const { manifest } = side.adapter;
  return {
    service: side.name,
    owner: view.definition.owner,
    timeoutMs: manifest.callTimeoutMs,
    grade: manifest.compensation.grade,
  };
}
