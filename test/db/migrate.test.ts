import { readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { describe, expect, test } from "vitest";
import { connectWriter } from "../../db/connect";
import { JOURNAL_APPLICATION_ID, MIGRATIONS, type Migration, migrate, readStamp, toMigrations } from "../../db/migrate";
import { filesOf, freshDir, open, problemOnOpen } from "./fixture";

const OURS = 77;
const list: Migration[] = [
  { number: 10, sql: "CREATE TABLE one (a TEXT) STRICT;" },
  { number: 20, sql: "CREATE TABLE two (b TEXT) STRICT; INSERT INTO two VALUES ('kept');" },
];
const newest = MIGRATIONS[MIGRATIONS.length - 1]?.number ?? 0;

describe("migrations", () => {
  test("the bundled ones are numbered in tens and the journal's first one is there", () => {
    expect(MIGRATIONS[0]?.number).toBe(10);
    expect(MIGRATIONS.filter(({ number }) => number % 10 !== 0)).toEqual([]);
    expect(MIGRATIONS[0]?.sql).toContain("CREATE TABLE task");
  });

  test("file names give the number, and the number the order", () => {
    const paths = { "./migrations/0020_b.sql": "b", "./migrations/0100_c.sql": "c", "./migrations/0010_a.sql": "a" };
    expect(toMigrations(paths)).toEqual([
      { number: 10, sql: "a" },
      { number: 20, sql: "b" },
      { number: 100, sql: "c" },
    ]);
  });

  test("an empty file goes through all of them and carries our stamp", () => {
    const { sqlite } = open(freshDir());
    expect(readStamp(sqlite)).toEqual({ applicationId: JOURNAL_APPLICATION_ID, userVersion: newest, isEmpty: false });
    expect(migrate(sqlite)).toEqual({ kind: "migrated", from: newest, to: newest });
  });

  test("a file of an older version goes on from where it is and keeps what it has", () => {
    const sqlite = connectWriter(join(freshDir(), "x.db"));
    expect(migrate(sqlite, OURS, list.slice(0, 1))).toEqual({ kind: "migrated", from: 0, to: 10 });
    sqlite.exec("INSERT INTO one VALUES ('mine')");
    expect(migrate(sqlite, OURS, list)).toEqual({ kind: "migrated", from: 10, to: 20 });
    expect(sqlite.prepare("SELECT a FROM one").pluck().all()).toEqual(["mine"]);
    sqlite.close();
  });

  test("one that fails leaves the file at the version before, whole, and the next start goes on from there", () => {
    const path = join(freshDir(), "x.db");
    const sqlite = connectWriter(path);
    const torn = [list[0], { number: 20, sql: `${list[1]?.sql} INSERT INTO nowhere VALUES (1);` }] as Migration[];
    expect(() => migrate(sqlite, OURS, torn)).toThrow(/nowhere/);
    expect(readStamp(sqlite)).toEqual({ applicationId: OURS, userVersion: 10, isEmpty: false });
    expect(sqlite.prepare("SELECT name FROM sqlite_schema").pluck().all()).toEqual(["one"]);
    sqlite.close();
    const again = connectWriter(path);
    expect(migrate(again, OURS, list)).toEqual({ kind: "migrated", from: 10, to: 20 });
    expect(again.prepare("SELECT b FROM two").pluck().all()).toEqual(["kept"]);
    again.close();
  });

  test("two instances that start at once: who comes second finds the work done", () => {
    const path = join(freshDir(), "x.db");
    const [first, second] = [connectWriter(path), connectWriter(path)];
    // The other one migrates between this one's look at the file and its first script.
    const late = Object.assign([...list], {
      *[Symbol.iterator]() {
        migrate(first, OURS, list);
        yield* list;
      },
    });
    expect(migrate(second, OURS, late)).toEqual({ kind: "migrated", from: 0, to: 20 });
    expect(second.prepare("SELECT b FROM two").pluck().all()).toEqual(["kept"]);
    first.close();
    second.close();
  });

  test("refused: newer, another program's, of a version nobody made; nothing is written then", () => {
    const cases = [
      { stamp: "PRAGMA application_id = 77; PRAGMA user_version = 30", reason: "newer_file" },
      { stamp: "PRAGMA application_id = 78; PRAGMA user_version = 10", reason: "foreign_file" },
      { stamp: "PRAGMA user_version = 10", reason: "foreign_file" },
      { stamp: "CREATE TABLE theirs (a)", reason: "foreign_file" },
      { stamp: "PRAGMA application_id = 77; PRAGMA user_version = 15", reason: "unknown_version" },
      { stamp: "PRAGMA application_id = 77", reason: "unknown_version" },
    ];
    for (const { stamp, reason } of cases) {
      const sqlite = new Database(":memory:");
      sqlite.exec(stamp);
      const before = sqlite.serialize();
      expect(migrate(sqlite, OURS, list), stamp).toMatchObject({ kind: "refused", reason, newestKnown: 20 });
      expect(sqlite.serialize().equals(before), stamp).toBe(true);
      sqlite.close();
    }
  });
});

describe("a journal that is not for this program", () => {
  /** Makes a closed file with a stamp, backdated so that a touch would show. */
  const stamped = (sql: string): { dir: string; path: string } => {
    const dir = freshDir();
    const path = join(dir, "journal.db");
    const sqlite = new Database(path);
    sqlite.exec(`CREATE TABLE something (a); ${sql}`);
    sqlite.close();
    utimesSync(path, 1_000_000, 1_000_000);
    return { dir, path };
  };

  test("from a newer version: refused with its number, byte for byte and date for date as it was", () => {
    const { dir, path } = stamped(
      `PRAGMA application_id = ${JOURNAL_APPLICATION_ID}; PRAGMA user_version = ${newest + 10}`,
    );
    const before = readFileSync(path);
    const problem = problemOnOpen(dir);
    expect(problem).toMatchObject({ code: "newer_file", path });
    expect(problem.detail).toContain(`version ${newest + 10}`);
    expect(readFileSync(path).equals(before)).toBe(true);
    expect(statSync(path).mtimeMs).toBe(1_000_000_000);
    expect(Object.keys(filesOf(dir))).toEqual(["journal.db"]);
  });

  test("from a newer version with a WAL that a crash left: both stay as they were", () => {
    const dir = freshDir();
    const { sqlite, path } = open(dir);
    sqlite.pragma(`user_version = ${newest + 10}`);
    const other = freshDir();
    for (const [name, bytes] of Object.entries(filesOf(dir)))
      if (name.startsWith("journal.db")) writeBytes(join(other, name), bytes);
    sqlite.close();
    const before = filesOf(other);
    expect(before["journal.db-wal"]?.length).toBeGreaterThan(0);
    expect(problemOnOpen(other)).toMatchObject({ code: "newer_file", path: path.replace(dir, other) });
    expect(filesOf(other)).toEqual(before);
  });

  test("of another program: refused and left alone", () => {
    const { dir, path } = stamped("PRAGMA application_id = 5");
    const before = readFileSync(path);
    expect(problemOnOpen(dir)).toMatchObject({ code: "unknown", detail: expect.stringContaining("foreign_file") });
    expect(readFileSync(path).equals(before)).toBe(true);
  });
});

function writeBytes(path: string, latin1: string): void {
  writeFileSync(path, Buffer.from(latin1, "latin1"));
}
