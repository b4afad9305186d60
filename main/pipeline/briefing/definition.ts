import type { PipelineDefinition } from "../../domain/definition";
import { briefingBlocked, EDITOR } from "./blocked";
import { briefingPolicies, HOUR, MINUTE } from "./policies";
import type { BriefingEvent, BriefingState } from "./states";
import { briefingTransitions, LIVE } from "./transitions";

/** The weekly briefing as data (domain 3, 8, 13). Its hash is stored with each of its tasks. */
export const briefingDefinition: PipelineDefinition<BriefingState, BriefingEvent> = {
  name: "weekly-briefing",
  version: 1,
  states: [...LIVE, "succeeded", "compensated", "closed"],
  initialState: "created",
  workStages: ["collecting", "drafting", "checking"],
  outsideStates: ["publishing", "sending", "compensating"],
  transitions: briefingTransitions,
  blocked: briefingBlocked,
  policies: briefingPolicies,
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
  fullDeadlineStates: ["awaiting_send_approval", "sending"],
  startCompensation: "by_person",
  // One editor, beside the edition of the day.
  undoFailuresPerDay: 3,
  owner: EDITOR,
  backupOwner: "backup_editor",
};
