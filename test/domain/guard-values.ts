import type { GuardName } from "../../main/domain/guards/names";
import type { Unmet } from "../../main/domain/unmet";
import { AUDIENCE, BODY, CONTENT, NOW, PACKAGE, TASK_KEY } from "./fake-view";

type Values = Unmet["values"];

/** What each refusal of a guard names, per case of its test: the values of the sentences that a person reads. */
export const GUARD_VALUES: Readonly<Record<GuardName, Readonly<Record<string, readonly Values[]>>>> = {
  due_or_by_hand: { "a millisecond early": [{ at: NOW + 1 }] },
  required_sources_frozen: {
    "nothing collected yet": [{ source: "—" }],
    "an empty list": [{ source: "—" }],
    "a required one failed": [{ source: "b" }],
    "one still on its way, required or not": [{ source: "b" }],
    "each of two": [{ source: "a" }, { source: "b" }],
  },
  reason_given: { "no reason": [{}], blanks: [{}] },
  evidence_given: { blanks: [{}] },
  draft_frozen: { "no draft": [{}], "two repairs": [{ repairs: 2 }] },
  repair_spent: { "not repaired yet": [{ what: "repair" }], "never begun": [{ what: "repair" }] },
  nothing_found_missing: { "everything that the stage found": [{}, {}] },
  package_frozen: {
    "no packageHash": [{}],
    "no contentHash": [{}],
    "no checkReceiptId": [{}],
    "no linkReportHash": [{}],
  },
  package_as_seen: {
    "another package was seen": [
      { seen: "4686a591945a56c9f21fede5a5b83960b064c2ac8818987d805e5ac621fc0290", now: PACKAGE },
    ],
    "another content was seen": [
      { approved: "923b805711041e23a99f07e146591c500261d1c289f62a9d39f8581ceb8a10ca", now: CONTENT },
    ],
    "its bytes hash to another": [{ approved: CONTENT, now: "x" }],
    "nothing said": [
      { seen: "—", now: PACKAGE },
      { approved: "—", now: "—" },
    ],
    "no approval": [{ gate: "publish" }],
    "an approval for the other gate": [{ gate: "publish" }],
    "an approval of other content": [
      { approved: "923b805711041e23a99f07e146591c500261d1c289f62a9d39f8581ceb8a10ca", now: CONTENT },
    ],
    "an approval of another intent": [{ approved: "publish:other", now: `publish:${TASK_KEY}:v1:${CONTENT}` }],
    "an approval under another hash rule": [{ approved: 1, now: 2 }],
  },
  warnings_acknowledged: {
    "each that was not ticked": [{ warning: "link_redirect:3" }, { warning: "shortfall:2" }],
    "one of two ticked": [{ warning: "shortfall:2" }],
  },
  source_change_warned: { "no warning came": [{}] },
  nothing_out: {
    "the operation is request_sent": [{ operation: `publish:${TASK_KEY}:v1:${CONTENT}:create` }],
    "the operation is unknown": [{ operation: `publish:${TASK_KEY}:v1:${CONTENT}:create` }],
    "the operation is conflict": [{ operation: `publish:${TASK_KEY}:v1:${CONTENT}:create` }],
    "the operation is locked": [{ operation: `publish:${TASK_KEY}:v1:${CONTENT}:create` }],
    "the operation is confirmed": [{ operation: `publish:${TASK_KEY}:v1:${CONTENT}:create` }],
  },
  something_out: { "nothing has left": [{}] },
  nothing_unanswered: {
    "an operation is request_sent": [{ operation: "publish:old:create" }],
    "an operation is unknown": [{ operation: "publish:old:create" }],
    "an operation is conflict": [{ operation: "publish:old:create" }],
    "an operation is locked": [{ operation: "publish:old:create" }],
  },
  publish_approval_living: {
    "there is none": [{ gate: "publish" }],
    "only one for the mailing": [{ gate: "publish" }],
    "it was revoked": [{ at: NOW }],
    "it was ended": [{ at: NOW }],
    "it ends this very moment": [{ at: NOW }],
    "it is from the future": [{ at: NOW + 1 }],
    "it covers other content": [
      { approved: "923b805711041e23a99f07e146591c500261d1c289f62a9d39f8581ceb8a10ca", now: CONTENT },
    ],
    "everything that is wrong with it": [
      { approved: "6c9c088952ccfb6f9aa0bbc7f0c463b093042450b1dfcae75d3cfae853cfed19", now: CONTENT },
      { at: NOW },
      { at: NOW },
    ],
  },
  publish_approval_expired: { "a millisecond is left": [{ until: NOW + 1 }], "there is none": [{ until: 0 }] },
  publish_approval_revoked: {
    "an unknown one": [{}],
    "revoked before": [{ at: NOW }],
    expired: [{ at: NOW }],
    "the other gate's": [{}],
  },
  send_approval_expired: {
    "a millisecond is left": [{ until: NOW + 1 }],
    "the publishing approval's end is not the mailing's": [{ until: NOW + 86100000 }],
  },
  send_approval_revoked: { "the other gate's": [{}] },
  compensation_registered: {
    "no operation at all": [{}],
    "an operation without an undo": [{ operation: `publish:${TASK_KEY}` }],
    "an irreversible write in a chain": [{ operation: "publish.publish" }],
    "something that can fail after a write that only a person can undo": [
      { operation: "publish.create", follower: "publish.publish" },
    ],
  },
  deadline_open: {
    "the automatic path has stopped": [{ at: NOW + 4800000 }],
    "its deadline is over": [{ at: NOW + 4800000 }],
  },
  deadline_passed: {
    "a millisecond is left": [{ at: NOW + 4800000 }],
    "a person has the whole of it": [{ at: NOW + 5400000 }],
  },
  new_deadline_given: { none: [{}], "one that is over": [{}] },
  not_frozen: {
    "an open incident": [{ incident: "in-1", rule: "duplicate_remote" }],
    "each of two": [
      { incident: "in-1", rule: "duplicate_remote" },
      { incident: "in-2", rule: "duplicate_remote" },
    ],
  },
  epoch_reconciled: { "a restored backup was not reconciled": [{ epoch: 2 }] },
  trusted_time: { "time was not measured": [{ at: NOW }] },
  publish_confirmed: {
    "nothing was published": [{}],
    "only old content was": [{}],
    "no answer": [{ operation: `publish:${TASK_KEY}:v1:${CONTENT}:create`, state: "unknown" }],
  },
  page_verified: { "never proved": [{}], "proved for other content": [{}] },
  page_captured: { "no capture": [{}] },
  audience_computed: { "no hash": [{}], "a new hash without its audience": [{}] },
  send_terms_as_seen: {
    "pageUrl is not what was seen": [{ approved: "other", now: "https://site.example/w30" }],
    "pageUrl was not said to be seen": [{ approved: "—", now: "https://site.example/w30" }],
    "pageUrl, taken anew, is another": [{ approved: "https://site.example/w30", now: "other" }],
    "bodyHash is not what was seen": [{ approved: "other", now: BODY }],
    "bodyHash was not said to be seen": [{ approved: "—", now: BODY }],
    "bodyHash, taken anew, is another": [{ approved: BODY, now: "other" }],
    "audienceHash is not what was seen": [{ approved: "other", now: AUDIENCE }],
    "audienceHash was not said to be seen": [{ approved: "—", now: AUDIENCE }],
    "audienceHash, taken anew, is another": [{ approved: AUDIENCE, now: "other" }],
    "the wrong words typed": [{ expected: "2026-W30 2" }],
    "an addition not ticked": [{ recipient: "r2" }],
    "each of three": [{ approved: "x", now: BODY }, { expected: "2026-W30 2" }, { recipient: "r2" }],
    "no approval": [{ gate: "send" }],
    "the approval of the content (D4)": [{ gate: "send" }],
    "an approval of another page, body and audience": [
      { approved: "https://other", now: "https://site.example/w30" },
      { approved: "ed7da0341e0ea1f209b07158c612973328e8bd7b85945eb176214c66a390f9f1", now: BODY },
      { approved: "4101c4f7fb9566d1e61b211c350569d55ebc31e25a3ee3645229aa805fa031a9", now: AUDIENCE },
    ],
  },
  operations_settled_well: {
    "one without an answer": [{ operation: `send:${TASK_KEY}:v1:https://site.example/w30:${BODY}:${AUDIENCE}:create` }],
    "one prepared": [{ operation: `send:${TASK_KEY}:v1:https://site.example/w30:${BODY}:${AUDIENCE}:trigger` }],
    "one rejected": [
      { operation: `send:${TASK_KEY}:v1:https://site.example/w30:${BODY}:${AUDIENCE}:create`, state: "rejected" },
    ],
    "one proven absent": [
      { operation: `send:${TASK_KEY}:v1:https://site.example/w30:${BODY}:${AUDIENCE}:create`, state: "not_found" },
    ],
  },
  recipients_accounted: {
    "no audience": [{}],
    "one unknown": [{ open: 1, accounted: 2, total: 3 }],
    "one merely accepted": [{ open: 1, accounted: 2, total: 3 }],
    "one without an account": [{ open: 0, accounted: 2, total: 3 }],
    "one account too many": [{ open: 0, accounted: 4, total: 3 }],
  },
  observation_window_over: { "a millisecond is left": [{ until: NOW + 1 }] },
  totals_differ: { "they match": [{}] },
  retry_allowed: {
    "the error will not pass": [{ class: "auth" }],
    "the task's calls are spent": [{ what: "task" }],
    "it would come after the automatic stop": [{ at: NOW + 4800000 }],
    "no time is given": [{ at: NOW + 4800000 }],
    "all three": [{ class: "auth" }, { what: "task" }, { at: NOW + 4800000 }],
  },
  retry_due: { "a millisecond early": [{ at: NOW + 1 }] },
  nothing_unsettled: {
    "a forward operation is prepared and not settled": [{ operation: `publish:${TASK_KEY}:v1:${CONTENT}:create` }],
    "a forward operation is request_sent and not settled": [{ operation: `publish:${TASK_KEY}:v1:${CONTENT}:create` }],
    "a forward operation is unknown and not settled": [{ operation: `publish:${TASK_KEY}:v1:${CONTENT}:create` }],
    "a forward operation is conflict and not settled": [{ operation: `publish:${TASK_KEY}:v1:${CONTENT}:create` }],
    "a forward operation is locked and not settled": [{ operation: `publish:${TASK_KEY}:v1:${CONTENT}:create` }],
    "a forward operation is not_found and not settled": [{ operation: `publish:${TASK_KEY}:v1:${CONTENT}:create` }],
  },
  undo_plan_reviewed: {
    "another plan than the one that was read": [
      { seen: "another", now: "343a0a1603ce7291b6f26cb0c55d3b3c772bb679404992babc1510f0a687cb6e" },
    ],
    "no plan was read": [{ seen: "—", now: "343a0a1603ce7291b6f26cb0c55d3b3c772bb679404992babc1510f0a687cb6e" }],
    "nothing was ever written": [{}],
    "an entry was added meanwhile": [
      {
        seen: "343a0a1603ce7291b6f26cb0c55d3b3c772bb679404992babc1510f0a687cb6e",
        now: "f8e3b6d3375cb27e261ad2179fcc8639a57dfade9fe06f77171af564b9c29081",
      },
    ],
  },
  undo_settled: {
    "an undo is prepared and not settled": [
      { operation: `send:${TASK_KEY}:v1:https://site.example/w30:${BODY}:${AUDIENCE}:undo` },
    ],
    "an undo is request_sent and not settled": [
      { operation: `send:${TASK_KEY}:v1:https://site.example/w30:${BODY}:${AUDIENCE}:undo` },
    ],
    "an undo is unknown and not settled": [
      { operation: `send:${TASK_KEY}:v1:https://site.example/w30:${BODY}:${AUDIENCE}:undo` },
    ],
    "an undo is conflict and not settled": [
      { operation: `send:${TASK_KEY}:v1:https://site.example/w30:${BODY}:${AUDIENCE}:undo` },
    ],
    "an undo is locked and not settled": [
      { operation: `send:${TASK_KEY}:v1:https://site.example/w30:${BODY}:${AUDIENCE}:undo` },
    ],
    "an undo is not_found and not settled": [
      { operation: `send:${TASK_KEY}:v1:https://site.example/w30:${BODY}:${AUDIENCE}:undo` },
    ],
  },
  compensation_finished: {
    "an entry is registered": [{ action: "take_page_down", state: "registered" }],
    "an entry is running": [{ action: "take_page_down", state: "running" }],
    "an entry is failed": [{ action: "take_page_down", state: "failed" }],
  },
  edited_draft_given: { "no draft": [{}], "an empty one": [{}] },
};
