import type { PipelineDefinition } from "../../main/domain/definition";
import type { Sha256 } from "../../main/domain/ids";
import type { Sqlite, Statement } from "../connect";
import { TaskReader } from "../journal/task-reader";

type Value = string | number | null;

/** A read-only connection as the screens use it: prepared once, and able to read many tables at one moment of the journal. */
export interface Queries {
  readonly sqlite: Sqlite;
  /** Tasks as a decision sees them, so that a screen can ask the domain what would be refused. */
  readonly tasks: TaskReader;
  /** Reads within one snapshot: a commit of the writer in between is seen by none of them or by all. */
  consistent<T>(read: () => T): T;
  all<Row>(sql: string, ...values: Value[]): Row[];
  get<Row>(sql: string, ...values: Value[]): Row | null;
  /** As `get`, with `:names` for values that come more than once. */
  named<Row>(sql: string, values: Readonly<Record<string, Value>>): Row | null;
  /** As `all`, with `:names`. */
  every<Row>(sql: string, values: Readonly<Record<string, Value>>): Row[];
}

/**
 * Prepares a connection for the screens' read models.
 * @param sqlite from `openReader`: what cannot write cannot break a promise.
 * @param definitionOf the definition a task began with, by its hash
 */
export function openQueries(sqlite: Sqlite, definitionOf: (hash: Sha256) => PipelineDefinition): Queries {
  const statements = new Map<string, Statement>();
  const prepared = (sql: string): Statement => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = sqlite.prepare<unknown[]>(sql);
    statements.set(sql, statement);
    return statement;
  };
  return {
    sqlite,
    tasks: new TaskReader(sqlite, definitionOf),
    consistent: (read) => sqlite.transaction(read).deferred(),
    all: <Row>(sql: string, ...values: Value[]) => prepared(sql).all(...values) as Row[],
    get: <Row>(sql: string, ...values: Value[]) => (prepared(sql).get(...values) as Row | undefined) ?? null,
    named: <Row>(sql: string, values: Readonly<Record<string, Value>>) =>
      (prepared(sql).get(values) as Row | undefined) ?? null,
    every: <Row>(sql: string, values: Readonly<Record<string, Value>>) => prepared(sql).all(values) as Row[],
  };
}
