import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import iconv from "iconv-lite";
import { describe, expect, it } from "vitest";
import { call, fault, records, samplesDir, sandbox, W30 } from "./world";

const feedFiles = readdirSync(samplesDir).filter(
  (name) => /\.(xml|atom|json|html)$/.test(name) && !/^(sources|pages)\./.test(name),
);
const bytesOf = async (url: string, clock = W30): Promise<Buffer> =>
  Buffer.from(await (await fetch(url, { headers: { "Imprimatur-Clock": clock } })).arrayBuffer());

describe("the twelve sample sources", () => {
  it("are listed as the app configures sources, with addresses of this server", async () => {
    const { url } = await sandbox();
    const { body } = await call("GET", `${url}/sources/index.json`);
    expect(body).toHaveLength(12);
    expect(new Set(body.map((source: { id: string }) => source.id)).size).toBe(12);
    expect(body.map((source: { format: string }) => source.format).sort()).toEqual([
      ...["atom", "atom", "html", "html", "json-feed", "json-feed"],
      ...["rss", "rss", "rss", "rss", "rss", "rss"],
    ]);
    for (const source of body) {
      expect(Object.keys(source).sort()).toEqual(["format", "id", "licence", "required", "title", "url"]);
      expect((await fetch(source.url)).status).toBe(200);
    }
    expect(body.filter((source: { required: boolean }) => source.required)).toHaveLength(4);
  });

  it("link only to pages that the sandbox has, and every page is linked to", async () => {
    const { url } = await sandbox();
    const linked = new Set<string>();
    for (const file of feedFiles) {
      // Latin-1 keeps every byte, and addresses are ASCII in all of these encodings.
      const text = readFileSync(join(samplesDir, file), "latin1");
      const base =
        /xml:base="([^"]*)"/.exec(text)?.[1] ?? /<base href="([^"]*)"/.exec(text)?.[1] ?? "{{base}}/sources/x";
      const entryBase = /<a:entry xml:base="([^"]*)"/.exec(text)?.[1];
      for (const match of text.matchAll(/(?:href=|<link>|_url": |"url": |<guid[^>]*>)"?([^"<]+)/g)) {
        const raw = match[1] ?? "";
        if (raw.startsWith("https://") || !/[/{]|^[a-z-]+$/.test(raw)) continue;
        const isEntry = entryBase !== undefined && !raw.includes("/");
        const against = new URL(base.replace("{{base}}", "http://b"));
        const from = isEntry ? new URL(entryBase, against) : against;
        const { pathname, host } = new URL(raw.replace("{{base}}", "http://b"), from);
        if (host === "b" && /^\/(articles|home)\//.test(pathname)) linked.add(pathname);
      }
    }
    const pages = JSON.parse(readFileSync(join(samplesDir, "pages.json"), "utf8"));
    const targets = Object.values<{ to?: string }>(pages).flatMap((page) => page.to ?? []);
    expect([...linked, ...targets].sort()).toEqual(Object.keys(pages).sort());
    const statuses: Record<number, string[]> = {};
    for (const path of linked) {
      const { status } = await call("GET", url + path, undefined, undefined, {
        headers: { "User-Agent": "Imprimatur" },
      });
      statuses[status] = [...(statuses[status] ?? []), path];
    }
    expect(statuses[301]).toEqual(["/home/tariff-watch"]);
    expect(statuses[403]).toEqual(["/home/agent-rules"]);
    expect(Object.keys(statuses)).toEqual(["200", "301", "403"]);
    const browser = { headers: { "User-Agent": "Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0" } };
    expect((await call("GET", `${url}/home/agent-rules`, undefined, undefined, browser)).status).toBe(200);
    const robot = { headers: { "User-Agent": "Mozilla/5.0 (compatible; Imprimatur)" } };
    expect((await call("HEAD", `${url}/home/agent-rules`, undefined, undefined, robot)).status).toBe(403);
  });

  it("are in the encodings they say they are in, byte by byte, also after the address was filled in", async () => {
    const { url } = await sandbox();
    const chinese = await bytesOf(`${url}/sources/zhinengti.xml`);
    const text = iconv.decode(chinese, "gb18030");
    expect(text).toContain("𠮷原工坊为智能体调用设置每日上限");
    expect(text).toContain(`<link>${url}/articles/zhinengti/fangkuan</link>`);
    expect(text).not.toContain("{{");
    expect(text).not.toContain("\uFFFD");
    // U+20BB7 takes four bytes in GB18030, and does not exist in GBK.
    expect(chinese.includes(iconv.encode("𠮷", "gb18030"))).toBe(true);
    expect(iconv.encode("𠮷", "gb18030")).toHaveLength(4);
    const french = iconv.decode(await bytesOf(`${url}/sources/cahiers.xml`), "windows-1252");
    expect(french).toContain("limite chaque commande à 5 000 € et exige l’accord");
    expect(french).toContain(`${url}/articles/cahiers/clause-agents`);
    for (const file of feedFiles) expect((await bytesOf(`${url}/sources/${file}`)).includes("{{")).toBe(false);
  });

  it("change one page between editions, by the clock or on request", async () => {
    const { url } = await sandbox();
    const titles = async (query = "", clock = W30) =>
      [...(await bytesOf(`${url}/sources/price-board.html${query}`, clock)).toString().matchAll(/<h3><a[^>]*>([^<]*)/g)]
        .length;
    expect(await titles("", "2026-07-13T01:14:00Z")).toBe(2);
    expect(await titles()).toBe(4);
    expect(await titles("", "2026-07-27T01:14:00Z")).toBe(6);
    expect(await titles("?edition=2026-W29")).toBe(2);
    expect(await titles("?edition=2026-W31")).toBe(6);
  });

  it("can be cut short on the way", async () => {
    const { url } = await sandbox();
    await fault(url, { on: "source.read", fault: "cut-short", params: { file: "orbit-changelog.xml" } });
    await expect(call("GET", `${url}/sources/orbit-changelog.xml`)).rejects.toThrow();
    expect((await call("GET", `${url}/sources/orbit-changelog.xml`)).status).toBe(200);
    expect((await records(url)).sources.reads).toEqual({ "orbit-changelog.xml": 2 });
  });
});
