import { execFileSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from "node:fs";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { codeOf } from "../../db/problem";
import { freshDir } from "../db/fixture";
import { PROGRAM } from "./stage";

/** A disk that can be filled and freed while somebody works on it. */
export interface SmallDisk {
  /** A file system of its own, or a limit on how long any file may become. */
  kind: "mounted" | "limited";
  /** The workspace on it. */
  dir: string;
  /** How a child is started on it as it is now. */
  program(): readonly string[];
  /** @param pid who is at work on it, if anybody is */
  fill(pid?: number): void;
  free(pid?: number): void;
}

const SIZE = "48m";
const CHUNK_BYTES = 64 * 1024;
/** In KiB: a workspace's folder is tried with a file of 1 MiB. */
const SHORT_KIB = 256;

/** A small mounted file system where we may mount one, else a limit on the length of files. */
export function openSmallDisk(): SmallDisk {
  const root = freshDir();
  return mount(root) ? mountedDisk(root) : limitedDisk(root);
}

/** @returns whether it could be mounted: the superuser may, outside of a container that forbids it */
export function mount(at: string): boolean {
  if (process.env["IMPRIMATUR_TEST_NO_MOUNT"] === "1") return false;
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${SIZE},mode=755`, "tmpfs", at], { stdio: "ignore" });
  } catch {
    return false;
  }
  onTestFinished(() => void execFileSync("umount", ["--lazy", at]));
  return true;
}

function mountedDisk(root: string): SmallDisk {
  const filler = join(root, "filler");
  const dir = join(root, "workspace");
  mkdirSync(dir);
  return {
    ...{ kind: "mounted", dir, program: () => PROGRAM },
    fill: () => fillWith(filler),
    free: () => rmSync(filler),
  };
}

function fillWith(filler: string): void {
  const file = openSync(filler, "a");
  try {
    for (let size = CHUNK_BYTES; size >= 1; size = size === 1 ? 0 : size / 64) writeUntilFull(file, size);
  } finally {
    closeSync(file);
  }
}

function writeUntilFull(file: number, size: number): void {
  const bytes = Buffer.alloc(size, 1);
  try {
    for (;;) writeSync(file, bytes);
  } catch (error) {
    if (codeOf(error) !== "ENOSPC") throw error;
  }
}

function limitedDisk(dir: string): SmallDisk {
  let isFull = false;
  const limit = (pid: number, to: string) =>
    void execFileSync("prlimit", ["--pid", String(pid), `--fsize=${to}:`], { stdio: "ignore" });
  return {
    ...{ kind: "limited", dir },
    program: () => (isFull ? ["bash", "-c", `ulimit -S -f ${SHORT_KIB} && exec "$@"`, "bash", ...PROGRAM] : PROGRAM),
    fill: (pid) => {
      isFull = true;
      if (pid !== undefined) limit(pid, "0");
    },
    free: (pid) => {
      isFull = false;
      if (pid !== undefined) limit(pid, "unlimited");
    },
  };
}
