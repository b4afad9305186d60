import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, renameSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { codeOf, type Problem, problemOf } from "./problem";

/** The calls that touch the disk when something is written; tests put one in whose disk is full or read-only. */
export interface FileCalls {
  mkdir(path: string): void;
  /** Creates a file that must not exist, for this user only, and returns its descriptor. */
  create(path: string): number;
  write(fd: number, bytes: Uint8Array, from: number): number;
  sync(fd: number): void;
  close(fd: number): void;
  /** Gives the file a second name; fails when that name is taken. */
  link(from: string, to: string): void;
  rename(from: string, to: string): void;
  unlink(path: string): void;
}

export const nodeFiles: FileCalls = {
  mkdir: (path) => void mkdirSync(path, { recursive: true, mode: 0o700 }),
  create: (path) => openSync(path, "wx", 0o600),
  write: (fd, bytes, from) => writeSync(fd, bytes, from),
  sync: fsyncSync,
  close: closeSync,
  link: linkSync,
  rename: renameSync,
  unlink: unlinkSync,
};

/** Temporary files end like this: whoever lists a folder leaves them out, and a sweep finds those that a crash left. */
export const TEMP_SUFFIX = ".tmp";

/**
 * What one command and its checkpoint may need, with room to spare. If even this cannot be written, nothing may leave: the
 * intent could not be recorded either (J7).
 */
export const PROBE_BYTES = 1024 * 1024;

let counter = 0;

/**
 * Writes a new temporary file in `dir` down to the disk and returns its path. On any failure the file is removed again and
 * the error goes on. The name needs no randomness: an existing one is stepped over.
 */
export function writeTemp(dir: string, bytes: Uint8Array, durable: boolean, files: FileCalls = nodeFiles): string {
  const { fd, path } = createTemp(dir, files);
  try {
    for (let done = 0; done < bytes.length; ) done += files.write(fd, bytes, done);
    if (durable) files.sync(fd);
  } catch (error) {
    files.close(fd);
    files.unlink(path);
    throw error;
  }
  files.close(fd);
  return path;
}

function createTemp(dir: string, files: FileCalls): { fd: number; path: string } {
  for (;;) {
    counter += 1;
    const path = join(dir, `${process.pid}-${counter}${TEMP_SUFFIX}`);
    try {
      return { fd: files.create(path), path };
    } catch (error) {
      // Another thread of this process, or an earlier one with the same id that crashed, has that name.
      if (codeOf(error) !== "EEXIST") throw error;
    }
  }
}

/** A name is only safe once its directory is on disk. Windows cannot open a directory, and need not. */
export function syncDirectory(dir: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(dir, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Waits until a file written by somebody else is on disk. */
export function syncFile(path: string): void {
  const fd = openSync(path, "r+");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** Replaces a small file so that a reader sees the old one or the new one, never a part. */
export function replaceFile(path: string, dir: string, text: string, durable: boolean): void {
  const temp = writeTemp(dir, Buffer.from(text, "utf8"), durable);
  renameSync(temp, path);
  if (durable) syncDirectory(dir);
}

/** Makes sure that the folder exists and that a command's worth of bytes can be put down in it; null when all is well. */
export function probeFolder(dir: string, durable: boolean, files: FileCalls = nodeFiles): Problem | null {
  try {
    files.mkdir(dir);
    files.unlink(writeTemp(dir, new Uint8Array(PROBE_BYTES), durable, files));
    return null;
  } catch (error) {
    return problemOf(error, dir);
  }
}
