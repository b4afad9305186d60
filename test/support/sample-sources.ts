import { createSourceParser } from "../../main/adapters/sources/parser";
import type { ExtractedSource, Fact, SourceConfig } from "../../main/domain/ports";
import type { DraftDocument } from "../../main/pipeline/briefing/draft-schema";

export interface SampleSource {
  config: SourceConfig;
  items: readonly { key: string; title: string; text: string }[];
}

/** Three small feeds, the last of them optional. */
export const SAMPLE_SOURCES: readonly SampleSource[] = [
  sample("alpha", "Alpha changelog", true),
  sample("beta", "Beta 公告", true),
  sample("gamma", "Gamma notes", false),
];

function sample(id: string, title: string, required: boolean): SampleSource {
  const url = `https://${id}.example/feed.json`;
  return {
    config: { id, title, url, format: "json-feed", licence: "CC BY 4.0", required },
    items: [1, 2, 3].map((number) => ({
      key: `${id}-${number}`,
      title: `${title} ${number}`,
      text: `Version ${number} of ${id} changes the price to ${number} yuan. It takes effect on Monday.`,
    })),
  };
}

/** The feed as its server would send it. */
export function feedBytes(source: SampleSource): Uint8Array {
  const feed = {
    version: "https://jsonfeed.org/version/1.1",
    title: source.config.title,
    home_page_url: `https://${source.config.id}.example/`,
    feed_url: source.config.url,
    items: source.items.map(({ key, title, text }) => ({
      id: key,
      url: `https://${source.config.id}.example/${key}`,
      title,
      content_text: text,
    })),
  };
  return new TextEncoder().encode(JSON.stringify(feed));
}

export const parser = createSourceParser();

export function extractSample(source: SampleSource): ExtractedSource {
  const { url: finalUrl, format } = source.config;
  const extraction = parser.extract({
    bytes: feedBytes(source),
    contentType: "application/feed+json",
    finalUrl,
    format,
  });
  if (extraction.kind !== "extracted") throw new Error(extraction.detail);
  return extraction.source;
}

/** One fact per item of each frozen source, quoting its first sentence at its exact place. */
export function draftFrom(edition: string, frozen: readonly { source: SampleSource; hash: string }[]): DraftDocument {
  const facts: Fact[] = frozen.flatMap(({ source, hash }) => {
    const { text, items } = extractSample(source);
    return items.map((item) => {
      const start = text.indexOf("Version", item.start);
      const end = text.indexOf(".", start) + 1;
      const quote = text.slice(start, end);
      return {
        id: "F1",
        headline: item.title,
        statement: `在 ${edition} 这一期：${quote}`,
        sourceId: source.config.id,
        snapshotHash: hash as Fact["snapshotHash"],
        start,
        end,
        quote,
        url: item.url ?? source.config.url,
      };
    });
  });
  return {
    language: "zh-CN",
    title: `智能体周报 ${edition}`,
    intro: `本期共有 ${facts.length} 条变化。`,
    facts: facts.map((fact, index) => ({ ...fact, id: `F${index + 1}` })),
    email: { subject: `周报 ${edition}`, intro: "您好，本期要点如下。" },
  };
}
