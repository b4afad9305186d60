import type { BlockedRule } from "../../domain/definition";
import { HOUR } from "./policies";
import type { BriefingState } from "./states";

/** Where a block by approval leads depends on the gate: never back to an approved state (domain 3). */
const approvalWaysOut = [
  {
    to: "collecting",
    blockedIn: ["awaiting_content_approval", "content_approved", "publishing"],
    guards: ["nothing_out"],
  },
  {
    to: "checking",
    blockedIn: ["awaiting_content_approval", "content_approved", "publishing"],
    guards: ["nothing_out"],
  },
  { to: "published", blockedIn: ["sending", "awaiting_send_approval"], guards: [] },
] as const;

export const EDITOR = "editor";

/** Reasons of a block: who owns it, what evidence it asks for, and the ways out, each a button of its own (domain 3). */
export const briefingBlocked: Readonly<Record<string, BlockedRule<BriefingState>>> = {
  source_missing: {
    owner: EDITOR,
    evidenceNeeded: ["source_reachable_or_replaced"],
    expiresAfterMs: 4 * HOUR,
    waysOut: [{ to: "collecting", guards: ["deadline_open"], keepsCheckpoint: true }],
  },
  draft_structure: {
    owner: EDITOR,
    evidenceNeeded: ["drafter_corrected"],
    expiresAfterMs: 4 * HOUR,
    waysOut: [{ to: "drafting", guards: ["deadline_open"] }],
  },
  fact_evidence: {
    owner: EDITOR,
    evidenceNeeded: ["edited_draft"],
    expiresAfterMs: 4 * HOUR,
    waysOut: [{ to: "drafting", guards: ["edited_draft_given", "deadline_open"] }],
  },
  link_failure: {
    owner: EDITOR,
    evidenceNeeded: ["links_reachable_or_replaced"],
    expiresAfterMs: 4 * HOUR,
    waysOut: [
      { to: "checking", guards: ["deadline_open"] },
      { to: "drafting", guards: ["deadline_open"] },
    ],
  },
  approval_expired: {
    owner: EDITOR,
    evidenceNeeded: ["reviewed_again"],
    expiresAfterMs: 24 * HOUR,
    waysOut: approvalWaysOut,
  },
  approval_revoked: {
    owner: EDITOR,
    evidenceNeeded: ["reason_resolved"],
    expiresAfterMs: 24 * HOUR,
    waysOut: approvalWaysOut,
  },
  audience_changed: {
    owner: EDITOR,
    evidenceNeeded: ["audience_reviewed"],
    expiresAfterMs: HOUR,
    waysOut: [{ to: "published", guards: ["nothing_unanswered"] }],
  },
  remote_conflict: {
    owner: EDITOR,
    evidenceNeeded: ["address_free"],
    expiresAfterMs: HOUR,
    waysOut: [{ to: "@resume", guards: ["nothing_unsettled", "deadline_open"] }],
  },
  auth: {
    owner: "account_owner",
    evidenceNeeded: ["signed_in_again"],
    expiresAfterMs: HOUR,
    waysOut: [{ to: "@resume", guards: ["deadline_open"] }],
  },
  page_mismatch: {
    owner: EDITOR,
    evidenceNeeded: ["page_corrected"],
    expiresAfterMs: HOUR,
    waysOut: [{ to: "publishing", guards: ["nothing_unsettled", "deadline_open"] }],
  },
  duplicate_remote: {
    owner: "incident_owner",
    evidenceNeeded: ["incident_closed"],
    expiresAfterMs: HOUR,
    waysOut: [{ to: "publishing", guards: ["not_frozen", "nothing_unsettled"] }],
  },
  outcome_unknown: {
    owner: "incident_owner",
    evidenceNeeded: ["verdict"],
    expiresAfterMs: HOUR,
    waysOut: [{ to: "@resume", guards: ["nothing_unsettled"] }],
  },
  key_window_expired: {
    owner: "incident_owner",
    evidenceNeeded: ["verdict"],
    expiresAfterMs: HOUR,
    waysOut: [{ to: "@resume", guards: ["nothing_unsettled"] }],
  },
  account_mismatch: {
    owner: EDITOR,
    evidenceNeeded: ["totals_explained"],
    expiresAfterMs: 24 * HOUR,
    waysOut: [{ to: "send_pending", guards: [] }],
  },
  deadline: {
    owner: EDITOR,
    evidenceNeeded: ["new_deadline"],
    expiresAfterMs: 24 * HOUR,
    waysOut: [{ to: "@resume", guards: ["new_deadline_given"] }],
  },
};
