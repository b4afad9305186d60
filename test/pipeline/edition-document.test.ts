import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  buildEditionDocument,
  canonicalContentBytes,
  type EditionDocument,
  normaliseText,
} from "../../main/pipeline/briefing/edition-document";
import { documentOf, draftOf, factOf, SOURCES } from "./edition";

const hash = (document: EditionDocument) => createHash("sha256").update(canonicalContentBytes(document)).digest("hex");

describe("the document", () => {
  test("cites each fact at its span, and lists every address once: facts first, then sources", () => {
    const document = documentOf();
    expect(document.citations[2]).toEqual({
      factId: "F3",
      sourceId: "b",
      title: "来源乙",
      url: "https://b.example/feed",
      licence: "按引用规定",
      snapshotHash: "b".repeat(64),
      start: 300,
      end: 328,
    });
    expect(document.links).toEqual([
      "https://a.example/n/1",
      "https://a.example/n/2",
      "https://b.example/x?a=1&b=2",
      "https://a.example/",
      "https://b.example/feed",
    ]);
  });

  test("addresses are written as browsers write them; a fact of an unknown source has no citation", () => {
    const facts = [factOf(1, { url: "HTTPS://A.example:443/ü" }), factOf(2, { sourceId: "gone" })];
    const document = buildEditionDocument({ edition: "e", draft: draftOf({ facts }), sources: SOURCES });
    expect(document.facts[0]?.url).toBe("https://a.example/%C3%BC");
    expect(document.citations.map((citation) => citation.factId)).toEqual(["F1"]);
  });
});

describe("hash rule 2", () => {
  test("is frozen: this document has this hash for ever", () => {
    // When this fails, the rule has changed: it needs a new number, and old hashes are never compared with new ones.
    expect(hash(documentOf())).toBe("6763c33032dfde4c8cf944b6d47504719c8764163d90510dcb4f31b1f9b52fca");
  });

  test("Unicode form, line ends and trailing blanks do not count", () => {
    const base = documentOf({ intro: "Café\nzwei  Wörter\n\nEnde", title: "Ä é 각" });
    const hashed = hash(base);
    for (const intro of [
      "Café\nzwei  Wörter\n\nEnde".normalize("NFD"),
      "Café\r\nzwei  Wörter\r\n\r\nEnde",
      "Café\rzwei  Wörter\r\rEnde",
      "Café \t\nzwei  Wörter\u00a0\n \u3000\nEnde  ",
      "Café\nzwei  Wörter\n\nEnde\n\n \n",
    ]) {
      expect(hash({ ...base, intro })).toBe(hashed);
    }
    expect(hash({ ...base, title: base.title.normalize("NFD") })).toBe(hashed);
  });

  test.each<[string, (document: EditionDocument) => EditionDocument]>([
    ["a letter of the title", (d) => ({ ...d, title: `${d.title}.` })],
    ["the language", (d) => ({ ...d, language: "en" })],
    ["leading blanks", (d) => ({ ...d, intro: ` ${d.intro}` })],
    ["an empty line", (d) => ({ ...d, intro: `a\n\n${d.intro}` })],
    ["the order of facts", (d) => ({ ...d, facts: [...d.facts].reverse() })],
    ["nine facts instead of eight", (d) => ({ ...d, facts: d.facts.slice(1) })],
    [
      "a quote's letter",
      (d) => ({ ...d, facts: d.facts.map((f) => ({ ...f, quote: f.quote.replace("Quote", "quote") })) }),
    ],
    ["a fact's address", (d) => ({ ...d, facts: d.facts.map((f) => ({ ...f, url: `${f.url}#x` })) })],
    ["a citation's place", (d) => ({ ...d, citations: d.citations.map((c) => ({ ...c, start: c.start + 1 })) })],
    ["a licence", (d) => ({ ...d, citations: d.citations.map((c) => ({ ...c, licence: "none" })) })],
    ["one link more", (d) => ({ ...d, links: [...d.links, "https://a.example/extra"] })],
    ["the order of links", (d) => ({ ...d, links: [...d.links].reverse() })],
  ])("%s counts", (_, change) => {
    expect(hash(change(documentOf()))).not.toBe(hash(documentOf()));
  });

  test("what is no content does not: the edition's id, and fields that a later version may add", () => {
    const document = documentOf();
    expect(hash({ ...document, edition: "2026-W31" })).toBe(hash(document));
    const extended = { ...document, builtAt: 1, rendererVersion: 9 };
    expect(hash(extended)).toBe(hash(document));
  });

  test("property: equal exactly when the normalised texts are equal", () => {
    const piece = fc.constantFrom(
      "a",
      "é",
      "e\u0301",
      " ",
      "\t",
      "\n",
      "\r\n",
      "\r",
      "中",
      "각",
      "각",
      "\u00a0",
      "\u3000",
    );
    const text = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    fc.assert(
      fc.property(text, text, (one, other) => {
        const same = hash(documentOf({ intro: `x${one}` })) === hash(documentOf({ intro: `x${other}` }));
        expect(same).toBe(normaliseText(`x${one}`) === normaliseText(`x${other}`));
        expect(normaliseText(normaliseText(one))).toBe(normaliseText(one));
      }),
      { numRuns: 500 },
    );
  });

  test("a broken character has no hash", () => {
    expect(() => canonicalContentBytes(documentOf({ intro: "\ud800" }))).toThrow("canonical form");
  });
});
