import { closeSync, existsSync, fsyncSync, openSync, readdirSync, renameSync, rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { ByteSink } from "../evidence/zip-writer";

const PART = /^\.(.+)\.(\d+)\.part$/;

/** A file that is there whole or not at all: written under another name beside it, and named at the end. */
export class PendingFile implements ByteSink {
  bytes = 0;

  private constructor(
    private readonly path: string,
    private readonly part: string,
    private readonly file: FileHandle,
  ) {}

  /** @throws what the file system throws where the folder cannot be written. */
  static async create(path: string): Promise<PendingFile> {
    sweep(path);
    const part = join(dirname(path), `.${basename(path)}.${process.pid}.part`);
    return new PendingFile(path, part, await open(part, "wx", 0o600));
  }

  async write(bytes: Uint8Array): Promise<void> {
    for (let done = 0; done < bytes.length; ) {
      const { bytesWritten } = await this.file.write(bytes, done, bytes.length - done);
      done += bytesWritten;
    }
    this.bytes += bytes.length;
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

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process lives as well.
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
