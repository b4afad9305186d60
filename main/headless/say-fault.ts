import { Bug } from "../domain/ids";

/** What a person can do about an error of the operating system, by its code. */
const SYSTEM: Readonly<Record<string, string>> = {
  ENOENT: "is not there; check the spelling, or make it",
  ENOTDIR: "is not a folder; name one",
  EISDIR: "is a folder; name a file",
  EEXIST: "is there already; name another",
  EACCES: "may not be read or written by this user; run this as its owner, or name another place",
  EPERM: "may not be read or written by this user; run this as its owner, or name another place",
  EROFS: "lies on a file system that can only be read; name another place",
  ENOSPC: "does not fit: the disk is full; make room and run this again",
  EDQUOT: "does not fit: this user's share of the disk is full; make room and run this again",
  EMFILE: "cannot be opened: too many files are open; raise the limit (ulimit -n) and run this again",
};

/**
 * What ended a command, for whoever typed it: what the system refused with what to do, a mistake of the call with its words
 * alone, and a fault of ours with where it happened.
 */
export function sayFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = "code" in error ? String(error.code) : "";
  const advice = SYSTEM[code];
  if (advice !== undefined && "path" in error) return `${String(error.path)} ${advice} (${code})`;
  const isOurs = error instanceof Bug || error instanceof TypeError;
  return isOurs ? (error.stack ?? error.message) : error.message;
}
