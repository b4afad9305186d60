import type { Actor } from "../../main/domain/commands";
import type { PipelineDefinition } from "../../main/domain/definition";
import type { OperationId, Sha256, TaskId } from "../../main/domain/ids";
import { freezesTask } from "../../main/domain/incident";
import type * as records from "../../main/domain/records";
import type { TaskView } from "../../main/domain/view";
import type { Sqlite } from "../connect";
import * as schema from "../schema";
import { prepareRows } from "./table-reader";

/** Prepared reads of one task and what belongs to it, used inside the deciding transaction and by the engine. */
export class TaskReader {
  private readonly statements: ReturnType<typeof prepareStatements>;

  constructor(
    sqlite: Sqlite,
    private readonly definitions: (hash: Sha256) => PipelineDefinition,
  ) {
    this.statements = prepareStatements(sqlite);
  }

  task(id: TaskId): records.TaskRow | null {
    return this.statements.task.get(id);
  }

  tasksByKey(taskKey: string): records.TaskRow[] {
    return this.statements.tasksByKey.all(taskKey);
  }

  /** Raised when a backup was restored or the workspace copied (domain 5). */
  /** The journal was restored or copied, and not everything recent was asked about yet. */
  isEpochOpen(): boolean {
    const state = this.statements.state.get();
    return state !== null && state.epochReconciled < state.epoch;
  }

  epoch(): number {
    return this.statements.state.get()?.epoch ?? 1;
  }

  liveTasks(): records.TaskRow[] {
    return this.statements.liveTasks.all();
  }

  /**
   * The server's hint in the answer that sent the operation back to `prepared`, in ms: read from its event, so that a restart
   * does not forget what the next attempt's receipt has to say.
   */
  hintMs({ id, taskId }: Pick<records.OperationRow, "id" | "taskId">): number | null {
    const payload = this.statements.prepared.get(taskId, id)?.payload ?? "{}";
    const { error } = JSON.parse(payload) as { error?: { retryAfterMs?: number | null } | null };
    return error?.retryAfterMs ?? null;
  }

  incident(id: string): records.IncidentRow | null {
    return this.statements.incident.get(id);
  }

  /** Every incident that is not closed, of any task or none. */
  openIncidents(): records.IncidentRow[] {
    return this.statements.freezes.all();
  }

  /** Every key that was registered for signing approvals, oldest first. */
  signers(): records.SignerRow[] {
    return this.statements.signers.all();
  }

  /** The task as a decision sees it; relations are read on first use and kept for this view only. */
  view(id: TaskId): TaskView | null {
    const task = this.task(id);
    return task === null ? null : this.viewOf(task);
  }

  viewOf(task: records.TaskRow): TaskView {
    const { statements } = this;
    const once = memoize();
    const taskId = task.id;
    return {
      task,
      definition: this.definitions(task.definitionHash),
      operations: once(() => statements.operations.all(taskId)),
      approvals: once(() => statements.approvals.all(taskId)),
      compensations: once(() => statements.compensations.all(taskId)),
      recipients: once(() => statements.recipients.all(taskId)),
      recoveryItems: once(() => statements.recoveryItems.all(taskId)),
      alerts: once(() => statements.alerts.all(taskId)),
      artifacts: (kind) => statements.artifacts.all(taskId, kind),
      step: (name) => statements.step.get(taskId, name),
      attempts: (operationId: OperationId) => statements.attempts.all(operationId),
      looks: (operationId: OperationId) => statements.looks.all(operationId),
      audience: (audienceHash) => statements.audience.get(taskId, audienceHash),
      lastEvent: (type) => {
        const row = statements.lastEvent.get(taskId, type);
        return row ? { seq: row.seq, taskSeq: row.taskSeq ?? 0, at: row.at } : null;
      },
      sentSince: (operationId, seq) => statements.sentSince.get(taskId, operationId, seq)?.n ?? 0,
      lastEventOf: (operationId, type) => statements.lastEventOf.get(taskId, type, operationId) ?? null,
      slotOperations: (slot) => statements.slot.all(slot),
      freezes: once(() => statements.freezes.all().filter((row) => freezesTask(row, task))),
      epoch: once(() => {
        const row = statements.state.get();
        return {
          epoch: row?.epoch ?? 1,
          reconciled: row?.epochReconciled ?? 0,
          raisedAt: statements.epochRaised.get()?.at ?? null,
        };
      }),
      suppressionVersion: () => statements.state.get()?.suppressionVersion ?? 0,
      signers: once(() => statements.signers.all()),
      undoFailures: (since) => statements.undoFailures.get(since)?.n ?? 0,
    };
  }
}

