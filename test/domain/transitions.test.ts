import { describe, expect, test } from "vitest";
import type { Actor, TransitionCommand } from "../../main/domain/commands";
import type { Decision } from "../../main/domain/plan";
import { briefingDefinition } from "../../main/pipeline/briefing/definition";
import { contextAs, EDITOR, EXECUTOR, HOUR, NOW, operationRow, transition } from "./fake-view";
import { decideScene, furnish, furnishWayOut } from "./furnish";

// The table of domain section 3, copied out by reading it. It is NOT made from the definition: that is what it judges.

const MAIN = [
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
] as const;
const BRANCHES = ["retry_wait", "blocked", "awaiting_observation", "compensating"] as const;
const TERMINAL = ["succeeded", "compensated", "closed"] as const;
const LIVE = [...MAIN, ...BRANCHES];
const STATES = [...LIVE, ...TERMINAL] as const;
type State = (typeof STATES)[number];

const ROLES = { executor: EXECUTOR, person: EDITOR, system: "system" } as const satisfies Record<string, Actor>;
type Role = keyof typeof ROLES;

/** `from … to` along the main path. */
const between = (from: State, to: State): State[] =>
  MAIN.slice(MAIN.indexOf(from as never), MAIN.indexOf(to as never) + 1);

const GATE: State[] = ["awaiting_content_approval", "content_approved"];
const EXECUTOR_ONLY: Role[] = ["executor"];
const PERSON_ONLY: Role[] = ["person"];
const SWEPT: Role[] = ["executor", "system"];
const SAME = "same";

const TABLE: readonly (readonly [
  from: readonly State[],
  event: string,
  to: State | typeof SAME,
  by: readonly Role[],
])[] = [
  [["created"], "CollectStarted", "collecting", EXECUTOR_ONLY],
  [["collecting"], "SourcesFrozen", "drafting", EXECUTOR_ONLY],
  [["collecting"], "CollectBlocked", "blocked", EXECUTOR_ONLY],
  [["drafting"], "DraftFrozen", "checking", EXECUTOR_ONLY],
  [["drafting"], "DraftBlocked", "blocked", EXECUTOR_ONLY],
  [["checking"], "CheckPassed", "awaiting_content_approval", EXECUTOR_ONLY],
  [["checking"], "CheckBlocked", "blocked", EXECUTOR_ONLY],
  [GATE, "ArtifactChanged", "checking", ["person", "executor"]],
  [GATE, "RecollectChosen", "collecting", PERSON_ONLY],
  [["awaiting_content_approval"], "ContentApproved", "content_approved", PERSON_ONLY],
  [["awaiting_content_approval"], "ContentRejected", "drafting", PERSON_ONLY],
  [[...GATE, "publishing", "sending"], "ApprovalExpired", "blocked", SWEPT],
  [["content_approved", "publishing", "sending"], "ApprovalRevoked", "blocked", PERSON_ONLY],
  [["content_approved"], "PublishStarted", "publishing", EXECUTOR_ONLY],
  [["publishing", "sending"], "RevocationNoted", SAME, PERSON_ONLY],
  [["publishing"], "Published", "published", EXECUTOR_ONLY],
  [["publishing"], "PublishBlocked", "blocked", EXECUTOR_ONLY],
  [["sending"], "SendBlocked", "blocked", EXECUTOR_ONLY],
  [["published"], "SendReviewOpened", "awaiting_send_approval", EXECUTOR_ONLY],
  [["awaiting_send_approval"], "AudienceChanged", SAME, ["executor", "system", "person"]],
  [["awaiting_send_approval"], "SendRejected", "published", PERSON_ONLY],
  [["awaiting_send_approval"], "PageChanged", "blocked", ["executor", "person"]],
  [["awaiting_send_approval"], "SendApproved", "sending", PERSON_ONLY],
  [["sending"], "SendAccepted", "send_pending", EXECUTOR_ONLY],
  [["send_pending", "awaiting_observation"], "DeliveryAccounted", "succeeded", ["executor", "person"]],
  [["send_pending"], "ObservationTimedOut", "awaiting_observation", EXECUTOR_ONLY],
  [["send_pending", "awaiting_observation"], "AccountMismatch", "blocked", EXECUTOR_ONLY],
  [[...between("created", "sending"), "retry_wait"], "DeadlineReached", "blocked", SWEPT],
  [between("collecting", "sending"), "RetryScheduled", "retry_wait", EXECUTOR_ONLY],
  [["retry_wait"], "RetryDue", "collecting", EXECUTOR_ONLY],
  [
    [...between("publishing", "send_pending"), "awaiting_observation", "blocked"],
    "CompensationStarted",
    "compensating",
    PERSON_ONLY,
  ],
  [["compensating"], "Compensated", "compensated", ["executor", "person"]],
  [LIVE, "ClosedProtectively", "closed", PERSON_ONLY],
];
const EVENTS = [...TABLE.map(([, event]) => event), "Unblocked"];

