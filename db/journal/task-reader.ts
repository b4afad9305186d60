import { and, asc, desc, eq, isNull, ne, sql } from "drizzle-orm";
import type { BetterSQLite3Database } from "drizzle-orm/better-sqlite3";
import type { PipelineDefinition } from "../../main/domain/definition";
import type { OperationId, Sha256, TaskId } from "../../main/domain/ids";
import type * as records from "../../main/domain/records";
import type { TaskView } from "../../main/domain/view";
import * as schema from "../schema";

type Database = BetterSQLite3Database<typeof schema>;

/** Prepared reads of one task and what belongs to it, used inside the deciding transaction and by the engine. */
export class TaskReader {
  private readonly statements: ReturnType<typeof prepareStatements>;

  constructor(
    db: Database,
    private readonly definitions: (hash: Sha256) => PipelineDefinition,
  ) {
    this.statements = prepareStatements(db);
  }

  task(id: TaskId): records.TaskRow | null {
    return (this.statements.task.get({ id }) as records.TaskRow | undefined) ?? null;
  }

  tasksByKey(taskKey: string): records.TaskRow[] {
    return this.statements.tasksByKey.all({ taskKey }) as records.TaskRow[];
  }

  /** Raised when a backup was restored or the workspace copied (domain 5). */
  epoch(): number {
    return this.statements.state.get()?.epoch ?? 1;
  }

  liveTasks(): records.TaskRow[] {
    return this.statements.liveTasks.all() as records.TaskRow[];
  }

  /**
   * The server's hint in the answer that sent the operation back to `prepared`, in ms: read from its event, so that a restart
   * does not forget what the next attempt's receipt has to say.
   */
  hintMs({ id, taskId }: Pick<records.OperationRow, "id" | "taskId">): number | null {
    const payload = this.statements.prepared.get({ taskId, operationId: id })?.payload ?? "{}";
    const { error } = JSON.parse(payload) as { error?: { retryAfterMs?: number | null } | null };
    return error?.retryAfterMs ?? null;
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
      operations: once(() => statements.operations.all({ taskId }) as records.OperationRow[]),
      approvals: once(() => statements.approvals.all({ taskId }) as records.ApprovalRow[]),
      compensations: once(() => statements.compensations.all({ taskId }) as records.CompensationRow[]),
      recipients: once(() => statements.recipients.all({ taskId }) as records.RecipientAccountRow[]),
      artifacts: (kind) => statements.artifacts.all({ taskId, kind }) as records.ArtifactRow[],
      step: (name) => (statements.step.get({ taskId, name }) as records.StepRow | undefined) ?? null,
      attempts: (operationId: OperationId) => statements.attempts.all({ operationId }) as records.AttemptRow[],
      looks: (operationId: OperationId) => statements.looks.all({ operationId }) as records.ReconciliationRow[],
      audience: (audienceHash) =>
        (statements.audience.get({ taskId, audienceHash }) as records.AudienceSnapshotRow | undefined) ?? null,
      lastEvent: (type) => {
        const row = statements.lastEvent.get({ taskId, type });
        return row ? { seq: row.seq, taskSeq: row.taskSeq ?? 0, at: row.at } : null;
      },
      slotOperations: (slot) => statements.slot.all({ slot }) as records.OperationRow[],
      freezes: once(
        () =>
          statements.freezes
            .all()
            .filter((row) => freezesTask(row as records.IncidentRow, task)) as records.IncidentRow[],
      ),
      epoch: once(() => {
        const row = statements.state.get();
        return {
          epoch: row?.epoch ?? 1,
          reconciled: row?.epochReconciled ?? 0,
          raisedAt: statements.epochRaised.get()?.at ?? null,
        };
      }),
      suppressionVersion: () => statements.state.get()?.suppressionVersion ?? 0,
    };
  }
}

