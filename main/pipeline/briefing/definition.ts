import type { BranchState, PipelineDefinition, TerminalState, TransitionRule } from "../../domain/definition";
import type { RetryPolicy } from "../../domain/retry";

/** The weekly briefing's own stages (domain 3, main path). */
export type BriefingStage =
  | "created"
  | "collecting"
  | "drafting"
  | "checking"
  | "awaiting_content_approval"
  | "content_approved"
  | "publishing"
  | "published"
  | "awaiting_send_approval"
  | "sending"
  | "send_pending";

export type BriefingState = BriefingStage | BranchState | TerminalState;

export type BriefingEvent =
  | "CollectStarted"
  | "SourcesFrozen"
  | "CollectBlocked"
  | "DraftFrozen"
  | "DraftBlocked"
  | "CheckPassed"
  | "CheckBlocked"
  | "ArtifactChanged"
  | "RecollectChosen"
  | "ContentApproved"
  | "ContentRejected"
  | "ApprovalExpired"
  | "ApprovalRevoked"
  | "RevocationNoted"
  | "PublishStarted"
  | "Published"
  | "PublishBlocked"
  | "SendBlocked"
  | "SendReviewOpened"
  | "AudienceChanged"
  | "SendRejected"
  | "PageChanged"
  | "SendApproved"
  | "SendAccepted"
  | "DeliveryAccounted"
  | "ObservationTimedOut"
  | "AccountMismatch"
  | "DeadlineReached"
  | "RetryScheduled"
  | "RetryDue"
  | "Unblocked"
  | "CompensationStarted"
  | "Compensated"
  | "ClosedProtectively";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Sources: 20 s a call, 3 calls, about 30 s and 2 min between, 10 min at most, 15 min for the step, three at a time (domain 8). */
const SOURCES: RetryPolicy = {
  version: 1,
  callTimeoutMs: 20_000,
  maxCalls: 3,
  waitsMs: [30_000, 2 * MINUTE],
  jitterPercent: 20,
  maxWaitMs: 10 * MINUTE,
  stepMs: 15 * MINUTE,
  parallel: 3,
};

/** Elsewhere: 1 s, doubling to 60 s, 20 % jitter, 5 attempts (domain 8). */
const GENERAL: RetryPolicy = {
  version: 1,
  callTimeoutMs: 30_000,
  maxCalls: 5,
  waitsMs: [1_000],
  jitterPercent: 20,
  maxWaitMs: MINUTE,
  stepMs: 30 * MINUTE,
  parallel: 1,
};

/** Public page: a stale cache is waited out at a steady pace until the automatic stop (scenarios S29, S32). */
const PROBE: RetryPolicy = {
  ...GENERAL,
  callTimeoutMs: 20_000,
  maxCalls: 20,
  waitsMs: [20_000],
  maxWaitMs: 20_000,
  stepMs: HOUR,
};

const LINKS: RetryPolicy = { ...GENERAL, callTimeoutMs: 15_000, maxCalls: 1, parallel: 4 };

const LIVE: readonly BriefingState[] = [
  "created",
  "collecting",
  "drafting",
  "checking",
  "awaiting_content_approval",
  "content_approved",
  "publishing",
  "published",
  "awaiting_send_approval",
  "sending",
  "send_pending",
  "retry_wait",
  "blocked",
  "awaiting_observation",
  "compensating",
];

type Rule = TransitionRule<BriefingState, BriefingEvent>;

const collecting: readonly Rule[] = [
  { from: ["created"], event: "CollectStarted", to: "collecting", by: ["executor"], guards: ["due_or_by_hand"] },
  {
    from: ["collecting"],
    event: "SourcesFrozen",
    to: "drafting",
    by: ["executor"],
    guards: ["required_sources_frozen"],
  },
  {
    from: ["collecting"],
    event: "CollectBlocked",
    to: "blocked",
    by: ["executor"],
    guards: [],
    reasons: ["source_missing"],
  },
  { from: ["drafting"], event: "DraftFrozen", to: "checking", by: ["executor"], guards: ["draft_frozen"] },
  {
    from: ["drafting"],
    event: "DraftBlocked",
    to: "blocked",
    by: ["executor"],
    guards: ["repair_spent"],
    reasons: ["draft_structure"],
  },
  {
    from: ["checking"],
    event: "CheckPassed",
    to: "awaiting_content_approval",
    by: ["executor"],
    guards: ["nothing_found_missing", "package_frozen"],
  },
  {
    from: ["checking"],
    event: "CheckBlocked",
    to: "blocked",
    by: ["executor"],
    guards: [],
    reasons: ["fact_evidence", "link_failure"],
  },
];