function memoize() {
  return <T>(read: () => T): (() => T) => {
    let value: { is: T } | null = null;
    return () => {
      value ??= { is: read() };
      return value.is;
    };
  };
}

function prepareStatements(sqlite: Sqlite) {
  const s = schema;
  type Moment = Pick<records.EventRow, "seq" | "taskSeq" | "at">;
  type State = typeof schema.journalState.$inferSelect;
  return {
    task: prepareRows<records.TaskRow>(sqlite, s.task, "WHERE id = ?"),
    tasksByKey: prepareRows<records.TaskRow>(sqlite, s.task, "WHERE task_key = ?"),
    liveTasks: prepareRows<records.TaskRow>(
      sqlite,
      s.task,
      "WHERE state NOT IN ('succeeded', 'compensated', 'closed') ORDER BY created_at, id",
    ),
    operations: prepareRows<records.OperationRow>(
      sqlite,
      s.operation,
      "WHERE task_id = +? ORDER BY prepared_at, rowid",
    ),
    slot: prepareRows<records.OperationRow>(sqlite, s.operation, "WHERE slot = ?"),
    approvals: prepareRows<records.ApprovalRow>(sqlite, s.approval, "WHERE task_id = +? ORDER BY issued_at, rowid"),
    compensations: prepareRows<records.CompensationRow>(sqlite, s.compensation, "WHERE task_id = +? ORDER BY position"),
    recipients: prepareRows<records.RecipientAccountRow>(
      sqlite,
      s.recipientAccount,
      "WHERE task_id = +? ORDER BY recipient_id",
    ),
    recoveryItems: prepareRows<records.RecoveryItemRow>(
      sqlite,
      s.recoveryItem,
      "WHERE task_id = +? ORDER BY created_at, id",
    ),
    alerts: prepareRows<records.AlertRow>(sqlite, s.alert, "WHERE task_id = +? ORDER BY at, id"),
    artifacts: prepareRows<records.ArtifactRow>(sqlite, s.artifact, "WHERE task_id = +? AND kind = +? ORDER BY at"),
    step: prepareRows<records.StepRow>(sqlite, s.step, "WHERE task_id = +? AND name = +? ORDER BY round DESC LIMIT 1"),
    attempts: prepareRows<records.AttemptRow>(sqlite, s.attempt, "WHERE operation_id = +? ORDER BY number"),
    looks: prepareRows<records.ReconciliationRow>(
      sqlite,
      s.reconciliation,
      "WHERE operation_id = +? ORDER BY at, rowid",
    ),
    audience: prepareRows<records.AudienceSnapshotRow>(
      sqlite,
      s.audienceSnapshot,
      "WHERE task_id = ? AND audience_hash = ?",
    ),
    lastEvent: sqlite.prepare<[string, string], Moment>(
      "SELECT seq, task_seq AS taskSeq, at FROM event WHERE task_id = +? AND type = +? ORDER BY seq DESC LIMIT 1",
    ),
    lastEventOf: sqlite.prepare<[string, string, string], { seq: number; actor: Actor }>(
      "SELECT seq, actor FROM event WHERE task_id = +? AND type = +? AND operation_id = +? ORDER BY seq DESC LIMIT 1",
    ),
    sentSince: sqlite.prepare<[string, string, number], { n: number }>(
      "SELECT count(*) AS n FROM event WHERE task_id = +? AND type = 'RequestSent' AND operation_id = +? AND seq > ?",
    ),
    prepared: sqlite.prepare<[string, string], Pick<records.EventRow, "payload">>(
      "SELECT payload FROM event WHERE task_id = +? AND type = 'OperationPrepared' AND operation_id = +? ORDER BY seq DESC LIMIT 1",
    ),
    epochRaised: sqlite.prepare<[], Pick<Moment, "at">>(
      "SELECT at FROM event WHERE task_id IS NULL AND type = 'EpochRaised' ORDER BY seq DESC LIMIT 1",
    ),
    undoFailures: sqlite.prepare<[number], { n: number }>(
      "SELECT count(*) AS n FROM recovery_item WHERE kind = 'compensation_failed' AND created_at > ?",
    ),
    incident: prepareRows<records.IncidentRow>(sqlite, s.incident, "WHERE id = ?"),
    freezes: prepareRows<records.IncidentRow>(sqlite, s.incident, "WHERE closed_at IS NULL"),
    signers: prepareRows<records.SignerRow>(sqlite, s.signer, "WHERE position > 0 ORDER BY position"),
    state: prepareRows<State>(sqlite, s.journalState, "WHERE id <> 0"),
  };
}
