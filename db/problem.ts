import { Bug } from "../main/domain/ids";

/** Why the journal cannot be used; the same codes as the start-up page's (the contract's `Problem`). */
export type ProblemCode =
  | "newer_file"
  | "damaged"
  | "locked"
  | "read_only"
  | "disk_full"
  | "chain_broken"
  | "not_writable"
  | "unknown";

/** A start-up problem as a value: what it is, which path, and the technical detail for a person who can use it. */
export interface Problem {
  code: ProblemCode;
  path: string;
  detail: string;
}

/** Error codes of SQLite and of the operating system, by how they begin. The first that fits decides. */
const CODES: readonly (readonly [prefix: string, code: ProblemCode])[] = [
  ["SQLITE_BUSY", "locked"],
  ["SQLITE_LOCKED", "locked"],
  ["SQLITE_READONLY_DIRECTORY", "not_writable"],
  ["SQLITE_READONLY", "read_only"],
  ["SQLITE_FULL", "disk_full"],
  ["SQLITE_CORRUPT", "damaged"],
  ["SQLITE_NOTADB", "damaged"],
  // A short read means that the file ends before its own header says so.
  ["SQLITE_IOERR_SHORT_READ", "damaged"],
  ["SQLITE_IOERR_CORRUPTFS", "damaged"],
  ["SQLITE_CANTOPEN", "not_writable"],
  ["SQLITE_PERM", "not_writable"],
  ["ENOSPC", "disk_full"],
  ["EDQUOT", "disk_full"],
  // No file may grow to that length here: a limit set for the process, or one of the file system.
  ["EFBIG", "disk_full"],
  ["BLOB_DAMAGED", "damaged"],
  ["EROFS", "read_only"],
  ["EACCES", "not_writable"],
  ["EPERM", "not_writable"],
  ["ENOTDIR", "not_writable"],
  ["EEXIST", "not_writable"],
  ["ENOENT", "not_writable"],
  ["EBUSY", "locked"],
];

/**
 * Turns what a library threw into a problem. Codes are matched, never texts: texts come in the system's language.
 * @throws Bug when the error is one of our own broken promises.
 */
export function problemOf(error: unknown, path: string): Problem {
  if (error instanceof Bug) throw error;
  const raw = codeOf(error);
  const known = CODES.find(([prefix]) => raw.startsWith(prefix));
  const message = error instanceof Error ? error.message : String(error);
  return {
    code: known?.[1] ?? "unknown",
    path,
    detail: raw === "" || message.startsWith(`${raw}:`) ? message : `${raw}: ${message}`,
  };
}

/** The error's stable code, or an empty text. */
export function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "";
}
