import { describe, expect, test } from "vitest";
import { GUARDS } from "../../main/domain/guards";
import { GUARD_NAMES, type GuardName } from "../../main/domain/guards/names";
import { TASK_CALL_BUDGET } from "../../main/domain/retry";
import type { UnmetCode } from "../../main/domain/unmet";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import {
  AUTOMATIC_STOP,
  approvalRow,
  audienceRow,
  CONTENT,
  compensationRow,
  contextAs,
  DEADLINE,
  EDITOR,
  EXECUTOR,
  fakeView,
  HOUR,
  incidentRow,
  MINUTE,
  NOW,
  operationRow,
  otherHash,
  recipientRow,
  SENDABLE,
  stepRow,
  transition,
} from "./fake-view";
import {
  approvalTerms,
  decideScene,
  furnish,
  furnishWayOut,
  intent,
  type Scene,
  sendIntent,
  sendSeen,
} from "./furnish";
import { GUARD_VALUES } from "./guard-values";

const SENDING_GATE = ["awaiting_send_approval", "SendApproved", EDITOR] as const;

/** Takes one thing away from a scene in which nothing is missing. */
type Spoil = (scene: Scene) => Scene;
interface Case {
  /** Where in the briefing the guard stands. */
  at: () => Scene;
  /** Each: what is taken away, and what must be found missing: that and nothing else. */
  missing: readonly (readonly [what: string, spoil: Spoil, codes: readonly UnmetCode[]])[];
  /** Further scenes in which nothing is missing. */
  fine?: readonly (readonly [what: string, change: Spoil])[];
}

const withTask =
  (task: NonNullable<Scene["parts"]["task"]>): Spoil =>
  (scene) => ({ ...scene, parts: { ...scene.parts, task: { ...scene.parts.task, ...task } } });
const withContext = (context: Readonly<Record<string, string | number | null>>): Spoil => {
  return (scene) => withTask({ context: { ...scene.parts.task?.context, ...context } })(scene);
};
const withParts =
  (parts: Scene["parts"]): Spoil =>
  (scene) => ({ ...scene, parts: { ...scene.parts, ...parts } });
const withCommand =
  (command: Partial<Scene["command"]>): Spoil =>
  (scene) => ({ ...scene, command: { ...scene.command, ...command } });
const without =
  (...names: (keyof Scene["command"])[]): Spoil =>
  (scene) => {
    const command = { ...scene.command };
    for (const name of names) delete command[name];
    return { ...scene, command };
  };
const withPayload = (payload: Readonly<Record<string, unknown>>): Spoil => {
  return (scene) => withCommand({ payload: { ...scene.command.payload, ...payload } })(scene);
};
/** The moment of the command; the lease is long enough for it. */
const at =
  (now: number, trustedAt = now): Spoil =>
  (scene) => ({
    ...withTask({ leaseExpiresAt: now + MINUTE })(scene),
    context: { ...scene.context, now, trusted: { ...scene.context.trusted, at: trustedAt } },
  });
const both =
  (...spoils: Spoil[]): Spoil =>
  (scene) =>
    spoils.reduce((spoilt, spoil) => spoil(spoilt), scene);

const sources = (rows: Readonly<Record<string, { state: string; required: boolean }>>) =>
  withParts({ steps: [stepRow("collecting", { sources: rows })] });
const frozen = { state: "frozen", required: true };

/** The guards of a gate that recomputes what the person saw: each hash seen, recomputed, and on the table. */
const seenDiffers = (name: "pageUrl" | "bodyHash" | "audienceHash", code: UnmetCode): Case["missing"] => [
  [`${name} is not what was seen`, withPayload({ [name]: "other" }), [code]],
  [`${name} was not said to be seen`, withPayload({ [name]: undefined }), [code]],
  [`${name}, taken anew, is another`, withPayload({ [`recomputed_${name}`]: "other" }), [code]],
];

