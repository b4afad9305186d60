import { parseHTML } from "linkedom";
import { cleanLine } from "./clean-text";
import { parseDate } from "./dates";
import type { ParsedItem, ParsedSource } from "./layout";
import { textOfNode, webUrl } from "./markup-text";

/**
 * Reads an HTML page as a list of items: its articles, else list items with links, else headings with a link or an id
 * and what follows them, else the page as one item. Nothing is executed or loaded.
 */
export function readPage(html: string, pageUrl: string): ParsedSource {
  const { document } = parseHTML(html);
  const page: Page = {
    root: document.querySelector("main") ?? document.querySelector("body") ?? document,
    url: pageUrl,
    base: webUrl(document.querySelector("base[href]")?.getAttribute("href"), pageUrl)[0] ?? pageUrl,
  };
  const heading = cleanLine(document.querySelector("h1")?.textContent ?? "");
  const title = cleanLine(document.querySelector("title")?.textContent ?? "") || heading;
  const items = [readArticles, readListItems, readSections]
    .map((read) => read(page, document))
    .find((found) => found.length > 0);
  return { title, homepage: homepageOf(page, document), items: items ?? wholePage(page, title) };
}

/** The address the page gives for itself, as long as it is on its own host; else where it was read. */
function homepageOf(page: Page, document: ParentNode): string {
  const link = document.querySelector('link[rel~="canonical"]');
  const canonical = webUrl(link?.getAttribute("href"), page.base)[0];
  return canonical !== undefined && new URL(canonical).host === new URL(page.url).host ? canonical : page.url;
}

interface Page {
  root: ParentNode & Node;
  url: string;
  base: string;
}

/** Shortest link text that may be an item; menus and "more" buttons have less. */
const LINK_TEXT_MIN = 6;
const HEADINGS = "h1,h2,h3,h4,h5,h6";
const AROUND = "nav,header,footer,aside,menu";

function readArticles(page: Page, document: ParentNode): readonly ParsedItem[] {
  // An article inside an article is a comment or a quotation of it, not an item of its own.
  return [...document.querySelectorAll("article")]
    .filter((article) => article.parentElement?.closest("article") == null)
    .map((article) => {
      const heading = article.querySelector(HEADINGS);
      const link = heading?.querySelector("a[href]") ?? heading?.closest("a[href]") ?? article.querySelector("a[href]");
      const title = cleanLine(heading?.textContent ?? link?.textContent ?? "");
      return itemOf(page, article, { title, link: link ?? null, id: article.id, skip: heading });
    })
    .filter(hasWords);
}

function readListItems(page: Page): readonly ParsedItem[] {
  return [...page.root.querySelectorAll("li")]
    .filter((entry) => entry.closest(AROUND) === null && entry.querySelector("li") === null)
    .flatMap((entry) => {
      const link = [...entry.querySelectorAll("a[href]")].find(
        (a) => cleanLine(a.textContent ?? "").length >= LINK_TEXT_MIN,
      );
      if (link === undefined || webUrl(link.getAttribute("href"), page.base).length === 0) return [];
      const title = cleanLine(link.textContent ?? "");
      return [itemOf(page, entry, { title, link, id: entry.id, skip: null })];
    });
}

function readSections(page: Page): readonly ParsedItem[] {
  const headings = [...page.root.querySelectorAll(HEADINGS)].filter((heading) => {
    const isNamed = heading.id !== "" || heading.querySelector("a[href],[id]") !== null;
    return isNamed && heading.closest(AROUND) === null;
  });
  return headings
    .map((heading) => {
      const following = siblingsUntilHeading(heading);
      const texts = following.map((node) => textOfNode(node, page.base));
      const id = heading.id || (heading.querySelector("[id]")?.id ?? "");
      const own = itemOf(page, heading, {
        title: titleOf(heading),
        link: heading.querySelector("a[href]"),
        id,
        skip: heading,
      });
      const time = following.map((node) => timeOf(node)).find((at) => at !== null);
      return {
        ...own,
        text: texts
          .map((one) => one.text)
          .filter((text) => text !== "")
          .join("\n"),
        publishedAt: time ?? parseDate(/\d{4}-\d{2}-\d{2}/.exec(own.title)?.[0]),
        links: [...new Set(texts.flatMap((one) => one.links))].filter((link) => link !== own.url),
      };
    })
    .filter(hasWords);
}

/** Without the `#` or `¶` of a heading's own anchor. */
function titleOf(heading: Element): string {
  return cleanLine(heading.textContent ?? "").replace(/^[#¶§\s]+|[#¶§\s]+$/g, "");
}

function siblingsUntilHeading(heading: Element): readonly Node[] {
  const level = Number(heading.localName.slice(1));
  const nodes: Node[] = [];
  for (let node = heading.nextSibling; node !== null; node = node.nextSibling) {
    const found = /^h([1-6])$/i.exec(node.nodeName)?.[1];
    if (found !== undefined && (Number(found) <= level || nodes.length > 0)) break;
    nodes.push(node);
  }
  return nodes;
}

function wholePage(page: Page, title: string): readonly ParsedItem[] {
  const { text, links } = textOfNode(page.root, page.base);
  const item = { guid: null, title, text, url: page.url, publishedAt: null, links };
  return hasWords(item) && text !== "" ? [item] : [];
}

function itemOf(
  page: Page,
  node: Element,
  head: { title: string; link: Element | null; id: string; skip: Node | null },
): ParsedItem {
  const body = textOfNode(node, page.base, head.skip === null ? new Set() : new Set([head.skip]));
  const anchor = head.id === "" ? null : `${page.url.split("#", 1)[0]}#${encodeURIComponent(head.id)}`;
  const url = webUrl(head.link?.getAttribute("href"), page.base)[0] ?? anchor;
  const title = head.title.replace(/^[#¶§\s]+|[#¶§\s]+$/g, "");
  return {
    guid: null,
    title,
    text: body.text,
    url,
    publishedAt: timeOf(node),
    links: body.links.filter((one) => one !== url),
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
