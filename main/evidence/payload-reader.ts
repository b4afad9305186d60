import { sha256 } from "../domain/hashing";
import { BAG } from "./bag-layout";
import { type Fields, parseFields } from "./stored-row";
import type { ZipEntry } from "./zip-directory";
import { ZipFault } from "./zip-fault";
import type { ZipArchive } from "./zip-reader";

/** A payload file as the manifest and the archive have it. */
export interface PayloadFile {
  name: string;
  /** As the manifest has it. */
  digest: string;
  entry: ZipEntry;
}

/** Records of one task; a longer one is none of ours. */
export const MAX_RECORD_BYTES = 16 * 1024 * 1024;

/** Folders with one record a file, each of which names its task. */
const OF_TASKS = [BAG.approvals, BAG.operations, BAG.reconciliations, BAG.compensations, BAG.recovery];

/** Reads payload files a second time, once all of them were found to be what was signed for: a task's records at a time. */
export class PayloadReader {
  private readonly files: ReadonlyMap<string, PayloadFile>;
  private readonly ofTasks = new Map<string, string[]>();

  constructor(
    private readonly archive: ZipArchive,
    files: readonly PayloadFile[],
  ) {
    this.files = new Map(files.map((file) => [file.name, file]));
  }

  /** Whether a file is a record that is noted by its task. */
  static isNoted({ name, entry }: PayloadFile): boolean {
    const isJson = name.endsWith(".json") && !name.endsWith(".statement.json");
    return isJson && entry.bytes <= MAX_RECORD_BYTES && OF_TASKS.some((folder) => name.startsWith(folder));
  }

  note(name: string, bytes: Buffer): void {
    const taskId = parseFields(bytes)?.["taskId"];
    if (typeof taskId !== "string") return;
    const names = this.ofTasks.get(taskId);
    if (names === undefined) this.ofTasks.set(taskId, [name]);
    else names.push(name);
  }

  has(name: string): boolean {
    return this.files.has(name);
  }

  names(): Iterable<string> {
    return this.files.keys();
  }

  digest(name: string): string | null {
    return this.files.get(name)?.digest ?? null;
  }

  /** Null where there is no such file. @throws ZipFault where it is no longer what was verified. */
  async read(name: string): Promise<Buffer | null> {
    const file = this.files.get(name);
    if (file === undefined) return null;
    const bytes = await this.archive.readWhole(file.entry, MAX_RECORD_BYTES);
    if (sha256(bytes) !== file.digest) throw new ZipFault(`${name} changed while it was verified`);
    return bytes;
  }

  /** The records of a task in one of the folders. */
  async recordsOf(taskId: string, folder: string): Promise<Fields[]> {
    const found: Fields[] = [];
    for (const name of this.ofTasks.get(taskId) ?? []) {
      const fields = name.startsWith(folder) ? parseFields((await this.read(name)) ?? Buffer.alloc(0)) : null;
      if (fields !== null) found.push(fields);
    }
    return found;
  }

  /** Tasks that records belong to. */
  taskIds(): string[] {
    return [...this.ofTasks.keys()];
  }
}
