import { type PipelineDefinition, TERMINAL_STATES } from "../../main/domain/definition";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";

const LIVE = ["created", "awaiting", "approved", "publishing", "blocked"] as const;
const block = [
  "auth",
  "remote_conflict",
  "duplicate_remote",
  "outcome_unknown",
  "key_window_expired",
  "approval_revoked",
];
const evidence = { owner: "editor", evidenceNeeded: ["seen"], expiresAfterMs: 3_600_000 };

/**
 * A second pipeline, as small as one may be: one gate, and publishing in two phases (an invisible draft, then publish by id).
 * The engine knows neither it nor the briefing.
 */
export const noticeDefinition: PipelineDefinition = {
  ...briefingDefinition,
  name: "notice",
  version: 1,
  states: [...LIVE, ...TERMINAL_STATES],
  initialState: "created",
  workStages: [],
  outsideStates: ["publishing"],
  transitions: [
    { from: ["created"], event: "CheckPassed", to: "awaiting", by: ["executor"], guards: ["package_frozen"] },
    { from: ["awaiting"], event: "ContentApproved", to: "approved", by: ["person"], guards: ["package_as_seen"] },
    {
      from: ["approved"],
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
    { from: ["publishing"], event: "Published", to: "succeeded", by: ["executor"], guards: ["publish_confirmed"] },
    { from: ["publishing"], event: "PublishBlocked", to: "blocked", by: ["executor"], guards: [], reasons: block },
    { from: ["blocked"], event: "Unblocked", to: "@way_out", by: ["person"], guards: ["evidence_given"] },
    {
      from: [...LIVE],
      event: "ClosedProtectively",
      to: "closed",
      by: ["person"],
      guards: ["nothing_unanswered", "reason_given"],
    },
  ],
  blocked: Object.fromEntries(
    block.map((reason) => [reason, { ...evidence, waysOut: [{ to: "@resume", guards: [] }] }]),
  ),
  cancelsPreparedOnLeaving: ["publishing"],
  releasesLease: ["awaiting", "blocked"],
  gates: { awaiting: "publish", approved: "publish", publishing: "publish" },
  humanStates: ["awaiting", "blocked"],
  fullDeadlineStates: [],
};
