import type { Action, Moment } from "./action";
import { compensationNext } from "./compensation-next";
import { causerOf } from "./decide/actor";
import { blockExpiresAt, isEscalated } from "./decide/escalate";
import { needsLookFirst } from "./decide/request-sent";
import { isTerminal, rulesFor } from "./definition";
import { operationToReconcile } from "./epoch";
import { effectiveDeadline } from "./guards/evidence";
import { approvalExpiredAt, nothingOut } from "./guards/gates";
import { hasCome } from "./has-come";
import { assertNever, Bug, type Instant } from "./ids";
import { isKeyWindowOver, KEY_WINDOW_EXPIRED } from "./look";
import { COVERAGE_TOO_LOW, type CoverageOf, mayRetryByItself } from "./metrics-coverage";
import type { AdapterManifest } from "./ports";
import type { OperationRow, OperationState, ReconciliationRow } from "./records";
import { isLookedForInVain, looksSincePrepared, type TaskView } from "./view";

export type { Action, Moment, TransitionIntent } from "./action";

/** A pipeline's own part: what its stages want, asked only when nothing general comes first. */
export type StageNext = (view: TaskView, moment: Moment) => Action;

/**
 * The next action of a task at a moment, pure (architecture: "asking nextAction"). First what holds in every state: lost
 * calls become unknown, due looks are made, approvals and deadlines are swept, due retries resume. Then the stage.
 */
export function nextAction(view: TaskView, moment: Moment, stageNext: StageNext): Action {
  const { task } = view;
  if (isTerminal(task.state)) return { do: "wait", until: null };
  const outside = reconcileFirst(view, moment);
  if (outside) return outside;
  // A restored journal asks about everything it remembers before anything leaves or anybody is asked (domain 5, case B7).
  const forgotten = operationToReconcile(view);
  if (forgotten) return at(askAgainAt(view, forgotten), moment, { do: "look", operationId: forgotten.id });
  const swept = sweep(view, moment);
  if (swept) return swept;
  const wake = earliest(nextSweepAt(view, moment.now), nextLookAt(view));
  if (task.state === "retry_wait") {
    const due = task.retryAt !== null && hasCome(task.retryAt, moment.now);
    return due
      ? { do: "transition", intent: { event: "RetryDue" }, as: "executor" }
      : { do: "wait", until: earliest(task.retryAt, wake) };
  }
  if (task.state === "blocked") return blockedNext(view, moment, wake);
  const action = task.state === "compensating" ? compensationNext(view, moment) : stageNext(view, moment);
  return action.do === "wait" ? { do: "wait", until: earliest(action.until, wake) } : action;
}

/** A block is a person's; what time does is to tell them again, once, when it has lasted too long (domain 3). */
function blockedNext(view: TaskView, moment: Moment, wake: Instant | null): Action {
  const expiresAt = blockExpiresAt(view);
  if (expiresAt === null || isEscalated(view)) return { do: "wait", until: wake };
  return moment.now >= expiresAt ? { do: "escalate" } : { do: "wait", until: earliest(expiresAt, wake) };
}

/** The reconciler goes on in every non-terminal state (domain 3): a call without an answer is never forgotten. */
function reconcileFirst(view: TaskView, moment: Moment): Action | null {
  for (const operation of view.operations()) {
    if (operation.state === "request_sent" && !moment.inFlight.has(operation.id))
      return { do: "interrupted", operationId: operation.id };
    if (isLookDue(operation, moment.now)) return { do: "look", operationId: operation.id };
  }
  return null;
}

/** States in which a look may be due: also where the end seems known, after an answer that came too late. */
const LOOKED_AT: readonly OperationState[] = ["unknown", "not_found", "confirmed"];

const isLookDue = (operation: OperationRow, now: Instant): boolean =>
  LOOKED_AT.includes(operation.state) && operation.nextLookAt !== null && hasCome(operation.nextLookAt, now);

