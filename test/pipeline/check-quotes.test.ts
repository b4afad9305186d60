import { expect, test } from "vitest";
import { layOut } from "../../main/adapters/sources/layout";
import { checkQuotes } from "../../main/pipeline/briefing/check-quotes";
import { factOf, HASH_A, HASH_B } from "./edition";

const item = (title: string, text: string) => ({ guid: title, title, text, url: null, publishedAt: null, links: [] });
const extracted = layOut(
  { title: "S", homepage: null, items: [item("One", "First text. 𠮷原。"), item("Two", "Second e\u0301 text.")] },
  "utf-8",
);
const source = { sourceId: "a", snapshotHash: HASH_A, extracted };
const kindsOf = (...facts: Parameters<typeof checkQuotes>[0]) => checkQuotes(facts, [source]);

function quoting(text: string) {
  const start = extracted.text.indexOf(text);
  return factOf(1, { start, end: start + text.length, quote: text });
}

test("quotes at their exact span pass, also with characters outside the first plane", () => {
  expect(
    kindsOf(quoting("First text."), { ...quoting("𠮷原。"), id: "F2" }, { ...quoting("Two\nSecond"), id: "F3" }),
  ).toEqual([]);
});

test.each([
  ["other words", { quote: "First text!" }, "span_mismatch"],
  ["one character off", { start: 8, end: 19 }, "span_mismatch"],
  ["past the end", { start: 5, end: 10_000 }, "span_mismatch"],
  ["before the start", { start: -3, end: 8 }, "span_mismatch"],
  ["a composed letter for a decomposed one", { ...quoting("Second e\u0301"), quote: "Second \u00e9" }, "span_mismatch"],
  ["the same words elsewhere", { sourceId: "b" }, "source_missing"],
  ["an older snapshot", { snapshotHash: HASH_B }, "source_missing"],
  ["two items in one", quoting("𠮷原。\n\nTwo"), "outside_item"],
  ["the source's title", quoting("S"), "outside_item"],
  ["nothing", { end: quoting("First text.").start, quote: "" }, "empty_quote"],
  ["blanks", { ...quoting("\n\n") }, "empty_quote"],
])("%s: %j is %s", (_, change, kind) => {
  expect(kindsOf({ ...quoting("First text."), ...change })).toEqual([{ factId: "F1", kind }]);
});

test("a snapshot that no longer yields a text proves nothing; faults come in the facts' order", () => {
  const facts = [quoting("First text."), { ...quoting("First text."), id: "F2", quote: "x" }];
  expect(checkQuotes(facts, [{ ...source, extracted: null }]).map((fault) => fault.kind)).toEqual([
    "source_missing",
    "source_missing",
  ]);
  expect(checkQuotes(facts, [source])).toEqual([{ factId: "F2", kind: "span_mismatch" }]);
});
