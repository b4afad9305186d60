import { and, asc, eq, inArray, isNull, type SQL } from "drizzle-orm";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import type { TaskId } from "../main/domain/ids";
import type { JournalSnapshot } from "../main/domain/invariants";
import type {
  ApprovalRow,
  AttemptRow,
  AudienceSnapshotRow,
  CompensationRow,
  EventRow,
  OperationRow,
  RecipientAccountRow,
  ReconciliationRow,
  TaskRow,
} from "../main/domain/records";
import type { Sqlite } from "./connect";
import * as schema from "./schema";

type Orm = BetterSQLite3Database<typeof schema>;

/**
 * Reads the journal's rows as the checkers want them, in one transaction, through a read-only connection.
 * @param taskIds only these tasks and what belongs to them; absent: everything. Give all versions of a task key together, since
 * a slot belongs to the key.
 */
export function loadJournal(sqlite: Sqlite, taskIds?: readonly TaskId[]): JournalSnapshot {
  const orm = drizzle(sqlite, { schema });
  return sqlite.transaction(() => readAll(orm, taskIds))();
}

/** Every task's id by task key, keys in order of their first task: for checking a large journal a few keys at a time. */
export function listTaskKeys(sqlite: Sqlite): TaskId[][] {
  const rows = sqlite
    .prepare<[], [string, string]>("SELECT task_key, id FROM task ORDER BY created_at, id")
    .raw()
    .all();
  const keys = new Map<string, TaskId[]>();
  for (const [key, id] of rows) keys.set(key, [...(keys.get(key) ?? []), id as TaskId]);
  return [...keys.values()];
}

/**
 * The columns are held against the row types by a test; SQLite gives plain strings where the types name closed sets, and what
 * is outside of them is for the checkers to find.
 */
function readAll(orm: Orm, taskIds: readonly TaskId[] | undefined): JournalSnapshot {
  type Column = Parameters<typeof inArray>[0];
  const ofTasks = (column: Column): SQL | undefined => (taskIds ? inArray(column, [...taskIds]) : undefined);
  const { task, event, operation, attempt, approval, compensation, reconciliation } = schema;
  const { audienceSnapshot, recipientAccount } = schema;
  return {
    isWhole: taskIds === undefined,
    registrations: orm
      .select()
      .from(event)
      .where(and(isNull(event.taskId), eq(event.type, "SignerRegistered")))
      .orderBy(asc(event.seq))
      .all() as EventRow[],
    tasks: orm
      .select()
      .from(task)
      .where(ofTasks(task.id))
      .orderBy(asc(task.createdAt), asc(task.id))
      .all() as TaskRow[],
    events: orm.select().from(event).where(ofTasks(event.taskId)).orderBy(asc(event.seq)).all() as EventRow[],
    operations: orm
      .select()
      .from(operation)
      .where(ofTasks(operation.taskId))
      .orderBy(asc(operation.preparedAt), asc(operation.id))
      .all() as OperationRow[],
    attempts: orm.select().from(attempt).where(ofTasks(attempt.taskId)).all() as AttemptRow[],
    approvals: orm
      .select()
      .from(approval)
      .where(ofTasks(approval.taskId))
      .orderBy(asc(approval.issuedAt))
      .all() as ApprovalRow[],
    compensations: orm.select().from(compensation).where(ofTasks(compensation.taskId)).all() as CompensationRow[],
    reconciliations: orm
      .select()
      .from(reconciliation)
      .where(ofTasks(reconciliation.taskId))
      .orderBy(asc(reconciliation.at))
      .all() as ReconciliationRow[],
    audiences: orm
      .select()
      .from(audienceSnapshot)
      .where(ofTasks(audienceSnapshot.taskId))
      .all() as AudienceSnapshotRow[],
    recipients: orm
      .select()
      .from(recipientAccount)
      .where(ofTasks(recipientAccount.taskId))
      .all() as RecipientAccountRow[],
  };
}
