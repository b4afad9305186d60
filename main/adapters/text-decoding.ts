import iconv from "iconv-lite";

/**
 * Bytes to text, by a written order that never depends on the machine:
 *
 * 1. a byte order mark (UTF-8, UTF-16);
 * 2. the charset of the HTTP Content-Type;
 * 3. for XML without a mark, the pattern of `<?` in UTF-16; then the XML declaration's encoding; then, for HTML, the
 *    first `meta` charset;
 * 4. UTF-8, and then the bytes must really be UTF-8.
 *
 * A label that nobody knows makes the source unusable: a guess would put wrong characters into quotes.
 * The legacy tables come from iconv-lite and not from the runtime, because runtimes differ (GB18030 changed between ICU
 * versions, some Node versions read windows-1252 as Latin-1) and a span must name the same text on every machine.
 */
export type DecodedText =
  | { kind: "decoded"; text: string; encoding: string; from: EncodingOrigin }
  | { kind: "undecodable"; code: "encoding_unsupported" | "encoding_unknown"; detail: string };

export type EncodingOrigin = "bom" | "http" | "utf16_pattern" | "xml_declaration" | "meta" | "default";

/** How far a declaration may stand from the start. HTML asks for 1,024; some generators put long comments first. */
const HEAD_BYTES = 4096;

/** Labels by encoding, as browsers take them (WHATWG Encoding): `iso-8859-1` really is windows-1252, `gb2312` is GBK. */
const LABELS: Readonly<Record<string, string>> = {
  "utf-8": "utf8 unicode-1-1-utf-8 x-unicode20utf8 utf8mb4",
  "utf-16le": "utf-16 ucs-2 unicode iso-10646-ucs-2",
  "utf-16be": "unicodefffe",
  gb18030: "",
  gbk: "gb2312 gb_2312-80 gb_2312 chinese csgb2312 iso-ir-58 x-gbk cp936 ms936 windows-936 euc-cn",
  big5: "big5-hkscs big5hkscs cn-big5 csbig5 x-x-big5 cp950",
  shift_jis: "shift-jis sjis csshiftjis ms_kanji ms932 windows-31j x-sjis cp932",
  "euc-jp": "cseucpkdfmtjapanese x-euc-jp",
  "euc-kr": "cseuckr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949 iso-ir-149 cp949",
  "windows-874": "dos-874 iso-8859-11 iso8859-11 tis-620",
  "windows-1250": "cp1250 x-cp1250",
  "windows-1251": "cp1251 x-cp1251",
  "windows-1252":
    "cp1252 x-cp1252 ansi_x3.4-1968 ascii us-ascii iso-8859-1 iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 latin1 l1 cp819 ibm819",
  "windows-1253": "cp1253 x-cp1253",
  "windows-1254": "cp1254 x-cp1254 iso-8859-9 iso8859-9 latin5 l5",
  "windows-1255": "cp1255 x-cp1255",
  "windows-1256": "cp1256 x-cp1256",
  "windows-1257": "cp1257 x-cp1257",
  "windows-1258": "cp1258 x-cp1258",
  "iso-8859-2": "iso8859-2 latin2 l2",
  "iso-8859-3": "iso8859-3 latin3 l3",
  "iso-8859-4": "iso8859-4 latin4 l4",
  "iso-8859-5": "iso8859-5 cyrillic",
  "iso-8859-6": "iso8859-6 arabic",
  "iso-8859-7": "iso8859-7 greek greek8",
  "iso-8859-8": "iso8859-8 hebrew",
  "iso-8859-10": "iso8859-10 latin6 l6",
  "iso-8859-13": "iso8859-13",
  "iso-8859-14": "iso8859-14",
  "iso-8859-15": "iso8859-15 latin9 l9 csisolatin9",
  "iso-8859-16": "",
  "koi8-r": "koi8 koi koi8_r cskoi8r",
  "koi8-u": "koi8-ru",
  macintosh: "mac x-mac-roman csmacintosh",
  ibm866: "866 cp866 csibm866",
};

const ENCODING_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(LABELS).flatMap(([name, labels]) =>
    [name, ...labels.split(" ").filter((label) => label !== "")].map((label): [string, string] => [label, name]),
  ),
);

