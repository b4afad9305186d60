import type { Actor, CommandContext, OperationIntent, TransitionCommand } from "../../main/domain/commands";
import { planHash } from "../../main/domain/compensation";
import { decideTransition } from "../../main/domain/decide/transition";
import { HASH_RULE_VERSION } from "../../main/domain/hash-rule";
import { sha256 } from "../../main/domain/hashing";
import {
  AUDIENCE,
  approvalRow,
  audienceRow,
  BODY,
  CONTENT,
  compensationRow,
  contextAs,
  DEADLINE,
  EDITOR,
  fakeView,
  HOUR,
  MINUTE,
  NOW,
  operationRow,
  PACKAGE,
  PAGE,
  PUBLISH_INTENT,
  recipientRow,
  SEND_INTENT,
  SENDABLE,
  stepRow,
  TASK_KEY,
  transition,
  type ViewParts,
} from "./fake-view";

/** A task, a command and who gives it, so that nothing stands against the event. Tests take one thing away. */
export interface Scene {
  parts: ViewParts;
  command: TransitionCommand;
  context: CommandContext;
}

export const decideScene = ({ parts, command, context }: Scene) => decideTransition(fakeView(parts), command, context);

export const intent = (more: Partial<OperationIntent> = {}): OperationIntent => ({
  intentKey: PUBLISH_INTENT,
  kind: "publish",
  phase: "create",
  adapter: "cms",
  target: "http://remote",
  slot: `publish:${TASK_KEY}`,
  recipientId: null,
  hashes: { contentHash: CONTENT, pageUrl: null, bodyHash: null, audienceHash: null },
  hashRuleVersion: HASH_RULE_VERSION,
  after: null,
  automatic: false,
  compensation: {
    service: "cms",
    action: "take_page_down",
    args: { targetState: "draft" },
    grade: "B",
    precondition: "page_still_has_this_content",
    owner: "editor",
    verification: "public_page_fetched",
    timeoutMs: 30_000,
    steps: [{ name: "take_page_down", kind: "call" }],
  },
  ...more,
});

const sendHashes = { contentHash: null, pageUrl: PAGE, bodyHash: BODY, audienceHash: AUDIENCE };

export const sendIntent = (more: Partial<OperationIntent> = {}): OperationIntent =>
  intent({
    intentKey: SEND_INTENT,
    kind: "send",
    adapter: "mail",
    slot: `send:${TASK_KEY}`,
    hashes: sendHashes,
    ...more,
  });

export const audience: NonNullable<TransitionCommand["audience"]> = {
  snapshot: {
    id: "au-2",
    audienceHash: AUDIENCE,
    suppressionVersion: 0,
    count: 2,
    excluded: 1,
    artifactHash: sha256("artifact"),
  },
  recipients: [
    { recipientId: "r1", group: "paid", outcome: "unknown" },
    { recipientId: "r2", group: "paid", outcome: "unknown" },
    { recipientId: "r3", group: "paid", outcome: "excluded" },
  ],
};

export const approvalTerms = (
  scope: "publish" | "send",
  more: Partial<NonNullable<TransitionCommand["approval"]>> = {},
): NonNullable<TransitionCommand["approval"]> => ({
  scope,
  intentKey: scope === "publish" ? PUBLISH_INTENT : SEND_INTENT,
  hashRuleVersion: HASH_RULE_VERSION,
  contentHash: CONTENT,
  packageHash: PACKAGE,
  pageUrl: scope === "publish" ? null : PAGE,
  bodyHash: scope === "publish" ? null : BODY,
  audienceHash: scope === "publish" ? null : AUDIENCE,
  checkReceiptId: "receipt-1",
  evidence: [PACKAGE],
  comparedWith: { choice: "none", hash: null },
  acknowledged: [],
  ...more,
});

export const sendSeen = {
  pageUrl: PAGE,
  recomputed_pageUrl: PAGE,
  bodyHash: BODY,
  recomputed_bodyHash: BODY,
  audienceHash: AUDIENCE,
  recomputed_audienceHash: AUDIENCE,
  typed: "2026-W30 2",
  confirmation: "2026-W30 2",
  additions: ["r2"],
  acknowledgedAdditions: ["r2"],
};

const contentSeen = { packageHash: PACKAGE, contentHash: CONTENT, recomputedContentHash: CONTENT, acknowledged: [] };
const confirmed = [operationRow({ state: "confirmed" })];
const mailed = [
  ...confirmed,
  operationRow({ kind: "send", state: "confirmed" }),
  operationRow({ kind: "send", phase: "trigger", state: "confirmed" }),
];
const accounts = [
  recipientRow("r1"),
  recipientRow("r2", { outcome: "bounced" }),
  recipientRow("r3", { outcome: "excluded" }),
];
const proved = { PageVerified: NOW };

