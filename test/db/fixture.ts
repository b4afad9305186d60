import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getTableColumns, getTableName, type Table } from "drizzle-orm";
import { onTestFinished } from "vitest";
import { type JournalDatabase, type OpenOptions, openJournal, type Problem, type Sqlite } from "../../db/open";
import * as schema from "../../db/schema";
import type { JournalSnapshot } from "../../main/domain/invariants";
import { AT } from "../domain/story";

/** A folder of the test's own, gone when it is over. */
export function freshDir(): string {
  const dir = mkdtempSync(join(tmpdir(), "imprimatur-test-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

export const options = (dir: string, more: Partial<OpenOptions> = {}): OpenOptions => ({
  dir,
  now: AT,
  kind: "sandbox",
  workspaceId: "ws-1",
  ...more,
});

/** Opens, or fails the test with the problem. It is closed when the test is over. */
export function open(dir: string, more: Partial<OpenOptions> = {}): JournalDatabase {
  const result = openJournal(options(dir, more));
  if (result.kind === "problem") throw new Error(JSON.stringify(result.problem));
  const { journal } = result;
  onTestFinished(() => {
    if (journal.sqlite.open) journal.sqlite.close();
  });
  return journal;
}

/** The problem that opening comes to; fails the test when there is none. */
export function problemOnOpen(dir: string, more: Partial<OpenOptions> = {}): Problem {
  const result = openJournal(options(dir, more));
  if (result.kind === "problem") return result.problem;
  result.journal.sqlite.close();
  throw new Error("it opened");
}

/** Every file of a folder with its bytes, except SQLite's own index of the WAL, which holds nothing. */
export function filesOf(dir: string): Record<string, string> {
  const names = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.endsWith("-shm"))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();
  const files = names.map((name) => [name.slice(dir.length + 1), readFileSync(name).toString("latin1")] as const);
  // An empty WAL says as little as none.
  return Object.fromEntries(files.filter(([name, bytes]) => !(name.endsWith("-wal") && bytes === "")));
}

/** Inserts rows as they are, by their fields' names. */
export function insertRows(sqlite: Sqlite, table: Table, rows: readonly object[]): void {
  const columns = getTableColumns(table);
  for (const row of rows) {
    const fields = Object.entries(row).filter(([field]) => columns[field] !== undefined);
    const names = fields.map(([field]) => `"${columns[field]?.name}"`);
    const values = fields.map(([field, value]) => (value === null ? null : columns[field]?.mapToDriverValue(value)));
    sqlite
      .prepare(`INSERT INTO "${getTableName(table)}" (${names.join()}) VALUES (${names.map(() => "?").join()})`)
      .run(...values);
  }
}

/**
 * Puts a told journal into a file as a whole. The triggers watch over the way there, which a told journal does not go, so they
 * are put aside for the moment and put back as they were.
 */
export function insertSnapshot(sqlite: Sqlite, snapshot: JournalSnapshot): void {
  const triggers = sqlite
    .prepare<[], { name: string; sql: string }>("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'")
    .all();
  sqlite.transaction(() => {
    for (const { name } of triggers) sqlite.exec(`DROP TRIGGER "${name}"`);
    for (const hash of new Set(snapshot.tasks.map((task) => task.definitionHash)))
      insertRows(sqlite, schema.pipelineDefinition, [{ hash, name: hash, version: 1, body: "{}", registeredAt: AT }]);
    insertRows(sqlite, schema.task, snapshot.tasks);
    insertRows(sqlite, schema.compensation, snapshot.compensations);
    insertRows(sqlite, schema.approval, snapshot.approvals);
    insertRows(sqlite, schema.operation, snapshot.operations);
    insertRows(sqlite, schema.attempt, snapshot.attempts);
    insertRows(sqlite, schema.event, snapshot.events);
    insertRows(sqlite, schema.reconciliation, snapshot.reconciliations);
    insertRows(sqlite, schema.audienceSnapshot, snapshot.audiences);
    insertRows(sqlite, schema.recipientAccount, snapshot.recipients);
    for (const { sql } of triggers) sqlite.exec(sql);
  })();
}
