import { getTableColumns, getTableName, type Table } from "drizzle-orm";
import type { Sqlite } from "../connect";

type Value = string | number | null;

/** A prepared question about one table, answered in rows as the domain knows them. */
export interface RowStatement<Row> {
  get(...values: Value[]): Row | null;
  all(...values: Value[]): Row[];
}

/**
 * Prepares reads of whole rows, with the fields' names and mappings that `TableWriter` writes them by. SQLite gives the
 * objects itself; only what is not stored as it is meant (JSON, booleans) is touched afterwards. This runs several times in
 * every command, and a mapper that walks over each field of each row took longer there than SQLite did.
 * @param rest everything after the table's name. Write `+?` where the answer is ordered: SQLite plans an ordered read anew
 * for each value that a plain `= ?` is bound to, which costs more than the read.
 */
export function prepareRows<Row>(sqlite: Sqlite, table: Table, rest: string): RowStatement<Row> {
  const columns = Object.entries(getTableColumns(table));
  const list = columns.map(([field, column]) => `"${column.name}" AS "${field}"`);
  const statement = sqlite.prepare(`SELECT ${list.join(", ")} FROM "${getTableName(table)}" ${rest}`);
  const mapped = columns.flatMap(([field, column]) =>
    column.dataType === "json" || column.dataType === "boolean"
      ? [{ field, map: (value: unknown) => column.mapFromDriverValue(value) }]
      : [],
  );
  const finish = (row: Record<string, unknown>): Row => {
    for (const { field, map } of mapped) if (row[field] !== null) row[field] = map(row[field]);
    return row as Row;
  };
  return {
    get: (...values) => {
      const row = statement.get(...values) as Record<string, unknown> | undefined;
      return row === undefined ? null : finish(row);
    },
    all: (...values) => (statement.all(...values) as Record<string, unknown>[]).map(finish),
  };
}