/**
 * Decodes one body.
 * @param contentType the Content-Type header as received, or null.
 * @returns text without a byte order mark. Bytes that a named encoding does not know become U+FFFD, one lone surrogate
 * likewise, so that the text always has a UTF-8 form.
 */
export function decodeText(bytes: Uint8Array, contentType: string | null): DecodedText {
  const mark = markOf(bytes);
  if (mark !== null) return decoded(bytes.subarray(mark.length), mark.encoding, "bom");
  const header = charsetOf(contentType);
  if (header !== null) return byLabel(bytes, header, "http");
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString("latin1");
  if (head.startsWith("<\0?\0")) return decoded(bytes, "utf-16le", "utf16_pattern");
  if (head.startsWith("\0<\0?")) return decoded(bytes, "utf-16be", "utf16_pattern");
  const declared = xmlEncodingOf(head);
  if (declared !== null) return byLabel(bytes, ifAscii(declared), "xml_declaration");
  const meta = metaCharsetOf(head);
  if (meta !== null) return byLabel(bytes, ifAscii(meta), "meta");
  try {
    return {
      kind: "decoded",
      text: new TextDecoder("utf-8", { fatal: true }).decode(bytes),
      encoding: "utf-8",
      from: "default",
    };
  } catch {
    return {
      kind: "undecodable",
      code: "encoding_unknown",
      detail: "no encoding is named and the bytes are not UTF-8",
    };
  }
}

function markOf(bytes: Uint8Array): { encoding: string; length: number } | null {
  const [a, b, c] = bytes;
  if (a === 0xef && b === 0xbb && c === 0xbf) return { encoding: "utf-8", length: 3 };
  if (a === 0xff && b === 0xfe) return { encoding: "utf-16le", length: 2 };
  if (a === 0xfe && b === 0xff) return { encoding: "utf-16be", length: 2 };
  return null;
}

/** The charset parameter of a Content-Type, or null when there is none. */
export function charsetOf(contentType: string | null): string | null {
  const found = /;\s*charset\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s;"']+))/i.exec(contentType ?? "");
  const label = (found?.[1] ?? found?.[2] ?? found?.[3] ?? "").trim();
  return label === "" ? null : label;
}

function xmlEncodingOf(head: string): string | null {
  const declaration = /^\s*<\?xml\s[^>]*?\?>/.exec(head)?.[0] ?? "";
  return /\sencoding\s*=\s*["']([A-Za-z0-9._:-]+)["']/.exec(declaration)?.[1] ?? null;
}

function metaCharsetOf(head: string): string | null {
  // A feed may carry a whole page, `meta` included, inside its first item: only an HTML head counts.
  if (/<(?:rss|feed|rdf:RDF)[\s>]/i.test(head) || /^\s*[{[]/.test(head)) return null;
  const open = head.replace(/<!--[\s\S]*?(?:-->|$)/g, "");
  return /<meta\s[^>]*?charset\s*=\s*["']?\s*([A-Za-z0-9._:-]+)/i.exec(open)?.[1] ?? null;
}

/** A declaration that could be read as ASCII cannot be true when it says UTF-16 (HTML: the same rule). */
function ifAscii(label: string): string {
  return (ENCODING_OF.get(label.toLowerCase()) ?? "").startsWith("utf-16") ? "utf-8" : label;
}

function byLabel(bytes: Uint8Array, label: string, from: EncodingOrigin): DecodedText {
  const encoding = ENCODING_OF.get(label.trim().toLowerCase());
  if (encoding === undefined) {
    const shown = label.replace(/[^\x20-\x7E]/g, "?").slice(0, 40);
    return { kind: "undecodable", code: "encoding_unsupported", detail: `unknown encoding "${shown}" (${from})` };
  }
  return decoded(bytes, encoding, from);
}

function decoded(bytes: Uint8Array, encoding: string, from: EncodingOrigin): DecodedText {
  // UTF-8 is fixed by standard and fast in every runtime; all others come from tables that this program carries.
  const text =
    encoding === "utf-8"
      ? new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
      : iconv.decode(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), encoding, { stripBOM: false });
  return { kind: "decoded", text: text.replace(/\p{Surrogate}/gu, "\uFFFD"), encoding, from };
}