const legal = (state: State, event: string) => TABLE.find(([from, name]) => name === event && from.includes(state));
const codes = (decision: Decision) => (decision.ok ? [] : decision.refusal.unmet.map((missing) => missing.code));
const stateAfter = (decision: Decision, before: string) =>
  decision.ok ? (decision.plan.task.state ?? before) : `refused: ${codes(decision).join()}`;

describe("the definition names what the table names", () => {
  test("no state and no event more or less", () => {
    expect([...briefingDefinition.states].sort()).toEqual([...STATES].sort());
    expect([...new Set(briefingDefinition.transitions.map((rule) => rule.event))].sort()).toEqual([...EVENTS].sort());
  });
});

describe.each(STATES)("in %s", (state) => {
  test.each(EVENTS)("%s goes where the table says, by whom it says, or is illegal", (event) => {
    const row = legal(state, event);
    for (const [role, actor] of Object.entries(ROLES)) {
      const scene = furnish(state, event, actor);
      const decision = decideScene(scene);
      const isUnblocking = state === "blocked" && event === "Unblocked";
      if (isUnblocking) continue;
      if (!row) {
        expect(decision.ok ? "applied" : decision.refusal.result, `${event} by ${role}`).toBe("illegal_transition");
        expect(codes(decision)).toEqual(["state_is"]);
        continue;
      }
      const [, , to, by] = row;
      if (by.includes(role as Role)) {
        expect(stateAfter(decision, state), `${event} by ${role}`).toBe(to === SAME ? state : to);
        if (decision.ok) expectRecorded(decision, state, event);
        continue;
      }
      expect(decision.ok ? "applied" : decision.refusal.result, `${event} by ${role}`).toBe("guard_failed");
      expect(codes(decision)).toEqual([by.includes("person") ? "person_required" : "executor_required"]);
    }
  });
});

function expectRecorded(decision: Extract<Decision, { ok: true }>, state: string, event: string): void {
  const { task, events } = decision.plan;
  const moved = task.state !== undefined;
  expect(events[0]).toMatchObject({ type: event, fromState: state, toState: task.state ?? state });
  expect(task.stateVersion).toBe(moved ? 8 : undefined);
  expect(task.stateSince).toBe(moved ? NOW : undefined);
}

test("a script that stands for a person may what a person may, and nothing of the executor's", () => {
  const script = "operator-script" as const;
  expect(stateAfter(decideScene(furnish("awaiting_content_approval", "ContentApproved", script)), "")).toBe(
    "content_approved",
  );
  expect(codes(decideScene(furnish("created", "CollectStarted", script)))).toEqual(["executor_required"]);
});

test("the scheduler is no person and no executor", () => {
  expect(codes(decideScene(furnish("awaiting_content_approval", "ContentApproved", "scheduler")))).toEqual([
    "person_required",
  ]);
  expect(codes(decideScene(furnish("created", "CollectStarted", "scheduler")))).toEqual(["executor_required"]);
});

