import { parseHTML } from "linkedom";
import { cleanLine } from "./clean-text";
import { parseDate } from "./dates";
import type { ParsedItem, ParsedSource } from "./layout";
import { refuseDeepMarkup } from "./markup-limits";
import { textOfNode, webUrl } from "./markup-text";
import { findPageParts, HEADINGS } from "./page-parts";
import { trimChars } from "./sections";

/**
 * Reads an HTML page as a list of items: its articles, else list items with links, else headings with a link or an id
 * and what follows them, else the page as one item. Nothing is executed or loaded.
 * @throws TooDeep on a page nested too deeply to be parsed in reasonable time.
 */
export function readPage(html: string, pageUrl: string): ParsedSource {
  refuseDeepMarkup(html);
  const { document } = parseHTML(html);
  const page: Page = {
    root: document.querySelector("main") ?? document.querySelector("body") ?? document,
    url: pageUrl,
    base: webUrl(document.querySelector("base[href]")?.getAttribute("href"), pageUrl)[0] ?? pageUrl,
  };
  const heading = cleanLine(document.querySelector("h1")?.textContent ?? "");
  const title = cleanLine(document.querySelector("title")?.textContent ?? "") || heading;
  const parts = findPageParts(document, page.root);
  const items = [
    () => parts.articles.map((article) => readArticle(page, article)).filter(hasWords),
    () => parts.listItems.flatMap((entry) => readListItem(page, entry)),
    () => readSections(page, parts.headings),
    () => readWhole(page, title),
  ];
  let found: readonly ParsedItem[] = [];
  for (const read of items) if (found.length === 0) found = read();
  return { title, homepage: homepageOf(page, document), items: found };
}

interface Page {
  root: ParentNode & Node;
  url: string;
  base: string;
}

/** The address the page gives for itself, as long as it is on its own host; else where it was read. */
function homepageOf(page: Page, document: ParentNode): string {
  const link = document.querySelector('link[rel~="canonical"]');
  const canonical = webUrl(link?.getAttribute("href"), page.base)[0];
  const isOwn = canonical !== undefined && hostOf(canonical) === hostOf(page.url);
  return isOwn ? canonical : page.url;
}

function hostOf(url: string): string | null {
  try {
    return new URL(url).host;
  } catch {
    return null;
  }
}

/** Shortest link text that may be an item; buttons such as "more" have less. */
const LINK_TEXT_MIN = 6;
/** What stands around a heading's words to link to the heading itself. */
const ANCHOR_MARKS = "#¶§ ";

function readArticle(page: Page, article: Element): ParsedItem {
  const heading = article.querySelector(HEADINGS);
  const around = heading?.parentElement?.localName === "a" ? heading.parentElement : null;
  const link = heading?.querySelector("a[href]") ?? around ?? article.querySelector("a[href]");
  const title = cleanLine(heading?.textContent ?? link?.textContent ?? "");
  return itemOf(page, article, { title, link, id: article.id, skip: heading });
}

function readListItem(page: Page, entry: Element): readonly ParsedItem[] {
  const links = [...entry.querySelectorAll("a[href]")];
  const link = links.find((one) => cleanLine(one.textContent ?? "").length >= LINK_TEXT_MIN);
  if (link === undefined || webUrl(link.getAttribute("href"), page.base).length === 0) return [];
  const title = cleanLine(link.textContent ?? "");
  return [itemOf(page, entry, { title, link, id: entry.id, skip: null })];
}

function readSections(page: Page, headings: readonly Element[]): readonly ParsedItem[] {
  const named = new Set<Node>(headings.filter((one) => one.id !== "" || one.querySelector("a[href],[id]") !== null));
  return [...named].map((heading) => readSection(page, heading as Element, named)).filter(hasWords);
}

function readSection(page: Page, heading: Element, named: ReadonlySet<Node>): ParsedItem {
  const following = sectionOf(heading, named);
  const texts = following.map((node) => textOfNode(node, page.base));
  const id = heading.id || (heading.querySelector("[id]")?.id ?? "");
  const title = cleanLine(heading.textContent ?? "");
  const own = itemOf(page, heading, { title, link: heading.querySelector("a[href]"), id, skip: heading });
  const times = following.map(timeOf).filter((at) => at !== null);
  return {
    ...own,
    text: texts
      .map((one) => one.text)
      .filter((text) => text !== "")
      .join("\n"),
    publishedAt: times[0] ?? parseDate(/\d{4}-\d{2}-\d{2}/.exec(own.title)?.[0]),
    links: [...new Set(texts.flatMap((one) => one.links))].filter((link) => link !== own.url),
  };
}

/** What follows a heading, up to the next one that is an item of its own or stands as high. */
function sectionOf(heading: Element, named: ReadonlySet<Node>): readonly Node[] {
  const level = Number(heading.localName.slice(1));
  const nodes: Node[] = [];
  for (let node = heading.nextSibling; node !== null; node = node.nextSibling) {
    const found = /^h([1-6])$/i.exec(node.nodeName)?.[1];
    if (named.has(node) || (found !== undefined && Number(found) <= level)) break;
    nodes.push(node);
  }
  return nodes;
}

function readWhole(page: Page, title: string): readonly ParsedItem[] {
  const { text, links } = textOfNode(page.root, page.base);
  return text === "" ? [] : [{ guid: null, title, text, url: page.url, publishedAt: null, links }];
}

function itemOf(
  page: Page,
  node: Element,
  head: { title: string; link: Element | null; id: string; skip: Node | null },
): ParsedItem {
  const body = textOfNode(node, page.base, new Set(head.skip === null ? [] : [head.skip]));
  const anchor = head.id === "" ? null : `${page.url.split("#", 1)[0]}#${encodeURIComponent(head.id)}`;
  const url = webUrl(head.link?.getAttribute("href"), page.base)[0] ?? anchor;
  const links = body.links.filter((one) => one !== url);
  return {
    guid: null,
    title: trimChars(head.title, ANCHOR_MARKS),
    text: body.text,
    url,
    publishedAt: timeOf(node),
    links,
  };
}

function timeOf(node: Node): number | null {
  if (node.nodeType !== 1) return null;
  const element = node as Element;
  const time = element.localName === "time" ? element : element.querySelector("time");
  return parseDate(time?.getAttribute("datetime") ?? time?.textContent);
}

function hasWords(item: ParsedItem): boolean {
  return item.title !== "" || item.text !== "";
}
