import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { backupDatabase } from "../../db/backup";
import { verifyWholeChain } from "../../db/verify-chain";
import { tellEdition } from "../domain/story";
import { freshDir, insertSnapshot, open } from "./fixture";

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
