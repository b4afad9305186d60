import { ZipFault } from "./zip-fault";
import { EXTRA_ZIP64, FLAG_DESCRIPTOR, FLAG_UTF8, MAX_16, MAX_32, METHOD, SIGNATURE } from "./zip-format";

/** One entry as both of its headers agree on it. */
export interface ZipEntry {
  name: string;
  method: number;
  crc: number;
  compressedBytes: number;
  bytes: number;
  offset: number;
  dataOffset: number;
  /** Unix mode with the file type; 0 where the archive was made elsewhere. */
  mode: number;
}

type ReadAt = (from: number, count: number) => Promise<Buffer>;

/** A central header and where its name and extra fields stand. */
interface Central extends ZipEntry {
  rawName: Buffer;
  flags: number;
  timeAndDate: number;
}

const END_BYTES = 22;
const MAX_COMMENT_BYTES = 0xffff;
const EXTRA_OTHER_NAME = 0x7075;
/** What is encrypted, patched or masked is nothing we could hash. */
const FLAGS_KNOWN = FLAG_DESCRIPTOR | FLAG_UTF8 | 0x0006;
/** The list of a million files: more is no evidence, and would be held in memory. */
const MAX_DIRECTORY_BYTES = 256 * 1024 * 1024;

/**
 * Reads the directory of an archive and every entry's own header, and holds them against each other: readers that go by the
 * one or by the other must see the same files. Every byte of the file has to belong to something.
 * @throws ZipFault at the first thing that is not so.
 */
export async function readDirectory(
  fileBytes: number,
  read: ReadAt,
): Promise<{ entries: ZipEntry[]; comment: string }> {
  const end = await findEnd(fileBytes, read);
  if (end.bytes > MAX_DIRECTORY_BYTES) throw new ZipFault("the directory is too long");
  if (end.offset + end.bytes !== end.at)
    throw new ZipFault("the directory does not end where the archive's end begins");
  const directory = await read(end.offset, end.bytes);
  const centrals: Central[] = [];
  for (let at = 0; at < directory.length; ) {
    const central = parseCentral(directory, at);
    centrals.push(central.entry);
    at = central.next;
  }
  if (centrals.length !== end.count)
    throw new ZipFault(`${end.count} entries are announced, ${centrals.length} are there`);
  let expected = 0;
  for (const central of [...centrals].sort((a, b) => a.offset - b.offset)) {
    if (central.offset !== expected) throw new ZipFault(`bytes before ${named(central)} belong to no entry, or to two`);
    expected = await checkLocal(central, end.offset, read);
  }
  if (expected !== end.offset) throw new ZipFault("bytes before the directory belong to no entry");
  const entries = centrals.map(({ rawName: _raw, flags: _flags, timeAndDate: _time, ...entry }) => entry);
  return { entries, comment: end.comment };
}

const named = ({ name }: ZipEntry): string => JSON.stringify(name.slice(0, 120));

interface End {
  /** Where the records of the end begin; the directory has to end there. */
  at: number;
  count: number;
  bytes: number;
  offset: number;
  comment: string;
}

async function findEnd(fileBytes: number, read: ReadAt): Promise<End> {
  if (fileBytes < END_BYTES) throw new ZipFault("this is not a ZIP file");
  const from = Math.max(0, fileBytes - END_BYTES - MAX_COMMENT_BYTES);
  const tail = await read(from, fileBytes - from);
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== SIGNATURE.end) continue;
    if (at + END_BYTES + tail.readUInt16LE(at + 20) === tail.length) return readEnd(tail.subarray(at), from + at, read);
  }
  throw new ZipFault("this is not a ZIP file, or its end is cut off");
}

async function readEnd(end: Buffer, at: number, read: ReadAt): Promise<End> {
  const count = end.readUInt16LE(10);
  if (end.readUInt32LE(4) !== 0 || end.readUInt16LE(8) !== count) throw new ZipFault("the archive is split");
  const short = { at, count, bytes: end.readUInt32LE(12), offset: end.readUInt32LE(16) };
  const comment = end.subarray(END_BYTES).toString("latin1");
  const isLong = count === MAX_16 || short.bytes === MAX_32 || short.offset === MAX_32;
  const locator = isLong && at >= 76 ? await read(at - 20, 20) : null;
  // A ZIP with exactly 65,535 entries and no long records is one of another program's.
  if (locator === null || locator.readUInt32LE(0) !== SIGNATURE.locator64) return { ...short, comment };
  const at64 = Number(locator.readBigUInt64LE(8));
  if (at64 !== at - 76) throw new ZipFault("the long end record is not where it should be");
  const end64 = await read(at64, 56);
  const isSound =
    end64.readUInt32LE(0) === SIGNATURE.end64 && end64.readBigUInt64LE(4) === 44n && end64.readBigUInt64LE(16) === 0n;
  if (!isSound || end64.readBigUInt64LE(24) !== end64.readBigUInt64LE(32))
    throw new ZipFault("the long end record is damaged");
  const [count64, bytes, offset] = [32, 40, 48].map((field) => Number(end64.readBigUInt64LE(field))) as [
    number,
    number,
    number,
  ];
  const isSame = (value: number, long: number, limit: number) => value === limit || value === long;
  if (!isSame(count, count64, MAX_16) || !isSame(short.bytes, bytes, MAX_32) || !isSame(short.offset, offset, MAX_32))
    throw new ZipFault("the two end records differ");
  return { at: at64, count: count64, bytes, offset, comment };
}

