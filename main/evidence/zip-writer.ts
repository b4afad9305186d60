import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { constants, deflateRaw, deflateRawSync } from "node:zlib";
import { Bug, type Instant } from "../domain/ids";
import { crc32 } from "./crc32";
import {
  COMMENT_BYTES,
  COMMENT_PREFIX,
  centralHeader,
  dataDescriptor,
  type EntryRecord,
  endRecords,
  FLAG_DESCRIPTOR,
  FLAG_UTF8,
  localHeader,
  MAX_32,
  METHOD,
} from "./zip-format";

/** Where the archive's bytes go, in order. */
export interface ByteSink {
  write(bytes: Uint8Array): Promise<void>;
}

/** Pieces of a file, in order, read as they are asked for. */
export type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

/** Compressed at once, in the threads that zlib has anyway: one after another it would be a third as fast. */
const IN_FLIGHT = 4;
/** One piece of work for a thread, and the most that is held of each entry. */
const PIECE_BYTES = 1024 * 1024;
/** Up to here a file is compressed sooner than a thread is told of it. */
const SHORT_BYTES = 64 * 1024;
/** Shorter than this, compressing costs more than it saves: what a compressor needs to begin with is a quarter of a megabyte. */
const TINY_BYTES = 128;
/** How far back deflate looks: given to the next piece, so that cutting a file costs no compression. */
const WINDOW_BYTES = 32 * 1024;
/** Compressed so well, an entry would look like a bomb to whoever verifies; so little, it is not worth the reader's time. */
const BEST_RATIO = 100;
const WORST_RATIO = 1.03;
/** Deflate may lengthen what cannot be compressed; a file this near to 4 GiB gets the long fields. */
const ZIP64_FROM_BYTES = MAX_32 - 64 * 1024 * 1024;
const FILE_MODE = 0o100644;

/** What is written is gathered up to here: each call for a few bytes would be a round trip to a thread. */
const WRITE_BYTES = 256 * 1024;
/** What zlib takes for a window, as powers of two, and for a piece of what comes out. */
const FEWEST_BITS = 9;
const MOST_BITS = 15;
const FEWEST_BYTES = 64;
/** As `zip` does by itself. */
const LEVEL = 6;

const deflate = promisify<Uint8Array, object, Buffer>(deflateRaw);

/** A piece in one go: by default a thread is asked anew for every 16 KiB that come out. */
const compress = (bytes: Uint8Array, options: object = {}): Promise<Buffer> =>
  deflate(bytes, { level: LEVEL, chunkSize: PIECE_BYTES, ...options });

/** With no more memory to be cleared than a file of this length can make use of. */
const compressShort = (bytes: Uint8Array): Buffer => {
  const { length } = bytes;
  const windowBits = Math.min(MOST_BITS, Math.max(FEWEST_BITS, 33 - Math.clz32(length)));
  return deflateRawSync(bytes, { level: LEVEL, windowBits, chunkSize: Math.max(FEWEST_BYTES, length) });
};

/** A piece being compressed and what is to be done with it once everything before it is written. */
interface Job {
  deflated: Promise<Buffer> | Buffer | null;
  place(deflated: Buffer | null): Promise<void>;
}

/**
 * Writes a ZIP file as a stream: memory does not grow with the size of what is in it. Names are UTF-8 and say so; zip64 where
 * it is needed and nowhere else. The comment at the end is the hash of all bytes before it.
 */
export class ZipWriter {
  private readonly hash = createHash("sha256");
  private readonly entries: EntryRecord[] = [];
  private readonly jobs: Job[] = [];
  private offset = 0;
  private gathered: Uint8Array[] = [];
  private gatheredBytes = 0;

  /**
   * @param at the time that every entry bears
   * @param zip64FromBytes from which size on an entry gets the long fields; only a test names another
   */
  constructor(
    private readonly sink: ByteSink,
    private readonly at: Instant,
    private readonly zip64FromBytes: number = ZIP64_FROM_BYTES,
  ) {}

  /** Adds a file that is in memory anyway. */
  async add(name: string, bytes: Uint8Array, mode: number = FILE_MODE): Promise<void> {
    if (bytes.length > PIECE_BYTES) return this.addStream(name, bytes.length, [bytes], mode);
    const entry = this.newEntry(name, bytes.length, mode);
    entry.crc = crc32(bytes);
    await this.enqueue({
      deflated: bytes.length < TINY_BYTES ? null : bytes.length > SHORT_BYTES ? compress(bytes) : compressShort(bytes),
      place: async (deflated) => {
        const isSmaller = deflated !== null && deflated.length < bytes.length;
        const data = isSmaller ? deflated : bytes;
        entry.method = isSmaller ? METHOD.deflated : METHOD.stored;
        entry.compressedBytes = data.length;
        entry.offset = this.offset;
        await this.write(localHeader(entry, this.at));
        await this.write(data);
      },
    });
  }

