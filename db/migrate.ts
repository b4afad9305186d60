import type { Sqlite } from "./connect";

/** "Impr" in ASCII: tells our journal from any other program's SQLite file. */
export const JOURNAL_APPLICATION_ID = 0x496d7072;

/** One numbered script. Numbers go in tens, so that one may be put in between before a release; none is edited after it. */
export interface Migration {
  number: number;
  sql: string;
}

/** A file's stamp, as SQLite keeps it in the header. */
export interface FileStamp {
  applicationId: number;
  userVersion: number;
  /** Nothing in it yet: no table, index, view or trigger. */
  isEmpty: boolean;
}

export type MigrationRefusal = {
  kind: "refused";
  /** `newer_file`: written by a later version of us. `foreign_file`: by another program. `unknown_version`: by nobody we know. */
  reason: "newer_file" | "foreign_file" | "unknown_version";
  found: FileStamp;
  newestKnown: number;
};

export type MigrationResult = { kind: "migrated"; from: number; to: number } | MigrationRefusal;

const files = import.meta.glob<string>("./migrations/*.sql", { query: "?raw", import: "default", eager: true });

/** The scripts of this build, in order. */
export const MIGRATIONS: readonly Migration[] = toMigrations(files);

/** Turns file names like `./migrations/0010_journal.sql` into numbered scripts, sorted. */
export function toMigrations(sqlByPath: Readonly<Record<string, string>>): Migration[] {
  return Object.entries(sqlByPath)
    .map(([path, sql]) => ({ number: Number.parseInt(path.split("/").pop() ?? "", 10), sql }))
    .sort((a, b) => a.number - b.number);
}

/** Reads the stamp through a connection, so that what still lies in the WAL counts as well. */
export function readStamp(sqlite: Sqlite): FileStamp {
  return {
    applicationId: Number(sqlite.pragma("application_id", { simple: true })),
    userVersion: Number(sqlite.pragma("user_version", { simple: true })),
    isEmpty: sqlite.prepare("SELECT count(*) FROM sqlite_schema").pluck().get() === 0,
  };
}

/** Judges a stamp before anything is written: null means that we may go on with this file. */
export function refusalOf(
  found: FileStamp,
  applicationId: number,
  migrations: readonly Migration[],
): MigrationRefusal | null {
  const newestKnown = migrations[migrations.length - 1]?.number ?? 0;
  const refuse = (reason: MigrationRefusal["reason"]): MigrationRefusal => ({
    kind: "refused",
    reason,
    found,
    newestKnown,
  });
  if (found.applicationId === 0 && found.userVersion === 0 && found.isEmpty) return null;
  if (found.applicationId !== applicationId) return refuse("foreign_file");
  if (found.userVersion > newestKnown) return refuse("newer_file");
  if (!migrations.some((migration) => migration.number === found.userVersion)) return refuse("unknown_version");
  return null;
}

/**
 * Brings a file to the newest version, each script in a transaction of its own together with its number: a crash leaves the
 * file at one version or the next, never in between, and the next start goes on from there.
 */
export function migrate(
  sqlite: Sqlite,
  applicationId: number = JOURNAL_APPLICATION_ID,
  migrations: readonly Migration[] = MIGRATIONS,
): MigrationResult {
  const before = readStamp(sqlite);
  const refusal = refusalOf(before, applicationId, migrations);
  if (refusal) return refusal;
  for (const migration of migrations) {
    if (migration.number <= before.userVersion) continue;
    sqlite
      .transaction(() => {
        // Two instances may start at once: whoever got the lock second finds the work done.
        if (readStamp(sqlite).userVersion >= migration.number) return;
        sqlite.exec(migration.sql);
        sqlite.pragma(`application_id = ${applicationId}`);
        sqlite.pragma(`user_version = ${migration.number}`);
      })
      .immediate();
  }
  return { kind: "migrated", from: before.userVersion, to: readStamp(sqlite).userVersion };
}
