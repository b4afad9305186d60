import { parseHTML } from "linkedom";
import { canonicalBytes } from "./edition-document";
import { CONTENT_MARK } from "./render-page";

/**
 * Proves a public page right: text, title and every link of what was approved against what readers get (invariant I04).
 * Tolerated: white space, entities, other attributes, and a theme around content that carries our mark. Not tolerated:
 * any other word, any other link, links in another order, and anything active inside the content.
 */
export interface PageComparison {
  /** True only when everything below is as expected. */
  matches: boolean;
  textEqual: boolean;
  titleEqual: boolean;
  /** Expected links that the public page lacks, absolute, each once. */
  missingLinks: readonly string[];
  /** Links of the public content that nobody approved, absolute, each once. */
  extraLinks: readonly string[];
  /** False when the same links stand in another order: a headline then leads to another fact's page. */
  linkOrderEqual: boolean;
  /** Names of elements inside the public content that can act or load and were not in what was approved. */
  foreignElements: readonly string[];
  /** What was observed, ready to be hashed and to be compared with {@link pageTextHashInput} of the expected page. */
  observedTextHashInput: Uint8Array;
  /** The first place where the texts part, with a few characters around it; null when they are equal. */
  firstDifference: { expected: string; observed: string } | null;
}

interface PageContent {
  title: string;
  text: string;
  links: readonly string[];
  active: readonly string[];
}

/** Characters shown on either side of the first difference. */
const EXCERPT = 40;
const UNREAD = new Set(["SCRIPT", "STYLE", "TEMPLATE", "NOSCRIPT", "HEAD", "TITLE"]);
const INLINE = new Set(
  "A ABBR B BDI BDO CITE CODE DATA DFN EM I INS DEL KBD MARK Q RP RT RUBY S SAMP SMALL SPAN STRONG SUB SUP TIME U VAR WBR".split(
    " ",
  ),
);
const ACTIVE = "script,iframe,object,embed,form,input,button,img,video,audio,svg,link,style,meta,base,portal";

/**
 * Compares the page as approved with the page as read.
 * @param input.expectedHtml the frozen page. @param input.publicBytes the body as a reader got it.
 * @param input.contentType its Content-Type, for the charset; UTF-8 when it names none that is known.
 * @param input.pageUrl the address it was read from: relative links are resolved against it.
 */
export function comparePage(input: {
  expectedHtml: string;
  publicBytes: Uint8Array;
  contentType: string;
  pageUrl: string;
}): PageComparison {
  const expected = readContent(input.expectedHtml, input.pageUrl);
  const observed = readContent(decode(input.publicBytes, input.contentType), input.pageUrl);
  const textEqual = observed !== null && expected !== null && expected.text === observed.text;
  const titleEqual = observed !== null && expected !== null && isSameTitle(expected.title, observed.title);
  const expectedLinks = expected?.links ?? [];
  const observedLinks = observed?.links ?? [];
  const missingLinks = without(expectedLinks, observedLinks);
  const extraLinks = without(observedLinks, expectedLinks);
  const linkOrderEqual = expectedLinks.join("\n") === observedLinks.join("\n");
  const foreignElements = without(observed?.active ?? [], expected?.active ?? []);
  return {
    matches: textEqual && titleEqual && linkOrderEqual && foreignElements.length === 0,
    textEqual,
    titleEqual,
    missingLinks,
    extraLinks,
    linkOrderEqual,
    foreignElements,
    observedTextHashInput: hashInput(observed),
    firstDifference: textEqual ? null : differenceOf(expected?.text ?? "", observed?.text ?? ""),
  };
}

/** The same bytes for an approved page as `observedTextHashInput` has for a public one that matches it. */
export function pageTextHashInput(html: string, pageUrl: string): Uint8Array {
  return hashInput(readContent(html, pageUrl));
}

