import { attemptedBypass, type Finding, heldByDatabase } from "../main/domain/bypass";
import { type EventDraft, sealEvent } from "../main/domain/chain";
import type { Command, CommandContext } from "../main/domain/commands";
import { decide, decideCreateTask, decideIncident, decideJournal, type JournalCommand } from "../main/domain/decide";
import type { PipelineDefinition } from "../main/domain/definition";
import { GENESIS } from "../main/domain/hashing";
import { Bug, type Sha256, type TaskId } from "../main/domain/ids";
import { type IncidentCommand, isIncidentCommand } from "../main/domain/incident-command";
import type { Decision, Plan, Refusal, Write } from "../main/domain/plan";
import { refuse } from "../main/domain/plan";
import type { CrashPoints } from "../main/domain/ports";
import type { EventRow, TaskContext, TaskRow } from "../main/domain/records";
import { unmet } from "../main/domain/unmet";
import type { TaskView } from "../main/domain/view";
import type { Sqlite, Statement, Transaction } from "./connect";
import { WriteApplier } from "./journal/apply-write";
import { Definitions, type RefusedDefinition } from "./journal/definitions";
import { TableWriter } from "./journal/table-writer";
import { TaskReader } from "./journal/task-reader";
import { isUnavailable } from "./journal/unavailable";
import { codeOf } from "./problem";
import * as schema from "./schema";

/** After the commit is on disk: where the task stands, and what was appended. */
export interface Applied {
  result: "applied";
  taskId: TaskId | null;
  state: string;
  stateVersion: number;
  fencingToken: number;
  events: readonly Pick<EventRow, "seq" | "type" | "operationId">[];
  /** The commit's name among the crash points: its first event, and the operation's kind and phase where it is about one. */
  point: string | null;
}

/** Ours, not the world's: disk full, lock, read-only. Nothing was written, so nothing may leave. */
export interface UnavailableAnswer {
  result: "unavailable";
  code: string;
}

export type ExecuteResult = Applied | Refusal | UnavailableAnswer;

/** Who decides. Always the domain: only a simulation that shows what a rule prevents gives other ones. */
export interface Rules {
  decide: typeof decide;
  decideCreateTask: typeof decideCreateTask;
  decideJournal: typeof decideJournal;
}

const DOMAIN_RULES: Rules = { decide, decideCreateTask, decideJournal };

export interface JournalOptions {
  sqlite: Sqlite;
  definitions: readonly PipelineDefinition[];
  crash: CrashPoints;
  now: () => number;
  rules?: Rules;
  /** Hears why nothing could be written. The answer says so, too; an engine without a person has nobody to read it. */
  onUnavailable?(error: unknown): void;
  /** Hears of what calls for an incident: an approval tried by nobody who may, or a write that the database alone held back. */
  onFinding?(finding: Finding): void;
  /** Where the error of a listener goes. What was committed stands, and whoever committed it goes on. */
  onListenerFault?(error: unknown): void;
}

/**
 * The journal's one handler: `execute(command)` is the only writer of tasks, operations, approvals and events (domain 4).
 * In one IMMEDIATE transaction it loads, decides, writes and appends, or leaves everything as it was.
 */
export class Journal {
  readonly reader: TaskReader;
  private readonly applier: WriteApplier;
  private readonly taskWriter: TableWriter;
  private readonly eventWriter: TableWriter;
  private readonly definitions: Definitions;
  private readonly rules: Rules;
  private readonly transaction: Transaction<Journal["inTransaction"]>;
  private readonly listeners = new Set<(applied: Applied) => void>();
  private readonly head: Statement;
  private readonly journalRow: Statement;
  private readonly suppressed: Statement;

  constructor(private readonly options: JournalOptions) {
    const { sqlite } = options;
    this.rules = options.rules ?? DOMAIN_RULES;
    this.applier = new WriteApplier(sqlite);
    this.taskWriter = new TableWriter(sqlite, schema.task);
    this.eventWriter = new TableWriter(sqlite, schema.event);
    this.head = sqlite.prepare("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1");
    this.journalRow = sqlite.prepare(
      "SELECT epoch, epoch_reconciled, suppression_version FROM journal_state WHERE id = 1",
    );
    this.suppressed = sqlite.prepare("SELECT 1 FROM suppression WHERE recipient_id = ?");
    this.definitions = new Definitions(sqlite, options.now);
    for (const definition of options.definitions) this.definitions.register(definition);
    this.reader = new TaskReader(sqlite, (hash) => this.definitions.of(hash));
    this.transaction = sqlite.transaction((command, context) => this.inTransaction(command, context));
  }