describe("what must never be", () => {
  const leads = (state: State, to: State) =>
    TABLE.filter(([from, , target]) => from.includes(state) && target === to).map(([, event]) => event);
  /** Every event, by everybody, with everything that any guard could ask for: none may lead from here to there. */
  const reached = (state: State, actors: readonly Actor[] = Object.values(ROLES)) =>
    EVENTS.flatMap((event) =>
      actors.flatMap((actor) => {
        const decision = decideScene(furnish(state, event, actor));
        return decision.ok ? [decision.plan.task.state ?? state] : [];
      }),
    );

  test("awaiting_content_approval → published", () =>
    expect(reached("awaiting_content_approval")).not.toContain("published"));
  test("content_approved → sending", () => expect(reached("content_approved")).not.toContain("sending"));
  test("blocked → succeeded, whatever the reason and the way asked for", () => {
    expect(reached("blocked")).not.toContain("succeeded");
    for (const reason of Object.keys(WAYS_OUT))
      for (const to of ["succeeded", "send_pending"]) {
        const decision = decideScene(furnishWayOut(reason, "sending", to));
        expect(decision.ok && decision.plan.task.state === "succeeded").toBe(false);
      }
  });
  test("a publish that timed out leaves the task where it is: nothing leads back to created", () => {
    for (const state of STATES) {
      expect(leads(state, "created")).toEqual([]);
      expect(reached(state)).not.toContain("created");
    }
    for (const reason of Object.keys(WAYS_OUT))
      expect(codes(decideScene(furnishWayOut(reason, "publishing", "created")))).toContain("way_out_closed");
  });
  test.each(TERMINAL)("anything out of %s", (state) => expect(reached(state)).toEqual([]));
  test("compensated → succeeded", () => {
    const decision = decideScene(furnish("compensated", "DeliveryAccounted", EXECUTOR));
    expect(decision.ok ? "" : decision.refusal.result).toBe("illegal_transition");
  });
});

// ------------------------------------------------------------------------------------------------ out of `blocked`

/** Reason → [blocked in, way out] as domain 3 lists them. Compensation and closure are events of their own. */
const WAYS_OUT: Readonly<Record<string, readonly (readonly [blockedIn: State, to: State])[]>> = {
  source_missing: [["collecting", "collecting"]],
  draft_structure: [["drafting", "drafting"]],
  fact_evidence: [["checking", "drafting"]],
  link_failure: [
    ["checking", "checking"],
    ["checking", "drafting"],
  ],
  approval_expired: [
    ["awaiting_content_approval", "collecting"],
    ["awaiting_content_approval", "checking"],
    ["content_approved", "collecting"],
    ["content_approved", "checking"],
    ["publishing", "collecting"],
    ["publishing", "checking"],
    ["sending", "published"],
  ],
  approval_revoked: [
    ["content_approved", "collecting"],
    ["content_approved", "checking"],
    ["publishing", "collecting"],
    ["publishing", "checking"],
    ["sending", "published"],
  ],
  audience_changed: [["sending", "published"]],
  // The address of a page, or the name of a campaign: back to where it is needed once it is free.
  remote_conflict: [
    ["publishing", "publishing"],
    ["sending", "sending"],
  ],
  auth: [
    ["publishing", "publishing"],
    ["sending", "sending"],
  ],
  page_mismatch: [
    ["publishing", "publishing"],
    ["awaiting_send_approval", "publishing"],
    ["sending", "publishing"],
  ],
  duplicate_remote: [
    ["publishing", "publishing"],
    ["sending", "publishing"],
  ],
  outcome_unknown: [
    ["publishing", "publishing"],
    ["sending", "sending"],
  ],
  key_window_expired: [
    ["publishing", "publishing"],
    ["sending", "sending"],
  ],
  account_mismatch: [
    ["send_pending", "send_pending"],
    ["awaiting_observation", "send_pending"],
  ],
  deadline: between("created", "sending").map((state) => [state, state] as const),
};

/** What the reason asks for besides evidence. */
const withDemands = (reason: string, scene: ReturnType<typeof furnishWayOut>) => {
  const wayOut = scene.command.wayOut as NonNullable<TransitionCommand["wayOut"]>;
  if (reason === "deadline")
    return { ...scene, command: { ...scene.command, wayOut: { ...wayOut, newDeadlineAt: NOW + 5 * HOUR } } };
  if (reason === "fact_evidence")
    return { ...scene, command: { ...scene.command, context: { editedDraftHash: "edited" } } };
  return scene;
};

