import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseAudienceCsv } from "../../main/pipeline/briefing/audience-csv";
import { canonicaliseAddress } from "../../main/pipeline/briefing/canonical-address";

const csv = (...rows: readonly string[]) => ["id,address,group", ...rows].join("\r\n");
const reasonsOf = (text: string | Uint8Array) =>
  parseAudienceCsv(text).bad.map(({ line, reason }) => `${line} ${reason}`);

describe("the list", () => {
  test("64 rows with 63 distinct addresses are an audience of 63 (B9)", () => {
    const rows = Array.from({ length: 63 }, (_, i) => `c${i + 1},reader${i + 1}@example.org,paid`);
    const result = parseAudienceCsv(csv(...rows, 'c64," READER7@Example.ORG ",paid'));
    expect(result.recipients).toHaveLength(63);
    expect(result).toMatchObject({ rows: 64, bad: [], duplicates: [{ line: 65, id: "c64", repeatsLine: 8 }] });
  });

  test("quotes, doubled quotes, commas, line breaks, byte order mark, every line end", () => {
    const expected = [
      { id: "a", address: "a@example.org", group: 'the "first", of\nall', line: 2 },
      { id: "b", address: "b@example.org", group: "", line: 4 },
    ];
    const text = '\uFEFFid,address,group\n"a","a@example.org","the ""first"", of\nall"\nb,b@example.org,\n\n';
    for (const end of ["\n", "\r\n", "\r"]) {
      const result = parseAudienceCsv(new TextEncoder().encode(text.replaceAll("\n", end)));
      // A group with a line break is read right, and then refused as a group.
      expect(result.bad).toEqual([{ line: 2, reason: "group_not_allowed" }]);
    }
    const plain = parseAudienceCsv(text.replace("of\nall", "of all"));
    expect(plain.recipients).toEqual([
      { ...expected[0], group: 'the "first", of all' },
      { ...expected[1], line: 3 },
    ]);
  });

  test("nothing is half imported: one bad row, and there are no recipients", () => {
    const result = parseAudienceCsv(csv("a,a@example.org,x", "b,not an address,x", "c,c@example.org,x"));
    expect(result).toEqual({
      recipients: [],
      duplicates: [],
      bad: [{ line: 3, reason: "address_not_allowed" }],
      rows: 3,
    });
  });

  test("every bad row is named by its line", () => {
    const text = csv(
      "a,a@example.org,x",
      ",b@example.org,x",
      "c@example.org,c@example.org,x",
      "d,,x",
      "e,e@example.org",
      "f,f@example.org,x,y",
      "a,other@example.org,x",
      `g,g@example.org,${"x".repeat(101)}`,
    );
    expect(reasonsOf(text)).toEqual([
      "3 missing_id",
      "4 id_not_allowed",
      "5 missing_address",
      "6 wrong_column_count",
      "7 wrong_column_count",
      "8 duplicate_id",
      "9 group_not_allowed",
    ]);
  });

  test("the same row twice is a duplicate, not a fault", () => {
    const result = parseAudienceCsv(csv("a,a@example.org,x", "a,A@EXAMPLE.ORG,x"));
    expect(result).toMatchObject({ bad: [], duplicates: [{ line: 3, id: "a", repeatsLine: 2 }] });
    expect(result.recipients).toHaveLength(1);
  });

  test.each([
    ["", "1 empty_file"],
    ["\n\n", "1 empty_file"],
    ["address,id,group\na,b,c", "1 wrong_header"],
    ["id;address;group\na;b;c", "1 wrong_header"],
    ["a,a@example.org,x", "1 wrong_header"],
    ['id,address,group\na,"a@example.org,x', "2 unclosed_quote"],
    ['id,address,group\na,"a"@example.org,x', "2 stray_quote"],
    ['id,address,group\na, "a@example.org",x', "2 stray_quote"],
  ])("%j is %s", (text, fault) => {
    expect(reasonsOf(text)).toEqual([fault]);
  });

  test("bytes that are not UTF-8 are refused before anything is read; the header may be written in capitals", () => {
    expect(reasonsOf(new Uint8Array([0x69, 0xff, 0x64]))).toEqual(["1 not_utf8"]);
    expect(parseAudienceCsv("ID, Address ,GROUP\na,a@example.org,x").recipients).toHaveLength(1);
    expect(parseAudienceCsv("id,address,group").bad).toEqual([]);
  });

  test("property: any text is answered, and no answer has both recipients and faults", () => {
    const piece = fc.constantFrom("a", ",", '"', "\n", "\r\n", "\r", "@", "example.org", " ", "id", "客户");
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), (pieces) => {
        const result = parseAudienceCsv(`id,address,group\n${pieces.join("")}`);
        expect(result.recipients.length === 0 || result.bad.length === 0).toBe(true);
        expect(new Set(result.recipients.map((one) => one.address)).size).toBe(result.recipients.length);
        expect(new Set(result.recipients.map((one) => one.id)).size).toBe(result.recipients.length);
      }),
      { numRuns: 500 },
    );
  });

  test("property: what was written by RFC 4180 is read back", () => {
    const group = fc.string({ maxLength: 20 }).map((text) =>
      text
        .replace(/\p{Cc}|\p{Surrogate}/gu, "")
        .normalize("NFC")
        .trim(),
    );
    fc.assert(
      fc.property(fc.array(group, { maxLength: 8 }), (groups) => {
        const rows = groups.map((text, i) => `c${i},r${i}@example.org,"${text.replaceAll('"', '""')}"`);
        expect(parseAudienceCsv(csv(...rows)).recipients.map((one) => one.group)).toEqual(groups);
      }),
    );
  });
});

describe("canonical addresses", () => {
  test.each([
    ["  Ann.Lee+news@Example.ORG ", "ann.lee+news@example.org"],
    ["\u00a0ann@example.org\u3000", "ann@example.org"],
    ["ann\u200b@example.org", "ann@example.org"],
    ["JOSE\u0301@example.org", "jos\u00e9@example.org"],
    ["a@BÜCHER.example", "a@xn--bcher-kva.example"],
    ["用户@例子.测试", "用户@xn--fsqu00a.xn--0zwm56d"],
    ["a@xn--bcher-kva.example", "a@xn--bcher-kva.example"],
    ["o'neil!#$%&*/=?^_`{|}~-@example.org", "o'neil!#$%&*/=?^_`{|}~-@example.org"],
  ])("%s is %s", (raw, expected) => {
    expect(canonicaliseAddress(raw)).toBe(expected);
    expect(canonicaliseAddress(expected)).toBe(expected);
  });

  test.each([
    "",
    "ann",
    "@example.org",
    "ann@",
    "ann@localhost",
    "a b@example.org",
    "Ann <ann@example.org>",
    '"a b"@example.org',
    "a@b@example.org",
    ".a@example.org",
    "a.@example.org",
    "a..b@example.org",
    "a@[127.0.0.1]",
    "a@127.0.0.1",
    "a@1.2",
    "a@example.org:25",
    "a@exa%6dple.org",
    "a@-example.org",
    "a@example..org",
    "a@example.org.",
    "a,b@example.org",
    "a\r\nBcc:b@example.org",
    `${"a".repeat(65)}@example.org`,
    `a@${"b".repeat(64)}.org`,
    `a@${"b.".repeat(130)}org`,
    "a＠example.org",
  ])("%s is no plain address", (raw) => {
    expect(canonicaliseAddress(raw)).toBeNull();
  });
});