/** Whether an open incident's scope covers the task. The epoch has a guard of its own, with its own way out. */
function freezesTask(incident: records.IncidentRow, task: records.TaskRow): boolean {
  if (incident.rule === "journal_epoch") return false;
  if (incident.scope === "all") return true;
  if (incident.scope === "task") return incident.scopeValue === task.id;
  // No operation of an adapter can be told apart here: better to stand still too often than to send.
  if (incident.scope === "adapter") return true;
  const place = incident.scopeValue.slice(incident.scopeValue.indexOf(":") + 1);
  return place === task.taskKey || place.startsWith(`${task.taskKey}:`);
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

function prepareStatements(db: Database) {
  const p = (name: string) => sql.placeholder(name);
  const s = schema;
  return {
    task: db
      .select()
      .from(s.task)
      .where(eq(s.task.id, p("id")))
      .prepare(),
    tasksByKey: db
      .select()
      .from(s.task)
      .where(eq(s.task.taskKey, p("taskKey")))
      .prepare(),
    liveTasks: db
      .select()
      .from(s.task)
      .where(sql`${s.task.state} NOT IN ('succeeded', 'compensated', 'closed')`)
      .orderBy(asc(s.task.createdAt), asc(s.task.id))
      .prepare(),
    operations: db
      .select()
      .from(s.operation)
      .where(eq(s.operation.taskId, p("taskId")))
      .orderBy(asc(s.operation.preparedAt), asc(sql`rowid`))
      .prepare(),
    slot: db
      .select()
      .from(s.operation)
      .where(eq(s.operation.slot, p("slot")))
      .prepare(),
    approvals: db
      .select()
      .from(s.approval)
      .where(eq(s.approval.taskId, p("taskId")))
      .orderBy(asc(s.approval.issuedAt), asc(sql`rowid`))
      .prepare(),
    compensations: db
      .select()
      .from(s.compensation)
      .where(eq(s.compensation.taskId, p("taskId")))
      .orderBy(asc(s.compensation.position))
      .prepare(),
    recipients: db
      .select()
      .from(s.recipientAccount)
      .where(eq(s.recipientAccount.taskId, p("taskId")))
      .orderBy(asc(s.recipientAccount.recipientId))
      .prepare(),
    artifacts: db
      .select()
      .from(s.artifact)
      .where(and(eq(s.artifact.taskId, p("taskId")), eq(s.artifact.kind, p("kind"))))
      .orderBy(asc(s.artifact.at))
      .prepare(),
    step: db
      .select()
      .from(s.step)
      .where(and(eq(s.step.taskId, p("taskId")), eq(s.step.name, p("name"))))
      .orderBy(desc(s.step.round))
      .limit(1)
      .prepare(),
    attempts: db
      .select()
      .from(s.attempt)
      .where(eq(s.attempt.operationId, p("operationId")))
      .orderBy(asc(s.attempt.number))
      .prepare(),
    looks: db
      .select()
      .from(s.reconciliation)
      .where(eq(s.reconciliation.operationId, p("operationId")))
      .orderBy(asc(s.reconciliation.at), asc(sql`rowid`))
      .prepare(),
    audience: db
      .select()
      .from(s.audienceSnapshot)
      .where(and(eq(s.audienceSnapshot.taskId, p("taskId")), eq(s.audienceSnapshot.audienceHash, p("audienceHash"))))
      .prepare(),
    lastEvent: db
      .select({ seq: s.event.seq, taskSeq: s.event.taskSeq, at: s.event.at })
      .from(s.event)
      .where(and(eq(s.event.taskId, p("taskId")), eq(s.event.type, p("type"))))
      .orderBy(desc(s.event.seq))
      .limit(1)
      .prepare(),
    prepared: db
      .select({ payload: s.event.payload })
      .from(s.event)
      .where(
        and(
          eq(s.event.taskId, p("taskId")),
          eq(s.event.type, "OperationPrepared"),
          eq(s.event.operationId, p("operationId")),
        ),
      )
      .orderBy(desc(s.event.seq))
      .limit(1)
      .prepare(),
    epochRaised: db
      .select({ at: s.event.at })
      .from(s.event)
      .where(and(isNull(s.event.taskId), eq(s.event.type, "EpochRaised")))
      .orderBy(desc(s.event.seq))
      .limit(1)
      .prepare(),
    freezes: db.select().from(s.incident).where(isNull(s.incident.closedAt)).prepare(),
    state: db.select().from(s.journalState).where(ne(s.journalState.id, 0)).prepare(),
  };
}