/** By event: what its guards ask for. Where the state matters, it is an argument. */
const SCENES: Readonly<Record<string, (state: string) => Partial<Scene>>> = {
  CollectStarted: () => ({}),
  SourcesFrozen: () => ({
    parts: { steps: [stepRow("collecting", { sources: { a: { state: "frozen", required: true } } })] },
  }),
  CollectBlocked: () => ({ command: transition("CollectBlocked", { blockedReason: "source_missing" }) }),
  DraftFrozen: () => ({ command: transition("DraftFrozen", { context: { draftHash: sha256("draft") } }) }),
  DraftBlocked: () => ({
    parts: { steps: [stepRow("drafting", { repairs: 1 })] },
    command: transition("DraftBlocked", { blockedReason: "draft_structure" }),
  }),
  CheckPassed: () => ({
    command: transition("CheckPassed", {
      found: [],
      context: {
        packageHash: PACKAGE,
        contentHash: CONTENT,
        checkReceiptId: "receipt-1",
        linkReportHash: sha256("links"),
      },
    }),
  }),
  CheckBlocked: () => ({ command: transition("CheckBlocked", { blockedReason: "fact_evidence" }) }),
  ArtifactChanged: () => ({
    command: transition("ArtifactChanged", { context: { editedDraftHash: sha256("edited") } }),
  }),
  RecollectChosen: () => ({ parts: { events: { SourceChangeWarned: NOW } } }),
  ContentApproved: () => ({
    command: transition("ContentApproved", { payload: contentSeen, approval: approvalTerms("publish") }),
  }),
  ContentRejected: () => ({ command: transition("ContentRejected", { reason: "headline" }) }),
  ApprovalExpired: (state) => ({
    parts: {
      task: { stateSince: NOW - 24 * HOUR },
      approvals: [approvalRow({ scope: state === "sending" ? "send" : "publish", expiresAt: NOW })],
    },
  }),
  ApprovalRevoked: (state) => revocation("ApprovalRevoked", state),
  RevocationNoted: (state) => ({
    ...revocation("RevocationNoted", state),
    parts: {
      approvals: [approvalRow({ scope: scopeOf(state) })],
      operations: [operationRow({ kind: scopeOf(state), state: "unknown" })],
    },
  }),
  PublishStarted: () => ({
    parts: { approvals: [approvalRow()] },
    command: transition("PublishStarted", { operations: [intent()] }),
  }),
  Published: () => ({ parts: { operations: confirmed, events: proved } }),
  PublishBlocked: () => ({ command: transition("PublishBlocked", { blockedReason: "auth" }) }),
  SendBlocked: () => ({ command: transition("SendBlocked", { blockedReason: "auth" }) }),
  SendReviewOpened: () => ({
    parts: { operations: confirmed, events: proved },
    command: transition("SendReviewOpened", { audience, context: { audienceHash: AUDIENCE } }),
  }),
  AudienceChanged: () => ({
    command: transition("AudienceChanged", { audience, context: { audienceHash: AUDIENCE } }),
  }),
  SendRejected: () => ({ command: transition("SendRejected", { reason: "subject" }) }),
  PageChanged: () => ({}),
  SendApproved: () => ({
    parts: { operations: confirmed, events: proved },
    command: transition("SendApproved", {
      payload: sendSeen,
      approval: approvalTerms("send"),
      operations: [sendIntent(), sendIntent({ phase: "trigger", after: 0, automatic: true })],
    }),
  }),
  SendAccepted: () => ({ parts: { operations: mailed } }),
  DeliveryAccounted: () => ({ parts: { operations: mailed, audiences: [audienceRow()], recipients: accounts } }),
  ObservationTimedOut: () => ({ parts: { task: { stateSince: NOW - 30 * MINUTE } } }),
  AccountMismatch: () => ({ command: transition("AccountMismatch", { payload: { reported: 3, audience: 2 } }) }),
  DeadlineReached: () => ({ parts: { task: { deadlineAt: NOW } } }),
  RetryScheduled: () => ({ command: transition("RetryScheduled", { retryAt: NOW + MINUTE }) }),
  RetryDue: () => ({ parts: { task: { resumeState: "collecting", retryAt: NOW } } }),
  CompensationStarted: () => ({
    parts: { compensations: [compensationRow()] },
    command: transition("CompensationStarted", {
      reason: "withdraw",
      payload: { planHash: planHash([compensationRow()]) },
    }),
  }),
  Compensated: () => ({
    parts: { operations: confirmed, compensations: [compensationRow({ state: "done" })] },
  }),
  ClosedProtectively: () => ({ command: transition("ClosedProtectively", { reason: "holiday" }) }),
};

export const scopeOf = (state: string): "publish" | "send" => (state === "sending" ? "send" : "publish");

const revocation = (event: string, state: string): Partial<Scene> => ({
  parts: { approvals: [approvalRow({ scope: scopeOf(state) })] },
  command: transition(event, { reason: "a fact is wrong", payload: { approvalId: `ap-${scopeOf(state)}` } }),
});

/** Context that a task has by the time it stands in these states. */
const BRANCH_FIELDS: Readonly<Record<string, ViewParts["task"]>> = {
  blocked: { blockedReason: "auth", resumeState: "publishing", leaseOwner: null, leaseExpiresAt: null },
  retry_wait: { resumeState: "collecting", retryAt: NOW },
};

/** @param actor who gives the command; by default whoever may */
export function furnish(state: string, event: string, actor: Actor = EDITOR): Scene {
  const scene = SCENES[event]?.(state) ?? {};
  const task = {
    state,
    context: { startAt: NOW, ...SENDABLE },
    deadlineAt: DEADLINE,
    ...BRANCH_FIELDS[state],
    ...scene.parts?.task,
  };
  // A blocked task has given its lease back; whoever works on it has claimed it anew.
  if (actor.startsWith("executor:")) Object.assign(task, { leaseOwner: actor, leaseExpiresAt: NOW + MINUTE });
  return {
    parts: { ...scene.parts, task },
    command: scene.command ?? transition(event),
    context: contextAs(actor),
  };
}

/** Leaving `blocked` for a reason by one of its ways. */
export function furnishWayOut(reason: string, blockedIn: string, to: string): Scene {
  const scene = furnish("blocked", "Unblocked");
  return {
    ...scene,
    parts: { ...scene.parts, task: { ...scene.parts.task, blockedReason: reason, resumeState: blockedIn } },
    command: transition("Unblocked", { wayOut: { to, evidence: "seen with my own eyes" } }),
  };
}
