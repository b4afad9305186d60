import type { ExecuteResult } from "../../db/journal";
import type { Command } from "../domain/commands";
import { isReconciled } from "../domain/epoch";
import { Bug, type Instant, type OperationId, type TaskId } from "../domain/ids";
import { HEARTBEAT_MS, holdsLease, isLeaseFree } from "../domain/lease";
import { type Action, earliest, nextAction } from "../domain/next-action";
import type { TaskView } from "../domain/view";
import { Compensator } from "./compensator";
import { Outbox } from "./outbox";
import { Reconciler } from "./reconciler";
import { contextOf, type EngineOptions, type PipelineRuntime, type WorkContext } from "./runtime";

/** A wait longer than this is no reason to keep a task from others; a shorter one is heartbeaten through. */
const KEEP_LEASE_FOR_MS = 5 * 60_000;
/** When something did not move although it should have: look again at the tick's pace instead of spinning. */
const STALLED_MS = 30_000;
/** Why a heartbeat ends; named, so that no error with a stack is made at every action. */
const DONE = "done";

/**
 * Carries tasks forward: asks for the next action, does it, asks again, until there is something to wait for. It knows no
 * pipeline and no Electron. Several executors on one journal are safe together: leases and tokens decide (domain 5).
 */
export class Executor {
  readonly actor: `executor:${string}`;
  readonly outbox: Outbox;
  private readonly reconciler: Reconciler;
  private readonly compensator: Compensator;
  private readonly running = new Map<TaskId, Promise<Instant | null>>();
  private readonly waits = new Map<TaskId, { until: Instant | null; state: string }>();
  private stopping = false;

  constructor(private readonly options: EngineOptions) {
    this.actor = `executor:${options.executorId}`;
    this.outbox = new Outbox(options);
    this.reconciler = new Reconciler(options);
    this.compensator = new Compensator(options, this.outbox);
  }

  /**
   * Runs every live task until it waits.
   * @returns the earliest moment at which something is due by itself, or null when only a person or a commit moves anything.
   */
  async runOnce(): Promise<Instant | null> {
    const tasks = this.options.journal.reader.liveTasks();
    this.forgetAllBut(new Set(tasks.map(({ id }) => id)));
    const waits = await Promise.all(tasks.map((task) => this.runTask(task.id)));
    return this.settleEpoch() ? this.runOnce() : earliest(...waits);
  }

  /** Lets a restored journal go on once everything that lives in it was asked about (domain 5). @returns whether it did. */
  private settleEpoch(): boolean {
    const { journal } = this.options;
    if (this.stopping || !journal.reader.isEpochOpen()) return false;
    if (!journal.reader.liveTasks().every((task) => isReconciled(this.viewOf(task.id)))) return false;
    return journal.execute({ type: "settle_epoch" }, contextOf(this.options, "system")).result === "applied";
  }

  /** A task that a person or another executor brought to its end waits for nothing here either. */
  private forgetAllBut(live: ReadonlySet<TaskId>): void {
    for (const taskId of this.waits.keys()) if (!live.has(taskId)) this.waits.delete(taskId);
  }

  /** What each live task was last found to wait for; tasks under way are not among them. */
  get waiting(): ReadonlyMap<TaskId, { until: Instant | null; state: string }> {
    return this.waits;
  }

  get isBusy(): boolean {
    return this.running.size > 0;
  }

  /** Stops before the next action; a call in flight is waited for by the caller, or becomes unknown at the next start. */
  stop(): void {
    this.stopping = true;
  }

  /** Gives back every lease this executor holds, so that the next start need not wait for it to run out. */
  releaseAll(): void {
    for (const task of this.options.journal.reader.liveTasks()) {
      if (!holdsLease(task, this.actor, task.fencingToken, this.options.clock.now())) continue;
      this.options.journal.execute(
        { type: "release_lease", taskId: task.id },
        contextOf(this.options, this.actor, { fencingToken: task.fencingToken }),
      );
    }
  }

  get callsInFlight(): ReadonlySet<OperationId> {
    return this.outbox.inFlight;
  }

  private runTask(taskId: TaskId): Promise<Instant | null> {
    const known = this.running.get(taskId);
    if (known) return known;
    this.waits.delete(taskId);
    const run = this.loop(taskId).finally(() => this.running.delete(taskId));
    this.running.set(taskId, run);
    return run;
  }

  private async loop(taskId: TaskId): Promise<Instant | null> {
    while (!this.stopping) {
      const view = this.viewOf(taskId);
      const pipeline = this.options.pipelineOf(view.task.pipeline);
      const action = this.next(view, pipeline);
      if (action.do === "wait") {
        this.waits.set(taskId, { until: action.until, state: view.task.state });
        return this.settle(view, action.until);
      }
      const blockedUntil = await this.act(view, pipeline, action);
      if (blockedUntil !== null) {
        this.waits.set(taskId, { until: blockedUntil, state: view.task.state });
        // Also while a host is left alone the lease is kept alive or given back: left to run out it would look like a death.
        return this.settle(this.viewOf(taskId), blockedUntil);
      }
      if (this.viewOf(taskId).task.taskSeq === view.task.taskSeq) return this.options.clock.now() + STALLED_MS;
    }
    return null;
  }

  private next(view: TaskView, pipeline: PipelineRuntime): Action {
    const now = this.options.clock.now();
    const trustedAt = this.options.trusted.read().at;
    return nextAction(view, { now, trustedAt, inFlight: this.outbox.inFlight }, pipeline.next);
  }