const contentGate: readonly Rule[] = [
  {
    from: ["awaiting_content_approval", "content_approved"],
    event: "ArtifactChanged",
    to: "checking",
    by: ["person", "executor"],
    guards: ["edited_draft_given"],
    ends: ["publish"],
  },
  {
    from: ["awaiting_content_approval", "content_approved"],
    event: "RecollectChosen",
    to: "collecting",
    by: ["person"],
    guards: ["source_change_warned"],
    ends: ["publish"],
  },
  {
    from: ["awaiting_content_approval"],
    event: "ContentApproved",
    to: "content_approved",
    by: ["person"],
    guards: ["package_as_seen", "warnings_acknowledged"],
  },
  {
    from: ["awaiting_content_approval"],
    event: "ContentRejected",
    to: "drafting",
    by: ["person"],
    guards: ["reason_given"],
    ends: ["publish"],
  },
  {
    from: ["awaiting_content_approval", "content_approved", "publishing"],
    event: "ApprovalExpired",
    to: "blocked",
    by: ["system", "executor"],
    guards: ["nothing_out", "publish_approval_expired"],
    ends: ["publish"],
  },
  {
    from: ["sending"],
    event: "ApprovalExpired",
    to: "blocked",
    by: ["system", "executor"],
    guards: ["nothing_out", "send_approval_expired"],
    ends: ["send"],
  },
  {
    from: ["content_approved", "publishing"],
    event: "ApprovalRevoked",
    to: "blocked",
    by: ["person"],
    guards: ["nothing_out", "publish_approval_revoked", "reason_given"],
  },
  {
    from: ["sending"],
    event: "ApprovalRevoked",
    to: "blocked",
    by: ["person"],
    guards: ["nothing_out", "send_approval_revoked", "reason_given"],
  },
];

const publishing: readonly Rule[] = [
  {
    from: ["content_approved"],
    event: "PublishStarted",
    to: "publishing",
    by: ["executor"],
    guards: [
      "publish_approval_living",
      "trusted_time",
      "compensation_registered",
      "deadline_open",
      "not_frozen",
      "epoch_reconciled",
    ],
  },
  {
    from: ["publishing"],
    event: "RevocationNoted",
    to: "=",
    by: ["person"],
    guards: ["something_out", "publish_approval_revoked", "reason_given"],
  },
  {
    from: ["sending"],
    event: "RevocationNoted",
    to: "=",
    by: ["person"],
    guards: ["something_out", "send_approval_revoked", "reason_given"],
  },
  {
    from: ["publishing"],
    event: "Published",
    to: "published",
    by: ["executor"],
    guards: ["publish_confirmed", "page_verified"],
  },
  {
    from: ["publishing"],
    event: "PublishBlocked",
    to: "blocked",
    by: ["executor"],
    guards: [],
    reasons: [
      "auth",
      "remote_conflict",
      "duplicate_remote",
      "page_mismatch",
      "deadline",
      "outcome_unknown",
      "key_window_expired",
      "approval_revoked",
    ],
  },
  {
    from: ["sending"],
    event: "SendBlocked",
    to: "blocked",
    by: ["executor"],
    guards: [],
    reasons: [
      "auth",
      "remote_conflict",
      "duplicate_remote",
      "page_mismatch",
      "deadline",
      "outcome_unknown",
      "key_window_expired",
      "audience_changed",
      "approval_revoked",
    ],
  },
];

const sendGate: readonly Rule[] = [
  {
    from: ["published"],
    event: "SendReviewOpened",
    to: "awaiting_send_approval",
    by: ["executor"],
    guards: ["page_verified", "page_captured", "audience_computed"],
  },
  {
    from: ["awaiting_send_approval"],
    event: "AudienceChanged",
    to: "=",
    by: ["executor", "system", "person"],
    guards: ["audience_computed"],
    ends: ["send"],
  },
  {
    from: ["awaiting_send_approval"],
    event: "SendRejected",
    to: "published",
    by: ["person"],
    guards: ["reason_given"],
    ends: ["send"],
  },
  {
    from: ["awaiting_send_approval"],
    event: "PageChanged",
    to: "blocked",
    by: ["executor", "person"],
    guards: [],
    ends: ["send"],
  },
  {
    from: ["awaiting_send_approval"],
    event: "SendApproved",
    to: "sending",
    by: ["person"],
    guards: [
      "page_verified",
      "page_captured",
      "send_terms_as_seen",
      "compensation_registered",
      "deadline_open",
      "not_frozen",
      "epoch_reconciled",
    ],
  },
  {
    from: ["sending"],
    event: "SendAccepted",
    to: "send_pending",
    by: ["executor"],
    guards: ["operations_settled_well"],
  },
  {
    from: ["send_pending", "awaiting_observation"],
    event: "DeliveryAccounted",
    to: "succeeded",
    by: ["executor", "person"],
    guards: ["operations_settled_well", "recipients_accounted"],
  },
  {
    from: ["send_pending"],
    event: "ObservationTimedOut",
    to: "awaiting_observation",
    by: ["executor"],
    guards: ["observation_window_over"],
  },
  {
    from: ["send_pending", "awaiting_observation"],
    event: "AccountMismatch",
    to: "blocked",
    by: ["executor"],
    guards: ["totals_differ"],
  },
];