function hashInput(content: PageContent | null): Uint8Array {
  // The `<title>` is left out: a theme adds the site's name to it, and the heading is part of the text anyway.
  return canonicalBytes({ text: content?.text ?? null, links: [...(content?.links ?? [])] });
}

/** @returns null when the page has our mark more than once: which of them readers see could not be said. */
function readContent(html: string, pageUrl: string): PageContent | null {
  const { document } = parseHTML(html);
  const marked = [...document.querySelectorAll(`[${CONTENT_MARK}]`)];
  if (marked.length > 1) return null;
  const articles = [...document.querySelectorAll("article")];
  const root: Node = marked[0] ?? (articles.length === 1 ? articles[0] : undefined) ?? document;
  const title = tidy(document.querySelector("title")?.textContent ?? "");
  const base = baseOf(document.querySelector("base[href]")?.getAttribute("href") ?? null, pageUrl);
  const scope = root as ParentNode;
  const links = [...scope.querySelectorAll("a[href],area[href]")].map((a) =>
    resolve(a.getAttribute("href") ?? "", base),
  );
  const active = root === document ? [] : [...scope.querySelectorAll(ACTIVE)].map((one) => one.localName);
  return { title, text: tidy(visibleText(root)), links, active: [...new Set(active)] };
}

/** Text in reading order. Block elements part words; inline ones do not, so that `a<b>b</b>` stays one word. */
function visibleText(root: Node): string {
  const parts: string[] = [];
  const open: { node: Node; leave: boolean }[] = [{ node: root, leave: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, leave } = next;
    if (node.nodeType === 3) {
      parts.push(node.textContent ?? "");
      continue;
    }
    if (node.nodeType !== 1 && node.nodeType !== 9) continue;
    const name = node.nodeName.toUpperCase();
    if (UNREAD.has(name)) continue;
    if (!INLINE.has(name)) parts.push(" ");
    if (leave) continue;
    open.push({ node, leave: true });
    for (const child of [...node.childNodes].reverse()) open.push({ node: child, leave: false });
  }
  return parts.join("");
}

function tidy(text: string): string {
  return text.normalize("NFC").replace(/\s+/gu, " ").trim();
}

function isSameTitle(expected: string, observed: string): boolean {
  if (expected === observed) return true;
  // Themes write "title – site" or "site | title". The separator must be there: "title 2" is another title.
  const rest = observed.startsWith(expected)
    ? observed.slice(expected.length)
    : observed.endsWith(expected)
      ? [...observed.slice(0, -expected.length)].reverse().join("")
      : "";
  return expected !== "" && /^ ?[|–—\-·:»«_] ?\S/u.test(rest);
}

function without(all: readonly string[], gone: readonly string[]): readonly string[] {
  const known = new Set(gone);
  return [...new Set(all.filter((one) => !known.has(one)))];
}

function baseOf(href: string | null, pageUrl: string): string {
  return href === null ? pageUrl : resolve(href, pageUrl);
}

/** Absolute form of a link; what cannot be resolved is kept as written, so that it shows up as a difference. */
function resolve(href: string, base: string): string {
  try {
    return new URL(href, base).href;
  } catch {
    return href;
  }
}

function decode(bytes: Uint8Array, contentType: string): string {
  const label = /charset\s*=\s*"?([^\s";]+)/i.exec(contentType)?.[1] ?? "utf-8";
  try {
    return new TextDecoder(label).decode(bytes);
  } catch {
    return new TextDecoder().decode(bytes);
  }
}

function differenceOf(expected: string, observed: string): { expected: string; observed: string } {
  let at = 0;
  while (at < expected.length && at < observed.length && expected[at] === observed[at]) at += 1;
  const from = Math.max(0, at - EXCERPT);
  return { expected: cut(expected, from, at), observed: cut(observed, from, at) };
}

/** An excerpt that never ends in half a character. */
function cut(text: string, from: number, at: number): string {
  return text.slice(from, at + EXCERPT).replace(/\p{Surrogate}/gu, "");
}
