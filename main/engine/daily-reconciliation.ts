import type { Actor } from "../domain/commands";
import { ROUND_RECORDED } from "../domain/decide/reconciliation";
import { isTerminal } from "../domain/definition";
import type { Difference } from "../domain/difference";
import type { Instant, TaskId } from "../domain/ids";
import { isReconciliationDue, RECONCILED_FOR_MS } from "../domain/reconciliation";
import type { ReconciliationResult } from "../domain/reconciliation-result";
import type { TaskRow } from "../domain/records";
import type { TaskView } from "../domain/view";
import { ReconciliationRound, type RoundOptions } from "./daily-reconciliation-round";

/** A promise of the journal's own that it does not keep, as its checker names it. */
export interface BrokenPromise {
  invariant: string;
  subject: string;
}

export interface DailyReconciliationOptions extends RoundOptions {
  /** Tasks that ended, or whose last request left, since a moment. */
  candidates(since: Instant): readonly TaskId[];
  /** The journal against itself; null where it could not be checked. */
  checkItself(): Promise<readonly BrokenPromise[] | null>;
}

/** Who wants it, and whether what was reconciled already is asked about anew. */
export interface RoundWanted {
  actor: Actor;
  isDaily: boolean;
}

/**
 * T+1 (domain 10): holds what the journal has as done against what the outside shows, one task and one question at a time.
 * It only asks. What it finds is on record per task, so that a round that died goes on with the tasks it had not come to.
 */
export class DailyReconciliation {
  private running: Promise<ReconciliationResult> | null = null;
  private position: { done: number; of: number } | null = null;
  private lastResult: ReconciliationResult | null = null;
  private isStopped = false;

  constructor(private readonly options: DailyReconciliationOptions) {}

  get progress(): { done: number; of: number } | null {
    return this.position;
  }

  /** What the newest round of this process came to. */
  get last(): ReconciliationResult | null {
    return this.lastResult;
  }

  /** One round at a time: whoever asks for one while it is under way gets that one. */
  run(wanted: RoundWanted): Promise<ReconciliationResult> {
    this.running ??= this.round(wanted).finally(() => {
      this.running = null;
      this.position = null;
    });
    return this.running;
  }

  /** The system's own round of the day. @returns false where it was cut off and has to begin again. */
  async runDaily(): Promise<boolean> {
    await this.run({ actor: "system", isDaily: true });
    return !this.isStopped;
  }

  /** Begins no further question, and waits for the one that is under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running?.catch(() => undefined);
  }

  private async round(wanted: RoundWanted): Promise<ReconciliationResult> {
    const { clock, journal } = this.options;
    const round = new ReconciliationRound(this.options, wanted.actor, () => this.isStopped);
    const tasks = this.tasks(wanted);
    const broken = tasks.length === 0 && wanted.isDaily ? null : await this.options.checkItself();
    const own = underTasks(broken ?? [], tasks);
    this.position = { done: 0, of: tasks.length };
    for (const { id } of tasks) {
      if (this.isStopped) break;
      const view = journal.reader.view(id);
      if (view !== null) await round.reconcile(view, own.get(id) ?? []);
      this.position = { done: this.position.done + 1, of: tasks.length };
    }
    this.lastResult = { at: clock.now(), ...round.result(), brokenPromises: broken?.length ?? null };
    return this.lastResult;
  }

  private tasks({ isDaily }: RoundWanted): TaskRow[] {
    const { journal, clock, candidates } = this.options;
    const now = clock.now();
    return candidates(now - RECONCILED_FOR_MS).flatMap((id) => {
      const view = journal.reader.view(id);
      const lastEffectAt = view === null ? null : lastEffect(view);
      if (view === null || lastEffectAt === null) return [];
      const lastRoundAt = view.lastEvent(ROUND_RECORDED)?.at ?? null;
      const isDue = isReconciliationDue({ lastEffectAt, lastRoundAt }, now, view.task.zone);
      return isDue || !isDaily ? [view.task] : [];
    });
  }
}

/** When the task had its last effect outside, or ended after one; null: it never had any. */
function lastEffect({ task, operations }: TaskView): Instant | null {
  const sent = operations().flatMap((row) => (row.state === "confirmed" ? [row.requestSentAt ?? 0] : []));
  if (sent.length === 0) return null;
  return Math.max(...sent, isTerminal(task.state) ? task.stateSince : 0);
}

/** What the journal's own check says, under the task that each is about; under the first where it names none of them. */
function underTasks(
  broken: readonly BrokenPromise[],
  tasks: readonly { id: TaskId; taskKey: string }[],
): ReadonlyMap<TaskId, Difference[]> {
  const found = new Map<TaskId, Difference[]>();
  for (const { invariant, subject } of broken) {
    // Keys of operations and names of places have the task's key in them.
    const task = tasks.find(({ id, taskKey }) => subject === id || subject.includes(taskKey)) ?? tasks[0];
    if (task === undefined) continue;
    const place = `${invariant} ${subject}`;
    const difference = { kind: "journal" as const, operationId: null, place, expected: "kept", found: "broken" };
    found.set(task.id, [...(found.get(task.id) ?? []), difference]);
  }
  return found;
}
