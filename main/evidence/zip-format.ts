import type { Instant } from "../domain/ids";

/** The records of a ZIP file (APPNOTE 6.3.10), as far as an evidence bundle uses them: stored or deflated, UTF-8, zip64. */

export const SIGNATURE = {
  local: 0x04034b50,
  descriptor: 0x08074b50,
  central: 0x02014b50,
  end: 0x06054b50,
  end64: 0x06064b50,
  locator64: 0x07064b50,
} as const;

export const METHOD = { stored: 0, deflated: 8 } as const;
/** Checksum and sizes follow the data. */
export const FLAG_DESCRIPTOR = 0x0008;
/** Names are UTF-8, said in both headers. */
export const FLAG_UTF8 = 0x0800;
export const EXTRA_ZIP64 = 0x0001;
/** From this value on a 32-bit field says "look into the zip64 field", a 16-bit one likewise. */
export const MAX_32 = 0xffff_ffff;
export const MAX_16 = 0xffff;

/**
 * The archive's comment: the SHA-256 of every byte before it. A changed byte that no entry holds (a date, a right, a bit that
 * pads compressed data) would otherwise go unseen. It proves no origin, as anyone can make it; the signature inside does.
 */
export const COMMENT_PREFIX = "imprimatur-sha256:";
export const COMMENT_BYTES = COMMENT_PREFIX.length + 64;

export interface EntryRecord {
  name: Buffer;
  flags: number;
  method: number;
  crc: number;
  compressedBytes: number;
  bytes: number;
  offset: number;
  /** Unix mode with the file type. */
  mode: number;
  /** Sizes stand in zip64 fields whatever they are: decided before they were known. */
  isZip64: boolean;
}

/** A moment in the format's own way: local time without a zone, two seconds apart, since 1980. UTC here. */
export function dosTime(at: Instant): { time: number; date: number } {
  const moment = new Date(at);
  const year = Math.min(Math.max(moment.getUTCFullYear(), 1980), 2107);
  return {
    time: (moment.getUTCHours() << 11) | (moment.getUTCMinutes() << 5) | (moment.getUTCSeconds() >> 1),
    date: ((year - 1980) << 9) | ((moment.getUTCMonth() + 1) << 5) | moment.getUTCDate(),
  };
}

const needed = (isZip64: boolean): number => (isZip64 ? 45 : 20);

function zip64Extra(values: readonly number[]): Buffer {
  if (values.length === 0) return Buffer.alloc(0);
  const extra = Buffer.alloc(4 + 8 * values.length);
  extra.writeUInt16LE(EXTRA_ZIP64, 0);
  extra.writeUInt16LE(8 * values.length, 2);
  values.forEach((value, index) => {
    extra.writeBigUInt64LE(BigInt(value), 4 + 8 * index);
  });
  return extra;
}

/** The header before the data. With `FLAG_DESCRIPTOR` it says nothing about checksum and sizes yet. */
export function localHeader(entry: EntryRecord, at: Instant): Buffer {
  const isOpen = (entry.flags & FLAG_DESCRIPTOR) !== 0;
  const extra = entry.isZip64 ? zip64Extra(isOpen ? [0, 0] : [entry.bytes, entry.compressedBytes]) : Buffer.alloc(0);
  const header = Buffer.alloc(30);
  const { time, date } = dosTime(at);
  header.writeUInt32LE(SIGNATURE.local, 0);
  header.writeUInt16LE(needed(entry.isZip64), 4);
  header.writeUInt16LE(entry.flags, 6);
  header.writeUInt16LE(entry.method, 8);
  header.writeUInt16LE(time, 10);
  header.writeUInt16LE(date, 12);
  header.writeUInt32LE(isOpen ? 0 : entry.crc, 14);
  header.writeUInt32LE(entry.isZip64 ? MAX_32 : isOpen ? 0 : entry.compressedBytes, 18);
  header.writeUInt32LE(entry.isZip64 ? MAX_32 : isOpen ? 0 : entry.bytes, 22);
  header.writeUInt16LE(entry.name.length, 26);
  header.writeUInt16LE(extra.length, 28);
  return Buffer.concat([header, entry.name, extra]);
}

