import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createExtractiveDrafter } from "../../main/adapters/drafter/extractive";
import { splitSentences } from "../../main/adapters/drafter/sentences";
import { wordsFor } from "../../main/adapters/drafter/templates";
import { layOut, type ParsedItem } from "../../main/adapters/sources/layout";
import { asSha256 } from "../../main/domain/ids";
import type { DraftInput } from "../../main/domain/ports";
import { checkQuotes } from "../../main/pipeline/briefing/check-quotes";
import { checkDraft, countShortfall, type DraftDocument } from "../../main/pipeline/briefing/draft-schema";

const NOW = Date.UTC(2026, 6, 20);
const context = { now: NOW, signal: new AbortController().signal };
const hashOf = (id: string) => asSha256(id.charCodeAt(0).toString(16).padStart(64, "0"));

type Item = Partial<ParsedItem> & { title: string };

function sourceOf(id: string, items: readonly Item[], fresh?: readonly string[]): DraftInput["sources"][number] {
  const extracted = layOut(
    {
      title: `Source ${id}`,
      homepage: `https://${id}.example/`,
      items: items.map((item) => ({
        guid: item.title,
        text: "",
        url: `https://${id}.example/${encodeURIComponent(item.title)}`,
        publishedAt: null,
        links: [],
        ...item,
      })),
    },
    "utf-8",
  );
  const config = {
    id,
    title: `Source ${id}`,
    url: `https://${id}.example/feed`,
    format: "rss" as const,
    licence: "CC0",
    required: false,
  };
  return { config, snapshotHash: hashOf(id), extracted, newItemKeys: fresh ?? extracted.items.map((item) => item.key) };
}

async function draftOf(sources: DraftInput["sources"], more: Partial<DraftInput> = {}): Promise<DraftDocument> {
  const input = { edition: "2026-W30", language: "en", wanted: 9, sources, ...more };
  const result = await createExtractiveDrafter().draft(input, context);
  if (result.kind === "failed") throw new Error(result.error.code);
  const check = checkDraft(result.raw);
  if (check.kind === "invalid") throw new Error(check.faults.join("; "));
  const quoted = sources.map((one) => ({
    sourceId: one.config.id,
    snapshotHash: one.snapshotHash,
    extracted: one.extracted,
  }));
  expect(checkQuotes(check.draft.facts, quoted)).toEqual([]);
  return check.draft;
}

const BODY = "The limit rises from 10 to 20 calls a day. It applies from August on.";

