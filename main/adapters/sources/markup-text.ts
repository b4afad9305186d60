import { parseHTML } from "linkedom";
import { cleanLine, cleanLines } from "./clean-text";
import { refuseDeepMarkup } from "./markup-limits";

/** Text and links of a piece of HTML. Nothing in it is executed or loaded: the parser only builds a tree. */
export interface MarkupText {
  /** Cleaned; one block element per line, no empty lines. */
  text: string;
  /** Distinct absolute http(s) addresses of the links in it, in order. */
  links: readonly string[];
}

/** What readers do not see as text. Form controls and embedded frames are not the item's words. */
const UNREAD = new Set(
  "script style template noscript iframe object embed svg canvas video audio select textarea button head title".split(
    " ",
  ),
);

const BLOCK = new Set(
  (
    "address article aside blockquote body br center dd details dialog div dl dt fieldset figcaption figure footer form h1 " +
    "h2 h3 h4 h5 h6 header hgroup hr html legend li main menu nav ol p pre section summary table tbody tfoot thead tr ul"
  ).split(" "),
);

/** Cells and the like: words of two of them must not run together, but they stay on one line. */
const SPACED = new Set(["td", "th", "option", "img"]);

/**
 * Text of HTML as it stands in a feed.
 * @throws TooDeep on markup nested too deeply to be parsed in reasonable time.
 * @param baseUrl what relative links are relative to. A base that is no address yields no links.
 */
export function textOfMarkup(html: string, baseUrl: string): MarkupText {
  // Plain text in a feed often has meaningful line ends, which HTML rules would fold away.
  if (!/<[a-z!/]/i.test(html)) return { text: cleanLines(decodeEntities(html)), links: [] };
  refuseDeepMarkup(html);
  // A wrapper gives the parser one root whatever the piece begins with.
  return textOfNode(parseHTML(`<div>${html}</div>`).document, baseUrl);
}

/** Text of an element or document already parsed, without the nodes in `skip`. */
export function textOfNode(root: Node, baseUrl: string, skip: ReadonlySet<Node> = new Set()): MarkupText {
  const parts: string[] = [];
  const links: string[] = [];
  // An explicit stack: hostile markup is nested deeper than the call stack is.
  const open: { node: Node; leave: boolean; pre: boolean }[] = [{ node: root, leave: false, pre: false }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { node, leave, pre } = next;
    if (node.nodeType === 3) {
      const data = node.nodeValue ?? "";
      parts.push(pre ? data : data.replace(/[ \t\n\r\f]+/g, " "));
      continue;
    }
    if (node.nodeType !== 1 && node.nodeType !== 9 && node.nodeType !== 11) continue;
    const name = node.nodeName.toLowerCase();
    if (!leave && (skip.has(node) || UNREAD.has(name) || isHidden(node))) continue;
    if (BLOCK.has(name)) parts.push("\n");
    else if (SPACED.has(name)) parts.push(" ");
    if (leave) continue;
    if (name === "a") links.push(...webUrl((node as Element).getAttribute("href"), baseUrl));
    open.push({ node, leave: true, pre });
    for (const child of [...node.childNodes].reverse())
      open.push({ node: child, leave: false, pre: pre || name === "pre" });
  }
  return { text: cleanLines(parts.join("")), links: [...new Set(links)] };
}

/** Hidden text must not become a quote: no reader of the source could find it. */
function isHidden(node: Node): boolean {
  if (node.nodeType !== 1) return false;
  const element = node as Element;
  return (
    element.hasAttribute("hidden") ||
    /(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(element.getAttribute("style") ?? "")
  );
}

/** Inline elements that feeds put into titles. Others are left as text: a headline may well be about `<script>`. */
const TITLE_MARKUP =
  /<\/?(?:a|abbr|b|big|br|cite|code|em|font|i|kbd|mark|p|q|s|small|span|strong|sub|sup|tt|u|wbr)(?:\s[^<>]*)?\/?>/gi;

/** A title as one plain line; entities that were escaped twice are decoded, inline markup is dropped. */
export function textOfTitle(title: string): string {
  return cleanLine(decodeEntities(title.replace(TITLE_MARKUP, "")));
}

function decodeEntities(text: string): string {
  if (!text.includes("&")) return text;
  return parseHTML(`<div>${text.replace(/</g, "&lt;")}</div>`).document.firstElementChild?.textContent ?? "";
}

/** An address resolved against a base, in a list of one; empty when it is none or its scheme is not http(s). */
export function webUrl(href: string | null | undefined, baseUrl: string): readonly string[] {
  const trimmed = (href ?? "").trim();
  if (trimmed === "") return [];
  try {
    const url = new URL(trimmed, baseUrl);
    return url.protocol === "https:" || url.protocol === "http:" ? [url.href] : [];
  } catch {
    return [];
  }
}
