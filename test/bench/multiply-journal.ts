import type { Sqlite } from "../../db/open";

/**
 * Copies all tasks, operations and events so many times, each copy some time earlier than the one before. Nothing judges them: they
 * are only read.
 */
export function multiplyJournal(sqlite: Sqlite, copies: number, stepMs: number): void {
  const names = (type: string) =>
    sqlite.prepare<[string], string>("SELECT name FROM sqlite_schema WHERE type = ?").pluck().all(type);
  sqlite.pragma("foreign_keys = OFF");
  for (const trigger of names("trigger")) sqlite.exec(`DROP TRIGGER "${trigger}"`);
  const last = (table: string) => Number(sqlite.prepare(`SELECT max(rowid) FROM ${table}`).pluck().get());
  const [own, tasks, operations] = [last("event"), last("task"), last("operation")];
  sqlite.transaction(() => {
    for (let copy = 1; copy <= copies; copy += 1) {
      const renamed = (column: string) => `${column} || '-${copy}'`;
      const fresh = "lower(hex(randomblob(32)))";
      const at = `at - ${copy * stepMs}`;
      const since = `created_at - ${copy * stepMs}`;
      copyRows(
        sqlite,
        "task",
        { id: renamed("id"), task_key: renamed("task_key"), created_at: since },
        `rowid <= ${tasks}`,
      );
      copyRows(
        sqlite,
        "operation",
        {
          id: renamed("id"),
          task_id: renamed("task_id"),
          operation_key: renamed("operation_key"),
          slot: renamed("slot"),
        },
        `rowid <= ${operations}`,
      );
      copyRows(
        sqlite,
        "event",
        {
          ...{ seq: `seq + ${copy * own}`, task_id: renamed("task_id"), operation_id: renamed("operation_id"), at },
          ...{ prev_hash: fresh, hash: fresh },
        },
        `seq <= ${own}`,
      );
    }
  })();
}

function copyRows(sqlite: Sqlite, table: string, changed: Readonly<Record<string, string>>, where: string): void {
  const columns = sqlite.prepare<[string], string>("SELECT name FROM pragma_table_info(?)").pluck().all(table);
  const values = columns.map((column) => changed[column] ?? column);
  sqlite.exec(
    `INSERT INTO "${table}" (${columns.join(", ")}) SELECT ${values.join(", ")} FROM "${table}" WHERE ${where}`,
  );
}
