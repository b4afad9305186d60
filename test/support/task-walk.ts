import type { Applied, ExecuteResult } from "../../db/journal";
import { sandboxErrors } from "../../main/adapters/sandbox-protocol";
import type { Command, ComparedObject } from "../../main/domain/commands";
import { planHash } from "../../main/domain/compensation";
import { toClassifiedError } from "../../main/domain/errors";
import type { OperationId, TaskId } from "../../main/domain/ids";
import { holdsLease } from "../../main/domain/lease";
import type { BoundHashes, OperationPhase } from "../../main/domain/ports";
import type { LookVerdict, OperationRow } from "../../main/domain/records";
import type { TaskView } from "../../main/domain/view";
import { EDITOR, EXECUTOR, type World } from "./world";

/** One task and those who act on it, through `Journal.execute` and nothing else. */
export class TaskWalk {
  constructor(
    readonly world: World,
    readonly taskId: TaskId,
  ) {}

  view(): TaskView {
    const view = this.world.journal.reader.view(this.taskId);
    if (!view) throw new Error("the task was not created yet");
    return view;
  }

  get state(): string {
    return this.view().task.state;
  }

  /** A person's command on the task as it is now. */
  person(command: Command): Applied {
    return this.world.must(command, EDITOR, { expectedVersion: this.view().task.stateVersion });
  }

  /** Undoing starts, from the plan as it stands. */
  startCompensation(reason = "withdrawn"): void {
    const payload = { planHash: planHash(this.view().compensations()) };
    this.person({ type: "transition", taskId: this.taskId, event: "CompensationStarted", reason, payload });
  }

  /** The sweep's command, without a lease. */
  system(command: Command): Applied {
    return this.world.must(command, "system", { expectedVersion: this.view().task.stateVersion });
  }

  /** An executor's command, which claims the lease where it does not hold it. */
  executor(command: Command): Applied {
    this.claim();
    return this.world.must(command, EXECUTOR, this.standing());
  }

  /** The same where a refusal is what the test wants to see. */
  tryExecutor(command: Command): ExecuteResult {
    this.claim();
    return this.world.execute(command, EXECUTOR, this.standing());
  }

  private claim(): void {
    const { task } = this.view();
    if (holdsLease(task, EXECUTOR, task.fencingToken, this.world.now + 1_000)) return;
    this.world.must({ type: "claim_lease", taskId: this.taskId }, EXECUTOR);
  }

  private standing() {
    const { task } = this.view();
    return { expectedVersion: task.stateVersion, fencingToken: task.fencingToken };
  }

  /** The newest operation of a kind and phase. */
  operation(kind: OperationRow["kind"], phase: OperationPhase = "create"): OperationRow {
    const found = this.view()
      .operations()
      .filter((row) => row.kind === kind && row.phase === phase)
      .at(-1);
    if (!found) throw new Error(`no ${kind} ${phase} was prepared`);
    return found;
  }

  /** Marks the operation as sent, with the hashes it was bound to. */
  markSent(operation: OperationRow): void {
    const { contentHash, pageUrl, bodyHash, audienceHash } = operation;
    const recomputed: BoundHashes = { contentHash, pageUrl, bodyHash, audienceHash };
    const requestBytesHash =
      operation.requestBytesHash ?? this.world.blobs.put(new TextEncoder().encode(`request ${operation.operationKey}`));
    const delay = { policyVersion: 1, baseDelayMs: 0, hintMs: null, actualDelayMs: 0 };
    this.executor({
      type: "mark_request_sent",
      taskId: this.taskId,
      operationId: operation.id,
      requestBytesHash,
      recomputed,
      delay,
    });
  }

  /** Records what a call came to. */
  answer(
    operationId: OperationId,
    outcome: "confirmed" | "rejected" | "not_sent" | "unknown",
    more: { remoteId?: string; url?: string; code?: string; httpStatus?: number } = {},
  ): void {
    const attempt = this.view().attempts(operationId).length;
    const error =
      outcome === "confirmed"
        ? null
        : toClassifiedError(
            sandboxErrors,
            {
              phase: outcome === "not_sent" ? "before_send" : "after_send",
              code: more.code ?? "timeout",
              httpStatus: more.httpStatus ?? null,
              reference: null,
              retryAfterMs: null,
            },
            { tool: "cms-sandbox", operationId, attempt, at: this.world.now },
          );
    this.executor({
      type: "record_answer",
      taskId: this.taskId,
      operationId,
      attempt,
      outcome,
      remoteId: more.remoteId ?? null,
      url: more.url ?? null,
      error,
      firstLookAt: outcome === "unknown" ? this.world.now + 3_000 : null,
    });
  }

  /** One look at the remote: begun on record, then its verdict. */
  look(
    operationId: OperationId,
    verdict: LookVerdict,
    remote: { ids: readonly string[]; url?: string } = { ids: [] },
  ): void {
    const query = "GET /cms/posts?key=…";
    this.executor({ type: "start_look", taskId: this.taskId, operationId, query });
    const objects: ComparedObject[] = remote.ids.map((remoteId) => ({
      remoteId,
      url: remote.url ?? null,
      state: "published",
      keyEqual: true,
      intentEqual: verdict !== "conflict",
      contentEqual: verdict !== "conflict",
      taskEqual: null,
    }));
    const [first] = objects;
    const isOpen = verdict === "absent_yet" || verdict === "failed";
    this.executor({
      type: "record_look",
      taskId: this.taskId,
      operationId,
      query,
      able: verdict !== "failed" && verdict !== "locked",
      verdict,
      objects,
      chosen: first && verdict !== "duplicate" ? { remoteId: first.remoteId, url: first.url } : null,
      rawCode: verdict === "failed" ? "http_503" : null,
      nextLookAt: isOpen ? this.world.now + 5_000 : null,
      pastHorizon: verdict === "not_found",
    });
  }
}
