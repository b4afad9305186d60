import { chmodSync, existsSync, mkdirSync, renameSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { connectInspector, type Sqlite } from "./connect";
import { CUSTOMERS_NAME } from "./customers";
import { syncDirectory, syncFile } from "./folder";
import { quickCheckDamage } from "./inspect";
import { MIGRATIONS, readStamp } from "./migrate";
import { type Problem, problemOf } from "./problem";

/**
 * Before a newer program changes an older journal, journal and customers are put down beside the workspace as they are, checked.
 * Frozen bytes are not: no migration touches them. Without that copy there is no migration. By SQLite's own `VACUUM INTO` and not
 * by its backup, which would make opening a workspace wait for other things.
 * @returns why there is none, or null: made, made before of this very state, or there is nothing to migrate.
 */
export function backupBeforeMigration(sqlite: Sqlite, path: string): Problem | null {
  const { userVersion, isEmpty } = readStamp(sqlite);
  const newest = MIGRATIONS[MIGRATIONS.length - 1]?.number ?? 0;
  if (isEmpty || userVersion === 0 || userVersion >= newest) return null;
  const dir = dirname(path);
  const head = lastEvent(sqlite);
  const target = join(dirname(dir), `${basename(dir)}.before-${newest}-from-${userVersion}-at-${head?.seq ?? 0}`);
  if (existsSync(target)) return null;
  const building = `${target}.building-${process.pid}`;
  try {
    // What a process of the same number left.
    if (existsSync(building)) rmSync(building, { recursive: true });
    mkdirSync(building, { mode: 0o700 });
    const damage = putDown(sqlite, join(building, basename(path)), head?.hash);
    if (damage !== null) return { code: "damaged", path: target, detail: `backup before the migration: ${damage}` };
    const customersPath = join(dir, CUSTOMERS_NAME);
    if (existsSync(customersPath)) putDownCustomers(customersPath, join(building, CUSTOMERS_NAME));
    syncDirectory(building);
    giveName(building, target);
    return null;
  } catch (error) {
    const { code, detail } = problemOf(error, target);
    return {
      code,
      path: target,
      detail: `no backup could be made before the migration, so nothing was changed: ${detail}`,
    };
  } finally {
    if (existsSync(building)) rmSync(building, { recursive: true, force: true });
  }
}

const lastEvent = (sqlite: Sqlite): { seq: number; hash: string } | undefined =>
  sqlite.prepare<[], { seq: number; hash: string }>("SELECT seq, hash FROM event ORDER BY seq DESC LIMIT 1").get();

/** @returns what is wrong with the copy, or null */
function putDown(from: Sqlite, to: string, hash: string | undefined): string | null {
  from.prepare("VACUUM INTO ?").run(to);
  chmodSync(to, 0o600);
  const copy = connectInspector(to);
  try {
    const damage = quickCheckDamage(copy);
    if (damage !== null) return damage;
    return lastEvent(copy)?.hash === hash ? null : "its last event is another one";
  } finally {
    copy.close();
    syncFile(to);
  }
}

function putDownCustomers(from: string, to: string): void {
  const customers = connectInspector(from);
  try {
    customers.prepare("VACUUM INTO ?").run(to);
    chmodSync(to, 0o600);
    syncFile(to);
  } finally {
    customers.close();
  }
}

/** Of two programs that start at once, the second finds it there. */
function giveName(building: string, target: string): void {
  try {
    renameSync(building, target);
  } catch (error) {
    if (!existsSync(target)) throw error;
  }
  syncDirectory(dirname(target));
}
