const MARK = Buffer.from("{{base}}", "ascii");

/**
 * Puts the server's own address in place of every `{{base}}`, working on bytes: a sample in GB18030 or windows-1252 must
 * not be decoded and encoded again. In GB18030 the second byte of a character may look like `{` or `}`, so whole
 * characters are stepped over; in UTF-8 and the single-byte encodings an ASCII byte always is that ASCII character.
 */
export function fillBase(bytes: Buffer, base: string, encoding: "ascii-compatible" | "gb18030"): Buffer {
  const address = Buffer.from(base, "ascii");
  const parts: Buffer[] = [];
  let copied = 0;
  let at = 0;
  while (at < bytes.length) {
    if (bytes[at] === MARK[0] && bytes.subarray(at, at + MARK.length).equals(MARK)) {
      parts.push(bytes.subarray(copied, at), address);
      at += MARK.length;
      copied = at;
    } else {
      at += encoding === "gb18030" ? characterLength(bytes, at) : 1;
    }
  }
  parts.push(bytes.subarray(copied));
  return Buffer.concat(parts);
}

/** GB18030: one byte below 0x80, two bytes, or four where the second is a digit. */
function characterLength(bytes: Buffer, at: number): number {
  const lead = bytes[at] ?? 0;
  const next = bytes[at + 1];
  if (lead <= 0x80 || lead === 0xff || next === undefined) return 1;
  return next >= 0x30 && next <= 0x39 ? 4 : 2;
}