/** Expiry and deadline are swept at start, at resume and by the tick, by nobody's click (case D9). */
function sweep(view: TaskView, moment: Moment): Action | null {
  const { task, definition } = view;
  const free =
    nothingOut({
      view,
      command: { type: "transition", taskId: task.id, event: "" },
      context: { actor: "system", now: moment.now, trusted: { at: moment.trustedAt, trusted: true, source: "" } },
    }).length === 0;
  const expiry = approvalExpiredAt(view);
  if (expiry !== null && moment.trustedAt >= expiry && free && rulesFor(definition, task.state, "ApprovalExpired"))
    return { do: "transition", intent: { event: "ApprovalExpired" }, as: "system" };
  const deadlineRule = rulesFor(definition, task.state, "DeadlineReached");
  if (deadlineRule && moment.now >= effectiveDeadline(view) && (free || !deadlineRule.guards.includes("nothing_out")))
    return { do: "transition", intent: { event: "DeadlineReached" }, as: "system" };
  return null;
}

/** A moment that is past is none to wait for: what holds the sweep back (something is out) ends with a look, not with time. */
function nextSweepAt(view: TaskView, now: Instant): Instant | null {
  const { task, definition } = view;
  const expiry = rulesFor(definition, task.state, "ApprovalExpired") ? approvalExpiredAt(view) : null;
  const deadline = rulesFor(definition, task.state, "DeadlineReached") ? effectiveDeadline(view) : null;
  return earliest(...[expiry, deadline].filter((at) => at !== null && at > now));
}

function nextLookAt(view: TaskView): Instant | null {
  return view
    .operations()
    .filter((operation) => LOOKED_AT.includes(operation.state))
    .reduce<Instant | null>((at, operation) => earliest(at, operation.nextLookAt), null);
}

export function earliest(...times: readonly (Instant | null)[]): Instant | null {
  const given = times.filter((time): time is Instant => time !== null);
  return given.length === 0 ? null : Math.min(...given);
}

/** What decides about sending, looking and giving up, whichever stage carries the operations out. */
interface Carrying {
  view: TaskView;
  moment: Moment;
  manifestOf: (adapter: string) => AdapterManifest;
  /** The pipeline's writes are covered well enough for one to be sent anew without a person (domain 11). */
  retriesByItself: boolean;
  block: (blockedReason: string, reason?: string) => Action;
}

/**
 * What a stage that carries out operations does next about them, in their order: send, look, wait, or block with the reason
 * that fits. Null when every one of them is confirmed.
 * @param blocked the event that blocks this stage (PublishBlocked, SendBlocked)
 * @param coverage the pipeline's idempotency coverage; absent: nothing is held back because of it
 */
export function operationAction(
  view: TaskView,
  operations: readonly OperationRow[],
  moment: Moment,
  blocked: string,
  manifestOf: (adapter: string) => AdapterManifest,
  coverage?: CoverageOf,
): Action | null {
  const block = (blockedReason: string, reason?: string): Action => ({
    do: "transition",
    intent: { event: blocked, blockedReason, ...(reason === undefined ? {} : { reason }) },
    as: "executor",
  });
  const retriesByItself = coverage === undefined || mayRetryByItself(coverage);
  const carrying: Carrying = { view, moment, manifestOf, retriesByItself, block };
  const open = operations.find((operation) => operation.state !== "confirmed");
  return open === undefined ? null : openAction(carrying, open);
}

function openAction(carrying: Carrying, operation: OperationRow): Action {
  const { view, block } = carrying;
  const lastLook = looksSincePrepared(view, operation).at(-1);
  switch (operation.state) {
    case "prepared":
      return preparedAction(carrying, operation, lastLook);
    case "not_found":
      return notFoundAction(carrying, operation, lastLook);
    case "request_sent":
      return { do: "wait", until: null };
    case "unknown":
      return { do: "wait", until: operation.nextLookAt };
    case "conflict":
      return block(lastLook?.verdict === "duplicate" ? "duplicate_remote" : "remote_conflict");
    case "locked":
      return block(lastLook?.rawCode === KEY_WINDOW_EXPIRED ? "key_window_expired" : "outcome_unknown");
    case "rejected":
      return block(view.attempts(operation.id).at(-1)?.errorClass === "auth" ? "auth" : "remote_conflict");
    case "cancelled":
      return block("remote_conflict");
    case "confirmed":
      throw new Bug("a confirmed operation is not open");
    default:
      return assertNever(operation.state, "operation state");
  }
}

