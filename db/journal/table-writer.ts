import { getTableColumns, getTableName, type Table } from "drizzle-orm";
import type { Sqlite, Statement } from "../connect";

type Row = Readonly<Record<string, unknown>>;

/**
 * Inserts and updates rows of one table by the names of their fields, through prepared statements kept per set of columns.
 * Values go through the column's own mapping (JSON, booleans), so that writing and reading cannot disagree.
 */
export class TableWriter {
  private readonly columns: ReturnType<typeof getTableColumns>;
  private readonly name: string;
  private readonly statements = new Map<string, Statement>();

  constructor(
    private readonly sqlite: Sqlite,
    table: Table,
  ) {
    this.columns = getTableColumns(table);
    this.name = getTableName(table);
  }

  /** Plain insert. @throws SqliteError where a constraint or trigger refuses it. */
  insert(row: Row): void {
    this.run("insert", row, (names) => `INSERT INTO "${this.name}" (${quoted(names)}) VALUES (${marks(names)})`);
  }

  /** Inserts, or leaves the row that is there: for rows whose id says everything that they say. */
  insertIfNew(row: Row): void {
    this.run(
      "new",
      row,
      (names) => `INSERT INTO "${this.name}" (${quoted(names)}) VALUES (${marks(names)}) ON CONFLICT DO NOTHING`,
    );
  }

  /** Inserts, or brings the row with the same key to these values. */
  upsert(row: Row, key: readonly string[]): void {
    this.run("upsert", row, (names) => {
      const set = names.filter((name) => !key.includes(name)).map((name) => `"${name}" = excluded."${name}"`);
      return `INSERT INTO "${this.name}" (${quoted(names)}) VALUES (${marks(names)}) ON CONFLICT (${quoted(key)}) DO UPDATE SET ${set.join(", ")}`;
    });
  }

  /**
   * Changes the fields given in the row that equals `where`.
   * @returns how many rows it was: a conditional write tells whether it landed.
   */
  update(patch: Row, where: Row): number {
    const set = this.mapped(patch);
    const by = this.mapped(where);
    const key = `update ${set.names.join()} where ${by.names.join()}`;
    const statement = this.prepared(
      key,
      () =>
        `UPDATE "${this.name}" SET ${set.names.map((name) => `"${name}" = ?`).join(", ")} WHERE ${by.names.map((name) => `"${name}" IS ?`).join(" AND ")}`,
    );
    return statement.run(...set.values, ...by.values).changes;
  }

  private run(kind: string, row: Row, sql: (names: string[]) => string): void {
    const { names, values } = this.mapped(row);
    this.prepared(`${kind} ${names.join()}`, () => sql(names)).run(...values);
  }

  private mapped(row: Row): { names: string[]; values: unknown[] } {
    const names: string[] = [];
    const values: unknown[] = [];
    for (const [field, value] of Object.entries(row)) {
      const column = this.columns[field];
      if (!column || value === undefined) continue;
      names.push(column.name);
      values.push(value === null ? null : column.mapToDriverValue(value));
    }
    return { names, values };
  }

  private prepared(key: string, sql: () => string): Statement {
    const known = this.statements.get(key);
    if (known) return known;
    const statement = this.sqlite.prepare(sql());
    this.statements.set(key, statement);
    return statement;
  }
}

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
const marks = (names: readonly string[]): string => names.map(() => "?").join(", ");
