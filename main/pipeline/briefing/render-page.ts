import type { Fact } from "../../domain/ports";
import type { Citation, EditionDocument } from "./edition-document";
import { escapeHtml, escapeLines } from "./escape-html";
import { type Wording, wordingFor } from "./wording";

/**
 * The public page. Pure: the same document and key give the same bytes, so they can be frozen, approved and compared.
 * Everything that comes from outside is text here and is escaped; the page has no script, loads nothing and forbids both.
 */
const PAGE_RENDERER_VERSION = 1;

const STYLE = [
  ":root{color-scheme:light dark}",
  'body{margin:0;font:1.0625rem/1.65 Georgia,"Noto Serif",serif;color:#1c1c1c;background:#fff}',
  // Chinese reads badly in a Latin serif's fallback and needs more air between lines.
  'html:lang(zh) body{font-family:"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;line-height:1.8}',
  "main{max-width:42rem;margin:0 auto;padding:2rem 1.25rem 4rem;overflow-wrap:anywhere}",
  "h1{font-size:1.75rem;line-height:1.25}h2{font-size:1.25rem;line-height:1.35;margin:2.25rem 0 .5rem}",
  "blockquote{margin:.75rem 0;padding:.1rem 0 .1rem 1rem;border-left:.2rem solid #b0b0b0}",
  "footer,.source{font-size:.875rem}a{color:#0b57a4}",
  "@media(prefers-color-scheme:dark){body{color:#e6e6e6;background:#161616}a{color:#8ab8f0}}",
].join("\n");

/** Marks the content among whatever a theme puts around it; `comparePage` looks for it. */
export const CONTENT_MARK = "data-imprimatur";

/**
 * The whole page as HTML5.
 * @param input.operationKey goes into a comment around the content, an envelope that is no part of what is hashed.
 */
export function renderPage(input: { document: EditionDocument; operationKey: string }): string {
  const { document, operationKey } = input;
  return [
    "<!DOCTYPE html>",
    `<html lang="${escapeHtml(document.language)}">`,
    "<head>",
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">`,
    `<meta name="generator" content="Imprimatur page ${PAGE_RENDERER_VERSION}">`,
    `<title>${escapeHtml(document.title)}</title>`,
    `<style>\n${STYLE}\n</style>`,
    "</head>",
    "<body>",
    renderKeyedContent(input.document, operationKey),
    "</body>",
    "</html>",
    "",
  ].join("\n");
}

/** The content inside its key comment, for a CMS whose theme makes the page around it. */
export function renderKeyedContent(document: EditionDocument, operationKey: string): string {
  return `${keyComment(operationKey)}\n${renderContent(document)}\n<!-- /imprimatur-op -->`;
}

/** The content alone: title, intro, facts, links. */
export function renderContent(document: EditionDocument): string {
  const words = wordingFor(document.language);
  const citations = new Map(document.citations.map((citation) => [citation.factId, citation]));
  return [
    `<main ${CONTENT_MARK}>`,
    `<h1>${escapeHtml(document.title)}</h1>`,
    `<p>${escapeLines(document.intro)}</p>`,
    ...document.facts.map((fact) => renderFact(fact, citations.get(fact.id), words)),
    "<footer>",
    `<h2>${escapeHtml(words.links)}</h2>`,
    "<ol>",
    ...document.links.map((link) => `<li>${anchor(link, link)}</li>`),
    "</ol>",
    "</footer>",
    "</main>",
  ].join("\n");
}

function renderFact(fact: Fact, citation: Citation | undefined, words: Wording): string {
  const source =
    citation === undefined
      ? []
      : [
          `<p class="source">${escapeHtml(words.source)}: ${anchor(citation.url, citation.title)} · ` +
            `${escapeHtml(words.licence)}: ${escapeHtml(citation.licence)}</p>`,
        ];
  return [
    `<section id="${escapeHtml(fact.id)}">`,
    `<h2>${anchor(fact.url, fact.headline)}</h2>`,
    `<p>${escapeLines(fact.statement)}</p>`,
    `<blockquote cite="${escapeHtml(fact.url)}"><p>${escapeLines(fact.quote)}</p></blockquote>`,
    ...source,
    "</section>",
  ].join("\n");
}

/** Only http(s): an address with another scheme is shown as text, so that no draft can make a link that runs. */
function anchor(url: string, text: string): string {
  const shown = escapeHtml(text);
  return /^https?:\/\//i.test(url) ? `<a href="${escapeHtml(url)}">${shown}</a>` : shown;
}

/**
 * The comment that carries an operation's key, so that the remote object can be recognised by its content alone.
 * Characters that could end a comment are written as percent escapes.
 */
export function keyComment(operationKey: string): string {
  const safe = operationKey
    .replace(/[^A-Za-z0-9:._~/-]/gu, (char) => encodeURIComponent(char))
    .replace(/-(?=-|$)/g, "%2D")
    .replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
  return `<!-- imprimatur-op:${safe} -->`;
}

/** The operation key found in a page's key comment, or null. Untrusted: whoever wrote the page wrote it. */
export function readKeyComment(html: string): string | null {
  const found = /<!--\s*imprimatur-op:([A-Za-z0-9:._~/%-]{1,600})\s*-->/.exec(html)?.[1];
  if (found === undefined) return null;
  try {
    return decodeURIComponent(found);
  } catch {
    return null;
  }
}
