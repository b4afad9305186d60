import { automaticStopAt, callTimeoutMs, stepDeadlineAt } from "../../domain/deadlines";
import { type ClassifiedError, type RawError, toClassifiedError } from "../../domain/errors";
import { hasCome } from "../../domain/has-come";
import { sha256 } from "../../domain/hashing";
import { Bug, type Instant, type Sha256 } from "../../domain/ids";
import { earliest } from "../../domain/next-action";
import type { SourceConfig, SourceRead } from "../../domain/ports";
import type { StepRow } from "../../domain/records";
import { decideRetry, type RetryPolicy, TASK_CALL_BUDGET } from "../../domain/retry";
import { hostOf } from "../../engine/breaker";
import type { Work, WorkContext } from "../../engine/runtime";
import { freezeBytes } from "./frozen";
import type { BriefingPorts } from "./ports";
import type { CollectCheckpoint, SourceOrigin, SourceProgress } from "./records";

/**
 * Reads the sources, three at a time, each frozen with address, time, hash and licence before the next begins. A transient
 * failure waits in budget while others go on; what is waited for outlives a restart in the checkpoint (domain 3, 8).
 */
export function collectWork(ports: BriefingPorts): Work {
  return async (context) => {
    const configs = await ports.sources();
    const run = new CollectRun(ports, context, configs);
    if (!(await run.readDue())) return;
    run.finish();
  };
}

class CollectRun {
  private readonly policy: RetryPolicy;
  private readonly step: StepRow;
  private readonly stepDeadline: Instant;
  private readonly sources: Record<string, SourceProgress>;
  private calls = 0;
  private lost = false;

  constructor(
    private readonly ports: BriefingPorts,
    private readonly context: WorkContext,
    private readonly configs: readonly SourceConfig[],
  ) {
    const { definition, task } = context.view;
    const policy = definition.policies["sources"];
    const step = context.view.step("collecting");
    if (!policy || !step) throw new Bug("collecting without a policy or an open step");
    this.policy = policy;
    this.step = step;
    this.stepDeadline = stepDeadlineAt(task, definition.deadlines, step.startedAt, policy.stepMs);
    this.sources = startOrContinue(step, configs);
  }

  /** @returns false when the lease was lost on the way: then nothing more may be written. */
  async readDue(): Promise<boolean> {
    const now = this.context.clock.now();
    const due = this.configs.filter((config) => isDue(this.sources[config.id], now));
    const queue = [...due];
    const worker = async () => {
      for (let config = queue.shift(); config !== undefined && !this.lost; config = queue.shift())
        await this.readOne(config);
    };
    await Promise.all(Array.from({ length: this.policy.parallel }, worker));
    return !this.lost;
  }

  /** All ended: on to drafting, or blocked. Else wait for the earliest retry. */
  finish(): void {
    const { task } = this.context.view;
    const progress = Object.entries(this.sources);
    const waiting = progress.filter(([, source]) => source.state === "waiting");
    if (waiting.length > 0) {
      const retryAt = earliest(...waiting.map(([, source]) => source.nextAt));
      const scheduled = this.context.execute({
        type: "transition",
        taskId: task.id,
        event: "RetryScheduled",
        retryAt: retryAt ?? this.stepDeadline,
      });
      if (scheduled.result !== "guard_failed") return;
    }
    const missing = progress.filter(([, source]) => source.required && source.state !== "frozen");
    if (missing.length > 0 || progress.every(([, source]) => source.state !== "frozen")) {
      this.context.execute({
        type: "transition",
        taskId: task.id,
        event: "CollectBlocked",
        blockedReason: "source_missing",
        payload: {
          sources: Object.fromEntries(missing.map(([id, source]) => [id, source.errorCode ?? "waiting"])),
          sourcesInAll: progress.length,
        },
      });
      return;
    }
    const hashes = progress.flatMap(([, source]) => (source.hash === null ? [] : [source.hash])).sort();
    this.context.execute({
      type: "transition",
      taskId: task.id,
      event: "SourcesFrozen",
      evidenceRefs: hashes,
      context: {
        snapshotSetHash: sha256(hashes.join("\n")),
        sourcesFrozen: hashes.length,
        sourcesFailed: progress.filter(([, source]) => source.state === "failed").length,
      },
    });
  }

  private async readOne(config: SourceConfig): Promise<void> {
    const { clock } = this.context;
    const host = hostOf(config.url);
    const openUntil = this.ports.breaker.openUntil(host, clock.now());
    if (openUntil !== null) return this.failed(config, breakerError(openUntil - clock.now()));
    const timeout = clock.timeout(callTimeoutMs(this.policy.callTimeoutMs, clock.now(), this.stepDeadline));
    try {
      this.ports.crash.reach("before-call:source");
      const read = await this.ports.reader.read(config, { signal: timeout.signal, now: clock.now() });
      this.ports.crash.reach("after-call:source");
      this.calls += 1;
      if (read.kind === "failed") {
        this.ports.breaker.failed(host, clock.now());
        this.failed(config, read.error);
      } else {
        this.ports.breaker.succeeded(host);
        this.freeze(config, read);
      }
    } finally {
      timeout.cancel();
    }
  }