const CASES: Readonly<Record<GuardName, Case>> = {
  due_or_by_hand: {
    at: () => furnish("created", "CollectStarted", EXECUTOR),
    missing: [["a millisecond early", withContext({ startAt: NOW + 1 }), ["not_due_yet"]]],
    fine: [["by hand: no time set", withTask({ context: {} })]],
  },
  required_sources_frozen: {
    at: () => furnish("collecting", "SourcesFrozen", EXECUTOR),
    missing: [
      ["nothing collected yet", withParts({ steps: [] }), ["source_not_frozen"]],
      ["an empty list", sources({}), ["source_not_frozen"]],
      ["a required one failed", sources({ a: frozen, b: { state: "failed", required: true } }), ["source_not_frozen"]],
      [
        "one still on its way, required or not",
        sources({ a: frozen, b: { state: "waiting", required: false } }),
        ["source_not_frozen"],
      ],
      [
        "each of two",
        sources({ a: { state: "failed", required: true }, b: { state: "waiting", required: true } }),
        ["source_not_frozen", "source_not_frozen"],
      ],
    ],
    fine: [["an optional one failed", sources({ a: frozen, b: { state: "failed", required: false } })]],
  },
  reason_given: {
    at: () => furnish("awaiting_content_approval", "ContentRejected"),
    missing: [
      ["no reason", without("reason"), ["reason_missing"]],
      ["blanks", withCommand({ reason: " \n" }), ["reason_missing"]],
    ],
  },
  evidence_given: {
    at: () => furnishWayOut("auth", "publishing", "publishing"),
    missing: [["blanks", withCommand({ wayOut: { to: "publishing", evidence: " " } }), ["evidence_missing"]]],
  },
  draft_frozen: {
    at: () => furnish("drafting", "DraftFrozen", EXECUTOR),
    missing: [
      ["no draft", without("context"), ["draft_missing"]],
      ["two repairs", withParts({ steps: [stepRow("drafting", { repairs: 2 })] }), ["repairs_spent"]],
    ],
    fine: [["one repair", withParts({ steps: [stepRow("drafting", { repairs: 1 })] })]],
  },
  repair_spent: {
    at: () => furnish("drafting", "DraftBlocked", EXECUTOR),
    missing: [
      ["not repaired yet", withParts({ steps: [stepRow("drafting", { repairs: 0 })] }), ["budget_left"]],
      ["never begun", withParts({ steps: [] }), ["budget_left"]],
    ],
    fine: [
      [
        "an error that no repair can mend",
        both(withParts({ steps: [] }), withCommand({ error: transientError("permanent_input") })),
      ],
    ],
  },
  nothing_found_missing: {
    at: () => furnish("checking", "CheckPassed", EXECUTOR),
    missing: [
      [
        "everything that the stage found",
        withCommand({
          found: [
            { code: "quote_not_found", values: {} },
            { code: "link_broken", values: {} },
          ],
        }),
        ["quote_not_found", "link_broken"],
      ],
    ],
    fine: [["nothing said", without("found")]],
  },
  package_frozen: {
    at: () => furnish("checking", "CheckPassed", EXECUTOR),
    missing: ["packageHash", "contentHash", "checkReceiptId", "linkReportHash"].map((name) => [
      `no ${name}`,
      (scene) =>
        both(withTask({ context: {} }), withCommand({ context: { ...scene.command.context, [name]: null } }))(scene),
      ["package_missing"],
    ]),
  },
  package_as_seen: {
    at: () => furnish("awaiting_content_approval", "ContentApproved"),
    missing: [
      ["another package was seen", withPayload({ packageHash: otherHash("package") }), ["package_changed"]],
      ["another content was seen", withPayload({ contentHash: otherHash("content") }), ["content_hash_differs"]],
      ["its bytes hash to another", withPayload({ recomputedContentHash: "x" }), ["content_hash_differs"]],
      ["nothing said", withCommand({ payload: {} }), ["package_changed", "content_hash_differs"]],
      ["no approval", without("approval"), ["approval_missing"]],
      ["an approval for the other gate", withCommand({ approval: approvalTerms("send") }), ["approval_other_gate"]],
      [
        "an approval of other content",
        withCommand({ approval: approvalTerms("publish", { contentHash: otherHash("content") }) }),
        ["content_hash_differs"],
      ],
      [
        "an approval of another intent",
        withCommand({ approval: approvalTerms("publish", { intentKey: "publish:other" }) }),
        ["approval_outdated"],
      ],
      [
        "an approval under another hash rule",
        withCommand({ approval: approvalTerms("publish", { hashRuleVersion: 1 }) }),
        ["hash_rule_differs"],
      ],
    ],
  },
  warnings_acknowledged: {
    at: () => furnish("awaiting_content_approval", "ContentApproved"),
    missing: [
      [
        "each that was not ticked",
        withContext({ warnings: "link_redirect:3\nshortfall:2" }),
        ["warning_not_acknowledged", "warning_not_acknowledged"],
      ],
      [
        "one of two ticked",
        both(
          withContext({ warnings: "link_redirect:3\nshortfall:2" }),
          withPayload({ acknowledged: ["link_redirect:3"] }),
        ),
        ["warning_not_acknowledged"],
      ],
    ],
    fine: [
      [
        "both ticked",
        both(
          withContext({ warnings: "link_redirect:3\nshortfall:2" }),
          withPayload({ acknowledged: ["shortfall:2", "link_redirect:3"] }),
        ),
      ],
    ],
  },
  source_change_warned: {
    at: () => furnish("content_approved", "RecollectChosen"),
    missing: [["no warning came", withParts({ events: {} }), ["source_change_not_warned"]]],
  },
  nothing_out: {
    at: () => furnish("publishing", "ApprovalExpired", "system"),
    missing: (["request_sent", "unknown", "conflict", "locked", "confirmed"] as const).map((state) => [
      `the operation is ${state}`,
      withParts({ operations: [operationRow({ state })] }),
      ["something_is_out"],
    ]),
    fine: [
      ["nothing has left", withParts({ operations: [operationRow()] })],
      ["it was rejected", withParts({ operations: [operationRow({ state: "rejected" })] })],
      ["its absence is proven", withParts({ operations: [operationRow({ state: "not_found", settled: true })] })],
      [
        "another intent's is out",
        withParts({ operations: [operationRow({ intentKey: "publish:old", state: "unknown" })] }),
      ],
    ],
  },
  something_out: {
    at: () => furnish("publishing", "RevocationNoted"),
    missing: [["nothing has left", withParts({ operations: [operationRow()] }), ["nothing_is_out"]]],
    fine: [["it is confirmed", withParts({ operations: [operationRow({ state: "confirmed" })] })]],
  },
  nothing_unanswered: {
    at: () => furnish("publishing", "ClosedProtectively"),
    missing: (["request_sent", "unknown", "conflict", "locked"] as const).map((state) => [
      `an operation is ${state}`,
      withParts({ operations: [operationRow({ intentKey: "publish:old", state })] }),
      ["operation_unsettled"],
    ]),
    fine: [
      ["everything is answered", withParts({ operations: [operationRow({ state: "confirmed" }), operationRow()] })],
    ],
  },
  publish_approval_living: {
    at: () => furnish("content_approved", "PublishStarted", EXECUTOR),
    missing: [
      ["there is none", withParts({ approvals: [] }), ["approval_missing"]],
      ["only one for the mailing", withParts({ approvals: [approvalRow({ scope: "send" })] }), ["approval_other_gate"]],
      ["it was revoked", withParts({ approvals: [approvalRow({ revokedAt: NOW })] }), ["approval_revoked"]],
      ["it was ended", withParts({ approvals: [approvalRow({ endedAt: NOW })] }), ["approval_outdated"]],
      ["it ends this very moment", withParts({ approvals: [approvalRow({ expiresAt: NOW })] }), ["approval_expired"]],
      [
        "it is from the future",
        withParts({ approvals: [approvalRow({ issuedAt: NOW + 1 })] }),
        ["trusted_time_missing"],
      ],
      [
        "it covers other content",
        withParts({ approvals: [approvalRow({ contentHash: otherHash("content") })] }),
        ["content_hash_differs"],
      ],
      [
        "everything that is wrong with it",
        withParts({ approvals: [approvalRow({ contentHash: otherHash("c"), revokedAt: NOW, expiresAt: NOW })] }),
        ["content_hash_differs", "approval_revoked", "approval_expired"],
      ],
    ],
    fine: [
      ["an older one is revoked", withParts({ approvals: [approvalRow({ revokedAt: NOW }), approvalRow()] })],
      ["a newer one is revoked", withParts({ approvals: [approvalRow(), approvalRow({ revokedAt: NOW })] })],
      ["a wrong wall clock decides nothing", at(NOW, NOW)],
    ],
  },
  publish_approval_expired: {
    at: () => furnish("content_approved", "ApprovalExpired", "system"),
    missing: [
      [
        "a millisecond is left",
        withParts({ approvals: [approvalRow({ expiresAt: NOW + 1 })] }),
        ["approval_still_living"],
      ],
      ["there is none", withParts({ approvals: [] }), ["approval_still_living"]],
    ],
  },
  send_approval_expired: {
    at: () => furnish("sending", "ApprovalExpired", "system"),
    missing: [
      [
        "a millisecond is left",
        withParts({ approvals: [approvalRow({ scope: "send", expiresAt: NOW + 1 })] }),
        ["approval_still_living"],
      ],
      [
        "the publishing approval's end is not the mailing's",
        withParts({ approvals: [approvalRow({ expiresAt: NOW }), approvalRow({ scope: "send" })] }),
        ["approval_still_living"],
      ],
    ],
  },
  publish_approval_revoked: {
    at: () => furnish("content_approved", "ApprovalRevoked"),
    missing: [
      ["an unknown one", withPayload({ approvalId: "ap-none" }), ["approval_not_found"]],
      ["revoked before", withParts({ approvals: [approvalRow({ revokedAt: NOW })] }), ["approval_outdated"]],
      ["expired", withParts({ approvals: [approvalRow({ expiresAt: NOW })] }), ["approval_outdated"]],
      [
        "the other gate's",
        both(withParts({ approvals: [approvalRow({ scope: "send" })] }), withPayload({ approvalId: "ap-send" })),
        ["approval_not_found"],
      ],
    ],
  },
  send_approval_revoked: {
    at: () => furnish("sending", "ApprovalRevoked"),
    missing: [
      [
        "the other gate's",
        both(withParts({ approvals: [approvalRow()] }), withPayload({ approvalId: "ap-publish" })),
        ["approval_not_found"],
      ],
    ],
  },
  compensation_registered: {
    at: () => furnish("content_approved", "PublishStarted", EXECUTOR),
    missing: [
      ["no operation at all", without("operations"), ["operation_not_found"]],
      [
        "an operation without an undo",
        withCommand({ operations: [intent({ compensation: null })] }),
        // Said by the gate that starts the chain, and by the one that puts it into the journal.
        ["compensation_missing"],
      ],
      [
        "an irreversible write in a chain",
        withCommand({ operations: [intent(), graded("D", { phase: "publish", after: 0, automatic: true })] }),
        ["grade_d_never_automatic"],
      ],
      [
        "something that can fail after a write that only a person can undo",
        withCommand({ operations: [graded("C"), intent({ phase: "publish", after: 0, automatic: true })] }),
        ["write_after_grade_c"],
      ],
    ],
  },
  deadline_open: {
    at: () => furnish("content_approved", "PublishStarted", EXECUTOR),
    missing: [
      ["the automatic path has stopped", at(AUTOMATIC_STOP, NOW), ["deadline_passed"]],
      ["its deadline is over", at(DEADLINE, NOW), ["deadline_passed"]],
    ],
    fine: [["a millisecond is left", at(AUTOMATIC_STOP - 1, NOW)]],
  },
  deadline_passed: {
    at: () => furnish("collecting", "DeadlineReached", "system"),
    missing: [
      [
        "a millisecond is left",
        both(withTask({ deadlineAt: DEADLINE }), at(AUTOMATIC_STOP - 1, NOW)),
        ["deadline_not_passed"],
      ],
      [
        "a person has the whole of it",
        both(withTask({ state: "awaiting_send_approval", deadlineAt: DEADLINE }), at(DEADLINE - 1, NOW)),
        ["deadline_not_passed"],
      ],
    ],
    fine: [
      ["the automatic stop", both(withTask({ deadlineAt: DEADLINE }), at(AUTOMATIC_STOP, NOW))],
      [
        "the end at a gate",
        both(withTask({ state: "awaiting_send_approval", deadlineAt: DEADLINE }), at(DEADLINE, NOW)),
      ],
    ],
  },
  new_deadline_given: {
    at: () =>
      withCommand({ wayOut: { to: "publishing", evidence: "agreed", newDeadlineAt: NOW + HOUR } })(
        furnishWayOut("deadline", "publishing", "publishing"),
      ),
    missing: [
      ["none", withCommand({ wayOut: { to: "publishing", evidence: "agreed" } }), ["deadline_needed"]],
      [
        "one that is over",
        withCommand({ wayOut: { to: "publishing", evidence: "agreed", newDeadlineAt: NOW } }),
        ["deadline_needed"],
      ],
    ],
  },
  not_frozen: {
    at: () => furnish("content_approved", "PublishStarted", EXECUTOR),
    missing: [
      ["an open incident", withParts({ freezes: [incidentRow()] }), ["writes_frozen"]],
      [
        "each of two",
        withParts({ freezes: [incidentRow(), incidentRow({ id: "in-2", scope: "all" })] }),
        ["writes_frozen", "writes_frozen"],
      ],
    ],
  },
  epoch_reconciled: {
    at: () => furnish("content_approved", "PublishStarted", EXECUTOR),
    missing: [
      [
        "a restored backup was not reconciled",
        withParts({ epoch: { epoch: 2, reconciled: 1, raisedAt: NOW } }),
        ["epoch_not_reconciled"],
      ],
    ],
    fine: [["it was", withParts({ epoch: { epoch: 2, reconciled: 2, raisedAt: NOW - HOUR } })]],
  },
  trusted_time: {
    at: () => furnish("content_approved", "PublishStarted", EXECUTOR),
    missing: [
      [
        "time was not measured",
        (scene) => ({ ...scene, context: { ...scene.context, trusted: { ...scene.context.trusted, trusted: false } } }),
        ["trusted_time_missing"],
      ],
    ],
  },
  publish_confirmed: {
    at: () => furnish("publishing", "Published", EXECUTOR),
    missing: [
      ["nothing was published", withParts({ operations: [] }), ["operation_not_found"]],
      [
        "only old content was",
        withParts({ operations: [operationRow({ intentKey: "publish:old", state: "confirmed" })] }),
        ["operation_not_found"],
      ],
      ["no answer", withParts({ operations: [operationRow({ state: "unknown" })] }), ["operation_state_is"]],
    ],
  },
  page_verified: {
    at: () => furnish("publishing", "Published", EXECUTOR),
    missing: [
      ["never proved", withParts({ events: {} }), ["page_not_verified"]],
      ["proved for other content", withContext({ verifiedContentHash: otherHash("content") }), ["page_not_verified"]],
    ],
  },
  page_captured: {
    at: () => furnish("published", "SendReviewOpened", EXECUTOR),
    missing: [["no capture", withContext({ captureHash: null }), ["page_proof_missing"]]],
  },
  audience_computed: {
    at: () => furnish("published", "SendReviewOpened", EXECUTOR),
    missing: [
      ["no hash", both(withContext({ audienceHash: null }), without("context")), ["audience_missing"]],
      [
        "a new hash without its audience",
        both(without("audience"), withCommand({ context: { audienceHash: otherHash("audience") } })),
        ["audience_missing"],
      ],
    ],
    fine: [["the same audience as before", without("audience", "context")]],
  },
  send_terms_as_seen: {
    at: () => furnish(...SENDING_GATE),
    missing: [
      ...seenDiffers("pageUrl", "page_url_differs"),
      ...seenDiffers("bodyHash", "body_hash_differs"),
      ...seenDiffers("audienceHash", "audience_hash_differs"),
      ["the wrong words typed", withPayload({ typed: "2026-W30 3" }), ["typed_confirmation_differs"]],
      ["an addition not ticked", withPayload({ acknowledgedAdditions: [] }), ["addition_not_acknowledged"]],
      [
        "each of three",
        withPayload({ typed: "", bodyHash: "x", acknowledgedAdditions: [] }),
        ["body_hash_differs", "typed_confirmation_differs", "addition_not_acknowledged"],
      ],
      ["no approval", without("approval"), ["approval_missing"]],
      [
        "the approval of the content (D4)",
        withCommand({ approval: approvalTerms("publish") }),
        ["approval_other_gate"],
      ],
      [
        "an approval of another page, body and audience",
        withCommand({
          approval: approvalTerms("send", {
            pageUrl: "https://other",
            bodyHash: otherHash("b"),
            audienceHash: otherHash("a"),
          }),
        }),
        ["page_url_differs", "body_hash_differs", "audience_hash_differs"],
      ],
    ],
    fine: [["nobody was added", withPayload({ ...sendSeen, additions: [], acknowledgedAdditions: [] })]],
  },
  operations_settled_well: {
    at: () => furnish("sending", "SendAccepted", EXECUTOR),
    missing: [
      [
        "one without an answer",
        withParts({ operations: [operationRow({ kind: "send", state: "unknown" })] }),
        ["operation_unsettled"],
      ],
      [
        "one prepared",
        withParts({ operations: [operationRow({ kind: "send", phase: "trigger" })] }),
        ["operation_unsettled"],
      ],
      [
        "one rejected",
        withParts({ operations: [operationRow({ kind: "send", state: "rejected" })] }),
        ["operation_failed"],
      ],
      [
        "one proven absent",
        withParts({ operations: [operationRow({ kind: "send", state: "not_found", settled: true })] }),
        ["operation_failed"],
      ],
    ],
    fine: [
      [
        "an old one cancelled before it left",
        withParts({
          operations: [operationRow({ state: "cancelled" }), operationRow({ kind: "send", state: "confirmed" })],
        }),
      ],
      ...(["rejected", "not_found"] as const).map(
        (state) =>
          [
            `an old one ${state} whose place another took`,
            withParts({
              operations: [
                operationRow({ kind: "send", intentKey: "send:old", state, settled: true }),
                operationRow({ kind: "send", state: "confirmed", settled: true }),
              ],
            }),
          ] as const,
      ),
    ],
  },
  recipients_accounted: {
    at: () => furnish("send_pending", "DeliveryAccounted", EXECUTOR),
    missing: [
      ["no audience", withParts({ audiences: [] }), ["audience_missing"]],
      ["one unknown", recipients("delivered", "unknown", "excluded"), ["recipients_unaccounted"]],
      ["one merely accepted", recipients("delivered", "accepted", "excluded"), ["recipients_unaccounted"]],
      ["one without an account", recipients("delivered", "excluded"), ["recipients_unaccounted"]],
      [
        "one account too many",
        recipients("delivered", "delivered", "delivered", "excluded"),
        ["recipients_unaccounted"],
      ],
    ],
    fine: [
      ["bounced, complained, closed by a person", recipients("bounced", "complained", "closed_by_person")],
      [
        "nobody excluded",
        both(recipients("delivered"), withParts({ audiences: [audienceRow({ count: 1, excluded: 0 })] })),
      ],
    ],
  },
  observation_window_over: {
    at: () => furnish("send_pending", "ObservationTimedOut", EXECUTOR),
    missing: [["a millisecond is left", withTask({ stateSince: NOW - 30 * MINUTE + 1 }), ["observation_window_open"]]],
  },
  totals_differ: {
    at: () => furnish("send_pending", "AccountMismatch", EXECUTOR),
    missing: [["they match", withPayload({ reported: 2 }), ["totals_do_match"]]],
  },
  retry_allowed: {
    at: () => furnish("publishing", "RetryScheduled", EXECUTOR),
    missing: [
      ["the error will not pass", withCommand({ error: transientError("auth") }), ["not_transient"]],
      ["the task's calls are spent", withTask({ callsUsed: TASK_CALL_BUDGET }), ["budget_left"]],
      ["it would come after the automatic stop", withCommand({ retryAt: AUTOMATIC_STOP }), ["deadline_passed"]],
      ["no time is given", without("retryAt"), ["deadline_passed"]],
      [
        "all three",
        both(
          withCommand({ error: transientError("auth"), retryAt: DEADLINE }),
          withTask({ callsUsed: TASK_CALL_BUDGET }),
        ),
        ["not_transient", "budget_left", "deadline_passed"],
      ],
    ],
    fine: [
      ["it will pass", withCommand({ error: transientError("transient") })],
      ["the last call is left", withTask({ callsUsed: TASK_CALL_BUDGET - 1 })],
    ],
  },
  retry_due: {
    at: () => furnish("retry_wait", "RetryDue", EXECUTOR),
    missing: [["a millisecond early", withTask({ retryAt: NOW + 1 }), ["retry_not_due"]]],
  },
  nothing_unsettled: {
    at: () => furnish("compensating", "Compensated", EXECUTOR),
    missing: (["prepared", "request_sent", "unknown", "conflict", "locked", "not_found"] as const).map((state) => [
      `a forward operation is ${state} and not settled`,
      withParts({ operations: [operationRow({ state })] }),
      ["operation_unsettled"],
    ]),
    fine: [
      [
        "its absence is past the horizon",
        withParts({ operations: [operationRow({ state: "not_found", settled: true })] }),
      ],
    ],
  },
  undo_plan_reviewed: {
    at: () => furnish("published", "CompensationStarted"),
    missing: [
      ["another plan than the one that was read", withPayload({ planHash: "another" }), ["undo_plan_changed"]],
      ["no plan was read", withPayload({ planHash: undefined }), ["undo_plan_changed"]],
      ["nothing was ever written", withParts({ compensations: [] }), ["nothing_to_undo"]],
      [
        "an entry was added meanwhile",
        withParts({ compensations: [compensationRow(), compensationRow({ position: 2 })] }),
        ["undo_plan_changed"],
      ],
    ],
  },
  undo_settled: {
    at: () => furnish("compensating", "Compensated", EXECUTOR),
    missing: (["prepared", "request_sent", "unknown", "conflict", "locked", "not_found"] as const).map((state) => [
      `an undo is ${state} and not settled`,
      withParts({ operations: [operationRow({ kind: "compensate", phase: "undo", state })] }),
      ["operation_unsettled"],
    ]),
    fine: [
      [
        "it was cancelled",
        withParts({ operations: [operationRow({ kind: "compensate", phase: "undo", state: "cancelled" })] }),
      ],
    ],
  },
  compensation_finished: {
    at: () => furnish("compensating", "Compensated", EXECUTOR),
    missing: (["registered", "running", "failed"] as const).map((state) => [
      `an entry is ${state}`,
      withParts({ compensations: [compensationRow({ state: "done" }), compensationRow({ position: 2, state })] }),
      ["compensation_open"],
    ]),
    fine: [
      ["not needed", withParts({ compensations: [compensationRow({ state: "not_needed" })] })],
      ["closed by a person", withParts({ compensations: [compensationRow({ state: "closed_by_person" })] })],
    ],
  },
  edited_draft_given: {
    at: () => furnish("content_approved", "ArtifactChanged"),
    missing: [
      ["no draft", without("context"), ["draft_missing"]],
      ["an empty one", withCommand({ context: { editedDraftHash: "" } }), ["draft_missing"]],
    ],
  },
};

