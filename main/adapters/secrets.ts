import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import path from "node:path";

/** A key of 256 bits, as AES-256 and HMAC-SHA-256 take it. */
const KEY_BYTES = 32;
/** Readable by its owner alone. */
const OWNER_ONLY = 0o600;

export type KeyProblem =
  /** It is there and cannot be read (rights, disk). */
  | "key_unreadable"
  /** It is there and is no key: another length, a folder, a link. */
  | "key_damaged"
  /** It is not there and cannot be written. */
  | "key_not_writable"
  /** It is not there, and was not to be made. */
  | "key_missing";

export type KeyResult =
  | { kind: "ready"; key: Uint8Array; wasCreated: boolean }
  | { kind: "unavailable"; code: KeyProblem; path: string };

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException | null)?.code ?? "unknown";

function readKey(file: string): KeyResult | null {
  const unavailable = (code: KeyProblem): KeyResult => ({ kind: "unavailable", code, path: file });
  try {
    const stat = lstatSync(file);
    if (!stat.isFile() || stat.size !== KEY_BYTES) return unavailable("key_damaged");
    const key = readFileSync(file);
    if (key.length !== KEY_BYTES) return unavailable("key_damaged");
    // A copy or an unpacked backup may have opened it to others.
    if (process.platform !== "win32" && (stat.mode & 0o077) !== 0) chmodSync(file, OWNER_ONLY);
    return { kind: "ready", key: new Uint8Array(key), wasCreated: false };
  } catch (error) {
    return codeOf(error) === "ENOENT" ? null : unavailable("key_unreadable");
  }
}

/**
 * Puts a finished file in its place without ever replacing one: of two processes that create a key, one wins.
 * Says whether it was this one.
 */
function placeNew(temporary: string, file: string, bytes: Uint8Array): boolean {
  try {
    linkSync(temporary, file);
    return true;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return false;
    // A file system without hard links: exclusive creation is the next best, and a torn file is refused by its length.
    try {
      writeFileSync(file, bytes, { flag: "wx", mode: OWNER_ONLY });
    } catch (second) {
      if (codeOf(second) !== "EEXIST") throw second;
      return false;
    }
    return true;
  }
}

function createKey(file: string): boolean {
  const folder = path.dirname(file);
  mkdirSync(folder, { recursive: true });
  const bytes = randomBytes(KEY_BYTES);
  const temporary = path.join(folder, `.${path.basename(file)}.${randomBytes(6).toString("hex")}`);
  try {
    const handle = openSync(temporary, "wx", OWNER_ONLY);
    try {
      writeSync(handle, bytes);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    const isOurs = placeNew(temporary, file, bytes);
    syncFolder(folder);
    return isOurs;
  } finally {
    rmSync(temporary, { force: true });
  }
}

/** Makes the new name survive a power cut, too. Windows cannot open a folder, and does not need it. */
function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const handle = openSync(folder, "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/**
 * Reads the key file, or makes it when there is none. A key that is there and cannot be read is never replaced: what was
 * encrypted under it would be lost for good. With `create: false` (an existing workspace) a missing one is an error too.
 */
export function openKeyFile(file: string, options: { create: boolean }): KeyResult {
  const present = readKey(file);
  if (present !== null) return present;
  if (!options.create) return { kind: "unavailable", code: "key_missing", path: file };
  let wasCreated: boolean;
  try {
    wasCreated = createKey(file);
  } catch {
    // The reason does not matter to the answer; the path is what a person can act on.
    return { kind: "unavailable", code: "key_not_writable", path: file };
  }
  // Read back, not taken from memory: another process may have been first, and its key is the one on disk.
  const written = readKey(file);
  if (written === null) return { kind: "unavailable", code: "key_not_writable", path: file };
  return written.kind === "ready" ? { ...written, wasCreated } : written;
}