describe("out of blocked", () => {
  test("no reason more or less", () => {
    expect(Object.keys(briefingDefinition.blocked).sort()).toEqual(Object.keys(WAYS_OUT).sort());
  });

  describe.each(Object.entries(WAYS_OUT))("by %s", (reason, ways) => {
    test.each(ways)("blocked in %s a person leads it to %s with evidence", (blockedIn, to) => {
      const scene = withDemands(reason, furnishWayOut(reason, blockedIn, to));
      const decision = decideScene(scene);
      expect(stateAfter(decision, "blocked")).toBe(to);
      if (!decision.ok) return;
      expect(decision.plan.task).toMatchObject({ blockedReason: null, resumeState: null, stateVersion: 8 });
      const without = { ...scene.command, wayOut: { ...scene.command.wayOut, to, evidence: "  " } };
      expect(codes(decideScene({ ...scene, command: without }))).toEqual(["evidence_missing"]);
    });

    test("nobody but a person", () => {
      const [blockedIn, to] = ways[0] ?? ["publishing", "publishing"];
      const scene = withDemands(reason, furnishWayOut(reason, blockedIn, to));
      expect(codes(decideScene({ ...scene, context: contextAs("system") }))).toEqual(["person_required"]);
    });

    test("leads nowhere else", () => {
      const places = new Set(ways.map(([blockedIn]) => blockedIn));
      for (const blockedIn of places) {
        const open = ways.filter(([place]) => place === blockedIn).map(([, to]) => to);
        for (const to of STATES.filter((state) => !open.includes(state))) {
          const decision = decideScene(withDemands(reason, furnishWayOut(reason, blockedIn, to)));
          expect(codes(decision), `${blockedIn} → ${to}`).toContain("way_out_closed");
        }
      }
    });
  });

  test.each([
    ["deadline", "publishing", "publishing", "deadline_needed"],
    ["fact_evidence", "checking", "drafting", "draft_missing"],
  ] as const)("%s asks for its own proof", (reason, blockedIn, to, code) => {
    expect(codes(decideScene(furnishWayOut(reason, blockedIn, to)))).toEqual([code]);
  });

  test("a deadline in the past is no new deadline", () => {
    const scene = furnishWayOut("deadline", "publishing", "publishing");
    const wayOut = { to: "publishing", evidence: "x", newDeadlineAt: NOW };
    expect(codes(decideScene({ ...scene, command: transition("Unblocked", { wayOut }) }))).toEqual(["deadline_needed"]);
  });

  test.each(["remote_conflict", "page_mismatch", "duplicate_remote", "outcome_unknown", "key_window_expired"])(
    "%s stays until everything that left is settled",
    (reason) => {
      const scene = furnishWayOut(reason, "publishing", "publishing");
      const parts = { ...scene.parts, operations: [operationRow({ state: "locked" })] };
      expect(codes(decideScene({ ...scene, parts }))).toEqual(["operation_unsettled"]);
    },
  );

  test("no approval comes back by way of blocked: content_approved is a way out of nothing", () => {
    for (const [reason, ways] of Object.entries(WAYS_OUT)) {
      if (reason === "deadline") continue;
      expect(ways.map(([, to]) => to)).not.toContain("content_approved");
      for (const [blockedIn] of ways)
        expect(codes(decideScene(furnishWayOut(reason, blockedIn, "content_approved")))).toContain("way_out_closed");
    }
  });

  test("protective closure and compensation are open whatever the reason", () => {
    for (const reason of Object.keys(WAYS_OUT))
      for (const [event, to] of [
        ["ClosedProtectively", "closed"],
        ["CompensationStarted", "compensating"],
      ] as const) {
        const scene = furnish("blocked", event);
        const parts = { ...scene.parts, task: { ...scene.parts.task, blockedReason: reason } };
        expect(stateAfter(decideScene({ ...scene, parts }), "blocked")).toBe(to);
      }
  });
});
