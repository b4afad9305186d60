import path from "node:path";
import { describe, expect, it } from "vitest";
import { PAGE_POLICY, PREVIEW_POLICY, rendererFile, type Sources, serve } from "../../main/shell/serve";

const ROOT = path.resolve("/somewhere/out/renderer");
const HASH = "f".repeat(64);
const text = (value: string) => new TextEncoder().encode(value);

const sources = (change: Partial<Sources> = {}): Sources => ({
  rendererRoot: ROOT,
  readFile: async (file) => text(file),
  preview: async () => ({ bytes: text("<p>hostile"), mediaType: "text/html" }),
  ...change,
});
const get = (url: string, change: Partial<Sources> = {}, method = "GET") => serve({ url, method }, sources(change));

describe("which file an address names", () => {
  it("finds files inside the page's folder, with their media type", () => {
    expect(rendererFile(ROOT, "app://imprimatur/")).toEqual({
      file: path.join(ROOT, "index.html"),
      mediaType: "text/html; charset=utf-8",
    });
    expect(rendererFile(ROOT, "app://imprimatur/assets/index-a1.js?v=2")?.file).toBe(
      path.join(ROOT, "assets", "index-a1.js"),
    );
    expect(rendererFile(ROOT, "app://imprimatur/assets/%E4%B8%AD.woff2")?.mediaType).toBe("font/woff2");
  });

  it.each([
    "app://imprimatur/../main/index.cjs",
    "app://imprimatur/../../secret.json",
    "app://imprimatur/%2e%2e/secret.json",
    "app://imprimatur/..%2fsecret.json",
    "app://imprimatur/..%5csecret.json",
    "app://imprimatur/a/%2e%2e%2f%2e%2e%2fsecret.json",
    "app://imprimatur/..out/x.json",
    "app://imprimatur//etc/x.json",
    "app://imprimatur/C:/x.json",
    "app://imprimatur/x.json:stream.json",
    "app://imprimatur/.hidden.json",
    "app://imprimatur/a%00.json",
    "app://imprimatur/%ff.json",
    "app://imprimatur/program.exe",
    "app://imprimatur/noextension",
    "app://preview/index.html",
    "app://imprimatur.evil/index.html",
  ])("finds nothing outside: %s", (url) => {
    const found = rendererFile(ROOT, url);
    // An address that the parser itself flattens stays inside; what matters is that nothing ever leaves the folder.
    if (found !== null) expect(found.file.startsWith(ROOT + path.sep)).toBe(true);
    if (!/\/\.\.\/|%2e%2e\/[^%]/.test(url)) expect(found).toBeNull();
  });
});

describe("what is answered", () => {
  it("sends the page with its strict policy", async () => {
    const answer = await get("app://imprimatur/index.html");
    expect(answer.status).toBe(200);
    expect(answer.headers.get("content-security-policy")).toBe(PAGE_POLICY);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  it("allows the page nothing remote and no inline script", () => {
    const rules = new Map(
      PAGE_POLICY.split("; ").map((rule) => [rule.split(" ")[0], rule.split(" ").slice(1).join(" ")]),
    );
    expect(rules.get("default-src")).toBe("'none'");
    expect(rules.get("script-src")).toBe("'self'");
    expect(rules.get("style-src")).toBe("'self' 'unsafe-inline'");
    expect(rules.get("frame-src")).toBe("app://preview");
    expect(rules.get("connect-src")).toBe("'self'");
    for (const name of ["object-src", "base-uri", "form-action", "frame-ancestors"])
      expect(rules.get(name)).toBe("'none'");
    expect(PAGE_POLICY).not.toMatch(/https?:|ws:|\*|eval|script-src[^;]*inline/);
  });

  it("sends previews with a policy of their own: no script, no network, no origin", async () => {
    const answer = await get(`app://preview/${HASH}`);
    expect(await answer.text()).toBe("<p>hostile");
    expect(answer.headers.get("content-security-policy")).toBe(PREVIEW_POLICY);
    expect(PREVIEW_POLICY).toMatch(/^default-src 'none'; style-src 'unsafe-inline'; img-src data:; .*; sandbox$/);
    expect(PREVIEW_POLICY).not.toMatch(/script|allow-|https?:/);
  });

  it.each([
    ["text/html", "text/html; charset=utf-8"],
    ["text/html; charset=gb18030", "text/html; charset=gb18030"],
    ["image/png", "image/png"],
    ["image/svg+xml", "text/plain; charset=utf-8"],
    ["application/pdf", "text/plain; charset=utf-8"],
    ["application/xhtml+xml", "text/plain; charset=utf-8"],
    ["text/html\r\nSet-Cookie: x", "text/plain; charset=utf-8"],
  ])("shows a preview of %s as %s", async (mediaType, shown) => {
    const answer = await get(`app://preview/${HASH}`, { preview: async () => ({ bytes: text("x"), mediaType }) });
    expect(answer.headers.get("content-type")).toBe(shown);
  });

  it("has no body for what is not there, cannot be read, or is asked in another way", async () => {
    const missing = async () => Promise.reject(Object.assign(new Error("secret path"), { code: "ENOENT" }));
    const damaged = async () => Promise.reject(new Error("secret bytes"));
    const answers = [
      [404, await get("app://imprimatur/gone.js", { readFile: missing })],
      [404, await get("app://imprimatur/../x.exe")],
      [404, await get(`app://preview/${HASH}`, { preview: async () => null })],
      [500, await get(`app://preview/${HASH}`, { preview: damaged })],
      [404, await get("app://elsewhere/")],
      [405, await get("app://imprimatur/index.html", {}, "POST")],
      [200, await get("app://imprimatur/index.html", {}, "HEAD")],
    ] as const;
    for (const [status, answer] of answers) {
      expect(answer.status).toBe(status);
      expect(await answer.text()).toBe("");
      expect(answer.headers.get("content-security-policy")).toContain("default-src 'none'");
    }
  });
});
