import type { BranchState, PipelineDefinition, TerminalState, TransitionRule } from "../../domain/definition";
import type { RetryPolicy } from "../../domain/retry";

/** Its own stages: nothing is asked of a person on the way, so there are no gates and no approvals. */
export type MembershipStage = "created" | "cancelling";
export type MembershipState =
  | MembershipStage
  | Exclude<BranchState, "retry_wait" | "awaiting_observation">
  | TerminalState;

export type MembershipEvent =
  | "CancellationStarted"
  | "CancellationBlocked"
  | "CancellationHeld"
  | "MembershipCancelled"
  | "DeadlineReached"
  | "Unblocked"
  | "CompensationStarted"
  | "Compensated"
  | "ClosedProtectively";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

/** Three calls, a second and then two between them: what the fault of the origin tried before it gave up. */
const GENERAL: RetryPolicy = {
  version: 1,
  callTimeoutMs: 10_000,
  maxCalls: 3,
  waitsMs: [1_000],
  jitterPercent: 20,
  maxWaitMs: MINUTE,
  stepMs: 15 * MINUTE,
  parallel: 1,
};

const LIVE: readonly MembershipState[] = ["created", "cancelling", "blocked", "compensating"];

const transitions: readonly TransitionRule<MembershipState, MembershipEvent>[] = [
  {
    from: ["created"],
    event: "CancellationStarted",
    to: "cancelling",
    by: ["executor"],
    guards: ["compensation_registered", "deadline_open", "not_frozen", "epoch_reconciled"],
  },
  {
    from: ["created"],
    event: "CancellationBlocked",
    to: "blocked",
    by: ["executor"],
    guards: [],
    reasons: ["member_not_active"],
  },
  {
    // The message's gateway can be asked nothing, so a third of the writes is not covered: what was proven absent goes out
    // anew because a person says so, and not by itself (domain 11).
    from: ["cancelling"],
    event: "CancellationHeld",
    to: "blocked",
    by: ["executor"],
    guards: [],
    reasons: ["outcome_unknown"],
  },
  {
    from: ["cancelling"],
    event: "MembershipCancelled",
    to: "succeeded",
    by: ["executor"],
    guards: ["operations_settled_well"],
  },
  {
    from: ["created"],
    event: "DeadlineReached",
    to: "blocked",
    by: ["system", "executor"],
    guards: ["deadline_passed"],
  },
  { from: ["blocked"], event: "Unblocked", to: "@way_out", by: ["person"], guards: ["evidence_given"] },
  {
    // The first step that fails takes the ones before it back, without anybody being woken for it.
    from: ["cancelling"],
    event: "CompensationStarted",
    to: "compensating",
    by: ["executor", "person"],
    guards: ["reason_given", "undo_plan_reviewed"],
  },
  {
    // Asked whether to send it anew, a person may say that it is to be taken back instead.
    from: ["blocked"],
    event: "CompensationStarted",
    to: "compensating",
    by: ["person"],
    guards: ["reason_given", "undo_plan_reviewed"],
  },
  {
    from: ["compensating"],
    event: "Compensated",
    to: "compensated",
    by: ["executor", "person"],
    guards: ["nothing_unsettled", "undo_settled", "compensation_finished"],
  },
  {
    from: LIVE,
    event: "ClosedProtectively",
    to: "closed",
    by: ["person"],
    guards: ["nothing_unanswered", "reason_given"],
  },
];

const OWNER = "membership_desk";

/**
 * A membership's cancellation as data: status, vouchers, message. Smaller than the briefing and of another kind, so that
 * nothing of the engine and the domain can be hard-wired to one pipeline.
 */
export const membershipDefinition: PipelineDefinition<MembershipState, MembershipEvent> = {
  name: "membership-cancellation",
  version: 2,
  states: [...LIVE, "succeeded", "compensated", "closed"],
  initialState: "created",
  workStages: [],
  outsideStates: ["cancelling", "compensating"],
  transitions,
  blocked: {
    member_not_active: {
      owner: OWNER,
      evidenceNeeded: ["member_looked_at"],
      expiresAfterMs: 4 * HOUR,
      waysOut: [{ to: "created", guards: ["deadline_open"] }],
    },
    outcome_unknown: {
      owner: OWNER,
      evidenceNeeded: ["verdict"],
      expiresAfterMs: HOUR,
      // What waits behind it is prepared and not out: only an unanswered call holds it back.
      waysOut: [{ to: "@resume", guards: ["nothing_unanswered"] }],
    },
    deadline: {
      owner: OWNER,
      evidenceNeeded: ["new_deadline"],
      expiresAfterMs: 24 * HOUR,
      waysOut: [{ to: "@resume", guards: ["new_deadline_given"] }],
    },
  },
  policies: { general: GENERAL },
  deadlines: {
    dueLocal: "23:30",
    zone: "Asia/Shanghai",
    humanWindowMs: 10 * MINUTE,
    approvalTtlMs: 24 * HOUR,
    observationMs: 30 * MINUTE,
    observeEveryMs: MINUTE,
  },
  // What waits behind a held write goes on with it; an undo and an end cancel it wherever they are reached from.
  cancelsPreparedOnLeaving: [],
  releasesLease: ["blocked"],
  gates: {},
  humanStates: ["blocked"],
  fullDeadlineStates: [],
  startCompensation: "automatic",
  // A desk of people who do little else.
  undoFailuresPerDay: 20,
  owner: OWNER,
  backupOwner: "membership_backup",
};
