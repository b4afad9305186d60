import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortestEdit } from "../../../main/commands/views/shortest-edit";
import { type DiffPart, diffTexts, segmenterFor, segmentPlainly } from "../../../main/commands/views/word-diff";

const english = segmenterFor("en");
const chinese = segmenterFor("zh-CN");
const older = (parts: readonly DiffPart[]) =>
  parts.flatMap((part) => (part.kind === "added" ? [] : [part.text])).join("");
const newer = (parts: readonly DiffPart[]) =>
  parts.flatMap((part) => (part.kind === "removed" ? [] : [part.text])).join("");
const marked = (parts: readonly DiffPart[]) =>
  parts.map(({ kind, text }) => (kind === "same" ? text : kind === "added" ? `[+${text}+]` : `[-${text}-]`)).join("");

describe("the shortest edit", () => {
  /** The length of the longest common subsequence, by the plain table: what the clever way must not be worse than. */
  function commonLength(a: readonly string[], b: readonly string[]): number {
    let row = new Array<number>(b.length + 1).fill(0);
    for (const one of a) {
      const next = [0];
      for (const [index, other] of b.entries())
        next.push(one === other ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
      row = next;
    }
    return row[b.length] ?? 0;
  }

  const letters = fc.array(fc.constantFrom("a", "b", "c"), { maxLength: 14 });

  test("is a way from one to the other, and no way is shorter", () => {
    fc.assert(
      fc.property(letters, letters, (a, b) => {
        const runs = shortestEdit(a, b, 100);
        if (runs === null) throw new Error("there is always a way");
        const list = (kind: string) => runs.filter((run) => run.kind === kind);
        const size = (kind: string) => list(kind).reduce((sum, run) => sum + run.to - run.from, 0);
        const same = list("same").flatMap((run) => a.slice(run.from, run.to));
        expect(size("same")).toBe(commonLength(a, b));
        expect(size("removed")).toBe(a.length - same.length);
        expect(size("added")).toBe(b.length - same.length);
      }),
      { numRuns: 2_000 },
    );
  });

  test("is given up when too much differs, however long the texts", () => {
    expect(shortestEdit(["a", "b"], ["c", "d"], 3)).toBeNull();
    expect(shortestEdit(["a", "b"], ["c", "d"], 4)).toEqual([
      { kind: "removed", from: 0, to: 2 },
      { kind: "added", from: 0, to: 2 },
    ]);
    const long = (tag: string) => Array.from({ length: 200_000 }, (_, index) => `${tag}${index}`);
    expect(shortestEdit(long("a"), long("b"), 400)).toBeNull();
  });

  test("has nothing to say about two empty lists", () => {
    expect(shortestEdit([], [], 10)).toEqual([]);
    expect(shortestEdit(["a"], ["a"], 10)).toEqual([{ kind: "same", from: 0, to: 1 }]);
  });
});

describe("a comparison of texts", () => {
  test("shows the words that changed and leaves the rest", () => {
    const parts = diffTexts(
      "The price is 12 yuan.\nIt starts on Monday.\n",
      "The price is 15 yuan.\nIt starts on Monday.\n",
      english,
    );
    expect(marked(parts)).toBe("The price is [-12-][+15+] yuan.\nIt starts on Monday.\n");
  });

  test("knows Chinese words without blanks between them", () => {
    const parts = diffTexts("北京的价格从周一起上涨。", "上海的价格从周一起上涨。", chinese);
    expect(marked(parts)).toBe("[-北京-][+上海+]的价格从周一起上涨。");
    expect(marked(diffTexts("价格上涨三成。今天生效。", "价格上涨五成。今天生效。", segmentPlainly))).toBe(
      "价格上涨[-三-][+五+]成。今天生效。",
    );
  });

  test("shows a passage that was written anew as replaced, not as a mosaic", () => {
    const parts = diffTexts("A gateway drops the old protocol.\n", "The court of appeal ends the case.\n", english);
    expect(parts.map((part) => part.kind)).toEqual(["removed", "added"]);
  });

  test("takes a blank between two changed words into the change", () => {
    const parts = diffTexts(
      "It now costs ten dollars each month for all.",
      "It now costs nine pounds each month for all.",
      english,
    );
    expect(marked(parts)).toBe("It now costs [-ten dollars-][+nine pounds+] each month for all.");
  });

  test("shows a fact that was moved as gone from one place and come to another", () => {
    const parts = diffTexts("one\ntwo\nthree\n", "two\nthree\none\n", english);
    expect(marked(parts)).toBe("[-one\n-]two\nthree\n[+one\n+]");
  });

  test("of equal texts is one part, of an empty and a full one too", () => {
    expect(diffTexts("a b\nc", "a b\nc", english)).toEqual([{ kind: "same", text: "a b\nc" }]);
    expect(diffTexts("", "a b\nc", english)).toEqual([{ kind: "added", text: "a b\nc" }]);
    expect(diffTexts("a b\nc", "", english)).toEqual([{ kind: "removed", text: "a b\nc" }]);
    expect(diffTexts("", "", english)).toEqual([]);
  });

  test("always holds both texts whole, and never two neighbours of one kind", () => {
    const word = fc.constantFrom("a", "bb", " ", "\n", "，", "价格", "上涨", "1", "é", "👩‍👩‍👧", "\ud800");
    const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(""));
    fc.assert(
      fc.property(text, text, fc.constantFrom(english, chinese, segmentPlainly), (a, b, segment) => {
        const parts = diffTexts(a, b, segment);
        expect(older(parts)).toBe(a);
        expect(newer(parts)).toBe(b);
        for (const [index, part] of parts.entries()) expect(part.kind).not.toBe(parts[index + 1]?.kind);
      }),
      { numRuns: 2_000 },
    );
  });

  test("ends in good time on texts that have nothing in common, however long", () => {
    const text = (seed: number, size: number) =>
      Array.from({ length: size }, (_, index) => `${(index * seed) % 9973}${index % 7 === 0 ? "\n" : " "}`).join("");
    for (const size of [2_000, 20_000, 60_000]) {
      const parts = diffTexts(text(31, size), text(57, size), english);
      expect(older(parts)).toBe(text(31, size));
      expect(newer(parts)).toBe(text(57, size));
    }
  });
});