describe("choice", () => {
  test("newest first, one of each source in the configured order, round after round", async () => {
    const days = (source: string, list: readonly number[]) =>
      list.map((day) => ({ title: `${source}${day}`, text: BODY, publishedAt: Date.UTC(2026, 6, day) }));
    const draft = await draftOf(
      [sourceOf("a", days("a", [1, 9, 5])), sourceOf("b", days("b", [2])), sourceOf("c", days("c", [3, 4]))],
      {
        wanted: 5,
      },
    );
    expect(draft.facts.map((fact) => fact.headline)).toEqual(["a9", "b2", "c4", "a5", "c3"]);
    expect(draft.facts.map((fact) => fact.id)).toEqual(["F1", "F2", "F3", "F4", "F5"]);
  });

  test("items without a date come last, dates in the future count as now and not as more", async () => {
    const draft = await draftOf([
      sourceOf("a", [
        { title: "undated", text: BODY },
        { title: "today", text: BODY, publishedAt: NOW },
        { title: "next century", text: BODY, publishedAt: Date.UTC(2126, 0, 1) },
        { title: "old", text: BODY, publishedAt: 0 },
      ]),
    ]);
    expect(draft.facts.map((fact) => fact.headline)).toEqual(["today", "next century", "old", "undated"]);
  });

  test("only new items; what two sources tell with one address or headline is told once", async () => {
    const draft = await draftOf([
      sourceOf(
        "a",
        [
          { title: "known", text: BODY },
          { title: "new", text: BODY },
        ],
        ["new", "gone"],
      ),
      sourceOf("b", [
        { title: "NEW", text: BODY },
        { title: "other", text: BODY, url: "https://a.example/new" },
        { title: "third", text: BODY },
      ]),
    ]);
    expect(draft.facts.map((fact) => fact.headline)).toEqual(["new", "third"]);
  });

  test("a source whose changes have one address, or none, may tell several", async () => {
    const url = "https://a.example/changes";
    const draft = await draftOf([
      sourceOf("a", [
        { title: "one", text: BODY, url },
        { title: "two", text: BODY, url },
      ]),
      sourceOf("b", [
        { title: "three", text: BODY, url: null },
        { title: "four", text: BODY, url: null },
        { title: "five", text: BODY, url },
      ]),
    ]);
    expect(draft.facts.map((fact) => fact.headline)).toEqual(["one", "three", "two", "four"]);
    expect(draft.facts[1]?.url).toBe("https://b.example/");
  });

  test("fewer changes than wanted give fewer facts, and the shortfall is a number", async () => {
    const draft = await draftOf([sourceOf("a", [{ title: "one", text: BODY }])]);
    expect(draft.facts).toHaveLength(1);
    expect(countShortfall(draft, 9)).toBe(8);
    expect(countShortfall(draft, 1)).toBe(0);
  });

  test("nothing to tell is no draft: the schema says so", async () => {
    const result = await createExtractiveDrafter().draft(
      { edition: "2026-W30", language: "en", wanted: 9, sources: [] },
      context,
    );
    expect(result.kind === "drafted" && checkDraft(result.raw)).toMatchObject({
      kind: "invalid",
      faults: ["facts is too short"],
    });
  });

  test("titles are quoted only when no better item is left", async () => {
    const title = "A headline long enough to be quoted";
    const draft = await draftOf([
      sourceOf("a", [
        { title, publishedAt: NOW },
        { title: "with text", text: BODY, publishedAt: 0 },
      ]),
    ]);
    expect(draft.facts.map((fact) => fact.quote)).toEqual(["The limit rises from 10 to 20 calls a day.", title]);
    expect(
      (
        await draftOf(
          [
            sourceOf("a", [
              { title, publishedAt: NOW },
              { title: "x", text: BODY },
            ]),
          ],
          { wanted: 1 },
        )
      ).facts[0]?.headline,
    ).toBe("x");
  });

  test("the same input gives the same draft, also as a repair", async () => {
    const input: DraftInput = {
      edition: "2026-W30",
      language: "zh-CN",
      wanted: 2,
      sources: [sourceOf("a", [{ title: "one", text: BODY }])],
    };
    const drafter = createExtractiveDrafter();
    expect(await drafter.repair(input, ["facts is too short"], context)).toEqual(await drafter.draft(input, context));
  });
});

describe("passages", () => {
  const quoteOf = async (text: string) => (await draftOf([sourceOf("a", [{ title: "t", text }])])).facts[0]?.quote;

  test("the first sentence that tells a number, else the first", async () => {
    expect(
      await quoteOf("We are glad to announce something. The price falls to 8 dollars. It was 12 before that."),
    ).toBe("The price falls to 8 dollars.");
    expect(await quoteOf("The price falls by a third. It was higher before that.")).toBe("The price falls by a third.");
  });

  test("a short sentence is quoted with the next of its line, never across lines", async () => {
    expect(await quoteOf("It ends. The old endpoint stops working in May.")).toBe(
      "It ends. The old endpoint stops working in May.",
    );
    expect(await quoteOf("It ends.\nThe old endpoint stops working in May.")).toBe(
      "The old endpoint stops working in May.",
    );
  });

  test("sentences that are too long, or lost a character in decoding, are not quoted", async () => {
    const long = `${"word ".repeat(80)}end.`;
    expect(await quoteOf(`${long} This one has the right length.`)).toBe("This one has the right length.");
    expect(await quoteOf("The \uFFFD character was lost here. This one is whole and good.")).toBe(
      "This one is whole and good.",
    );
  });

  test("Chinese sentences end with their own marks", async () => {
    expect(await quoteOf("接口从七月十四日起不再收费，适用于所有客户。每分钟最多查询六十次。")).toBe(
      "接口从七月十四日起不再收费，适用于所有客户。",
    );
    expect(await quoteOf("他们说：“从八月起，所有新客户都要重新签署合同！”价格不变。")).toBe(
      "他们说：“从八月起，所有新客户都要重新签署合同！”",
    );
  });

  test("the statement is the lead with its next sentence; the headline is the title, cut at whole characters", async () => {
    const draft = await draftOf([
      sourceOf("a", [
        { title: "𠮷".repeat(200), text: "The first sentence leads. The 2nd follows it. The third does not." },
      ]),
    ]);
    expect(draft.facts[0]?.statement).toBe("The first sentence leads. The 2nd follows it.");
    expect(draft.facts[0]?.headline).toBe(`${"𠮷".repeat(159)}…`);
    // Its own address was too long for the schema.
    expect(draft.facts[0]?.url).toBe("https://a.example/");
  });
});

