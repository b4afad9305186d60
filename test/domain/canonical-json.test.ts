import canonicalize from "canonicalize";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { canonicalText } from "../../main/domain/canonical-json";

/** Both answers, or what was thrown. */
function both(value: unknown): { ours: unknown; reference: unknown } {
  const answer = (make: () => unknown) => {
    try {
      return make();
    } catch (error) {
      return `threw ${(error as Error).message}`;
    }
  };
  return { ours: answer(() => canonicalText(value)), reference: answer(() => canonicalize(value)) };
}

function expectEqual(value: unknown): void {
  const { ours, reference } = both(value);
  expect(ours).toBe(reference);
}

const key = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.string({ unit: "binary" }),
  fc.constantFrom("__proto__", "toJSON", "constructor", "1", "10", "09", "9", "-1", "\\ud", "\ud800", "€", "中", ""),
);
const leaf = fc.oneof(
  key,
  fc.double(),
  fc.maxSafeInteger(),
  fc.boolean(),
  fc.constantFrom<unknown>(null, undefined, -0, Number.NaN, Number.POSITIVE_INFINITY, 1e21, 1e-7, "\ud800", "\\ud800"),
);

describe("canonical JSON by the short way", () => {
  test("whatever the value, the bytes are those of the reference, or the same objection", () => {
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof({ maxDepth: 5 }, leaf, fc.array(tie("value")), fc.dictionary(key, tie("value"))),
    }));
    fc.assert(fc.property(value, expectEqual), { numRuns: 3_000 });
  });

  test.each([
    ["a moment", new Date(0)],
    ["an own way of being written", { toJSON: () => ({ b: 1, a: 2 }) }],
    ["a function", { a: () => 1 }],
    ["a symbol", { a: Symbol("x"), b: [Symbol("y")] }],
    ["a big number", { a: 1n }],
    ["a map", new Map([["b", 1]])],
    ["a hole in a list", [undefined, 1]],
    ["a prototype of its own", Object.assign(Object.create({ inherited: 1 }), { b: 1, a: 2 })],
    ["nothing", undefined],
  ])("%s", (_name, value) => expectEqual(value));

  test("a value that contains itself is refused, a deep one is not", () => {
    const round: Record<string, unknown> = {};
    round["self"] = round;
    expect(() => canonicalText(round)).toThrow("Circular");
    let deep: unknown = 1;
    for (let level = 0; level < 100; level += 1) deep = { b: deep, a: 1 };
    expectEqual(deep);
  });

  test("a value is only read", () => {
    const value = Object.freeze({ b: Object.freeze([Object.freeze({ d: 1, c: 2 })]), a: 1 });
    expect(canonicalText(value)).toBe('{"a":1,"b":[{"c":2,"d":1}]}');
    expect(Object.keys(value)).toEqual(["b", "a"]);
  });
});
