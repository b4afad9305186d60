import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { comparePage, pageTextHashInput } from "../../main/pipeline/briefing/page-compare";
import { renderContent, renderPage } from "../../main/pipeline/briefing/render-page";
import { documentOf } from "./edition";

const PAGE_URL = "https://site.example/2026-w30/";
const EXPECTED = renderPage({ document: documentOf(), operationKey: "k" });

function compare(publicHtml: string | Uint8Array, contentType = "text/html; charset=utf-8") {
  const publicBytes = typeof publicHtml === "string" ? new TextEncoder().encode(publicHtml) : publicHtml;
  return comparePage({ expectedHtml: EXPECTED, publicBytes, contentType, pageUrl: PAGE_URL });
}

const themed = (content: string, title = "每周简报 2026 年第 30 周 – The Site") =>
  `<!DOCTYPE html><html><head><title>${title}</title><script src="/theme.js"></script></head><body>` +
  `<nav><a href="/">Home</a></nav>${content}<footer>© The Site <a href="/imprint">Imprint</a></footer></body></html>`;

describe("what is tolerated", () => {
  test.each<[string, (html: string) => string]>([
    ["the same bytes", (html) => html],
    ["another key comment", (html) => html.replace("imprimatur-op:k", "imprimatur-op:other")],
    ["white space between elements", (html) => html.replace(/\n</g, "\n\n  \t<")],
    ["white space within text", (html) => html.replace("Statement 1.", "Statement\n   1.")],
    [
      "entities",
      (html) => html.replace(/ says/g, "&nbsp;says").replace("Headline", "&#72;eadline").replace("周", "&#x5468;"),
    ],
    ["decomposed letters", (html) => html.normalize("NFD")],
    ["attributes of links", (html) => html.replace(/<a /g, '<a rel="nofollow noopener" target="_blank" class="x" ')],
    ["a theme around marked content", () => themed(renderContent(documentOf()))],
    ["a theme before its title", () => themed(renderContent(documentOf()), "The Site | 每周简报 2026 年第 30 周")],
    [
      "a theme's only article",
      () => themed(`<article>${renderContent(documentOf()).replace(" data-imprimatur", "")}</article>`),
    ],
    ["links without a host", (html) => html.replaceAll('href="https://a.example/', 'href="//a.example/')],
    ["inline elements that a theme adds", (html) => html.replace("Headline 1", "<span>Head<b>line</b></span> 1")],
  ])("%s", (_, change) => {
    expect(compare(change(EXPECTED))).toMatchObject({
      matches: true,
      firstDifference: null,
      missingLinks: [],
      extraLinks: [],
    });
  });

  test("a page in another encoding that it names", () => {
    const bytes = new Uint8Array(iconv.encode(EXPECTED, "gb18030"));
    expect(compare(bytes, "text/html; charset=gb18030").matches).toBe(true);
    expect(compare(bytes, "text/html; charset=nonsense").matches).toBe(false);
  });

  test("the hashed text of a page that matches is the approved page's", () => {
    const observed = compare(themed(renderContent(documentOf()))).observedTextHashInput;
    expect(Buffer.from(observed)).toEqual(Buffer.from(pageTextHashInput(EXPECTED, PAGE_URL)));
  });
});

describe("what is not", () => {
  test("one character of text, shown with what stands around it", () => {
    const result = compare(EXPECTED.replace("Statement 2.", "Statement 2!"));
    expect(result).toMatchObject({
      matches: false,
      textEqual: false,
      titleEqual: true,
      missingLinks: [],
      extraLinks: [],
    });
    expect(result.firstDifference?.expected).toContain("Statement 2.");
    expect(result.firstDifference?.observed).toContain("Statement 2!");
    expect(result.firstDifference?.expected.length).toBeLessThanOrEqual(80);
  });

  test("a link missing (S31), changed or added", () => {
    const gone = compare(EXPECTED.replaceAll('<a href="https://a.example/n/2">', "<a>"));
    expect(gone).toMatchObject({
      matches: false,
      textEqual: true,
      missingLinks: ["https://a.example/n/2"],
      extraLinks: [],
    });
    const changed = compare(EXPECTED.replaceAll("https://a.example/n/2", "https://evil.example/"));
    expect(changed).toMatchObject({ missingLinks: ["https://a.example/n/2"], extraLinks: ["https://evil.example/"] });
    const added = compare(EXPECTED.replace("Statement 1.", '<a href="/ad">Statement 1.</a>'));
    expect(added).toMatchObject({ matches: false, textEqual: true, extraLinks: ["https://site.example/ad"] });
  });

  test("links that changed places: text and set are equal, and a headline leads elsewhere", () => {
    const swapped = EXPECTED.replace("https://a.example/n/1", "TMP")
      .replace("https://a.example/n/2", "https://a.example/n/1")
      .replace("TMP", "https://a.example/n/2");
    expect(compare(swapped)).toMatchObject({
      matches: false,
      textEqual: true,
      missingLinks: [],
      extraLinks: [],
      linkOrderEqual: false,
    });
  });

  test.each([
    "<script>x()</script>",
    '<iframe src="/ad"></iframe>',
    '<img src="/count.gif">',
    "<style>h1{display:none}</style>",
  ])("%s inside the content", (element) => {
    const html = EXPECTED.replace("<footer>", `${element}<footer>`);
    expect(compare(html)).toMatchObject({
      matches: false,
      textEqual: true,
      foreignElements: [/<(\w+)/.exec(element)?.[1]],
    });
  });

  test.each([
    ["another title", themed(renderContent(documentOf()), "每周简报 2026 年第 29 周")],
    ["a title that only begins so", themed(renderContent(documentOf()), "每周简报 2026 年第 30 周刊")],
    ["no title", themed(renderContent(documentOf()), "")],
  ])("%s", (_, html) => {
    expect(compare(html)).toMatchObject({ matches: false, textEqual: true, titleEqual: false });
  });

  test("a theme around content without a mark, marked content twice, an empty page, an error page", () => {
    expect(compare(themed(renderContent(documentOf()).replace(" data-imprimatur", ""))).textEqual).toBe(false);
    expect(compare(themed(renderContent(documentOf()).repeat(2)))).toMatchObject({ matches: false, textEqual: false });
    expect(compare("").matches).toBe(false);
    expect(compare("<title>404</title><h1>Not found</h1>")).toMatchObject({
      matches: false,
      missingLinks: expect.arrayContaining([...documentOf().links]),
    });
  });

  test("property: any single change of a visible character is noticed", () => {
    const marks = [...EXPECTED.matchAll(/(?:Statement|Headline|Quote) [0-9]/g)].map(
      (found) => found.index + found[0].length - 1,
    );
    fc.assert(
      fc.property(fc.constantFrom(...marks), fc.constantFrom("0", "x", "中", "１"), (at, char) => {
        expect(compare(EXPECTED.slice(0, at) + char + EXPECTED.slice(at + 1)).matches).toBe(false);
      }),
    );
  });
});
