import { asSha256 } from "../../main/domain/ids";
import type { Fact } from "../../main/domain/ports";
import type { DraftDocument } from "../../main/pipeline/briefing/draft-schema";
import {
  buildEditionDocument,
  type CitedSource,
  type EditionDocument,
} from "../../main/pipeline/briefing/edition-document";

/** A small edition to test with: three facts from two sources, in Chinese and English. */
export const HASH_A = asSha256("a".repeat(64));
export const HASH_B = asSha256("b".repeat(64));

export function factOf(number: number, more: Partial<Fact> = {}): Fact {
  const quote = `Quote ${number} says 10 < 20 & more.`;
  return {
    id: `F${number}`,
    headline: `Headline ${number}`,
    statement: `Statement ${number}.`,
    sourceId: "a",
    snapshotHash: HASH_A,
    start: number * 100,
    end: number * 100 + quote.length,
    quote,
    url: `https://a.example/n/${number}`,
    ...more,
  };
}

export function draftOf(more: Partial<DraftDocument> = {}): DraftDocument {
  return {
    language: "zh-CN",
    title: "每周简报 2026 年第 30 周",
    intro: "本期收录 3 条变化。",
    facts: [
      factOf(1),
      factOf(2),
      factOf(3, { sourceId: "b", snapshotHash: HASH_B, url: "https://b.example/x?a=1&b=2" }),
    ],
    email: { subject: "每周简报", intro: "您好，\n本期如下。" },
    ...more,
  };
}

export const SOURCES: readonly CitedSource[] = [
  { id: "a", title: "Source A", url: "https://a.example/feed", licence: "CC BY 4.0", homepage: "https://a.example/" },
  { id: "b", title: "来源乙", url: "https://b.example/feed", licence: "按引用规定", homepage: null },
];

export function documentOf(more: Partial<DraftDocument> = {}): EditionDocument {
  return buildEditionDocument({ edition: "2026-W30", draft: draftOf(more), sources: SOURCES });
}