  /** @returns a moment to come back at, or null to go on asking. */
  private async act(
    view: TaskView,
    pipeline: PipelineRuntime,
    action: Exclude<Action, { do: "wait" }>,
  ): Promise<Instant | null> {
    const swept = commandOfSystem(view, action);
    if (swept !== null) {
      this.options.journal.execute(
        swept,
        contextOf(this.options, "system", { expectedVersion: view.task.stateVersion }),
      );
      return null;
    }
    const claimed = this.claim(view);
    if (claimed !== null) return claimed;
    const held = this.viewOf(view.task.id);
    // The claim may have changed what is next: what a lost executor had prepared is looked up first.
    const fresh = this.next(held, pipeline);
    if (fresh.do === "wait" || fresh.do === "escalate") return null;
    return this.withHeartbeat(held, (context) => this.perform(context, pipeline, fresh));
  }

  private async perform(
    context: WorkContext,
    pipeline: PipelineRuntime,
    action: Exclude<Action, { do: "wait" | "escalate" }>,
  ): Promise<Instant | null> {
    const { view } = context;
    switch (action.do) {
      case "transition":
        context.execute({ type: "transition", taskId: view.task.id, ...action.intent });
        return null;
      case "work": {
        const work = pipeline.works[action.work];
        if (!work) throw new Bug(`the pipeline ${view.task.pipeline} has no work named ${action.work}`);
        await work(context);
        return null;
      }
      case "send":
        return this.outbox.send(context, operationOf(view, action.operationId), pipeline);
      case "interrupted":
        this.outbox.interrupted(context, operationOf(view, action.operationId));
        return null;
      case "undo":
        return this.compensator.undo(context, action.compensationId, pipeline);
      case "look":
        await this.reconciler.look(context, operationOf(view, action.operationId), pipeline);
        return null;
    }
  }

  /** @returns null when the lease is ours, else the moment it may be free. */
  private claim(view: TaskView): Instant | null {
    const { task } = view;
    const now = this.options.clock.now();
    if (holdsLease(task, this.actor, task.fencingToken, now)) return this.prolong(task, now);
    if (!isLeaseFree(task, now)) return task.leaseExpiresAt;
    const claimed = this.options.journal.execute(
      { type: "claim_lease", taskId: task.id },
      contextOf(this.options, this.actor),
    );
    return claimed.result === "applied" ? null : now + STALLED_MS;
  }

  /**
   * What is begun now may last as long as a lease: it must not begin at the end of one, or somebody else would take the task
   * over in the middle of a call.
   */
  private prolong(task: TaskView["task"], now: Instant): Instant | null {
    if (now < (task.lastHeartbeatAt ?? 0) + HEARTBEAT_MS) return null;
    const beaten = this.options.journal.execute(
      { type: "heartbeat", taskId: task.id },
      contextOf(this.options, this.actor, { fencingToken: task.fencingToken }),
    );
    return beaten.result === "applied" ? null : now + STALLED_MS;
  }

  /** Works under a living lease: renewed while it takes, and told to stop when the lease is lost. */
  private async withHeartbeat<T>(view: TaskView, run: (context: WorkContext) => Promise<T>): Promise<T> {
    const lost = new AbortController();
    const done = new AbortController();
    const token = view.task.fencingToken;
    const beat = this.beat(view.task.id, token, done.signal, lost);
    try {
      return await run(this.workContext(view, token, lost.signal));
    } finally {
      done.abort(DONE);
      await beat;
    }
  }

  private async beat(taskId: TaskId, token: number, done: AbortSignal, lost: AbortController): Promise<void> {
    while (!done.aborted) {
      await this.options.clock.sleep(HEARTBEAT_MS, done);
      if (done.aborted) return;
      const answer = this.options.journal.execute(
        { type: "heartbeat", taskId },
        contextOf(this.options, this.actor, { fencingToken: token }),
      );
      if (answer.result === "stale_token") return lost.abort();
    }
  }

  private workContext(view: TaskView, token: number, signal: AbortSignal): WorkContext {
    let version = view.task.stateVersion;
    const execute = (command: Command): ExecuteResult => {
      const answer = this.options.journal.execute(
        command,
        contextOf(this.options, this.actor, { expectedVersion: version, fencingToken: token }),
      );
      if (answer.result === "applied") version = answer.stateVersion;
      return answer;
    };
    return { view, signal, clock: this.options.clock, execute, refresh: () => this.viewOf(view.task.id) };
  }

  /** Nothing to do until then: a long wait gives the task back, a short one keeps it alive. */
  private settle(view: TaskView, until: Instant | null): Instant | null {
    const { task } = view;
    const now = this.options.clock.now();
    if (!holdsLease(task, this.actor, task.fencingToken, now)) return until;
    const context = contextOf(this.options, this.actor, { fencingToken: task.fencingToken });
    if (until === null || until - now > KEEP_LEASE_FOR_MS) {
      this.options.journal.execute({ type: "release_lease", taskId: task.id }, context);
      return until;
    }
    const due = (task.lastHeartbeatAt ?? 0) + HEARTBEAT_MS;
    if (now >= due) this.options.journal.execute({ type: "heartbeat", taskId: task.id }, context);
    return earliest(until, Math.max(due, now + 1));
  }

  private viewOf(taskId: TaskId): TaskView {
    const view = this.options.journal.reader.view(taskId);
    if (!view) throw new Bug(`task ${taskId} is gone`);
    return view;
  }
}

/** What needs no lease: the sweep of what has run out. */
function commandOfSystem({ task }: TaskView, action: Action): Command | null {
  if (action.do === "escalate") return { type: "escalate_blocked", taskId: task.id };
  if (action.do !== "transition" || action.as !== "system") return null;
  return { type: "transition", taskId: task.id, ...action.intent };
}

function operationOf(view: TaskView, id: OperationId) {
  const operation = view.operations().find((row) => row.id === id);
  if (!operation) throw new Bug(`operation ${id} is gone`);
  return operation;
}
