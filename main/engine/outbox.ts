import { type ClassifiedError, ERROR_RULES, toClassifiedError } from "../domain/errors";
import type { Instant, OperationId } from "../domain/ids";
import { LEASE_TTL_MS } from "../domain/lease";
import { lookAgainAt } from "../domain/look";
import type { OutgoingRequest, WriteAnswer } from "../domain/ports";
import type { OperationRow } from "../domain/records";
import { baseDelayMsOf, decideRetry } from "../domain/retry";
import type { TaskView } from "../domain/view";
import { hostOf } from "./breaker";
import { contextOf, type EngineOptions, type PipelineRuntime, type PreparedRequest, type WorkContext } from "./runtime";

/**
 * Sends prepared operations. The order is the promise: bytes frozen, `request_sent` committed, then the bytes leave, then the
 * answer is saved (domain 6). Dying at any point in between leaves a state that says exactly what is known.
 */
export class Outbox {
  readonly inFlight = new Set<OperationId>();

  constructor(private readonly options: EngineOptions) {}

  /** @returns the moment to come back when it may not leave now; null when something was written. */
  async send(context: WorkContext, operation: OperationRow, pipeline: PipelineRuntime): Promise<number | null> {
    const host = hostOf(operation.target);
    const now = this.options.clock.now();
    const openUntil = this.options.breaker.openUntil(host, now);
    if (openUntil !== null) return openUntil;
    const prepared = await pipeline.prepareRequest(context.view, operation);
    if (prepared.kind === "wait") return prepared.until;
    if (prepared.kind === "blocked") {
      context.execute({ type: "transition", taskId: operation.taskId, ...prepared.intent });
      return null;
    }
    const delay = this.delayOf(context.view, operation);
    const markedAt = this.options.clock.now();
    const marked = context.execute({
      type: "mark_request_sent",
      taskId: operation.taskId,
      operationId: operation.id,
      requestBytesHash: prepared.bytesHash,
      recomputed: prepared.recomputed,
      delay,
    });
    if (marked.result === "applied") return this.call(context, operation, prepared, host, markedAt);
    if (marked.result === "unavailable" || marked.result === "stale_token" || marked.result === "stale_version")
      return now + RETRY_REFUSED_MS;
    const intent = pipeline.onRefused(context.view, operation, marked);
    if (intent === null) return now + RETRY_REFUSED_MS;
    const moved = context.execute({ type: "transition", taskId: operation.taskId, ...intent });
    return moved.result === "applied" ? null : now + RETRY_REFUSED_MS;
  }

  private async call(
    context: WorkContext,
    operation: OperationRow,
    prepared: Extract<PreparedRequest, { kind: "ready" }>,
    host: string,
    markedAt: Instant,
  ): Promise<null> {
    const { clock, crash } = this.options;
    const adapter = this.options.adapterOf(operation.adapter);
    const point = `${operation.kind}.${operation.phase}`;
    const request: OutgoingRequest = {
      operationId: operation.id,
      operationKey: operation.operationKey,
      taskId: operation.taskId,
      slot: operation.slot,
      kind: operation.kind,
      phase: operation.phase,
      target: operation.target,
      remoteId: prepared.remoteId,
      bytes: prepared.bytes,
    };
    const timeout = clock.timeout(adapter.manifest.callTimeoutMs);
    this.inFlight.add(operation.id);
    try {
      crash.reach(`before-call:${point}`);
      // The process may have been stopped between the commit and here (case K5): by now somebody else may have taken the task
      // over, found nothing, and sent. What was marked stays marked, and is asked about like any other lost call.
      if (clock.now() - markedAt >= LEASE_TTL_MS) return null;
      // The executor's own signal is not passed on: a call that has left is not made safer by hanging up on it.
      const answer = await adapter.send(request, { signal: timeout.signal, now: clock.now() });
      crash.reach(`after-call:${point}`);
      this.countForBreaker(host, answer);
      this.record(context, operation, answer);
    } finally {
      timeout.cancel();
      this.inFlight.delete(operation.id);
    }
    return null;
  }

