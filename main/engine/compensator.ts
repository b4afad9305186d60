import type { UndoOutcome } from "../domain/commands";
import { type EntryNeed, entryInTurn } from "../domain/compensation-need";
import type { CompensationStep } from "../domain/compensation-step";
import { PRECONDITION_CHANGED, UNDO_FAILURES_SPENT } from "../domain/decide/compensation-writes";
import { classify, type ErrorClass, type RawError } from "../domain/errors";
import { assertNever, type CompensationId, type Instant } from "../domain/ids";
import type { CompensationRow, OperationRow } from "../domain/records";
import { decideRetry } from "../domain/retry";
import { looksSincePrepared, type TaskView } from "../domain/view";
import type { Outbox } from "./outbox";
import type { EngineOptions, PipelineRuntime, UndoAsked, UndoProof, WorkContext } from "./runtime";

/** After a definite no of these classes another try would come to the same: a person is needed first. */
const NO_SECOND_TRY: readonly (ErrorClass | null)[] = ["auth", "permanent_input", "invariant_violation"];

/**
 * Carries one entry of the undo stack one step further (domain 9). It decides nothing: what an entry needs is the domain's
 * answer, what the remote has is the pipeline's, and the call goes through the same outbox as every other. Dying at any point
 * leaves the entry at the step it was at, with what is known about its call.
 */
export class Compensator {
  constructor(
    private readonly options: EngineOptions,
    private readonly outbox: Outbox,
  ) {}

  /** @returns the moment to come back when nothing could be done now; null when something was written. */
  async undo(context: WorkContext, id: CompensationId, pipeline: PipelineRuntime): Promise<Instant | null> {
    const turn = entryInTurn(context.view, this.options.clock.now());
    // Somebody was quicker: the next question is asked of the task as it is now.
    if (turn === null || turn.entry.id !== id) return null;
    const { entry, need } = turn;
    const about = { taskId: entry.taskId, compensationId: entry.id };
    switch (need.kind) {
      case "skip":
        context.execute({ type: "skip_compensation", ...about });
        return null;
      case "hand_over":
        context.execute({ type: "hand_over_compensation", ...about });
        return null;
      case "withhold":
        record(context, entry, tryFailed({ code: UNDO_FAILURES_SPENT, class: null, isFinal: true }), {});
        return null;
      case "call":
        return this.call(context, entry, need, pipeline);
      case "judge":
        this.judge(context, entry, need.operation);
        return null;
      case "confirmed":
        record(context, entry, { kind: "done", how: "confirmed" }, receiptOf(need.operation));
        return null;
      case "prove":
        await this.prove(context, entry, need.step, pipeline);
        return null;
      case "nothing":
      case "person":
      case "wait":
      case "look":
        return null;
      default:
        return assertNever(need, "need of an undo entry");
    }
  }

  /** The precondition is asked of the remote right before the call; what it came to is on record either way. */
  private async call(
    context: WorkContext,
    entry: CompensationRow,
    need: Extract<EntryNeed, { kind: "call" }>,
    pipeline: PipelineRuntime,
  ): Promise<Instant | null> {
    const asked = await this.ask(context, entry, need.step, pipeline);
    switch (asked.kind) {
      case "wait":
        return asked.until;
      case "reached":
        record(context, entry, { kind: "done", how: "already_there" }, asked.seen);
        return null;
      case "changed":
        record(
          context,
          entry,
          tryFailed({ code: PRECONDITION_CHANGED, class: "business_conflict", isFinal: true }),
          asked.seen,
        );
        return null;
      case "failed": {
        const adapter = need.operation?.adapter ?? entry.service;
        const cls = classify(this.options.adapterOf(adapter).manifest.errors, asked.error);
        record(context, entry, this.tryAgain(context.view, entry, asked.error, cls), { code: asked.error.code });
        return null;
      }
      case "holds":
        return this.send(context, entry, need, asked, pipeline);
      default:
        return assertNever(asked, "answer about a precondition");
    }
  }

  private async ask(context: WorkContext, entry: CompensationRow, step: CompensationStep, pipeline: PipelineRuntime) {
    const { crash } = this.options;
    crash.reach(`before-call:compensate.ask.${step.name}`);
    const asked = await pipeline.undo.ask(context.view, entry, step);
    crash.reach(`after-call:compensate.ask.${step.name}`);
    return asked;
  }

