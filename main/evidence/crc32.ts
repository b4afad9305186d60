import zlib from "node:zlib";

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1;
  return value;
});

function crc32ByTable(bytes: Uint8Array, before: number): number {
  let crc = ~before;
  for (const byte of bytes) crc = (crc >>> 8) ^ (table[(crc ^ byte) & 0xff] as number);
  return ~crc >>> 0;
}

const native: typeof zlib.crc32 | undefined = zlib.crc32;

/**
 * The checksum of ZIP (CRC-32 as in RFC 1952), continued from `before`. Node's own where it has one; the runtime that stands
 * in for Electron in development is older.
 */
export const crc32 = (bytes: Uint8Array, before = 0): number =>
  native ? native(bytes, before) : crc32ByTable(bytes, before);
