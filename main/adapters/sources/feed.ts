import { type AtomFeed, type JsonFeed, parseFeed, parseJsonFeed, type RdfFeed, type RssFeed } from "feedsmith";
import { cleanLine, cleanLines } from "./clean-text";
import { parseDate } from "./dates";
import type { ParsedItem, ParsedSource } from "./layout";
import { type MarkupText, textOfMarkup, textOfTitle, webUrl } from "./markup-text";

/**
 * Reads a feed of any XML format: RSS 0.9x and 2.0, RSS 1.0 (RDF), Atom 1.0.
 * @param text must have passed `findXmlFault`. @param feedUrl where the bytes came from.
 * @throws whatever the parser throws on what is no feed; `parser.ts` turns it into a reason.
 */
export function readXmlFeed(text: string, feedUrl: string): ParsedSource {
  const parsed = parseFeed(text);
  switch (parsed.format) {
    case "rss":
      return readRss(parsed.feed, feedUrl);
    case "rdf":
      return readRdf(parsed.feed, feedUrl);
    case "atom":
      return readAtom(parsed.feed, feedUrl);
    case "json":
      return readJsonFeed(parsed.feed, feedUrl);
  }
}

/** Reads JSON Feed 1.0 and 1.1 from the parsed JSON. @throws what the parser throws on anything else. */
export function readJson(value: unknown, feedUrl: string): ParsedSource {
  return readJsonFeed(parseJsonFeed(value), feedUrl);
}

/** Resolves a chain of `xml:base` values, the outermost first, against the address of the document. */
function baseOf(documentUrl: string, ...bases: readonly (string | undefined)[]): string {
  return bases.reduce<string>(
    (base, next) => (next === undefined ? base : (webUrl(next, base)[0] ?? base)),
    documentUrl,
  );
}

/** An empty guid names nothing: as a key it would make one item of all that have it. */
function keyOf(value: string | undefined): string | null {
  const key = cleanLine(value ?? "");
  return key === "" ? null : key;
}

function firstOf(...values: readonly (string | undefined)[]): string | undefined {
  return values.find((value) => value !== undefined && value.trim() !== "");
}

function itemOf(
  body: MarkupText,
  head: { guid: string | null; title: string; url: string | null; date: string | undefined },
): ParsedItem {
  const links = body.links.filter((link) => link !== head.url);
  return {
    guid: head.guid,
    title: head.title,
    text: body.text,
    url: head.url,
    publishedAt: parseDate(head.date),
    links,
  };
}

type DeepRss = RssFeed.Feed<string>;

function readRss(feed: DeepRss, feedUrl: string): ParsedSource {
  // Without xml:base RSS names no base. Its writers mean their site, which is not where a feed service serves the file.
  const homepage = webUrl(feed.link, baseOf(feedUrl, feed.xml?.base))[0] ?? null;
  const feedBase = feed.xml?.base === undefined ? (homepage ?? feedUrl) : baseOf(feedUrl, feed.xml.base);
  const items = (feed.items ?? []).map((item) => {
    const base = baseOf(feedBase, item.xml?.base);
    const guid = keyOf(item.guid?.value);
    // `isPermaLink` is true unless it says otherwise (RSS 2.0).
    const permalink = item.guid?.isPermaLink === false || guid === null || !/^https?:/i.test(guid) ? undefined : guid;
    return itemOf(textOfMarkup(firstOf(item.content?.encoded, item.description) ?? "", base), {
      guid,
      title: textOfTitle(item.title ?? ""),
      url: webUrl(firstOf(item.link, permalink), base)[0] ?? null,
      date: firstOf(item.pubDate, item.dc?.dates?.[0], item.dcterms?.issued?.[0], item.dcterms?.modified?.[0]),
    });
  });
  return { title: textOfTitle(feed.title ?? ""), homepage, items };
}

