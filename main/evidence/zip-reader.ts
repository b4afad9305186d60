import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createInflateRaw, type InflateRaw } from "node:zlib";
import { crc32 } from "./crc32";
import { READ_BYTES, readAhead } from "./read-ahead";
import { readDirectory, type ZipEntry } from "./zip-directory";
import { ZipFault } from "./zip-fault";
import { COMMENT_BYTES, COMMENT_PREFIX, METHOD } from "./zip-format";

/** An archive open for looking. Entries were checked against each other, and no byte of their contents was read. */
export class ZipArchive {
  private constructor(
    private readonly file: FileHandle,
    readonly bytes: number,
    readonly entries: readonly ZipEntry[],
    readonly comment: string,
  ) {}

  /** @throws ZipFault where it is no archive, or one that two readers could understand in two ways. */
  static async open(path: string): Promise<ZipArchive> {
    const file = await open(path, "r");
    try {
      const { size } = await file.stat();
      const { entries, comment } = await readDirectory(size, windowed(file, size));
      return new ZipArchive(file, size, entries, comment);
    } catch (error) {
      await file.close();
      throw error;
    }
  }

  close(): Promise<void> {
    return this.file.close();
  }

  /**
   * Hands over the entry's contents piece by piece; never more than its header announces. A piece that is to be kept is copied.
   * @throws ZipFault when they are not what the header says.
   */
  async read(entry: ZipEntry, take: (piece: Uint8Array) => void | Promise<void>): Promise<void> {
    let bytes = 0;
    let crc = 0;
    const judge = async (pieces: AsyncIterable<Uint8Array>) => {
      for await (const piece of pieces) {
        bytes += piece.length;
        if (bytes > entry.bytes) throw new ZipFault(`is longer than the ${entry.bytes} bytes it announces`);
        crc = crc32(piece, crc);
        await take(piece);
      }
    };
    const stored = this.range(entry.dataOffset, entry.compressedBytes);
    if (entry.method === METHOD.stored) await judge(stored);
    else await this.inflate(entry, stored, judge);
    if (bytes !== entry.bytes) throw new ZipFault(`has ${bytes} bytes instead of ${entry.bytes}`);
    if (crc !== entry.crc) throw new ZipFault("does not have the checksum it announces");
  }

  private async inflate(
    entry: ZipEntry,
    stored: AsyncIterable<Uint8Array>,
    judge: (pieces: AsyncIterable<Uint8Array>) => Promise<void>,
  ): Promise<void> {
    const inflate: InflateRaw = createInflateRaw({ chunkSize: READ_BYTES / 4 });
    try {
      await pipeline(stored, inflate, judge);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code ?? "";
      if (code.startsWith("Z_")) throw new ZipFault(`cannot be unpacked (${code})`);
      throw error;
    }
    if (inflate.bytesWritten !== entry.compressedBytes) throw new ZipFault("has bytes behind the end of its data");
  }

  /** The entry's contents in one piece. @throws ZipFault; also where it is longer than `maxBytes`. */
  async readWhole(entry: ZipEntry, maxBytes: number): Promise<Buffer> {
    if (entry.bytes > maxBytes) throw new ZipFault(`is longer than ${maxBytes} bytes`);
    const pieces: Uint8Array[] = [];
    await this.read(entry, (piece) => void pieces.push(Buffer.from(piece)));
    return Buffer.concat(pieces);
  }

  /**
   * Whether the file is byte for byte as it was written. Another program that packs the same files anew leaves no such mark:
   * then the contents speak for themselves.
   */
  async seal(): Promise<"whole" | "changed" | "repacked"> {
    if (this.comment === "") return "repacked";
    const hash = createHash("sha256");
    for await (const piece of this.range(0, this.bytes - COMMENT_BYTES)) hash.update(piece);
    return this.comment === COMMENT_PREFIX + hash.digest("hex") ? "whole" : "changed";
  }

  private async *range(from: number, count: number): AsyncGenerator<Uint8Array> {
    let done = 0;
    for await (const piece of readAhead(this.file, from, count)) {
      done += piece.length;
      yield piece;
    }
    if (done < count) throw new ZipFault("the file ends too early");
  }
}

/** Small reads near each other, as headers are, out of one large one. */
function windowed(file: FileHandle, fileBytes: number): (from: number, count: number) => Promise<Buffer> {
  let window: Buffer = Buffer.alloc(0);
  let start = 0;
  return async (from, count) => {
    if (from < 0 || count < 0 || from + count > fileBytes) throw new ZipFault("the file ends too early");
    if (count > READ_BYTES) return readExactly(file, from, count);
    if (from < start || from + count > start + window.length) {
      window = await readExactly(file, from, Math.min(READ_BYTES, fileBytes - from));
      start = from;
    }
    return window.subarray(from - start, from - start + count);
  };
}

async function readExactly(file: FileHandle, from: number, count: number): Promise<Buffer> {
  const bytes = Buffer.alloc(count);
  for (let done = 0; done < count; ) {
    const { bytesRead } = await file.read(bytes, done, count - done, from + done);
    if (bytesRead === 0) throw new ZipFault("the file ends too early");
    done += bytesRead;
  }
  return bytes;
}
