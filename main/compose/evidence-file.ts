import { createHash } from "node:crypto";
import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ByteSink } from "../evidence/zip-writer";

const PART = /^\.(.+)\.(\d+)\.part$/;

/** The name under which a file grows. */
export const partOf = (path: string, owner: number): string => join(dirname(path), `.${basename(path)}.${owner}.part`);

/** A file that is there whole or not at all: written under another name beside it, and named at the end. */
export class PendingFile implements ByteSink {
  bytes = 0;
  private readonly hash = createHash("sha256");

  private constructor(
    private readonly path: string,
    private readonly part: string,
    private readonly file: FileHandle,
  ) {}

  /**
   * @param owner the process that removes what is left of it, should this one be ended
   * @throws what the file system throws where the folder cannot be written.
   */
  static async create(path: string, owner: number = process.pid): Promise<PendingFile> {
    sweep(path);
    const part = partOf(path, owner);
    return new PendingFile(path, part, await open(part, "wx", 0o600));
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.file.write(bytes, done, bytes.length - done);
      done += bytesWritten;
    }
    this.hash.update(bytes);
    this.bytes += bytes.length;
  }

  /** SHA-256 of everything that was written. Asked for once, at the end. */
  digest(): string {
    return this.hash.digest("hex");
  }

  /** Puts the file down to the disk and gives it its name. */
  async keep(): Promise<void> {
    await this.file.sync();
    await this.file.close();
    renameSync(this.part, this.path);
    if (process.platform === "win32") return;
    const folder = openSync(dirname(this.path), "r");
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }

  /** Leaves nothing behind. */
  async discard(): Promise<void> {
    await this.file.close();
    rmSync(this.part, { force: true });
  }
}

/** What an export of this name left that was killed before it could clean up, where its process no longer lives. */
function sweep(path: string): void {
  const folder = dirname(path);
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const [, of, pid] = PART.exec(name) ?? [];
    if (of === basename(path) && pid !== undefined && !isAlive(Number(pid)))
      rmSync(join(folder, name), { force: true });
  }
}

/** Whether a process of this computer lives. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process lives as well.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