  /**
   * Adds a file of a known length piece by piece.
   * @throws Bug when the pieces are not as long as was said; whatever reading them throws.
   */
  async addStream(name: string, totalBytes: number, chunks: Chunks, mode: number = FILE_MODE): Promise<void> {
    const entry = this.newEntry(name, totalBytes, mode);
    entry.flags |= FLAG_DESCRIPTOR;
    let seen = 0;
    let before: Uint8Array | null = null;
    for await (const piece of inPieces(chunks)) {
      seen += piece.length;
      entry.crc = crc32(piece, entry.crc);
      const isLast = seen === totalBytes;
      if (before === null) await this.openStream(entry, piece);
      await this.enqueuePiece(entry, piece, before, isLast);
      before = piece;
    }
    if (seen !== totalBytes) throw new Bug(`${name} is ${seen} bytes long, not ${totalBytes}`);
    if (before === null) await this.openStream(entry, new Uint8Array());
    await this.enqueue({ deflated: null, place: () => this.write(dataDescriptor(entry)) });
  }

  /** Writes the directory and the comment. Nothing can be added afterwards. */
  async finish(): Promise<void> {
    while (this.jobs.length > 0) await this.placeNext();
    const offset = this.offset;
    for (const entry of this.entries) await this.write(centralHeader(entry, this.at));
    const directory = { count: this.entries.length, bytes: this.offset - offset, offset };
    await this.write(endRecords(directory, COMMENT_BYTES));
    await this.flush();
    await this.sink.write(Buffer.from(COMMENT_PREFIX + this.hash.digest("hex"), "ascii"));
  }

  private newEntry(name: string, bytes: number, mode: number): EntryRecord {
    const isZip64 = bytes >= this.zip64FromBytes;
    const entry = {
      name: Buffer.from(name, "utf8"),
      flags: FLAG_UTF8,
      method: METHOD.deflated as number,
      mode,
      isZip64,
    };
    const record: EntryRecord = { ...entry, crc: 0, compressedBytes: 0, bytes, offset: 0 };
    this.entries.push(record);
    return record;
  }

  /** The first piece tells whether compressing the rest is worth anything. */
  private async openStream(entry: EntryRecord, first: Uint8Array): Promise<void> {
    const ratio = first.length === 0 ? 1 : first.length / (await compress(first)).length;
    entry.method = ratio > BEST_RATIO || ratio < WORST_RATIO ? METHOD.stored : METHOD.deflated;
    await this.enqueue({
      deflated: null,
      place: async () => {
        entry.offset = this.offset;
        await this.write(localHeader(entry, this.at));
      },
    });
  }

  private enqueuePiece(
    entry: EntryRecord,
    piece: Uint8Array,
    before: Uint8Array | null,
    isLast: boolean,
  ): Promise<void> {
    const options = {
      finishFlush: isLast ? constants.Z_FINISH : constants.Z_SYNC_FLUSH,
      ...(before === null ? {} : { dictionary: before.subarray(-WINDOW_BYTES) }),
    };
    return this.enqueue({
      deflated: entry.method === METHOD.stored ? null : compress(piece, options),
      place: async (deflated) => {
        const data = deflated ?? piece;
        entry.compressedBytes += data.length;
        await this.write(data);
      },
    });
  }

  private async enqueue(job: Job): Promise<void> {
    this.jobs.push(job);
    while (this.jobs.length >= IN_FLIGHT) await this.placeNext();
  }

  private async placeNext(): Promise<void> {
    const job = this.jobs.shift();
    if (job) await job.place(await job.deflated);
  }

  private async write(bytes: Uint8Array): Promise<void> {
    this.hash.update(bytes);
    this.offset += bytes.length;
    this.gathered.push(bytes);
    this.gatheredBytes += bytes.length;
    if (this.gatheredBytes >= WRITE_BYTES) await this.flush();
  }

  private async flush(): Promise<void> {
    const [first, ...more] = this.gathered;
    if (first === undefined) return;
    this.gathered = [];
    this.gatheredBytes = 0;
    await this.sink.write(more.length === 0 ? first : Buffer.concat([first, ...more]));
  }
}

/** The same bytes in pieces of one size: threads get even work, whatever the reader's habits. */
async function* inPieces(chunks: Chunks): AsyncGenerator<Uint8Array> {
  let kept: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    for (let from = 0; from < chunk.length; ) {
      const part = chunk.subarray(from, from + PIECE_BYTES - bytes);
      kept.push(part);
      bytes += part.length;
      from += part.length;
      if (bytes < PIECE_BYTES) continue;
      yield Buffer.concat(kept);
      kept = [];
      bytes = 0;
    }
  }
  if (bytes > 0) yield Buffer.concat(kept);
}
