import type { Chain } from "../../domain/action-chain";

/** The services that it writes to, by the names under which the journal keeps them. */
export const MEMBERS = "membership-sandbox";
export const MESSAGES = "messages-sandbox";

/**
 * Status, vouchers, message. What only a person can follow up stands last: nothing fallible comes after the message (domain 9,
 * and the validator).
 */
export const membershipChain: Chain = {
  stage: "cancelling",
  begins: {
    ...{ service: MEMBERS, place: "status", requires: "active", event: "CancellationStarted" },
    ...{ blockedEvent: "CancellationBlocked", blockedReason: "member_not_active" },
  },
  heldEvent: "CancellationHeld",
  doneEvent: "MembershipCancelled",
  actions: [
    {
      ...{ name: "set_status_cancelling", place: "status", service: MEMBERS, phase: "update", state: "cancelling" },
      ...{ heedsRevision: true, message: null },
      undo: {
        ...{ by: "program", action: "restore_member_status", targetState: "as_before" },
        ...{ precondition: "status_still_cancelling", verification: "status_asked" },
      },
    },
    {
      ...{ name: "freeze_vouchers", place: "vouchers", service: MEMBERS, phase: "update", state: "frozen" },
      ...{ heedsRevision: false, message: null },
      undo: {
        // Not how many were frozen: released is what is frozen when it is undone.
        ...{ by: "program", action: "release_frozen_vouchers", targetState: "usable" },
        ...{ precondition: "vouchers_still_frozen", verification: "vouchers_asked" },
      },
    },
    {
      ...{ name: "send_sms", place: "sms", service: MESSAGES, phase: "deliver", state: null, heedsRevision: false },
      message: {
        en: "Your membership ({subject}) is being cancelled; its vouchers are frozen.",
        "zh-CN": "您的会员退订申请（{subject}）已受理，优惠券已冻结。",
      },
      undo: {
        ...{ by: "person", action: "follow_up_sms", targetState: "member_told" },
        ...{ precondition: "the_rest_is_undone", verification: "note_and_link" },
      },
    },
  ],
};
