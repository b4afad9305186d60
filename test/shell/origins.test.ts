import { describe, expect, it } from "vitest";
import { externalUrl, isRendererUrl, previewHashOf, RENDERER_URL } from "../../main/shell/origins";

const HASH = "0123456789abcdef".repeat(4);

describe("whose address it is", () => {
  it("knows our page, whatever follows the host", () => {
    for (const url of [RENDERER_URL, "app://imprimatur/", "app://imprimatur/a.js?x=1#y"])
      expect(isRendererUrl(url)).toBe(true);
  });

  it.each([
    "app://imprimatur.evil/index.html",
    "app://imprimatur@evil/index.html",
    "app://user:pass@imprimatur/",
    "app://imprimatur:80/",
    "app://preview/index.html",
    "application://imprimatur/",
    "https://imprimatur/",
    "file:///imprimatur",
    "javascript:app://imprimatur/",
    "",
    "imprimatur",
  ])("does not take %s for ours", (url) => expect(isRendererUrl(url)).toBe(false));

  it("reads the hash of a preview address, and only of an exact one", () => {
    expect(previewHashOf(`app://preview/${HASH}`)).toBe(HASH);
    expect(previewHashOf(`app://preview/${HASH}?v=1`)).toBe(HASH);
    for (const url of [
      `app://preview/${HASH.toUpperCase()}`,
      `app://preview/${HASH}/`,
      `app://preview/x/${HASH}`,
      `app://preview/${HASH.slice(1)}`,
      `app://imprimatur/${HASH}`,
      `https://preview/${HASH}`,
    ])
      expect(previewHashOf(url), url).toBeNull();
  });

  it("offers web addresses outside in an unambiguous spelling, and no others", () => {
    expect(externalUrl("https://bücher.example/ä?q=1")).toEqual({
      href: "https://xn--bcher-kva.example/%C3%A4?q=1",
      host: "xn--bcher-kva.example",
    });
    expect(externalUrl("http://example.com:8080/")?.host).toBe("example.com:8080");
    for (const url of [
      "https://bank.example@evil.example/",
      "https://:secret@evil.example/",
      "file:///etc/passwd",
      "javascript:alert(1)",
      "mailto:a@example.com",
      "smb://host/share",
      "app://imprimatur/",
      "//example.com",
      "",
    ])
      expect(externalUrl(url), url).toBeNull();
  });
});
