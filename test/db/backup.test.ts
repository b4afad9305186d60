import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { backupDatabase } from "../../db/backup";
import { connectWriter } from "../../db/connect";
import { JOURNAL_APPLICATION_ID, MIGRATIONS, migrate, readStamp } from "../../db/migrate";
import { verifyWholeChain } from "../../db/verify-chain";
import { tellEdition } from "../domain/story";
import { freshDir, insertSnapshot, open, problemOnOpen } from "./fixture";

test("one file with everything committed, what lies in the WAL included, and no other file beside it", async () => {
  const journal = open(freshDir());
  insertSnapshot(journal.sqlite, tellEdition().story.snapshot());
  const dir = freshDir();
  const target = join(dir, "backup.db");
  expect(await backupDatabase(journal.sqlite, target)).toMatchObject({ kind: "made", path: target });
  expect(readdirSync(dir)).toEqual(["backup.db"]);
  const copy = new Database(target, { readonly: true });
  expect(copy.pragma("journal_mode", { simple: true })).toBe("delete");
  expect(verifyWholeChain(copy)).toEqual(verifyWholeChain(journal.sqlite));
  copy.close();
});

test("put back in another folder it opens, and is recognised as put back", async () => {
  const journal = open(freshDir());
  insertSnapshot(journal.sqlite, tellEdition().story.snapshot());
  const dir = freshDir();
  await backupDatabase(journal.sqlite, join(dir, "journal.db"));
  expect(open(dir)).toMatchObject({ isNew: false, epochChange: "note_missing" });
});

test("a commit in between does not tear it, and a torn one of before is no obstacle", async () => {
  const journal = open(freshDir());
  const target = join(freshDir(), "backup.db");
  writeFileSync(`${target}.tmp`, "torn");
  const running = backupDatabase(journal.sqlite, target);
  journal.sqlite.exec("UPDATE journal_state SET suppression_version = 4");
  expect(await running).toMatchObject({ kind: "made" });
  expect(existsSync(`${target}.tmp`)).toBe(false);
});

test("a place that cannot be written is a problem, and nothing gets the backup's name", async () => {
  const journal = open(freshDir());
  const target = join(freshDir(), "nowhere", "backup.db");
  const result = await backupDatabase(journal.sqlite, target);
  expect(result).toMatchObject({ kind: "problem", problem: { path: target } });
  expect(existsSync(target)).toBe(false);
});

const versionOf = (path: string): number => {
  const sqlite = new Database(path, { readonly: true });
  const { userVersion } = readStamp(sqlite);
  sqlite.close();
  return userVersion;
};

/** A workspace as the version before this one left it. */
function olderWorkspace(name: string): { dir: string; older: number; newest: number } {
  const dir = join(freshDir(), name);
  mkdirSync(dir);
  const sqlite = connectWriter(join(dir, "journal.db"));
  migrate(sqlite, JOURNAL_APPLICATION_ID, MIGRATIONS.slice(0, -1));
  sqlite.exec(
    "INSERT INTO journal_state (id, workspace_id, kind, epoch, epoch_reconciled, created_at) VALUES (1, 'ws-1', 'sandbox', 1, 1, 1)",
  );
  sqlite.close();
  const [older = 0, newest = 0] = MIGRATIONS.slice(-2).map(({ number }) => number);
  return { dir, older, newest };
}

test("a newer program puts an older journal down beside the workspace before it changes it, once", () => {
  const { dir, older, newest } = olderWorkspace("ws");
  open(dir).close();
  const name = `ws.before-${newest}-from-${older}-at-0`;
  expect(readdirSync(join(dir, "..")).sort()).toEqual(["ws", name]);
  expect(versionOf(join(dir, "..", name, "journal.db"))).toBe(older);
  expect(versionOf(join(dir, "journal.db"))).toBe(newest);
  open(dir).close();
  expect(readdirSync(join(dir, ".."))).toHaveLength(2);
});

test("without that copy there is no migration: the problem says so, and the journal is as it was", () => {
  // Beside this folder no longer name fits.
  const { dir, older } = olderWorkspace("w".repeat(240));
  expect(problemOnOpen(dir).detail).toContain("no backup could be made before the migration, so nothing was changed");
  expect(versionOf(join(dir, "journal.db"))).toBe(older);
  expect(readdirSync(join(dir, ".."))).toHaveLength(1);
});