/** What follows the data of an entry whose header could not know it. */
export function dataDescriptor(entry: EntryRecord): Buffer {
  const record = Buffer.alloc(entry.isZip64 ? 24 : 16);
  record.writeUInt32LE(SIGNATURE.descriptor, 0);
  record.writeUInt32LE(entry.crc, 4);
  if (entry.isZip64) {
    record.writeBigUInt64LE(BigInt(entry.compressedBytes), 8);
    record.writeBigUInt64LE(BigInt(entry.bytes), 16);
  } else {
    record.writeUInt32LE(entry.compressedBytes, 8);
    record.writeUInt32LE(entry.bytes, 12);
  }
  return record;
}

/** The entry in the directory at the end. */
export function centralHeader(entry: EntryRecord, at: Instant): Buffer {
  const isFar = entry.offset >= MAX_32;
  const extra = zip64Extra([
    ...(entry.isZip64 ? [entry.bytes, entry.compressedBytes] : []),
    ...(isFar ? [entry.offset] : []),
  ]);
  const header = Buffer.alloc(46);
  const { time, date } = dosTime(at);
  header.writeUInt32LE(SIGNATURE.central, 0);
  // Made by: Unix, so that the mode is understood.
  header.writeUInt16LE((3 << 8) | 45, 4);
  header.writeUInt16LE(needed(extra.length > 0), 6);
  header.writeUInt16LE(entry.flags, 8);
  header.writeUInt16LE(entry.method, 10);
  header.writeUInt16LE(time, 12);
  header.writeUInt16LE(date, 14);
  header.writeUInt32LE(entry.crc, 16);
  header.writeUInt32LE(entry.isZip64 ? MAX_32 : entry.compressedBytes, 20);
  header.writeUInt32LE(entry.isZip64 ? MAX_32 : entry.bytes, 24);
  header.writeUInt16LE(entry.name.length, 28);
  header.writeUInt16LE(extra.length, 30);
  header.writeUInt32LE((entry.mode << 16) >>> 0, 38);
  header.writeUInt32LE(isFar ? MAX_32 : entry.offset, 42);
  return Buffer.concat([header, entry.name, extra]);
}

/** The end of the archive, up to the comment; with the zip64 records before it where a number does not fit. */
export function endRecords(directory: { count: number; bytes: number; offset: number }, commentBytes: number): Buffer {
  const { count, bytes, offset } = directory;
  const isZip64 = count >= MAX_16 || bytes >= MAX_32 || offset >= MAX_32;
  const end = Buffer.alloc(22);
  end.writeUInt32LE(SIGNATURE.end, 0);
  end.writeUInt16LE(Math.min(count, MAX_16), 8);
  end.writeUInt16LE(Math.min(count, MAX_16), 10);
  end.writeUInt32LE(Math.min(bytes, MAX_32), 12);
  end.writeUInt32LE(Math.min(offset, MAX_32), 16);
  end.writeUInt16LE(commentBytes, 20);
  if (!isZip64) return end;
  const end64 = Buffer.alloc(56 + 20);
  end64.writeUInt32LE(SIGNATURE.end64, 0);
  end64.writeBigUInt64LE(44n, 4);
  end64.writeUInt16LE((3 << 8) | 45, 12);
  end64.writeUInt16LE(45, 14);
  end64.writeBigUInt64LE(BigInt(count), 24);
  end64.writeBigUInt64LE(BigInt(count), 32);
  end64.writeBigUInt64LE(BigInt(bytes), 40);
  end64.writeBigUInt64LE(BigInt(offset), 48);
  end64.writeUInt32LE(SIGNATURE.locator64, 56);
  end64.writeBigUInt64LE(BigInt(offset + bytes), 64);
  end64.writeUInt32LE(1, 72);
  return Buffer.concat([end64, end]);
}
