import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { charsetOf, decodeText } from "../../main/adapters/text-decoding";

const encode = (text: string, encoding: string) => new Uint8Array(iconv.encode(text, encoding));
const ascii = (text: string) => new TextEncoder().encode(text);
const join = (...parts: Uint8Array[]) => new Uint8Array(Buffer.concat(parts));

describe("the written order", () => {
  const gbkDeclared = encode('<?xml version="1.0" encoding="gbk"?><rss>中文</rss>', "gbk");

  test("a byte order mark beats the header and the declaration", () => {
    const bytes = join(new Uint8Array([0xef, 0xbb, 0xbf]), ascii('<?xml version="1.0" encoding="gbk"?><a>é</a>'));
    expect(decodeText(bytes, "text/xml; charset=big5")).toMatchObject({ encoding: "utf-8", from: "bom" });
    const utf16 = join(new Uint8Array([0xfe, 0xff]), new Uint8Array(iconv.encode("<a>文</a>", "utf-16be")));
    expect(decodeText(utf16, null)).toEqual({ kind: "decoded", text: "<a>文</a>", encoding: "utf-16be", from: "bom" });
  });

  test("the header beats the declaration, which beats the default", () => {
    expect(decodeText(gbkDeclared, "text/xml; charset=windows-1252")).toMatchObject({
      encoding: "windows-1252",
      from: "http",
    });
    expect(decodeText(gbkDeclared, "text/xml")).toMatchObject({ encoding: "gbk", from: "xml_declaration" });
    expect(decodeText(ascii("<rss>é</rss>"), null)).toMatchObject({
      encoding: "utf-8",
      from: "default",
      text: "<rss>é</rss>",
    });
  });

  test.each([
    '<meta charset="big5">',
    "<META content='text/html; charset=big5' http-equiv=Content-Type>",
    "<meta charset=Big5>",
  ])("a page's %s is taken", (meta) => {
    const bytes = encode(`<!doctype html><html><head>${meta}<title>中文</title>`, "big5");
    expect(decodeText(bytes, "text/html")).toMatchObject({ encoding: "big5", from: "meta" });
    expect(decodeText(bytes, "text/html")).toHaveProperty("text", expect.stringContaining("中文"));
  });

  test("a meta inside a comment, a feed's item or JSON is not", () => {
    for (const text of [
      '<!-- <meta charset="big5"> --><html>',
      '<rss><channel><item><![CDATA[<meta charset="big5">]]>',
      '{"html":"<meta charset=big5>"}',
    ]) {
      expect(decodeText(ascii(text), null)).toMatchObject({ encoding: "utf-8", from: "default" });
    }
  });

  test("UTF-16 without a mark is known by its first characters; a declaration of UTF-16 read as ASCII is not believed", () => {
    const text = '<?xml version="1.0" encoding="utf-16"?><a>文</a>';
    expect(decodeText(encode(text, "utf-16le"), null)).toMatchObject({ text, from: "utf16_pattern" });
    expect(decodeText(encode(text, "utf-16be"), null)).toMatchObject({ text, encoding: "utf-16be" });
    expect(decodeText(ascii(text), null)).toMatchObject({ text, encoding: "utf-8", from: "xml_declaration" });
  });
});

describe("encodings", () => {
  test.each([
    ["gb18030", "gb18030", "𠮷原：智能体€"],
    ["gb2312", "gbk", "对账"],
    ["GBK", "gbk", "镕"],
    ["Big5", "big5", "繁體中文"],
    ["Shift_JIS", "shift_jis", "日本語テスト"],
    ["x-sjis", "shift_jis", "①髙"],
    ["EUC-JP", "euc-jp", "日本語"],
    ["ks_c_5601-1987", "euc-kr", "한국어"],
    ["windows-1250", "windows-1250", "žluťoučký"],
    ["windows-1251", "windows-1251", "Привет"],
    ["windows-1252", "windows-1252", "“€”—’"],
    ["iso-8859-1", "windows-1252", "’é"],
    ["us-ascii", "windows-1252", "plain"],
    ["windows-1254", "windows-1254", "İstanbul ş"],
    ["windows-1258", "windows-1258", "₫"],
    ["iso-8859-2", "iso-8859-2", "łódź"],
    ["iso-8859-15", "iso-8859-15", "Œ€"],
    ["koi8-r", "koi8-r", "Привет"],
  ])("label %s is %s", (label, encoding, text) => {
    expect(decodeText(encode(text, encoding), `text/plain; charset=${label}`)).toEqual({
      kind: "decoded",
      text,
      encoding,
      from: "http",
    });
  });

  test.each(["utf-7", "iso-2022-jp", "klingon", "x-user-defined", "utf-8; drop table"])(
    "label %s is refused by name",
    (label) => {
      const bytes = ascii(`<?xml version="1.0" encoding="${label}"?><a/>`);
      const result = decodeText(bytes, `text/xml; charset="${label}"`);
      expect(result).toMatchObject({
        kind: "undecodable",
        code: "encoding_unsupported",
        detail: expect.stringContaining(label),
      });
    },
  );

  test("bytes that are not UTF-8 and name nothing are refused; where UTF-8 is named, they are replaced", () => {
    const bytes = encode("没有声明", "gbk");
    expect(decodeText(bytes, "text/html")).toMatchObject({ kind: "undecodable", code: "encoding_unknown" });
    expect(decodeText(bytes, "text/html; charset=utf-8")).toMatchObject({
      kind: "decoded",
      text: expect.stringContaining("\uFFFD"),
    });
  });

  test("a lone surrogate in UTF-16 becomes a replacement character", () => {
    expect(decodeText(new Uint8Array([0xff, 0xfe, 0x00, 0xd8, 0x41, 0x00]), null)).toMatchObject({ text: "\uFFFDA" });
  });

  test("any bytes under any header give the same answer twice, and text always has a UTF-8 form", () => {
    const label = fc.constantFrom(
      "gb18030",
      "big5",
      "shift_jis",
      "euc-kr",
      "utf-16le",
      "utf-8",
      "windows-1252",
      "euc-jp",
    );
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), label, (bytes, name) => {
        const type = `text/xml; charset=${name}`;
        const first = decodeText(bytes, type);
        expect(decodeText(new Uint8Array(bytes), type)).toEqual(first);
        expect(first.kind === "decoded" && /\p{Surrogate}/u.test(first.text)).toBe(false);
      }),
    );
  });
});

test.each([
  ["text/html;charset=UTF-8", "UTF-8"],
  ['text/html; boundary=x; charset = "gbk"', "gbk"],
  ["text/html; charset='big5'", "big5"],
  ["text/html; charset=", null],
  ["text/html", null],
  [null, null],
])("the charset of %s is %s", (header, expected) => {
  expect(charsetOf(header)).toBe(expected);
});