function transientError(cls: "transient" | "auth" | "permanent_input") {
  return {
    phase: "read" as const,
    code: "http_503",
    httpStatus: 503,
    reference: null,
    retryAfterMs: null,
    class: cls,
    owner: "executor" as const,
    nextAction: "retry_in_budget" as const,
    tool: "sources",
    operationId: null,
    attempt: 1,
    at: NOW,
  };
}

function graded(grade: "C" | "D", more: Parameters<typeof intent>[0] = {}) {
  const made = intent(more);
  return { ...made, compensation: made.compensation && { ...made.compensation, grade } };
}

function recipients(...outcomes: ReturnType<typeof recipientRow>["outcome"][]): Spoil {
  return withParts({ recipients: outcomes.map((outcome, index) => recipientRow(`r${index}`, { outcome })) });
}

const unmetIn = (scene: Scene) => {
  const decision = decideScene(scene);
  return decision.ok ? [] : decision.refusal.unmet;
};
const judge = (scene: Scene) => unmetIn(scene).map((missing) => missing.code);

describe.each(GUARD_NAMES)("%s", (name) => {
  const { at: scene, missing, fine = [] } = CASES[name];

  test("nothing is missing", () => {
    expect(decideScene(scene())).toMatchObject({ ok: true });
    const { parts, command, context } = scene();
    expect(GUARDS[name]({ view: fakeView(parts), command, context })).toEqual([]);
  });

  test.each(fine.map(([what, change]) => ({ what, change })))("nothing is missing: $what", ({ change }) => {
    expect(judge(change(scene()))).toEqual([]);
  });

  test.each(missing.map(([what, spoil, codes]) => ({ what, spoil, codes })))(
    "only this is missing: $what",
    ({ spoil, codes }) => {
      const decision = decideScene(spoil(scene()));
      expect(decision).toMatchObject({ ok: false, refusal: { result: "guard_failed" } });
      expect(judge(spoil(scene()))).toEqual(codes);
    },
  );

  test("each refusal says what it is about: which one, what was seen, what is there, until when", () => {
    const said = missing.map(([what, spoil]) => [what, unmetIn(spoil(scene())).map(({ values }) => values)] as const);
    expect(Object.fromEntries(said)).toEqual(GUARD_VALUES[name]);
  });
});

