import { getTableColumns, getTableName, type Table } from "drizzle-orm";
import type { Sqlite, Statement } from "../connect";

/** A row by the names of its fields; what is undefined or no column of the table is left out. */
type Row = object;

interface Column {
  name: string;
  /** One character that stands for the column in a statement's key. */
  mark: string;
  /** Null where the value is stored as it is. */
  toDriver: ((value: unknown) => unknown) | null;
}

/** The columns that a row brings, as a key, and their values as SQLite takes them. */
interface Mapped {
  key: string;
  values: unknown[];
}

/**
 * Inserts and updates rows of one table by the names of their fields, through prepared statements kept per set of columns.
 * Values go through the column's own mapping (JSON, booleans), so that writing and reading cannot disagree.
 */
export class TableWriter {
  private readonly columns = new Map<string, Column>();
  private readonly names = new Map<string, string>();
  private readonly table: string;
  private readonly statements = new Map<string, Statement>();

  constructor(
    private readonly sqlite: Sqlite,
    table: Table,
  ) {
    this.table = getTableName(table);
    for (const [index, [field, column]] of Object.entries(getTableColumns(table)).entries()) {
      const isMapped = column.dataType === "json" || column.dataType === "boolean";
      const mark = String.fromCharCode(FIRST_MARK + index);
      const toDriver = isMapped ? (value: unknown) => column.mapToDriverValue(value) : null;
      this.columns.set(field, { name: column.name, mark, toDriver });
      this.names.set(mark, column.name);
    }
  }

  /** Plain insert. @throws SqliteError where a constraint or trigger refuses it. */
  insert(row: Row): void {
    this.run("insert", row, (names) => `INSERT INTO "${this.table}" (${quoted(names)}) VALUES (${marks(names)})`);
  }

  /** Inserts, or leaves the row that is there: for rows whose id says everything that they say. */
  insertIfNew(row: Row): void {
    this.run(
      "new",
      row,
      (names) => `INSERT INTO "${this.table}" (${quoted(names)}) VALUES (${marks(names)}) ON CONFLICT DO NOTHING`,
    );
  }

  /** Inserts, or brings the row with the same key to these values. */
  upsert(row: Row, key: readonly string[]): void {
    this.run("upsert", row, (names) => {
      const set = names.filter((name) => !key.includes(name)).map((name) => `"${name}" = excluded."${name}"`);
      return `INSERT INTO "${this.table}" (${quoted(names)}) VALUES (${marks(names)}) ON CONFLICT (${quoted(key)}) DO UPDATE SET ${set.join(", ")}`;
    });
  }

  /**
   * Changes the fields given in the row that equals `where`.
   * @returns how many rows it was: a conditional write tells whether it landed.
   */
  update(patch: Row, where: Row): number {
    const set = this.mapped(patch);
    const by = this.mapped(where);
    const statement = this.prepared(`update ${set.key} ${by.key}`, () => {
      const assignments = this.namesOf(set.key).map((name) => `"${name}" = ?`);
      const conditions = this.namesOf(by.key).map((name) => `"${name}" IS ?`);
      return `UPDATE "${this.table}" SET ${assignments.join(", ")} WHERE ${conditions.join(" AND ")}`;
    });
    return statement.run(...set.values, ...by.values).changes;
  }

  /**
   * Removes the rows that equal `where`.
   * @returns how many they were
   */
  remove(where: Row): number {
    const { key, values } = this.mapped(where);
    const statement = this.prepared(`remove ${key}`, () => {
      const conditions = this.namesOf(key).map((name) => `"${name}" IS ?`);
      return `DELETE FROM "${this.table}" WHERE ${conditions.join(" AND ")}`;
    });
    return statement.run(...values).changes;
  }

  private run(kind: string, row: Row, sql: (names: string[]) => string): void {
    const { key, values } = this.mapped(row);
    this.prepared(`${kind} ${key}`, () => sql(this.namesOf(key))).run(...values);
  }

  /** Called several times in every command: one walk over the fields, and no text but a key of one character each. */
  private mapped(row: Row): Mapped {
    const values: unknown[] = [];
    let key = "";
    for (const field in row) {
      const value: unknown = row[field as keyof Row];
      const column = this.columns.get(field);
      if (column === undefined || value === undefined) continue;
      key += column.mark;
      values.push(value === null || column.toDriver === null ? value : column.toDriver(value));
    }
    return { key, values };
  }

  private namesOf(key: string): string[] {
    return [...key].map((mark) => this.names.get(mark) ?? "");
  }

  private prepared(key: string, sql: () => string): Statement {
    const known = this.statements.get(key);
    if (known) return known;
    const statement = this.sqlite.prepare(sql());
    this.statements.set(key, statement);
    return statement;
  }
}

/** Behind every character that could be taken for a separator. */
const FIRST_MARK = 0x100;

const quoted = (names: readonly string[]): string => names.map((name) => `"${name}"`).join(", ");
const marks = (names: readonly string[]): string => names.map(() => "?").join(", ");
