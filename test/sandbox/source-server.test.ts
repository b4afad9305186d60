import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { fillBase } from "../../main/sandbox/fill-base";
import { startSourceServer } from "../../main/sandbox/start-source-server";
import { call, later, sandbox, temporaryDir } from "./world";

async function server(dir: string) {
  const started = await startSourceServer({ dir });
  later(() => started.close());
  return started;
}

/** A request whose path no client library has tidied up. */
function rawStatus(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ host: "127.0.0.1", port, path, agent: false }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    outgoing.on("error", reject);
    outgoing.end();
  });
}

describe("a folder of sources", () => {
  it("offers every feed and page in it, in any script, with the bytes as they are", async () => {
    const dir = temporaryDir();
    mkdirSync(join(dir, "周报"));
    writeFileSync(join(dir, "周报", "第 1 期.xml"), Buffer.from([0x3c, 0xff, 0x00, 0x7b, 0x7b]));
    writeFileSync(join(dir, "feed.rss"), "<rss>{{base}}</rss>");
    for (const name of ["a.atom", "b.json", "c.html", "d.htm", "notes.txt", ".hidden.xml"])
      writeFileSync(join(dir, name), name);
    const { indexUrl, url } = await server(dir);
    const { body } = await call("GET", indexUrl);
    expect(body.map((source: { id: string; format: string }) => `${source.id} ${source.format}`)).toEqual([
      ...["a atom", "b json-feed", "c html", "d html", "feed rss", "周报-第-1-期 auto"],
    ]);
    expect(body[0]).toEqual({
      id: "a",
      title: "a.atom",
      url: `${url}/sources/a.atom`,
      format: "atom",
      licence: "unknown",
      required: false,
    });
    const chinese = await fetch(body[5].url);
    expect(Buffer.from(await chinese.arrayBuffer())).toEqual(Buffer.from([0x3c, 0xff, 0x00, 0x7b, 0x7b]));
    expect(chinese.headers.get("content-type")).toBe("application/xml");
    expect((await call("GET", `${url}/sources/feed.rss`)).text).toBe("<rss>{{base}}</rss>");
    expect((await call("GET", `${url}/sources/notes.txt`)).status).toBe(200);
    // Whether a page that was not brought exists somewhere cannot be told: a link to it wants eyes, it is not broken.
    expect((await call("GET", `${url}/elsewhere`)).status).toBe(403);
  });

  it("goes by sources.json where there is one, and says what is wrong with it", async () => {
    const dir = temporaryDir();
    writeFileSync(join(dir, "x.xml"), "<rss/>");
    const list = [
      { file: "x.xml", title: "X", licence: "CC0", required: true },
      { url: "https://feeds.example.org/y", title: "Y", licence: "unknown" },
    ];
    writeFileSync(join(dir, "sources.json"), `\uFEFF${JSON.stringify(list)}`);
    const { indexUrl, url } = await server(dir);
    expect((await call("GET", indexUrl)).body).toEqual([
      { id: "x", title: "X", url: `${url}/sources/x.xml`, format: "auto", licence: "CC0", required: true },
      {
        id: "feeds-example-org-y",
        title: "Y",
        url: "https://feeds.example.org/y",
        format: "auto",
        licence: "unknown",
        required: false,
      },
    ]);
    writeFileSync(
      join(dir, "sources.json"),
      JSON.stringify([{ file: "x.xml", url: "https://a.example/", title: "both", licence: "-" }]),
    );
    const both = await server(dir);
    expect((await call("GET", both.indexUrl)).body[0]).toMatchObject({
      url: `${both.url}/sources/x.xml`,
      baseUrl: "https://a.example/",
    });
    writeFileSync(join(dir, "sources.json"), JSON.stringify([{ title: "neither", licence: "-" }]));
    await expect(startSourceServer({ dir })).rejects.toThrow("needs file or url");
    writeFileSync(join(dir, "sources.json"), "[{]");
    await expect(startSourceServer({ dir })).rejects.toThrow("sources.json is not JSON");
  });

  it("lets nobody out of the folder", async () => {
    const outside = temporaryDir();
    writeFileSync(join(outside, "secret.xml"), "secret");
    const dir = join(outside, "sources");
    mkdirSync(dir);
    mkdirSync(join(outside, "sources-neighbour"));
    writeFileSync(join(outside, "sources-neighbour", "a.xml"), "secret");
    writeFileSync(join(dir, "in.xml"), "inside");
    symlinkSync(join(outside, "secret.xml"), join(dir, "out.xml"));
    symlinkSync(outside, join(dir, "up"));
    symlinkSync(join(dir, "in.xml"), join(dir, "alias.xml"));
    const { port, indexUrl } = await server(dir);
    const attempts = [
      ...["../secret.xml", "%2e%2e/secret.xml", "..%2fsecret.xml", "..%5csecret.xml", "%2e%2e%2fsecret.xml"],
      ...[
        "out.xml",
        "up/secret.xml",
        "../sources-neighbour/a.xml",
        "in.xml%00",
        "/etc/passwd",
        "//secret.xml",
        ".",
        "",
      ],
      ...["in.xml/", "in.xml/..", "%ff", "C:%5csecret.xml", "..%00/secret.xml"],
    ];
    for (const attempt of attempts) {
      const status = await rawStatus(port, `/sources/${attempt}`);
      expect([400, 403, 404], attempt).toContain(status);
    }
    expect(await rawStatus(port, "/sources/in.xml")).toBe(200);
    expect(await rawStatus(port, "/sources/alias.xml")).toBe(200);
    expect((await call("GET", indexUrl)).body.map((source: { id: string }) => source.id)).toEqual(["in"]);
  });

  it("streams what is too large for memory, and survives a reader who leaves", async () => {
    const dir = temporaryDir();
    writeFileSync(join(dir, "huge.xml"), "");
    writeFileSync(join(dir, "empty.xml"), "");
    truncateSync(join(dir, "huge.xml"), 3 * 1024 ** 3);
    const { url } = await server(dir);
    const before = process.memoryUsage().rss;
    const controller = new AbortController();
    const answer = await fetch(`${url}/sources/huge.xml`, { signal: controller.signal });
    expect(answer.headers.get("content-length")).toBe(String(3 * 1024 ** 3));
    await answer.body?.getReader().read();
    controller.abort();
    expect(process.memoryUsage().rss - before).toBeLessThan(300 * 1024 ** 2);
    expect((await call("GET", `${url}/sources/empty.xml`)).text).toBe("");
    expect((await call("HEAD", `${url}/sources/huge.xml`)).headers.get("content-length")).toBe(String(3 * 1024 ** 3));
  });

  it("can stand in for the samples of the sandbox", async () => {
    const dir = temporaryDir();
    writeFileSync(join(dir, "mine.xml"), "<rss/>");
    const { url } = await sandbox({ sourcesDir: dir });
    expect((await call("GET", `${url}/sources/index.json`)).body).toHaveLength(1);
    expect((await call("GET", `${url}/sources/mine.xml`)).text).toBe("<rss/>");
    expect((await call("GET", `${url}/articles/orbit/batch-window`)).status).toBe(200);
  });
});

describe("filling in the address", () => {
  it("steps over characters of GB18030 that end like the mark begins", () => {
    const base = "http://h";
    // 0xA1 0x7B is one character whose second byte is `{`; what follows is no mark.
    const tricky = Buffer.concat([Buffer.from([0xa1, 0x7b]), Buffer.from("{base}} {{base}}")]);
    const filled = fillBase(tricky, base, "gb18030");
    expect(filled).toEqual(Buffer.concat([Buffer.from([0xa1, 0x7b]), Buffer.from("{base}} http://h")]));
    const four = Buffer.concat([Buffer.from([0x95, 0x34, 0x81, 0x30]), Buffer.from("{{base}}")]);
    expect(fillBase(four, base, "gb18030").subarray(4).toString()).toBe(base);
    const cut = Buffer.from([0x41, 0x95]);
    expect(fillBase(cut, base, "gb18030")).toEqual(cut);
    expect(fillBase(Buffer.from("{{{base}}}"), base, "ascii-compatible").toString()).toBe("{http://h}");
  });
});