test("every guard stands somewhere in the briefing's table, and every guard of the table is tried here", () => {
  const used = new Set([
    ...briefingDefinition.transitions.flatMap((rule) => rule.guards),
    ...Object.values(briefingDefinition.blocked).flatMap((rule) => rule.waysOut.flatMap((way) => way.guards)),
  ]);
  expect([...used].sort()).toEqual([...GUARD_NAMES].sort());
});

describe("a refusal lists everything that is missing, not the first thing", () => {
  const bare = (state: string, event: string, parts: Scene["parts"] = {}): Scene => ({
    parts: { ...parts, task: { state, deadlineAt: NOW, ...parts.task } },
    command: transition(event),
    context: contextAs(EXECUTOR, { trusted: { at: NOW, trusted: false, source: "" } }),
  });

  test("PublishStarted with nothing at hand", () => {
    const parts = {
      task: { context: SENDABLE },
      freezes: [incidentRow()],
      epoch: { epoch: 2, reconciled: 1, raisedAt: 1 },
    };
    expect(judge(bare("content_approved", "PublishStarted", parts))).toEqual([
      "approval_missing",
      "trusted_time_missing",
      "operation_not_found",
      "deadline_passed",
      "writes_frozen",
      "epoch_not_reconciled",
    ]);
  });

  test("SendApproved with nothing at hand, by the wrong one", () => {
    const parts = { freezes: [incidentRow()], epoch: { epoch: 2, reconciled: 1, raisedAt: 1 } };
    expect(judge(bare("awaiting_send_approval", "SendApproved", parts))).toEqual([
      "person_required",
      "page_not_verified",
      "page_proof_missing",
      "page_url_differs",
      "body_hash_differs",
      "audience_hash_differs",
      "operation_not_found",
      "deadline_passed",
      "writes_frozen",
      "epoch_not_reconciled",
    ]);
  });

  test("a block without a known reason, by the wrong one", () => {
    const scene = furnish("publishing", "PublishBlocked", EDITOR);
    const judged = judge(withCommand({ blockedReason: "because" })(scene));
    expect(judged).toEqual(["executor_required", "reason_missing"]);
  });

  test("a way out that is closed, without evidence, by the wrong one", () => {
    const scene = furnishWayOut("auth", "publishing", "published");
    const spoilt = withCommand({ wayOut: { to: "published", evidence: "" } })(scene);
    expect(judge({ ...spoilt, context: contextAs("system") })).toEqual([
      "person_required",
      "evidence_missing",
      "way_out_closed",
    ]);
  });
});

describe("two that look alike", () => {
  test("a content approval covers nothing at the send gate, given before the gate opens or after (D4)", () => {
    const scene = furnish("awaiting_content_approval", "ContentApproved");
    expect(judge(withCommand({ approval: approvalTerms("send") })(scene))).toEqual(["approval_other_gate"]);
    expect(sendIntent().intentKey).not.toBe(intent().intentKey);
  });

  test("approved with 9 facts, then 8: the approval is for the exact hash (D2)", () => {
    const scene = furnish("content_approved", "PublishStarted", EXECUTOR);
    expect(judge(withContext({ contentHash: otherHash("eight facts") })(scene))).toEqual(["content_hash_differs"]);
    expect(CONTENT).not.toBe(otherHash("eight facts"));
  });
});
