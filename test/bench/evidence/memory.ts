import { spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { blobPath } from "../../../db/blobs";
import { asSha256 } from "../../../main/domain/ids";
import { round } from "../stats";

const FILES = 8;
const FILE_BYTES = 256 * 1024 * 1024;
const PIECE_BYTES = 4 * 1024 * 1024;
const MIB = 1024 * 1024;
const LOOK_MS = 20;

/**
 * The most memory that the headless program takes while it writes and then verifies a bundle of 2 GiB, beside what it takes for
 * the same workspace without its frozen bytes. Both are read from Linux.
 * @param cli the built headless program
 */
export async function benchMemory(dir: string, cli: string) {
  const workspace = join(dir, "workspace");
  await run([cli, "demo", "--json", "--workspace", workspace]);
  const empty = join(dir, "empty.zip");
  const without = await run([cli, "export", workspace, "--out", empty, "--without-bytes"]);
  freezeLargeFiles(workspace, dir);
  const out = join(dir, "large.zip");
  const written = await run([cli, "export", workspace, "--out", out]);
  const verified = await run([cli, "verify", out]);
  const { size } = statSync(out);
  rmSync(out);
  rmSync(workspace, { recursive: true });
  return {
    bundleMiB: Math.round((FILES * FILE_BYTES) / MIB),
    packedMiB: Math.round(size / MIB),
    exportPeakMiB: written.peakMiB,
    verifyPeakMiB: verified.peakMiB,
    smallExportPeakMiB: without.peakMiB,
    exportS: written.tookS,
    verifyS: verified.tookS,
  };
}

/** Half of them text that compresses, half bytes that do not. */
function freezeLargeFiles(workspace: string, dir: string): void {
  const sqlite = new Database(join(workspace, "journal.db"));
  const taskId = sqlite.prepare("SELECT id FROM task LIMIT 1").pluck().get();
  const insert = sqlite.prepare(
    "INSERT INTO artifact (task_id, hash, kind, bytes, media_type, at, origin) VALUES (?, ?, 'page-capture', ?, 'text/plain', 0, NULL)",
  );
  for (let number = 0; number < FILES; number += 1) {
    const part = join(dir, "part");
    const hash = asSha256(writeLarge(part, number % 2 === 0 ? "base64" : "latin1"));
    const path = blobPath(workspace, hash);
    mkdirSync(dirname(path), { recursive: true });
    renameSync(part, path);
    insert.run(taskId, hash, FILE_BYTES);
  }
  sqlite.close();
}

function writeLarge(path: string, encoding: "base64" | "latin1"): string {
  const file = openSync(path, "w");
  const hash = createHash("sha256");
  for (let bytes = 0; bytes < FILE_BYTES; bytes += PIECE_BYTES) {
    const random = randomBytes(PIECE_BYTES);
    const piece = encoding === "latin1" ? random : Buffer.from(random.toString(encoding)).subarray(0, PIECE_BYTES);
    writeSync(file, piece);
    hash.update(piece);
  }
  closeSync(file);
  return hash.digest("hex");
}

/** Runs the program and looks at the high-water mark that the kernel keeps of it. @throws Error where it failed. */
function run(args: readonly string[]): Promise<{ peakMiB: number; tookS: number }> {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ["ignore", "ignore", "pipe"] });
  let peakKiB = 0;
  let said = "";
  child.stderr.on("data", (piece: Buffer) => {
    said = `${said}${piece.toString()}`.slice(-1_000);
  });
  const look = setInterval(() => {
    peakKiB = Math.max(peakKiB, peakOf(child.pid ?? 0));
  }, LOOK_MS);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      clearInterval(look);
      if (code !== 0) return reject(new Error(`${args[1]} ended with ${code}: ${said}`));
      resolve({ peakMiB: Math.round(peakKiB / 1024), tookS: round((performance.now() - start) / 1_000, 1) });
    });
  });
}

/** In KiB; 0 where the process is gone by now. */
function peakOf(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);
  } catch {
    return 0;
  }
}