  /** Saves the answer; with an old token it is only kept as evidence and triggers a look (domain 4). */
  private record(context: WorkContext, operation: OperationRow, answer: WriteAnswer): void {
    const view = context.refresh();
    const oldToken = context.view.task.fencingToken;
    const { manifest } = this.options.adapterOf(operation.adapter);
    const attempt = view.attempts(operation.id).length;
    const at = this.options.clock.now();
    const error =
      "error" in answer
        ? toClassifiedError(manifest.errors, answer.error, {
            tool: manifest.name,
            operationId: operation.id,
            attempt,
            at,
          })
        : null;
    // A refusal that will pass ("come back later") is a proven non-start: nothing was done, and the same request may go again.
    const outcome = answer.kind === "rejected" && error?.class === "transient" ? "not_sent" : answer.kind;
    const remoteId = answer.kind === "confirmed" ? answer.remoteId : null;
    const url = answer.kind === "confirmed" ? answer.url : null;
    const firstLookAt = this.firstLookAt(view, operation, outcome, error);
    const saved = context.execute({
      type: "record_answer",
      taskId: operation.taskId,
      operationId: operation.id,
      attempt,
      outcome,
      remoteId,
      url,
      error,
      firstLookAt,
    });
    if (saved.result !== "stale_token") return;
    const late = {
      type: "keep_late_answer" as const,
      taskId: operation.taskId,
      operationId: operation.id,
      oldToken,
      outcome: answer.kind,
      remoteId,
    };
    this.options.journal.execute(late, contextOf(this.options, "system"));
  }

  /** When to ask the remote about an answer, or to send again what is proven not to have been sent; null: never. */
  private firstLookAt(
    view: TaskView,
    operation: OperationRow,
    outcome: WriteAnswer["kind"],
    error: ClassifiedError | null,
  ): Instant | null {
    const { manifest } = this.options.adapterOf(operation.adapter);
    const now = this.options.clock.now();
    if (outcome === "not_sent") return this.retryAt(view, operation, error?.retryAfterMs ?? null);
    if (outcome === "unknown") return now + manifest.query.visibilityDelayMs;
    if (outcome !== "confirmed") return null;
    // A draft that is to be published by its id is looked at by its key first: two of it stop here, unseen by any reader.
    const isDraft = operation.phase === "create" && view.operations().some((row) => isPublishingOf(row, operation));
    return isDraft ? now + manifest.query.visibilityDelayMs : lookAgainAt(view, operation, manifest, now);
  }

  /** A request_sent without a living call: the process died, slept or was taken over. Unknown, then ask. */
  interrupted(context: WorkContext, operation: OperationRow): void {
    const { manifest } = this.options.adapterOf(operation.adapter);
    const attempt = context.view.attempts(operation.id).length;
    const at = this.options.clock.now();
    // No table needed: what was interrupted after request_sent is unknown with every adapter (domain 6).
    const error: ClassifiedError = {
      phase: "after_send",
      code: "interrupted",
      httpStatus: null,
      reference: null,
      retryAfterMs: null,
      class: "unknown_outcome",
      ...ERROR_RULES.unknown_outcome,
      tool: manifest.name,
      operationId: operation.id,
      attempt,
      at,
    };
    context.execute({
      type: "record_answer",
      taskId: operation.taskId,
      operationId: operation.id,
      attempt,
      outcome: "unknown",
      remoteId: null,
      url: null,
      error,
      firstLookAt: at + manifest.query.visibilityDelayMs,
    });
  }

  private countForBreaker(host: string, answer: WriteAnswer): void {
    const lost = answer.kind === "not_sent" || answer.kind === "unknown";
    if (lost) this.options.breaker.failed(host, this.options.clock.now());
    else this.options.breaker.succeeded(host);
  }

  private retryAt(view: TaskView, operation: OperationRow, hintMs: number | null): number {
    const now = this.options.clock.now();
    const policy = view.definition.policies["general"];
    if (!policy) return now + RETRY_REFUSED_MS;
    const callsMade = view.attempts(operation.id).length;
    const input = {
      callsMade,
      hintMs,
      now,
      stepDeadlineAt: view.task.deadlineAt,
      taskCallsLeft: 1,
      random: this.options.random.next(),
    };
    const decision = decideRetry(policy, input);
    // A hint longer than our own longest wait is no leave to come earlier.
    return decision.retry ? decision.at : now + Math.max(policy.maxWaitMs, hintMs ?? 0);
  }

  /** The wait before this try as its receipt keeps it: by which policy, how long it was meant to be, and how long it was. */
  private delayOf(view: TaskView, operation: OperationRow) {
    const policy = view.definition.policies["general"];
    const attempts = view.attempts(operation.id);
    const last = attempts.at(-1);
    const isRetry = last?.outcome === "not_sent";
    return {
      policyVersion: policy?.version ?? 0,
      baseDelayMs: isRetry && policy ? baseDelayMsOf(policy, attempts.length) : 0,
      hintMs: isRetry ? this.options.journal.reader.hintMs(operation) : null,
      actualDelayMs: last?.endedAt == null ? 0 : this.options.clock.now() - last.endedAt,
    };
  }
}

const isPublishingOf = (row: OperationRow, create: OperationRow): boolean =>
  row.phase === "publish" && row.afterId === create.id;

/** After a refusal that only time can lift; the tick's own pace would do as well, this is just sooner. */
const RETRY_REFUSED_MS = 30_000;