  private freeze(config: SourceConfig, read: Extract<SourceRead, { kind: "read" }>): void {
    const finalUrl = config.baseUrl ?? read.finalUrl;
    const extraction = this.ports.parser.extract({
      bytes: read.bytes,
      contentType: read.contentType,
      finalUrl,
      format: config.format,
    });
    if (extraction.kind === "unusable") {
      this.failed(config, {
        phase: "read",
        code: `unusable_${extraction.code}`,
        httpStatus: read.httpStatus,
        reference: null,
        retryAfterMs: null,
      });
      return;
    }
    const { id: sourceId, title, url, format, licence, required } = config;
    const origin: SourceOrigin = {
      sourceId,
      title,
      url,
      finalUrl,
      contentType: read.contentType,
      format,
      licence,
      required,
      fetchedAt: read.fetchedAt,
    };
    const artifact = freezeBytes(
      this.ports.blobs,
      "source-snapshot",
      read.bytes,
      read.contentType ?? "application/octet-stream",
      origin,
    );
    const progress = this.sources[sourceId] as SourceProgress;
    const frozen: SourceProgress = {
      ...progress,
      state: "frozen",
      attempts: progress.attempts + 1,
      nextAt: null,
      hash: artifact.hash as Sha256,
      fetchedAt: read.fetchedAt,
      errorCode: null,
      errorClass: null,
      items: extraction.source.items.length,
      newItems: null,
    };
    const payload = {
      sourceId,
      hash: artifact.hash,
      bytes: artifact.bytes,
      attempt: progress.attempts + 1,
      fetchedAt: read.fetchedAt,
      httpStatus: read.httpStatus,
    };
    this.save(sourceId, frozen, { type: "SourceFrozen", payload, evidenceRefs: [artifact.hash] }, [artifact]);
  }

  private failed(config: SourceConfig, raw: RawError): void {
    const { clock } = this.context;
    const progress = this.sources[config.id] as SourceProgress;
    const attempts = progress.attempts + 1;
    const where = { tool: "sources", operationId: null, attempt: attempts, at: clock.now() };
    const error = toClassifiedError(this.ports.readErrors, raw, where);
    const retry = this.retryOf(error, attempts);
    const failed: SourceProgress = {
      ...progress,
      attempts,
      state: retry === null ? "failed" : "waiting",
      nextAt: retry?.at ?? null,
      errorCode: error.code,
      errorClass: error.class,
    };
    const payload = { sourceId: config.id, error, retry };
    this.save(config.id, failed, { type: "SourceReadFailed", payload, evidenceRefs: [] }, []);
  }

  private retryOf(error: ClassifiedError, callsMade: number) {
    if (error.class !== "transient") return null;
    const { task, definition } = this.context.view;
    const decision = decideRetry(this.policy, {
      callsMade,
      hintMs: error.retryAfterMs,
      now: this.context.clock.now(),
      stepDeadlineAt: Math.min(this.stepDeadline, automaticStopAt(task, definition.deadlines)),
      taskCallsLeft: TASK_CALL_BUDGET - task.callsUsed - this.calls,
      random: this.ports.random.next(),
    });
    return decision.retry ? { ...decision, policyVersion: this.policy.version } : null;
  }

  /**
   * What is not on disk is not so: the progress counts from its commit on. Kept in memory alone it would go into the next
   * source's checkpoint without its own artifact, after a full disk for example.
   */
  private save(
    sourceId: string,
    progress: SourceProgress,
    event: { type: string; payload: Record<string, unknown>; evidenceRefs: string[] },
    artifacts: ReturnType<typeof freezeBytes>[],
  ): void {
    const sources = { ...this.sources, [sourceId]: progress };
    const checkpoint: CollectCheckpoint = { round: this.step.round, sources };
    const saved = this.context.execute({
      type: "record_step",
      taskId: this.context.view.task.id,
      step: "collecting",
      checkpoint: { ...checkpoint },
      calls: 1,
      event,
      artifacts,
    });
    if (saved.result === "applied") this.sources[sourceId] = progress;
    else this.lost = true;
  }
}

function isDue(source: SourceProgress | undefined, now: Instant): boolean {
  return source !== undefined && source.state === "waiting" && (source.nextAt === null || hasCome(source.nextAt, now));
}

const breakerError = (retryAfterMs: number): RawError => ({
  phase: "read",
  code: "breaker_open",
  httpStatus: null,
  reference: null,
  retryAfterMs,
});

/** Goes on from the checkpoint. A new round keeps what is frozen and gives what had failed its full budget again. */
function startOrContinue(step: StepRow, configs: readonly SourceConfig[]): Record<string, SourceProgress> {
  const before = step.checkpoint as Partial<CollectCheckpoint>;
  const isNewRound = before.round !== step.round;
  return Object.fromEntries(
    configs.map((config) => {
      const known = before.sources?.[config.id];
      const fresh: SourceProgress = {
        state: "waiting",
        required: config.required,
        attempts: 0,
        nextAt: null,
        hash: null,
        fetchedAt: null,
        errorCode: null,
        errorClass: null,
        items: null,
        newItems: null,
      };
      return [
        config.id,
        known === undefined || (isNewRound && known.state !== "frozen")
          ? fresh
          : { ...known, required: config.required },
      ];
    }),
  );
}
