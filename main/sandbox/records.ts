import {
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";

/** The records of a remote: one JSON value a line, only ever appended to. */
export class RecordFile {
  private isClosed = false;

  private constructor(
    private readonly fd: number,
    private size: number,
  ) {}

  /**
   * Opens or creates the file and returns what it holds. A last line without its line end was torn by a crash before
   * anything was acknowledged, so it is cut off; damage anywhere else means lost records and is refused.
   * @throws Error when a line in the middle is not JSON.
   */
  static open(path: string): { file: RecordFile; records: unknown[]; cutBytes: number } {
    mkdirSync(dirname(path), { recursive: true });
    const isNew = !existsSync(path);
    const bytes = isNew ? Buffer.alloc(0) : readFileSync(path);
    const whole = bytes.lastIndexOf(0x0a) + 1;
    const records = parseLines(bytes.subarray(0, whole).toString("utf8"), path);
    const fd = openSync(path, "a");
    const cutBytes = bytes.length - whole;
    if (cutBytes > 0) {
      ftruncateSync(fd, whole);
      fsyncSync(fd);
    }
    if (isNew) syncDirectory(dirname(path));
    return { file: new RecordFile(fd, whole), records, cutBytes };
  }

  /**
   * Appends one record. `durable` waits for the disk: needed before anything that was committed is acknowledged, not
   * for counting a read. A half-written line is taken back, or the next one would be glued to it.
   */
  append(record: unknown, durable: boolean): void {
    // The number of a closed file soon belongs to another one; a late request must not write into that.
    if (this.isClosed) throw new Error("the records are closed");
    const line = Buffer.from(`${JSON.stringify(record)}\n`, "utf8");
    try {
      for (let done = 0; done < line.length; ) done += writeSync(this.fd, line, done);
      if (durable) fsyncSync(this.fd);
      this.size += line.length;
    } catch (error) {
      if (fstatSync(this.fd).size > this.size) ftruncateSync(this.fd, this.size);
      throw error;
    }
  }

  close(): void {
    this.isClosed = true;
    fsyncSync(this.fd);
    closeSync(this.fd);
  }
}

function parseLines(text: string, path: string): unknown[] {
  const records: unknown[] = [];
  let line = 0;
  for (const part of text.split("\n")) {
    line += 1;
    if (part === "") continue;
    try {
      records.push(JSON.parse(part));
    } catch {
      throw new Error(`line ${line} of ${path} is damaged; the sandbox does not start over lost records`);
    }
  }
  return records;
}

/** A new file's name is only safe once its directory is on disk. Windows cannot open a directory, and need not. */
function syncDirectory(dir: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(dir, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