  /** Prepared first, as every call is; then through the outbox, which marks it before the bytes leave. */
  private async send(
    context: WorkContext,
    entry: CompensationRow,
    need: Extract<EntryNeed, { kind: "call" }>,
    asked: Extract<UndoAsked, { kind: "holds" }>,
    pipeline: PipelineRuntime,
  ): Promise<Instant | null> {
    const known = need.operation;
    const isToBeMade = known === null || known.state === "rejected" || known.state === "cancelled";
    if (isToBeMade) {
      const { taskId, id: compensationId } = entry;
      const operation = { ...asked.intent, undoes: { compensationId, forwardId: asked.forwardId } };
      const { seen } = asked;
      const prepared = context.execute({ type: "prepare_compensation", taskId, compensationId, operation, seen });
      if (prepared.result !== "applied") return null;
    }
    const view = context.refresh();
    const turn = entryInTurn(view, this.options.clock.now());
    const operation = turn?.entry.id === entry.id && turn.need.kind === "call" ? turn.need.operation : null;
    if (operation === null) return null;
    if (looksSincePrepared(view, operation).at(-1)?.verdict === "conflict") {
      // The remote knows of this very undo, and yet what it was to undo is there again: somebody has to look.
      record({ ...context, view }, entry, CONFLICTING, receiptOf(operation));
      return null;
    }
    const prepareRequest = async () => asked.requestFor(operation);
    return this.outbox.send({ ...context, view }, operation, { ...pipeline, prepareRequest });
  }

  /** A call came to nothing: refused, never left, or proven absent. Counted once, then tried again in its time or given up. */
  private judge(context: WorkContext, entry: CompensationRow, operation: OperationRow): void {
    const { view } = context;
    const attempts = view.attempts(operation.id);
    const isCounted = attempts.length <= entry.callsJudged;
    const isStuck = operation.state === "conflict" || operation.state === "locked" || isCounted;
    if (isStuck) {
      // No look settles it any more: a person's verdict comes first (domain 6).
      const code = operation.state === "conflict" ? "outcome_conflict" : "outcome_locked";
      record(context, entry, tryFailed({ code, class: "unknown_outcome", isFinal: true }), receiptOf(operation));
      return;
    }
    const last = attempts.at(-1);
    const code = operation.state === "not_found" ? "lost" : (last?.rawCode ?? "rejected");
    const cls = last?.errorClass ?? null;
    const isFinal = NO_SECOND_TRY.includes(cls);
    // Where the outbox sent the call back, the server's own hint is in its time already.
    const nextAt = isFinal ? null : (operation.nextLookAt ?? this.nextTryAt(view, entry, null));
    record(context, entry, { ...tryFailed({ code, class: cls, isFinal }), nextAt }, receiptOf(operation));
  }

  /** One look at whether the step's promise holds for everybody. A stale cache is waited out at the probe's pace. */
  private async prove(
    context: WorkContext,
    entry: CompensationRow,
    step: CompensationStep,
    pipeline: PipelineRuntime,
  ): Promise<void> {
    const { crash } = this.options;
    crash.reach(`before-call:compensate.prove.${step.name}`);
    const proof = await pipeline.undo.prove(context.view, entry, step);
    crash.reach(`after-call:compensate.prove.${step.name}`);
    const outcome: UndoOutcome =
      proof.kind === "proved"
        ? { kind: "done", how: "proved" }
        : { ...tryFailed({ code: proof.code, class: proof.class, isFinal: false }), nextAt: proof.nextAt };
    record(context, entry, outcome, proof.seen, proof);
  }

  private tryAgain(view: TaskView, entry: CompensationRow, error: RawError, cls: ErrorClass): UndoOutcome {
    const isFinal = NO_SECOND_TRY.includes(cls);
    const nextAt = isFinal ? null : this.nextTryAt(view, entry, error.retryAfterMs);
    return { ...tryFailed({ code: error.code, class: cls, isFinal }), nextAt };
  }

  /** The general policy's waits, whatever the deadline: what is wrong in public is put right also after it. */
  private nextTryAt(view: TaskView, entry: CompensationRow, hintMs: number | null): Instant | null {
    const now = this.options.clock.now();
    const policy = view.definition.policies["general"];
    if (!policy) return null;
    const decision = decideRetry(policy, {
      callsMade: entry.attempts + 1,
      hintMs,
      now,
      stepDeadlineAt: Number.MAX_SAFE_INTEGER,
      taskCallsLeft: 1,
      random: this.options.random.next(),
    });
    return decision.retry ? decision.at : null;
  }
}

type Failed = Extract<UndoOutcome, { kind: "try_failed" }>;

const tryFailed = (failure: Pick<Failed, "code" | "class" | "isFinal">): Failed => ({
  kind: "try_failed",
  nextAt: null,
  ...failure,
});

const CONFLICTING = tryFailed({ code: "outcome_conflict", class: "business_conflict", isFinal: true });

function record(
  context: WorkContext,
  entry: CompensationRow,
  outcome: UndoOutcome,
  payload: Readonly<Record<string, unknown>>,
  proof: Pick<UndoProof, "artifacts" | "evidenceRefs" | "calls"> = { artifacts: [], evidenceRefs: [], calls: 0 },
): void {
  const { artifacts, evidenceRefs, calls } = proof;
  const about = { taskId: entry.taskId, compensationId: entry.id, step: entry.stepsDone };
  context.execute({ type: "record_compensation", ...about, outcome, payload, artifacts, evidenceRefs, calls });
}

const receiptOf = ({ operationKey, state, remoteId }: OperationRow) => ({ operationKey, operation: state, remoteId });
