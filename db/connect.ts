import Database from "better-sqlite3";
import { Bug } from "../main/domain/ids";

/** `simulation` waits for no disk: for seeded worlds that crash only in thought. A person's workspace is always `full`. */
export type Durability = "full" | "simulation";

export type Sqlite = Database.Database;
/** A prepared statement whose parameters are given in order. */
export type Statement = Database.Statement<unknown[]>;
export type Transaction<F extends (...args: never[]) => unknown> = Database.Transaction<F>;

/**
 * How long a statement waits for another process's commit before it says "locked". A commit takes under a millisecond, so
 * five seconds means that somebody holds the file for good.
 */
export const BUSY_TIMEOUT_MS = 5_000;

/**
 * How long the WAL gets before a commit carries it over into the file: 16 MiB. A command writes about ten pages, so that
 * SQLite's own 1000 made every hundredth command wait for that. A WAL of this length is recovered in milliseconds, and the
 * last connection that closes carries it over anyway.
 */
const CHECKPOINT_PAGES = 4_000;

/**
 * How much of the file a reader may keep, in KiB: 32 MiB. What the health screen asks of 90 days with 100,000 events is more than
 * the 16 that are the default; read anew page by page, it took twice as long. Taken only as pages are read.
 */
const READER_CACHE_KIB = 32 * 1024;

/** SQLite's numbers for `synchronous`: 2 waits for the disk at every commit, 0 never. */
const SYNCHRONOUS: Readonly<Record<Durability, number>> = { full: 2, simulation: 0 };

/**
 * What every connection must have. better-sqlite3 silently opens a WAL database at NORMAL, which loses acknowledged commits
 * at a power cut, and forgets `recursive_triggers`, without which `INSERT OR REPLACE` deletes rows past the triggers that
 * forbid it (I08). So each is set, and then read back.
 */
function wanted(durability: Durability): Readonly<Record<string, number>> {
  return {
    synchronous: SYNCHRONOUS[durability],
    foreign_keys: 1,
    recursive_triggers: 1,
    trusted_schema: 0,
    cell_size_check: 1,
    // On macOS a plain fsync leaves the bytes in the drive's cache.
    ...(process.platform === "darwin" && durability === "full" ? { fullfsync: 1, checkpoint_fullfsync: 1 } : {}),
  };
}

/** Reads the safety pragmas back; an empty list means that the connection keeps the promise. */
export function pragmaFaults(sqlite: Sqlite, durability: Durability = "full"): string[] {
  const faults = Object.entries(wanted(durability))
    .map(([name, value]) => ({ name, value, found: sqlite.pragma(name, { simple: true }) }))
    .filter(({ value, found }) => found !== value)
    .map(({ name, value, found }) => `${name} is ${String(found)}, not ${value}`);
  const mode = sqlite.pragma("journal_mode", { simple: true });
  return mode === "wal" ? faults : [...faults, `journal_mode is ${String(mode)}, not wal`];
}

/** Opens the one file for writing, in WAL, with every safety pragma set. The caller asks `pragmaFaults` before it trusts it. */
export function connectWriter(
  path: string,
  durability: Durability = "full",
  busyTimeoutMs: number = BUSY_TIMEOUT_MS,
): Sqlite {
  const sqlite = new Database(path, { timeout: busyTimeoutMs });
  try {
    if (sqlite.pragma("journal_mode", { simple: true }) !== "wal") sqlite.pragma("journal_mode = wal");
    sqlite.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
    applyPragmas(sqlite, durability);
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/** Opens a second connection that cannot write, without judging the pragmas: for looking at a file that may be damaged. */
export function connectInspector(path: string, busyTimeoutMs: number = BUSY_TIMEOUT_MS): Sqlite {
  const sqlite = new Database(path, { readonly: true, fileMustExist: true, timeout: busyTimeoutMs });
  try {
    applyPragmas(sqlite, "full");
    return sqlite;
  } catch (error) {
    sqlite.close();
    throw error;
  }
}

/**
 * A read-only connection for queries and workers, under the same assertions as the writer's.
 * @throws Bug when a pragma did not take, SqliteError when the file cannot be read.
 */
export function openReader(path: string): Sqlite {
  const sqlite = connectInspector(path);
  sqlite.pragma(`cache_size = -${READER_CACHE_KIB}`);
  const faults = pragmaFaults(sqlite);
  if (faults.length === 0) return sqlite;
  sqlite.close();
  throw new Bug(`reader of ${path}: ${faults.join("; ")}`);
}

function applyPragmas(sqlite: Sqlite, durability: Durability): void {
  for (const [name, value] of Object.entries(wanted(durability))) sqlite.pragma(`${name} = ${value}`);
}