function readRdf(feed: RdfFeed.Feed<string>, feedUrl: string): ParsedSource {
  const homepage = webUrl(feed.link, baseOf(feedUrl, feed.xml?.base))[0] ?? null;
  const feedBase = feed.xml?.base === undefined ? (homepage ?? feedUrl) : baseOf(feedUrl, feed.xml.base);
  const items = (feed.items ?? []).map((item) => {
    const base = baseOf(feedBase, item.xml?.base);
    return itemOf(textOfMarkup(firstOf(item.content?.encoded, item.description) ?? "", base), {
      guid: keyOf(item.rdf?.about),
      title: textOfTitle(item.title ?? ""),
      url: webUrl(firstOf(item.link, item.rdf?.about), base)[0] ?? null,
      date: firstOf(item.dc?.dates?.[0], item.dcterms?.issued?.[0], item.dcterms?.modified?.[0]),
    });
  });
  return { title: textOfTitle(feed.title ?? ""), homepage, items };
}

function readAtom(feed: AtomFeed.Feed<string>, feedUrl: string): ParsedSource {
  const feedBase = baseOf(feedUrl, feed.xml?.base);
  const items = (feed.entries ?? []).map((entry) => {
    const base = baseOf(feedBase, entry.xml?.base);
    const content = isReadable(entry.content) ? entry.content : entry.summary;
    const body = textOfConstruct(content, baseOf(base, content?.xml?.base));
    return itemOf(body, {
      guid: keyOf(entry.id),
      title: titleOf(entry.title),
      url: alternateOf(entry.links, base),
      date: firstOf(entry.published, entry.updated),
    });
  });
  return { title: titleOf(feed.title), homepage: alternateOf(feed.links, feedBase), items };
}

/** Content that is text and stands in the feed; RFC 4287 also allows pictures and addresses there. */
function isReadable(content: AtomFeed.Content | undefined): content is AtomFeed.Content {
  return (
    (content?.value ?? "").trim() !== "" &&
    /^(?:text|html|xhtml|text\/.*|application\/xhtml\+xml)$/i.test(content?.type ?? "text")
  );
}

function textOfConstruct(content: { value?: string; type?: string } | undefined, base: string): MarkupText {
  const value = content?.value ?? "";
  return isMarkup(content?.type) ? textOfMarkup(value, base) : { text: cleanLines(value), links: [] };
}

/** By RFC 4287 a title without a type is plain text, in which `<b>` are three characters. */
function titleOf(title: AtomFeed.Text | undefined): string {
  const value = title?.value ?? "";
  return isMarkup(title?.type) ? textOfTitle(value) : cleanLine(value);
}

function isMarkup(type: string | undefined): boolean {
  return /html/i.test(type ?? "text");
}

/** The entry's page: an alternate link, HTML before others. `self`, `edit`, `enclosure` and the like are not for readers. */
function alternateOf(links: readonly AtomFeed.Link<string>[] | undefined, base: string): string | null {
  const alternates = (links ?? []).filter((link) => /^(?:alternate)?$/i.test((link.rel ?? "").trim()));
  const html = alternates.find((link) => /html/i.test(link.type ?? "text/html"));
  return webUrl((html ?? alternates[0])?.href, base)[0] ?? null;
}

function readJsonFeed(feed: JsonFeed.Feed<string>, feedUrl: string): ParsedSource {
  const homepage = webUrl(feed.home_page_url, feedUrl)[0] ?? null;
  const base = homepage ?? feedUrl;
  const items = (feed.items ?? []).map((item) => {
    const html = firstOf(item.content_html);
    const plain = firstOf(item.content_text, item.summary);
    const body = html === undefined ? { text: cleanLines(plain ?? ""), links: [] } : textOfMarkup(html, base);
    return itemOf(body, {
      guid: keyOf(item.id),
      title: cleanLine(item.title ?? ""),
      url: webUrl(firstOf(item.url, item.external_url), base)[0] ?? null,
      date: firstOf(item.date_published, item.date_modified),
    });
  });
  return { title: cleanLine(feed.title ?? ""), homepage, items };
}
