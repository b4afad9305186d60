import { renameSync, rmSync, statSync } from "node:fs";
import { dirname } from "node:path";
import Database from "better-sqlite3";
import type { Sqlite } from "./connect";
import { syncDirectory, syncFile, TEMP_SUFFIX } from "./folder";
import { quickCheckDamage } from "./inspect";
import { type Problem, problemOf } from "./problem";

/** Pages copied per turn of the event loop: as fast as copying the file, and commits still get in between. */
const PAGES_A_TURN = 10_000;

export type BackupResult = { kind: "made"; path: string; bytes: number } | { kind: "problem"; problem: Problem };

/**
 * Copies an open database by SQLite's own backup: a copy of the file alone would miss what lies in the WAL. The copy gets its
 * name only once it is whole, checked and on disk, so that a torn one can never be taken for a backup.
 *
 * Whoever puts a backup back raises the journal's epoch at the next start (see `workspace-note`).
 */
export async function backupDatabase(sqlite: Sqlite, target: string): Promise<BackupResult> {
  const temp = `${target}${TEMP_SUFFIX}`;
  try {
    rmSync(temp, { force: true });
    await sqlite.backup(temp, { progress: () => PAGES_A_TURN });
    const damage = checkCopy(temp);
    if (damage !== null) return { kind: "problem", problem: { code: "damaged", path: temp, detail: damage } };
    syncFile(temp);
    renameSync(temp, target);
    syncDirectory(dirname(target));
    return { kind: "made", path: target, bytes: statSync(target).size };
  } catch (error) {
    rmSync(temp, { force: true });
    return { kind: "problem", problem: problemOf(error, target) };
  }
}

/** Checks the copy's structure and takes it out of WAL, so that a backup is one file and not three. */
function checkCopy(path: string): string | null {
  const copy = new Database(path, { fileMustExist: true });
  try {
    copy.pragma("journal_mode = delete");
    return quickCheckDamage(copy);
  } finally {
    copy.close();
  }
}
