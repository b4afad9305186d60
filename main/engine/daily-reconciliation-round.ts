import type { ExecuteResult, Journal } from "../../db/journal";
import type { Actor, Command, NewArtifact } from "../domain/commands";
import type { Difference } from "../domain/difference";
import { objectToAskFor } from "../domain/look";
import type { Clock, LookAnswer, TrustedTime, WriteAdapter } from "../domain/ports";
import { judgeConfirmed } from "../domain/reconciliation";
import type { ReconciliationResult } from "../domain/reconciliation-result";
import type { OperationRow } from "../domain/records";
import { standingOf } from "../domain/standing";
import type { TaskView } from "../domain/view";
import { type Breaker, hostOf } from "./breaker";
import type { OutsideQuestion } from "./outside-reading";
import { contextOf, type PipelineRuntime } from "./runtime";

export interface RoundOptions {
  journal: Journal;
  clock: Clock;
  trusted: TrustedTime;
  breaker: Breaker;
  pipelineOf(name: string): PipelineRuntime;
  adapterOf(name: string): WriteAdapter;
}

/** One layer, one budget (domain 8): more than a busy week asks, and little enough to bother no remote. */
const CALLS_PER_ROUND = 300;

/** What is found out about one task, until it is on record. */
interface Findings {
  looked: number;
  different: number;
  notAsked: number;
  differences: Difference[];
  artifacts: NewArtifact[];
  evidenceRefs: string[];
  unreachable: Set<string>;
}

/** The tasks of one round, each asked about as a whole and put on record at once. */
export class ReconciliationRound {
  private calls = 0;
  private tasks = 0;
  private checked = 0;
  private differences = 0;
  private putOff = 0;
  /** A host that gave no answer is left alone for the rest of the round. */
  private readonly silent = new Set<string>();

  constructor(
    private readonly options: RoundOptions,
    private readonly actor: Actor,
    private readonly isStopped: () => boolean,
  ) {}

  result(): Omit<ReconciliationResult, "at" | "brokenPromises"> {
    const { tasks, checked, differences, putOff, silent } = this;
    return { tasks, checked, differences, putOff, unreachable: [...silent].sort() };
  }

  /**
   * Asks everything about one task, then records it at once: after a stop or a death in between it is asked about anew.
   * @param own what the journal's own check says about it
   */
  async reconcile(view: TaskView, own: readonly Difference[]): Promise<void> {
    const found: Findings = {
      ...{ looked: 0, different: 0, notAsked: 0, differences: [], artifacts: [], evidenceRefs: [] },
      unreachable: new Set(),
    };
    const lost = new Set<string>();
    for (const operation of view.operations().filter((row) => row.state === "confirmed")) {
      if (!this.mayAsk()) return this.leave();
      // What is gone was said once; that its later phases are gone with it says nothing more.
      if (!lost.has(operation.slot)) await this.askAbout(view, operation, found);
      if (found.differences.some(({ kind, place }) => kind === "missing" && place === operation.slot))
        lost.add(operation.slot);
    }
    for (const question of this.options.pipelineOf(view.task.pipeline).outside?.(view) ?? []) {
      if (!this.mayAsk()) return this.leave();
      await this.read(question, found);
    }
    found.differences.push(...own);
    this.record(view, found);
  }

  private mayAsk(): boolean {
    return !this.isStopped() && this.calls < CALLS_PER_ROUND;
  }

  private leave(): void {
    this.putOff += 1;
  }

  private async askAbout(view: TaskView, operation: OperationRow, found: Findings): Promise<void> {
    const adapter = this.options.adapterOf(operation.adapter);
    const { reliable, horizonMs } = adapter.manifest.query;
    const isYoung = this.options.clock.now() < (operation.requestSentAt ?? 0) + horizonMs;
    if (!reliable || isYoung) {
      found.notAsked += 1;
      return;
    }
    const host = hostOf(operation.target);
    if (!this.isOpen(host, found)) return;
    const { id: operationId, taskId, looksUsed, operationKey, nextLookAt } = operation;
    const query = `key=${operationKey}`;
    const started = this.execute({ type: "start_look", taskId, operationId, query });
    if (started.result !== "applied") return;
    const createKey = this.options.pipelineOf(view.task.pipeline).createKeyOf(view, operation);
    const answer = await this.look(view, operation, createKey, adapter);
    const about = { type: "record_look" as const, taskId, operationId, query: answer.query, look: looksUsed + 1 };
    // A look that is due besides stays due.
    const rest = { nextLookAt, pastHorizon: false };
    if (answer.kind === "failed" || !answer.able) {
      const rawCode = answer.kind === "failed" ? answer.error.code : "not_able_to_see";
      this.execute({ ...about, ...rest, able: false, verdict: "failed", objects: [], chosen: null, rawCode });
      return this.fellSilent(host, found);
    }
    this.options.breaker.succeeded(host);
    const place = view.slotOperations(operation.slot);
    const ownKeys = new Set(place.map((row) => row.operationKey));
    const { differences, ...judged } = judgeConfirmed(
      { operation, createKey, standing: standingOf(place), ownKeys },
      answer.objects,
    );
    this.execute({ ...about, ...rest, ...judged, able: true, rawCode: null });
    this.heard(found, differences);
  }

  private async look(
    view: TaskView,
    operation: OperationRow,
    createKey: string,
    adapter: WriteAdapter,
  ): Promise<LookAnswer> {
    const { clock } = this.options;
    const { operationKey, slot, phase, target } = operation;
    const remoteId = objectToAskFor(view, operation);
    const timeout = clock.timeout(adapter.manifest.callTimeoutMs);
    this.calls += 1;
    try {
      return await adapter.look(
        { operationKey, createKey, slot, phase, remoteId, target },
        { signal: timeout.signal, now: clock.now() },
      );
    } finally {
      timeout.cancel();
    }
  }

  private async read(question: OutsideQuestion, found: Findings): Promise<void> {
    const host = hostOf(question.target);
    if (!this.isOpen(host, found)) return;
    this.calls += 1;
    const reading = await question.read();
    if (reading.kind === "failed") return this.fellSilent(host, found);
    found.artifacts.push(...reading.artifacts);
    found.evidenceRefs.push(...reading.evidenceRefs);
    this.heard(found, reading.differences);
  }

  private isOpen(host: string, found: Findings): boolean {
    const isHeldBack = this.options.breaker.openUntil(host, this.options.clock.now()) !== null;
    if (isHeldBack) this.silent.add(host);
    if (this.silent.has(host)) found.unreachable.add(host);
    return !this.silent.has(host);
  }

  private fellSilent(host: string, found: Findings): void {
    this.silent.add(host);
    found.unreachable.add(host);
  }

  private heard(found: Findings, differences: readonly Difference[]): void {
    found.looked += 1;
    if (differences.length > 0) found.different += 1;
    found.differences.push(...differences);
  }

  private record({ task }: TaskView, found: Findings): void {
    const { unreachable, ...counted } = found;
    const recorded = this.execute({
      type: "record_round",
      taskId: task.id,
      ...counted,
      unreachable: [...unreachable].sort(),
    });
    if (recorded.result !== "applied") return this.leave();
    this.tasks += 1;
    this.checked += found.looked;
    this.differences += found.differences.length;
    if (unreachable.size > 0) this.leave();
  }

  private execute(command: Command): ExecuteResult {
    return this.options.journal.execute(command, contextOf(this.options, this.actor));
  }
}