  /**
   * Carries out one command, or says why not.
   * @returns `applied` only after the commit; a refusal with every unmet condition; `unavailable` when nothing could be written.
   * @throws Bug when the database refuses what the decision allowed: a guard is missing or wrong.
   */
  execute(command: Command, context: CommandContext): ExecuteResult {
    let result: ExecuteResult;
    try {
      result = this.transaction.immediate(command, context);
    } catch (error) {
      return this.failed(error, command);
    }
    if (result.result === "applied") this.committed(result);
    const bypass = result.result === "guard_failed" ? attemptedBypass(command, context) : null;
    if (bypass !== null) this.options.onFinding?.(bypass);
    return result;
  }

  /** Listens to commits. A listener runs after the commit and may not throw. Returns the function that stops it. */
  onCommit(listener: (applied: Applied) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** The definition a task began with. @throws Bug when neither the program nor the journal has it. */
  definitionOf(hash: Sha256): PipelineDefinition {
    return this.definitions.of(hash);
  }

  /** Definitions of this program that were not taken up, and why: to be shown, since no task can begin on them (case C7). */
  get refusedDefinitions(): readonly RefusedDefinition[] {
    return this.definitions.refused;
  }

  private inTransaction(command: Command, context: CommandContext): ExecuteResult {
    const { decision, view } = this.decide(command, context);
    if (!decision.ok) {
      for (const write of decision.refusal.keep ?? []) this.applier.apply(write);
      return decision.refusal;
    }
    return this.carryOut(decision.plan, view, context);
  }

  private decide(command: Command, context: CommandContext): { decision: Decision; view: TaskView | null } {
    if (command.type === "create_task") {
      const definition = this.definitions.forNewTask(command.definitionHash);
      if (!definition)
        return {
          decision: refuse("guard_failed", unmet("definition_stale", { pipeline: command.pipeline })),
          view: null,
        };
      const decision = this.rules.decideCreateTask(
        this.reader.tasksByKey(command.taskKey),
        definition,
        command,
        context,
      );
      return { decision, view: null };
    }
    if (isJournalCommand(command))
      return { decision: this.rules.decideJournal(this.journalView(), command, context), view: null };
    if (isIncidentCommand(command)) return this.decideAboutIncident(command, context);
    const view = this.reader.view(command.taskId);
    if (!view) return notFound(command.taskId);
    return { decision: this.rules.decide(view, command, context), view };
  }

  /** An incident's events are its task's, or the journal's own where it is about none. */
  private decideAboutIncident(command: IncidentCommand, context: CommandContext) {
    const view = command.taskId === null ? null : this.reader.view(command.taskId);
    if (command.taskId !== null && view === null) return notFound(command.taskId);
    const books = {
      incident: (id: string) => this.reader.incident(id),
      open: () => this.reader.openIncidents(),
      isEpochReconciled: !this.reader.isEpochOpen(),
    };
    return { decision: decideIncident(view, books, command, context), view };
  }

  private carryOut(plan: Plan, view: TaskView | null, context: CommandContext): Applied {
    const created = plan.writes.find((write): write is Extract<Write, { table: "task" }> => write.table === "task");
    const task = created?.insert ?? view?.task ?? null;
    for (const write of plan.writes) this.applier.apply(write);
    const next = task === null ? null : { ...task, ...plan.task };
    const sealed = this.seal(plan, next, context);
    if (task !== null) this.updateTask(task, plan, sealed);
    for (const event of sealed) this.eventWriter.insert(event);
    const point = pointOf(sealed[0], view);
    if (point !== null) this.options.crash.reach(`before-commit:${point}`);
    return {
      result: "applied",
      point,
      taskId: next?.id ?? null,
      state: next?.state ?? "",
      stateVersion: next?.stateVersion ?? 0,
      fencingToken: next?.fencingToken ?? 0,
      events: sealed.map(({ seq, type, operationId }) => ({ seq, type, operationId })),
    };
  }

  /** Compare-and-set on version and token: what was decided about must still be what is there (I05). */
  private updateTask(was: TaskRow, plan: Plan, sealed: readonly EventRow[]): void {
    const last = sealed[sealed.length - 1];
    const patch: Partial<TaskRow> = { ...plan.task };
    if (last) {
      patch.taskSeq = last.taskSeq ?? was.taskSeq;
      patch.taskHead = last.hash;
      const context = foldContext(was.context, plan.events);
      if (context !== was.context) patch.context = context;
    }
    const { id, stateVersion, fencingToken } = was;
    const changes = this.taskWriter.update(patch, { id, stateVersion, fencingToken });
    if (changes !== 1) throw new Bug(`the task's compare-and-set changed ${changes} rows`);
  }

  private seal(plan: Plan, task: TaskRow | null, context: CommandContext): EventRow[] {
    const head = this.head.get() as { seq: number; hash: Sha256 } | undefined;
    let { seq, hash: prevHash } = head ?? { seq: 0, hash: GENESIS };
    let taskSeq = task?.taskSeq ?? 0;
    let taskHead = task?.taskHead ?? GENESIS;
    const fencingToken = tokenOf(plan, task, context);
    return plan.events.map((draft) => {
      seq += 1;
      taskSeq += 1;
      const event = sealEvent(draft, {
        seq,
        taskId: task?.id ?? null,
        taskSeq: task ? taskSeq : null,
        actor: context.actor,
        fencingToken,
        at: context.now,
        zone: task?.zone ?? "UTC",
        prevHash,
        taskPrevHash: task ? taskHead : null,
      });
      prevHash = event.hash;
      taskHead = event.hash;
      return event;
    });
  }

  private committed(applied: Applied): void {
    if (applied.point !== null) this.options.crash.reach(`after-commit:${applied.point}`);
    for (const listener of this.listeners) this.tell(listener, applied);
  }

  /** A monitor that breaks must not look like a commit that failed: without anybody to tell, it is a bug and thrown. */
  private tell(listener: (applied: Applied) => void, applied: Applied): void {
    const { onListenerFault } = this.options;
    if (!onListenerFault) return listener(applied);
    try {
      listener(applied);
    } catch (error) {
      onListenerFault(error);
    }
  }

  private failed(error: unknown, command: Command): UnavailableAnswer {
    if (isUnavailable(error)) {
      this.options.onUnavailable?.(error);
      return { result: "unavailable", code: codeOf(error) };
    }
    // What did not come from the database is not for us to name: a bug of our own, or a test's sudden death.
    if (!codeOf(error).startsWith("SQLITE_")) throw error;
    const text = error instanceof Error ? error.message : String(error);
    // An incident that could not be opened is not to be opened about its own opening.
    if (command.type !== "open_incident") this.options.onFinding?.(heldByDatabase(command, text));
    throw new Bug(`the database refused ${command.type}: ${text}`, { cause: error });
  }

  private journalView() {
    const row = this.journalRow.get() as { epoch: number; epoch_reconciled: number; suppression_version: number };
    return {
      epoch: row.epoch,
      epochReconciled: row.epoch_reconciled,
      suppressionVersion: row.suppression_version,
      signers: () => this.reader.signers(),
      isSuppressed: (id: string) => this.suppressed.get(id) !== undefined,
    };
  }
}

const notFound = (task: TaskId): { decision: Decision; view: null } => ({
  decision: refuse("not_found", unmet("task_not_found", { task })),
  view: null,
});

const isJournalCommand = (command: Command): command is JournalCommand =>
  command.type === "suppress_recipient" ||
  command.type === "release_recipient" ||
  command.type === "raise_epoch" ||
  command.type === "settle_epoch" ||
  command.type === "register_signer";

/**
 * An executor's events carry the token that it came with, not the one that it should have: so the database can hold the one
 * against the other (I05). A claim makes its token, and what comes too late to count is kept under the newest.
 */
function tokenOf(plan: Plan, task: TaskRow | null, context: CommandContext): number | null {
  if (!context.actor.startsWith("executor:")) return null;
  const isNewest = plan.task.fencingToken !== undefined || plan.keptFromAnyone === true;
  return (isNewest ? task?.fencingToken : context.fencingToken) ?? null;
}

function pointOf(first: EventRow | undefined, view: TaskView | null): string | null {
  if (!first) return null;
  if (first.operationId === null) return first.type;
  const operation = view?.operations().find((row) => row.id === first.operationId);
  return operation ? `${first.type}:${operation.kind}.${operation.phase}` : first.type;
}

/** The task's context is a fold over its events' patches, so that it can be derived again from the journal alone. */
export function foldContext(before: TaskContext, events: readonly Pick<EventDraft, "payload">[]): TaskContext {
  let context = before;
  for (const event of events) {
    const patch = event.payload["context"];
    if (patch && typeof patch === "object") context = { ...context, ...(patch as TaskContext) };
  }
  return context;
}