describe("sentences", () => {
  test.each([
    ["One. Two! Three? Four", ["One.", "Two!", "Three?", "Four"]],
    ["Version 2.1 of example.org is out. Get it.", ["Version 2.1 of example.org is out.", "Get it."]],
    [
      "Dr. Smith and J. Doe (e.g. in Nr. 5) met vs. expectations. Good.",
      ["Dr. Smith and J. Doe (e.g. in Nr. 5) met vs. expectations.", "Good."],
    ],
    ["Node.js 24 etc. were released. ok", ["Node.js 24 etc. were released. ok"]],
    ['He said "no." Then he left.', ['He said "no."', "Then he left."]],
    ["第一句。第二句！“第三句？”第四句", ["第一句。", "第二句！", "“第三句？”", "第四句"]],
    ["价格是3.5元。Done. 好", ["价格是3.5元。", "Done.", "好"]],
    ["What?! Really...", ["What?!", "Really..."]],
    ["   ", []],
  ])("%s", (line, expected) => {
    expect(splitSentences(line, 0).map((span) => line.slice(span.start, span.end))).toEqual(expected);
  });

  test("no character that is not blank is lost or told twice, wherever the line stands", () => {
    const char = fc.constantFrom("a", "B", "1", ".", "!", "。", "”", " ", "中", "…", "𠮷", "e.g.");
    fc.assert(
      fc.property(fc.array(char, { maxLength: 60 }), fc.nat(50), (chars, from) => {
        const line = chars.join("");
        const spans = splitSentences(line, from);
        const told = spans.map((span) => line.slice(span.start - from, span.end - from));
        expect(told.join("").replace(/\s/g, "")).toBe(line.replace(/\s/g, ""));
        expect(told.every((text) => text === text.trim() && text !== "")).toBe(true);
      }),
    );
  });

  test("a line of a million dots or letters takes linear time", () => {
    splitSentences(`${".".repeat(1_000_000)}x`, 0);
    splitSentences(`${"a".repeat(100_000)}. `.repeat(10), 0);
  });
});

describe("words around the facts", () => {
  test("in English and in Chinese, from the edition alone", () => {
    const input = { edition: "2026-W30", facts: 9, sources: 8, lead: "L" };
    expect(wordsFor({ ...input, language: "en" })).toMatchObject({
      title: "Weekly briefing, week 30 of 2026",
      email: { subject: "Weekly briefing, week 30 of 2026: L" },
    });
    expect(wordsFor({ ...input, language: "zh-CN" })).toMatchObject({
      title: "每周简报 2026 年第 30 周",
      intro: expect.stringContaining("9 条变化，来自 8 个来源"),
    });
    expect(wordsFor({ ...input, edition: "special", language: "zh" }).title).toBe("每周简报 special");
    expect(wordsFor({ ...input, facts: 1, sources: 1, language: "en" }).intro).toMatch(
      /^One change this week, from one source\./,
    );
  });

  test("a long lead is cut in the subject", () => {
    const { email } = wordsFor({
      edition: "2026-W30",
      language: "zh-CN",
      facts: 9,
      sources: 9,
      lead: "𠮷".repeat(300),
    });
    expect([...email.subject]).toHaveLength(120);
  });
});