function preparedAction(carrying: Carrying, operation: OperationRow, lastLook: ReconciliationRow | undefined): Action {
  const { view, moment, block } = carrying;
  if (lastLook?.verdict === "conflict" || lastLook?.verdict === "duplicate") return block("remote_conflict");
  if (isSpentSinceUnblocked(view, operation, lastLook)) return block("outcome_unknown");
  const before = view.operations().find((row) => row.id === operation.afterId);
  if (before && before.nextLookAt !== null) return { do: "wait", until: before.nextLookAt };
  // The looks at what came before are spent without having seen: whether there are two of it, only a person can say.
  if (before && isLookedForInVain(view, before)) return block("outcome_unknown");
  // Before the budget: looking is no try.
  if (needsLookFirst(view, operation))
    return at(operation.nextLookAt, moment, { do: "look", operationId: operation.id });
  if (isBudgetSpent(carrying, operation)) return block("outcome_unknown");
  return at(operation.nextLookAt, moment, { do: "send", operationId: operation.id });
}

/** Proven absent: sent anew by the adapter's declared rule or because a person said so, never past the key's window. */
function notFoundAction(carrying: Carrying, operation: OperationRow, lastLook: ReconciliationRow | undefined): Action {
  const { view, moment, manifestOf, retriesByItself, block } = carrying;
  if (isSpentSinceUnblocked(view, operation, lastLook)) return block("outcome_unknown");
  if (operation.nextLookAt !== null || needsLookFirst(view, operation))
    return at(operation.nextLookAt, moment, { do: "look", operationId: operation.id });
  const manifest = manifestOf(operation.adapter);
  if (!hasPersonDecided(view, operation)) {
    if (isKeyWindowOver(operation, manifest, moment.trustedAt)) return block("key_window_expired");
    if (!manifest.retry.resendAfterProvenAbsent) return block("outcome_unknown");
    if (!retriesByItself) return block("outcome_unknown", COVERAGE_TOO_LOW);
  }
  if (isBudgetSpent(carrying, operation)) return block("outcome_unknown");
  return { do: "send", operationId: operation.id };
}

/**
 * Its looks are spent without having seen, and it cannot be locked, since nothing of it is out: a person is told, and each time
 * they lead the task on it is asked once more. Asked on and on by itself it would hammer a remote that refuses us.
 */
function isSpentSinceUnblocked(
  view: TaskView,
  operation: OperationRow,
  lastLook: ReconciliationRow | undefined,
): boolean {
  if (lastLook?.verdict !== "locked" || lastLook.able) return false;
  const lockedAt = view.lastEventOf(operation.id, "OperationLocked")?.seq ?? 0;
  return lockedAt > (view.lastEvent("Unblocked")?.seq ?? 0);
}

/** A person's verdict ended what looks could not, or a person led the task out of exactly this doubt. */
function hasPersonDecided(view: TaskView, operation: OperationRow): boolean {
  const absence = view.lastEventOf(operation.id, "RemoteNotFound");
  if (absence !== null && causerOf(absence.actor) === "person") return true;
  const reason = view.task.context["unblockedReason"];
  if (reason !== "outcome_unknown" && reason !== "key_window_expired") return false;
  const unblocked = view.lastEvent("Unblocked");
  return unblocked !== null && view.sentSince(operation.id, unblocked.seq) === 0;
}

/** Tries since the operation was prepared last, or since a person led the task back to it. */
function isBudgetSpent({ view, manifestOf }: Carrying, operation: OperationRow): boolean {
  const sincePrepared = view.attempts(operation.id).filter(({ startedAt }) => startedAt >= operation.preparedAt).length;
  const sinceUnblocked = view.sentSince(operation.id, view.lastEvent("Unblocked")?.seq ?? 0);
  return Math.min(sincePrepared, sinceUnblocked) >= manifestOf(operation.adapter).retry.maxAttempts;
}

/** How often a restored journal goes on asking about what it cannot see (the login is dead): nobody may be there to unblock it. */
const IN_VAIN_PACE_MS = 15 * 60_000;

function askAgainAt(view: TaskView, operation: OperationRow): Instant | null {
  const last = looksSincePrepared(view, operation).at(-1);
  if (operation.nextLookAt !== null || last?.verdict !== "locked" || last.able) return operation.nextLookAt;
  return last.at + IN_VAIN_PACE_MS;
}

const at = (until: Instant | null, moment: Moment, action: Action): Action =>
  until !== null && !hasCome(until, moment.now) ? { do: "wait", until } : action;
