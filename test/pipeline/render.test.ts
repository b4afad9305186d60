import { parseHTML } from "linkedom";
import { describe, expect, test } from "vitest";
import { bodyHashInput, renderEmail } from "../../main/pipeline/briefing/render-email";
import { keyComment, readKeyComment, renderPage } from "../../main/pipeline/briefing/render-page";
import { documentOf, factOf } from "./edition";

const KEY = "publish:weekly-briefing:2026-W30:zh-CN:v1:8f3c:create";
const EVIL = `"><script>alert('x')</script><img src=x onerror=alert(1)>&amp;--><!--`;

describe("the page", () => {
  const html = renderPage({ document: documentOf(), operationKey: KEY });
  const { document } = parseHTML(html);

  test("holds title, intro, every fact with its quote and source, and every link", () => {
    expect(document.documentElement.getAttribute("lang")).toBe("zh-CN");
    expect(document.querySelector("title")?.textContent).toBe("每周简报 2026 年第 30 周");
    expect(document.querySelectorAll("main section")).toHaveLength(3);
    const first = document.querySelector("#F1");
    expect(first?.querySelector("h2 a")?.getAttribute("href")).toBe("https://a.example/n/1");
    expect(first?.querySelector("blockquote")?.textContent).toBe("Quote 1 says 10 < 20 & more.");
    expect(first?.querySelector("blockquote")?.getAttribute("cite")).toBe("https://a.example/n/1");
    expect(first?.querySelector(".source")?.textContent).toBe("来源: Source A · 许可: CC BY 4.0");
    const links = [...document.querySelectorAll("footer a")].map((a) => a.getAttribute("href"));
    expect(links).toEqual(documentOf().links);
  });

  test("is the same for the same input; only the comment knows the key", () => {
    expect(renderPage({ document: documentOf(), operationKey: KEY })).toBe(html);
    const other = renderPage({ document: documentOf(), operationKey: `${KEY}2` });
    expect(other.replace(`${KEY}2`, KEY)).toBe(html);
    expect(html.indexOf("<main")).toBeGreaterThan(html.indexOf("imprimatur-op:"));
    expect(document.querySelector("main")?.innerHTML).not.toContain("imprimatur-op");
  });

  test("loads and runs nothing, and forbids both", () => {
    expect(document.querySelectorAll("script,link,img,iframe,form")).toHaveLength(0);
    expect(html).toContain("default-src 'none'");
    expect(html).not.toMatch(/\son\w+=/);
  });

  test("English words for an English edition", () => {
    expect(renderPage({ document: documentOf({ language: "en" }), operationKey: KEY })).toContain(
      "Links in this edition",
    );
  });

  test("whatever a draft says is text", () => {
    const facts = [factOf(1, { headline: EVIL, statement: EVIL, quote: EVIL, id: "F1" })];
    const evil = renderPage({
      document: documentOf({ title: EVIL, intro: EVIL, facts, language: `x" onload="` }),
      operationKey: KEY,
    });
    const parsed = parseHTML(evil).document;
    expect(parsed.querySelectorAll("script,img")).toHaveLength(0);
    expect(
      [...parsed.querySelectorAll("*")].some((one) => one.hasAttribute("onload") || one.hasAttribute("onerror")),
    ).toBe(false);
    expect(parsed.querySelector("h1")?.textContent).toBe(EVIL);
    expect(parsed.querySelector("blockquote")?.textContent).toBe(EVIL);
    expect(parsed.querySelector("title")?.textContent).toBe(EVIL);
  });

  test("an address that runs is text, wherever it came from", () => {
    const document = { ...documentOf(), links: ["javascript:alert(1)"] };
    expect(renderPage({ document, operationKey: KEY })).not.toMatch(/href="javascript/);
  });
});

describe("the key comment", () => {
  test.each([KEY, "a--b---c-", "publish:期刊:v1", "x>y<!--", "a b", "!*'()%", ""])(
    "%s comes back, and cannot end the comment",
    (key) => {
      const comment = keyComment(key);
      expect(comment.slice(4, -3)).not.toMatch(/--|>|-$/);
      expect(readKeyComment(`<p>${comment}</p>`)).toBe(key === "" ? null : key);
    },
  );

  test("a page without one, or with a broken one, has no key", () => {
    for (const html of ["", "<!-- imprimatur-op: -->", "<!-- imprimatur-op:%E4 -->", "<!-- other:x -->"]) {
      expect(readKeyComment(html)).toBeNull();
    }
  });
});

describe("the mail", () => {
  const input = {
    document: documentOf(),
    email: { subject: "每周简报", intro: "您好，\n本期如下。" },
    pageUrl: "https://site.example/w30/?a=1&b=2",
  };
  const email = renderEmail(input);

  test("has subject, text and HTML, with every fact and the page's address in both", () => {
    expect(email.subject).toBe("每周简报");
    for (const body of [email.text, parseHTML(email.html).document.documentElement.textContent ?? ""]) {
      expect(body).toContain("本期如下。");
      for (const number of [1, 2, 3]) expect(body).toContain(`Headline ${number}`);
      expect(body).toContain(input.pageUrl);
    }
    const hrefs = [...parseHTML(email.html).document.querySelectorAll("a")].map((a) => a.getAttribute("href"));
    expect(hrefs).toEqual([...documentOf().facts.map((fact) => fact.url), input.pageUrl]);
    expect(email.html).not.toMatch(/<(?:script|img|style|link)/);
  });

  test("a subject is one line, and whatever a draft says is text", () => {
    const evil = renderEmail({
      ...input,
      email: { subject: "a\r\nBcc: x@example.org", intro: EVIL },
      document: documentOf({ title: EVIL }),
    });
    expect(evil.subject).toBe("a Bcc: x@example.org");
    expect(parseHTML(evil.html).document.querySelectorAll("script,img")).toHaveLength(0);
  });

  test("the body hash covers subject, text, HTML and the page's address", () => {
    const bytes = (more: Partial<typeof input>) =>
      Buffer.from(bodyHashInput(renderEmail({ ...input, ...more }))).toString();
    const base = bytes({});
    expect(bytes({})).toBe(base);
    expect(bytes({ pageUrl: "https://site.example/other" })).not.toBe(base);
    expect(bytes({ email: { subject: "x", intro: input.email.intro } })).not.toBe(base);
    expect(bytes({ email: { subject: input.email.subject, intro: "y" } })).not.toBe(base);
  });
});
