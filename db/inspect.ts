import { accessSync, closeSync, constants, openSync, readSync, statSync } from "node:fs";
import { connectInspector, type Sqlite } from "./connect";
import { JOURNAL_APPLICATION_ID, MIGRATIONS, type MigrationRefusal, readStamp, refusalOf } from "./migrate";
import { codeOf, type Problem, type ProblemCode, problemOf } from "./problem";
import { verifyTail } from "./verify-chain";
import type { WorkspaceNote } from "./workspace-note";

/**
 * Everything that is checked before the journal is opened for writing. It happens on a read-only connection, because a
 * writing one moves the WAL into the file when it closes: a file we refuse must stay byte for byte as it was found.
 */

/** A database file's first bytes. */
const MAGIC = "SQLite format 3\0";
/**
 * `quick_check` reads the whole file, about 2 ms a MiB. Up to this size it runs at every start; a larger journal would keep the
 * window waiting, so there the check is `due`, to be run in a worker before anything leaves.
 */
export const QUICK_CHECK_BYTES = 16 * 1024 * 1024;

export type Inspection =
  | { kind: "absent" }
  /** `inspector` is still open, so that the WAL's index, once recovered, is there for the writer. */
  | { kind: "sound"; inspector: Sqlite; quickCheck: "passed" | "due" }
  | { kind: "problem"; problem: Problem };

/** Looks at the journal's file without changing it. */
export function inspectJournal(path: string, note: WorkspaceNote | null, busyTimeoutMs?: number): Inspection {
  const problem = (code: ProblemCode, detail: string): Inspection => ({
    kind: "problem",
    problem: { code, path, detail },
  });
  const size = sizeOf(path);
  const walSize = sizeOf(`${path}-wal`) ?? 0;
  if (size === null || size === 0) {
    // A fresh journal in place of a lost one would know nothing of what was sent, and send it again.
    if (walSize > 0) return problem("damaged", "the journal's file is missing or empty, but its WAL is there");
    if (note !== null && note.headSeq > 0)
      return problem("damaged", `the journal is missing or empty, but it held ${note.headSeq} events`);
    return { kind: "absent" };
  }
  if (firstBytes(path) !== MAGIC) return problem("damaged", "this is not a database file");
  try {
    accessSync(path, constants.W_OK);
  } catch (error) {
    return problem("read_only", `${codeOf(error)}: the journal's file cannot be written`);
  }
  const inspector = connectInspector(path, busyTimeoutMs);
  try {
    const found = judge(inspector, path, note);
    if ("code" in found) {
      inspector.close();
      return { kind: "problem", problem: found };
    }
    return { kind: "sound", inspector, quickCheck: found.quickCheck };
  } catch (error) {
    inspector.close();
    return { kind: "problem", problem: problemOf(error, path) };
  }
}

function judge(
  inspector: Sqlite,
  path: string,
  note: WorkspaceNote | null,
): Problem | { quickCheck: "passed" | "due" } {
  const stamp = readStamp(inspector);
  const refusal = refusalOf(stamp, JOURNAL_APPLICATION_ID, MIGRATIONS);
  if (refusal) return problemOfRefusal(refusal, path);
  const bytes =
    Number(inspector.pragma("page_count", { simple: true })) * Number(inspector.pragma("page_size", { simple: true }));
  const quickCheck = bytes <= QUICK_CHECK_BYTES ? "passed" : "due";
  const damage = quickCheck === "passed" ? quickCheckDamage(inspector) : null;
  if (damage !== null) return { code: "damaged", path, detail: damage };
  if (stamp.userVersion === 0) {
    // All it held was in a WAL that is gone. Begun anew it would know nothing of what was sent.
    if (note === null || note.headSeq === 0) return { quickCheck };
    return {
      code: "damaged",
      path,
      detail: `the journal is empty, but it held ${note.headSeq} events: its WAL is missing`,
    };
  }
  const tail = verifyTail(inspector);
  if (tail.ok) return { quickCheck };
  return { code: "chain_broken", path, detail: JSON.stringify({ faultCount: tail.faultCount, faults: tail.faults }) };
}

/** SQLite's quick check of the file's structure: null when it is sound, else the first damage it names. */
export function quickCheckDamage(sqlite: Sqlite): string | null {
  const found = String(sqlite.pragma("quick_check(1)", { simple: true }));
  return found === "ok" ? null : found;
}

/** Problems named by a full check; the first ones tell what is broken, the rest is repetition. */
const NAMED_DAMAGE = 20;

/** SQLite's full check, indexes against rows included: what is damaged, or nothing. Slow: about 27 µs an event. */
export function integrityDamage(sqlite: Sqlite): string[] {
  const rows = sqlite.prepare<[], string>(`PRAGMA integrity_check(${NAMED_DAMAGE})`).pluck().all();
  return rows.length === 1 && rows[0] === "ok" ? [] : rows;
}

/** A refused version as the start-up page shows it. */
export function problemOfRefusal(refusal: MigrationRefusal, path: string): Problem {
  const { found, newestKnown, reason } = refusal;
  const detail = `${reason}: version ${found.userVersion}, newest known ${newestKnown}, application id ${found.applicationId}`;
  return { code: reason === "newer_file" ? "newer_file" : "unknown", path, detail };
}

function sizeOf(path: string): number | null {
  return statSync(path, { throwIfNoEntry: false })?.size ?? null;
}

function firstBytes(path: string): string {
  const fd = openSync(path, "r");
  try {
    const bytes = Buffer.alloc(MAGIC.length);
    readSync(fd, bytes, 0, MAGIC.length, 0);
    return bytes.toString("latin1");
  } finally {
    closeSync(fd);
  }
}
