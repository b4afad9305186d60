import { getTableColumns, is, type Table } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import { expect, test } from "vitest";
import * as schema from "../../db/schema";
import { freshDir, open } from "./fixture";

interface Info {
  name: string;
  type: string;
  notnull: 0 | 1;
  pk: number;
}

const tables = Object.values(schema).filter((value) => is(value, SQLiteTable)) as SQLiteTable[];

const columnsOf = (table: Table) => {
  const { primaryKeys } = getTableConfig(table as SQLiteTable);
  const composite = primaryKeys.flatMap((key) => key.columns.map((column) => column.name));
  return Object.values(getTableColumns(table))
    .map((column) => ({
      name: column.name,
      type: column.getSQLType().toUpperCase(),
      notNull: column.notNull,
      key: column.primary ? 1 : composite.indexOf(column.name) + 1,
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
};

test("every typed table is the table in a fresh file: names, types, not null, primary keys", () => {
  const { sqlite } = open(freshDir());
  for (const table of tables) {
    const { name } = getTableConfig(table);
    const found = (sqlite.pragma(`table_info(${name})`) as Info[])
      .map((column) => ({
        name: column.name,
        type: column.type,
        // SQLite does not repeat NOT NULL for the key of a STRICT table; a key is never null there.
        notNull: column.notnull === 1 || column.pk > 0,
        key: column.pk,
      }))
      .sort((a, b) => (a.name < b.name ? -1 : 1));
    expect(columnsOf(table), name).toEqual(found);
  }
});

test("every table of the file has its typed twin, and every one is STRICT", () => {
  const { sqlite } = open(freshDir());
  const found = sqlite
    .prepare<[], { name: string; strict: 0 | 1 }>(
      "SELECT name, strict FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite_%'",
    )
    .all();
  expect(found.map(({ name }) => name).sort()).toEqual(tables.map((table) => getTableConfig(table).name).sort());
  expect(found.filter(({ strict }) => strict !== 1)).toEqual([]);
});

test("typed indexes exist in the file under their names", () => {
  const { sqlite } = open(freshDir());
  const names = sqlite.prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'index'").pluck().all();
  const typed = tables.flatMap((table) => getTableConfig(table).indexes.map((index) => index.config.name));
  expect(typed.filter((name) => !names.includes(name))).toEqual([]);
});
