import { progressTold } from "../compensation-replay";
import type { CompensationProgress, CompensationRow, OperationRow, TaskRow } from "../records";
import { foldOperation, type ReplayedOperation } from "../replay";
import { type Evidence, groupBy, type Told, type Violation } from "./snapshot";

/**
 * I07, how a stack is undone (domain 9): last in first out, each step once and in its order, nothing called for an entry of which
 * nothing left, and "not needed" only where that is so. Judged from events; the rows give no more than the stack's order.
 */
export function checkStackOrder(evidence: Evidence): Violation[] {
  const stacks = groupBy(evidence.snapshot.compensations, (entry) => entry.taskId);
  return evidence.snapshot.tasks.flatMap((task) => {
    const walk = new StackWalk(task, stacks.get(task.id) ?? [], evidence.operationsOf(task.id));
    for (const event of evidence.ofTask(task.id)) walk.follow(event);
    return walk.found;
  });
}

const FINISHED: readonly CompensationProgress["state"][] = ["done", "not_needed", "closed_by_person"];

class StackWalk {
  readonly found: Violation[] = [];
  private readonly progress = new Map<string, CompensationProgress>();
  private readonly states = new Map<string, ReplayedOperation | null>();
  private readonly byId: ReadonlyMap<string, OperationRow>;

  constructor(
    private readonly task: TaskRow,
    private readonly entries: readonly CompensationRow[],
    operations: readonly OperationRow[],
  ) {
    this.byId = new Map(operations.map((row) => [row.id, row]));
  }

  follow(event: Told): void {
    const told = progressTold(event);
    if (told !== null) this.followEntry(event, told.id, told.progress);
    const operation = this.byId.get(event.operationId ?? "");
    if (!operation) return;
    if (event.type === "RequestSent" && operation.kind === "compensate") this.checkSent(event, operation);
    this.states.set(operation.id, foldOperation(this.states.get(operation.id) ?? null, event));
  }

  private followEntry(event: Told, id: string, progress: CompensationProgress): void {
    const before = this.progress.get(id);
    const stepsBefore = before?.stepsDone ?? 0;
    const expected = event.type === "CompensationStepDone" ? stepsBefore + 1 : stepsBefore;
    if (progress.stepsDone !== expected) this.say(event, `${id} is at step ${progress.stepsDone}, not ${expected}`);
    if (before && FINISHED.includes(before.state) && progress.state !== before.state)
      this.say(event, `${id} had come to its end as ${before.state}`);
    const entry = this.entries.find((row) => row.id === id);
    if (progress.state === "not_needed" && entry && this.mayHaveLeft(entry))
      this.say(event, `${entry.action} is called not needed, but what it undoes left`);
    this.progress.set(id, progress);
  }

  private checkSent(event: Told, operation: OperationRow): void {
    const own = this.entries.find((row) => row.id === operation.compensationId);
    if (!own) return;
    if (!this.forward(own).some(({ state }) => state?.state === "confirmed"))
      this.say(event, `${operation.operationKey} undoes what did not happen`);
    const above = this.entries.filter((row) => row.position > own.position && this.isUnderWay(row));
    for (const row of above) this.say(event, `${operation.operationKey} left before ${row.action} was undone`);
  }

  /** Still to be undone by itself: nobody but the program carries it on. */
  private isUnderWay(entry: CompensationRow): boolean {
    if (entry.grade === "C" || entry.grade === "D") return false;
    const state = this.progress.get(entry.id)?.state ?? "registered";
    if (FINISHED.includes(state) || state === "failed") return false;
    const forward = this.forward(entry);
    const isForPerson = forward.some(({ state: at }) => at?.state === "conflict" || at?.state === "locked");
    return !isForPerson && this.mayHaveLeft(entry);
  }

  private mayHaveLeft(entry: CompensationRow): boolean {
    return this.forward(entry).some(({ state }) => {
      if (state === null) return false;
      if (state.state === "not_found") return !state.settled;
      return !["prepared", "cancelled", "rejected"].includes(state.state);
    });
  }

  private forward(entry: CompensationRow): { state: ReplayedOperation | null }[] {
    return [...this.byId.values()]
      .filter((row) => row.compensationId === entry.id && row.kind !== "compensate")
      .map((row) => ({ state: this.states.get(row.id) ?? null }));
  }

  private say(event: Told, detail: string): void {
    this.found.push({ invariant: "I07", subject: this.task.taskKey, detail: `event ${event.seq}: ${detail}` });
  }
}