const branches: readonly Rule[] = [
  {
    from: [
      "created",
      "collecting",
      "drafting",
      "checking",
      "awaiting_content_approval",
      "content_approved",
      "publishing",
      "published",
      "awaiting_send_approval",
      "retry_wait",
    ],
    event: "DeadlineReached",
    to: "blocked",
    by: ["system", "executor"],
    guards: ["deadline_passed"],
  },
  {
    from: ["sending"],
    event: "DeadlineReached",
    to: "blocked",
    by: ["system", "executor"],
    guards: ["deadline_passed", "nothing_out"],
  },
  {
    from: [
      "collecting",
      "drafting",
      "checking",
      "awaiting_content_approval",
      "content_approved",
      "publishing",
      "published",
      "awaiting_send_approval",
      "sending",
    ],
    event: "RetryScheduled",
    to: "retry_wait",
    by: ["executor"],
    guards: ["retry_allowed"],
  },
  { from: ["retry_wait"], event: "RetryDue", to: "@resume", by: ["executor"], guards: ["retry_due"] },
  { from: ["blocked"], event: "Unblocked", to: "@way_out", by: ["person"], guards: ["evidence_given"] },
  {
    from: [
      "publishing",
      "published",
      "awaiting_send_approval",
      "sending",
      "send_pending",
      "awaiting_observation",
      "blocked",
    ],
    event: "CompensationStarted",
    to: "compensating",
    by: ["person"],
    guards: ["reason_given"],
  },
  {
    from: ["compensating"],
    event: "Compensated",
    to: "compensated",
    by: ["executor", "person"],
    guards: ["nothing_unsettled", "compensation_finished"],
  },
  {
    from: LIVE,
    event: "ClosedProtectively",
    to: "closed",
    by: ["person"],
    guards: ["nothing_unanswered", "reason_given"],
  },
];

/** Where a block by approval leads depends on the gate: never back to an approved state (domain 3). */
const approvalWaysOut = [
  { to: "collecting", blockedIn: ["awaiting_content_approval", "content_approved", "publishing"], guards: [] },
  { to: "checking", blockedIn: ["awaiting_content_approval", "content_approved", "publishing"], guards: [] },
  { to: "published", blockedIn: ["sending", "awaiting_send_approval"], guards: [] },
] as const;

const EDITOR = "editor";

/** The weekly briefing as data (domain 3, 8, 13). Its hash is stored with each of its tasks. */
export const briefingDefinition: PipelineDefinition<BriefingState, BriefingEvent> = {
  name: "weekly-briefing",
  version: 1,
  states: [...LIVE, "succeeded", "compensated", "closed"],
  initialState: "created",
  workStages: ["collecting", "drafting", "checking"],
  outsideStates: ["publishing", "sending", "compensating"],
  transitions: [...collecting, ...contentGate, ...publishing, ...sendGate, ...branches],
  blocked: {
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
  },
  policies: { sources: SOURCES, general: GENERAL, probe: PROBE, links: LINKS },
  deadlines: {
    dueLocal: "10:30",
    zone: "Asia/Shanghai",
    humanWindowMs: 10 * MINUTE,
    approvalTtlMs: 24 * HOUR,
    observationMs: 30 * MINUTE,
    observeEveryMs: MINUTE,
  },
  cancelsPreparedOnLeaving: ["publishing", "sending"],
  releasesLease: [
    "awaiting_content_approval",
    "awaiting_send_approval",
    "blocked",
    "retry_wait",
    "send_pending",
    "awaiting_observation",
  ],
  gates: {
    awaiting_content_approval: "publish",
    content_approved: "publish",
    publishing: "publish",
    awaiting_send_approval: "send",
    sending: "send",
  },
  humanStates: ["awaiting_content_approval", "awaiting_send_approval", "awaiting_observation", "blocked"],
  fullDeadlineStates: ["awaiting_content_approval", "awaiting_send_approval", "sending"],
  owner: EDITOR,
  backupOwner: "backup_editor",
};