function parseCentral(directory: Buffer, at: number): { entry: Central; next: number } {
  if (at + 46 > directory.length || directory.readUInt32LE(at) !== SIGNATURE.central)
    throw new ZipFault("the directory is damaged");
  const [nameBytes, extraBytes, commentBytes] = [28, 30, 32].map((field) => directory.readUInt16LE(at + field)) as [
    number,
    number,
    number,
  ];
  const next = at + 46 + nameBytes + extraBytes + commentBytes;
  if (next > directory.length) throw new ZipFault("the directory is damaged");
  const rawName = directory.subarray(at + 46, at + 46 + nameBytes);
  const isUnix = directory.readUInt8(at + 5) === 3;
  const entry: Central = {
    name: decodeName(rawName),
    rawName,
    flags: directory.readUInt16LE(at + 8),
    method: directory.readUInt16LE(at + 10),
    timeAndDate: directory.readUInt32LE(at + 12),
    crc: directory.readUInt32LE(at + 16),
    compressedBytes: directory.readUInt32LE(at + 20),
    bytes: directory.readUInt32LE(at + 24),
    offset: directory.readUInt32LE(at + 42),
    dataOffset: 0,
    mode: isUnix ? directory.readUInt16LE(at + 40) : 0,
  };
  if (directory.readUInt16LE(at + 34) !== 0) throw new ZipFault("the archive is split");
  readExtra(directory.subarray(at + 46 + nameBytes, at + 46 + nameBytes + extraBytes), entry);
  if ((entry.flags & ~FLAGS_KNOWN) !== 0) throw new ZipFault(`${named(entry)} is encrypted or of an unknown kind`);
  if (entry.method !== METHOD.stored && entry.method !== METHOD.deflated)
    throw new ZipFault(`${named(entry)} is compressed in a way that is not known here`);
  return { entry, next };
}

/** Puts the long sizes in where the short ones say so; a second name for the same entry must be the same name. */
function readExtra(extra: Buffer, entry: Central): void {
  for (let at = 0; at + 4 <= extra.length; ) {
    const [id, length] = [extra.readUInt16LE(at), extra.readUInt16LE(at + 2)];
    const field = extra.subarray(at + 4, at + 4 + length);
    if (field.length !== length) throw new ZipFault(`the extra fields of ${named(entry)} are damaged`);
    if (id === EXTRA_OTHER_NAME && decodeName(field.subarray(5)) !== entry.name)
      throw new ZipFault(`${named(entry)} has two names`);
    if (id === EXTRA_ZIP64) {
      let from = 0;
      for (const key of ["bytes", "compressedBytes", "offset"] as const) {
        if (entry[key] !== MAX_32) continue;
        if (from + 8 > length) throw new ZipFault(`the long sizes of ${named(entry)} are cut off`);
        entry[key] = Number(field.readBigUInt64LE(from));
        from += 8;
      }
    }
    at += 4 + length;
  }
}

function decodeName(raw: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(raw);
  } catch (error) {
    if (error instanceof TypeError) throw new ZipFault("a name is not UTF-8");
    throw error;
  }
}

/** Holds an entry's own header against the directory, and returns where the entry ends. */
async function checkLocal(central: Central, limit: number, read: ReadAt): Promise<number> {
  const differs = () => new ZipFault(`the two headers of ${named(central)} differ`);
  const { offset, rawName } = central;
  if (offset + 30 + rawName.length > limit) throw differs();
  const local = await read(offset, 30 + rawName.length);
  const isSame =
    local.readUInt32LE(0) === SIGNATURE.local &&
    local.readUInt16LE(6) === central.flags &&
    local.readUInt16LE(8) === central.method &&
    local.readUInt32LE(10) === central.timeAndDate &&
    local.readUInt16LE(26) === rawName.length &&
    local.subarray(30).equals(rawName);
  if (!isSame) throw differs();
  const dataOffset = offset + local.length + local.readUInt16LE(28);
  central.dataOffset = dataOffset;
  const dataEnd = dataOffset + central.compressedBytes;
  if (dataEnd > limit) throw new ZipFault(`${named(central)} reaches into the directory`);
  if ((central.flags & FLAG_DESCRIPTOR) !== 0) return dataEnd + (await descriptorBytes(central, dataEnd, limit, read));
  const isLong = (value: number) => value === MAX_32;
  const [crc, compressed, bytes] = [14, 18, 22].map((field) => local.readUInt32LE(field)) as [number, number, number];
  const isAsSaid =
    crc === central.crc &&
    (isLong(compressed) || compressed === central.compressedBytes) &&
    (isLong(bytes) || bytes === central.bytes);
  if (!isAsSaid) throw differs();
  return dataEnd;
}

/** The record behind the data, in one of its four forms: with or without a mark, with short or long sizes. */
async function descriptorBytes(central: Central, at: number, limit: number, read: ReadAt): Promise<number> {
  const tail = await read(at, Math.min(24, limit - at));
  for (const mark of [4, 0]) {
    if (mark === 4 && (tail.length < 4 || tail.readUInt32LE(0) !== SIGNATURE.descriptor)) continue;
    const body = tail.subarray(mark);
    if (body.length < 12 || body.readUInt32LE(0) !== central.crc) continue;
    if (body.readUInt32LE(4) === central.compressedBytes && body.readUInt32LE(8) === central.bytes) return mark + 12;
    if (body.length < 20) continue;
    const isLong =
      body.readBigUInt64LE(4) === BigInt(central.compressedBytes) && body.readBigUInt64LE(12) === BigInt(central.bytes);
    if (isLong) return mark + 20;
  }
  throw new ZipFault(`the two headers of ${named(central)} differ`);
}
