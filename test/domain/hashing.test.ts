import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalJson, derivedId, GENESIS, sha256 } from "../../main/domain/hashing";
import { asSha256, Bug } from "../../main/domain/ids";

describe("canonical JSON (RFC 8785)", () => {
  test("keys are sorted by UTF-16 units, blanks are gone, strings keep their characters", () => {
    const value = { "\u20ac": 1, "\r": 2, "1": 3, "😀": 4, "\u0080": 5, ö: 6, \ufb33: 7, a: [true, null, "中文"] };
    expect(canonicalJson(value)).toBe(
      '{"\\r":2,"1":3,"a":[true,null,"中文"],"\u0080":5,"ö":6,"\u20ac":1,"😀":4,"\ufb33":7}',
    );
  });

  test("the same value has the same bytes in whatever order it was put together", () => {
    const values = fc.dictionary(
      fc.string(),
      fc.oneof(fc.string(), fc.maxSafeInteger(), fc.boolean(), fc.constant(null)),
    );
    fc.assert(
      fc.property(values, (value) => {
        const reversed = Object.fromEntries(Object.entries(value).reverse());
        expect(canonicalJson(reversed)).toBe(canonicalJson(value));
        expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test("what has no JSON form is a bug of ours", () => {
    expect(() => canonicalJson(undefined)).toThrow(Bug);
  });
});

describe("SHA-256", () => {
  test("of text is that of its UTF-8 bytes, as any other tool makes it", () => {
    expect(sha256("")).toBe("e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    expect(sha256("中文")).toBe(createHash("sha256").update(Buffer.from("中文", "utf8")).digest("hex"));
    expect(sha256(new Uint8Array([0xe4, 0xb8, 0xad]))).toBe(sha256("中"));
  });

  test("only 64 lower-case hex characters are taken for one", () => {
    expect(asSha256(GENESIS)).toBe("0".repeat(64));
    for (const wrong of [
      "",
      "0".repeat(63),
      "0".repeat(65),
      "A".repeat(64),
      ` ${"0".repeat(63)}`,
      `${"0".repeat(64)}\n`,
    ])
      expect(() => asSha256(wrong), wrong).toThrow(Bug);
  });
});

test("a derived id depends on every part and on where one part ends", () => {
  expect(derivedId("op", "a", 1)).toBe(derivedId("op", "a", 1));
  const others = [derivedId("op", "a", "1"), derivedId("op", "a1"), derivedId("op", "1", "a"), derivedId("ap", "a", 1)];
  expect(new Set([derivedId("op", "a", 1), ...others]).size).toBe(5);
});
