import { createServer } from "node:net";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import { afterEach, describe, expect, test } from "vitest";
import { createSourceReader, READ_ERRORS, SOURCE_MAX_BYTES } from "../../main/adapters/sources/reader";
import { classify } from "../../main/domain/errors";
import type { SourceConfig, SourceRead } from "../../main/domain/ports";
import { contextFor, type Handler, type LoopbackServer, startServer } from "./loopback-server";

const servers: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(handler: Handler): Promise<LoopbackServer> {
  const server = await startServer(handler);
  servers.push(server);
  return server;
}

const source = (url: string): SourceConfig => ({
  id: "s",
  title: "S",
  url,
  format: "auto",
  licence: "CC BY 4.0",
  required: true,
});
const read = (url: string, ms?: number): Promise<SourceRead> => createSourceReader().read(source(url), contextFor(ms));
const codeOf = (result: SourceRead) => (result.kind === "failed" ? result.error.code : "read");
const textOf = (result: SourceRead) =>
  result.kind === "read" ? Buffer.from(result.bytes).toString() : result.error.code;

describe("one good read", () => {
  test("gives the bytes, both addresses and the type, and says honestly who asks", async () => {
    const server = await serve((_, response) =>
      response.setHeader("content-type", "application/rss+xml").end("<rss/>"),
    );
    const result = await read(`${server.base}/feed`);
    expect(result).toMatchObject({
      kind: "read",
      requestedUrl: `${server.base}/feed`,
      finalUrl: `${server.base}/feed`,
      httpStatus: 200,
      contentType: "application/rss+xml",
      fetchedAt: contextFor().now,
    });
    expect(textOf(result)).toBe("<rss/>");
    const headers = server.requests[0]?.headers ?? {};
    expect(headers["user-agent"]).toContain("Imprimatur");
    expect(headers["if-none-match"] ?? headers["if-modified-since"]).toBeUndefined();
  });

  test.each([
    ["gzip", gzipSync("hello")],
    ["x-gzip", gzipSync("hello")],
    ["deflate", deflateSync("hello")],
    ["deflate", deflateRawSync("hello")],
    ["br", brotliCompressSync("hello")],
    ["gzip, br", brotliCompressSync(gzipSync("hello"))],
    ["identity", Buffer.from("hello")],
  ])("unpacks %s", async (encoding, body) => {
    const server = await serve((_, response) => response.setHeader("content-encoding", encoding).end(body));
    expect(textOf(await read(server.base))).toBe("hello");
  });
});

describe("limits", () => {
  test("a body of exactly the limit passes, one byte more does not, announced or not", async () => {
    const server = await serve((request, response) => {
      const size = SOURCE_MAX_BYTES + (request.url === "/exact" ? 0 : 1);
      if (request.url !== "/chunked") response.setHeader("content-length", size);
      response.end(Buffer.alloc(size, 97));
    });
    expect(codeOf(await read(`${server.base}/exact`))).toBe("read");
    expect(codeOf(await read(`${server.base}/announced`))).toBe("too_large");
    expect(codeOf(await read(`${server.base}/chunked`))).toBe("too_large");
  });

  test.each([
    ["gzip", gzipSync(Buffer.alloc(SOURCE_MAX_BYTES * 20))],
    ["br", brotliCompressSync(Buffer.alloc(SOURCE_MAX_BYTES * 2))],
    ["gzip, gzip", gzipSync(gzipSync(Buffer.alloc(SOURCE_MAX_BYTES * 20)))],
  ])("a bomb in %s is given up", async (encoding, body) => {
    const server = await serve((_, response) => response.setHeader("content-encoding", encoding).end(body));
    expect(codeOf(await read(server.base))).toBe("too_large");
  });

  test("three layers, unknown encodings and broken ones are refused", async () => {
    const server = await serve((request, response) =>
      response.setHeader("content-encoding", decodeURIComponent(request.url?.slice(1) ?? "")).end("nonsense"),
    );
    for (const encoding of ["gzip,gzip,gzip", "zstd", "gzip"]) {
      expect(codeOf(await read(`${server.base}/${encodeURIComponent(encoding)}`))).toBe("bad_content_encoding");
    }
  });
});

describe("a body cut short is a failed source", () => {
  test("fewer bytes than Content-Length", async () => {
    const server = await serve((_, response) => {
      response.writeHead(200, { "content-length": 100 });
      response.write("half");
      setTimeout(() => response.destroy(), 20);
    });
    expect(codeOf(await read(server.base))).toBe("cut_short");
  });

  test("chunks without their end", async () => {
    const server = await serve((_, response) => {
      response.write("half");
      setTimeout(() => response.destroy(), 20);
    });
    expect(codeOf(await read(server.base))).toBe("cut_short");
  });

  test("a packed body without its end, and a part that nobody asked for", async () => {
    const server = await serve((request, response) => {
      if (request.url === "/part") return response.writeHead(206, { "content-range": "bytes 0-3/9" }).end("part");
      const packed = request.url === "/br" ? brotliCompressSync("a".repeat(500)) : gzipSync("a".repeat(500));
      return response.setHeader("content-encoding", request.url === "/br" ? "br" : "gzip").end(packed.subarray(0, -6));
    });
    expect(codeOf(await read(`${server.base}/gzip`))).toBe("cut_short");
    expect(codeOf(await read(`${server.base}/br`))).toBe("cut_short");
    expect(codeOf(await read(`${server.base}/part`))).toBe("cut_short");
  });
});

describe("redirects", () => {
  test("five are followed and the end is the final address; relative, protocol-relative and bare UTF-8 ones too", async () => {
    const server = await serve((request, response) => {
      const step = Number(request.url?.slice(2) || 0);
      if (request.url === "/utf8")
        return response.writeHead(301, { location: Buffer.from("/周报").toString("latin1") }).end();
      if (!request.url?.startsWith("/r")) return response.end(decodeURIComponent(request.url ?? ""));
      const next = step === 5 ? "end#part" : step === 4 ? `//${request.headers.host}/r5` : `/r${step + 1}`;
      return response.writeHead([301, 302, 303, 307, 308][step - 1] ?? 302, { location: next }).end();
    });
    expect(await read(`${server.base}/r1`)).toMatchObject({ kind: "read", finalUrl: `${server.base}/end#part` });
    expect(codeOf(await read(`${server.base}/r0`))).toBe("too_many_redirects");
    expect(textOf(await read(`${server.base}/utf8`))).toBe("/周报");
  });

  test("a loop is noticed at once, without cookies and with a cookie that does not help", async () => {
    const server = await serve((request, response) => {
      const headers: Record<string, string> = { location: request.url === "/a" ? "/b" : "/a" };
      if (request.headers["x-never"] === undefined && request.url === "/c") headers["set-cookie"] = "seen=1";
      if (request.url === "/c") headers.location = "/c";
      response.writeHead(302, headers).end();
    });
    expect(codeOf(await read(`${server.base}/a`))).toBe("redirect_loop");
    expect(server.requests).toHaveLength(2);
    expect(codeOf(await read(`${server.base}/c`))).toBe("redirect_loop");
    expect(server.requests).toHaveLength(4);
  });

  test("a site that only wants its cookie back gets it, and it is forgotten afterwards", async () => {
    const server = await serve((request, response) => {
      if (request.headers.cookie === "visitor=7") return response.end("in");
      return response
        .writeHead(302, { location: request.url ?? "/", "set-cookie": "visitor=7; Path=/; HttpOnly" })
        .end();
    });
    expect(textOf(await read(server.base))).toBe("in");
    await read(server.base);
    expect(server.requests.map((one) => one.headers.cookie)).toEqual([undefined, "visitor=7", undefined, "visitor=7"]);
  });

  test("a cookie that changes each time ends at the limit", async () => {
    let count = 0;
    const server = await serve((_, response) => {
      count += 1;
      response.writeHead(302, { location: "/", "set-cookie": `n=${count}` }).end();
    });
    expect(codeOf(await read(server.base))).toBe("too_many_redirects");
  });

  test.each([["ftp://example.org/x"], ["javascript:alert(1)"], ["http://user:secret@example.org/"], ["http://[bad"]])(
    "no redirect to %s",
    async (location) => {
      const server = await serve((_, response) => response.writeHead(302, { location }).end());
      expect(codeOf(await read(server.base))).toBe("bad_redirect");
    },
  );

  test("a redirect without an address, and one to another origin with its own cookies", async () => {
    const other = await serve((request, response) => response.end(String(request.headers.cookie)));
    const server = await serve((request, response) => {
      if (request.url === "/none") return response.writeHead(302).end();
      return response
        .writeHead(302, { location: other.base.replace("127.0.0.1", "localhost"), "set-cookie": "own=1" })
        .end();
    });
    expect(codeOf(await read(`${server.base}/none`))).toBe("bad_redirect");
    expect(textOf(await read(server.base))).toBe("undefined");
  });
});

describe("codes and classes", () => {
  test.each([
    [401, "auth"],
    [403, "auth"],
    [404, "permanent_input"],
    [410, "permanent_input"],
    [429, "transient"],
    [500, "transient"],
    [501, "permanent_input"],
    [503, "transient"],
    [599, "transient"],
    [418, "unclassified"],
    [204, "permanent_input"],
    [304, "permanent_input"],
  ])("status %i is %s", async (status, cls) => {
    const server = await serve((_, response) => response.writeHead(status).end());
    const result = await read(server.base);
    if (result.kind !== "failed") throw new Error("was read");
    expect(result.error).toMatchObject({ phase: "read", code: `http_${status}`, httpStatus: status });
    expect(classify(READ_ERRORS, result.error)).toBe(cls);
    expect(server.requests).toHaveLength(1);
  });

  test.each([
    [429, "120", 120_000],
    [503, "Mon, 20 Jul 2026 08:05:00 GMT", 300_000],
    [503, "Mon, 20 Jul 2026 07:00:00 GMT", 0],
    [429, "soon", null],
    [429, "-5", null],
    [500, "120", null],
  ])("status %i with Retry-After %s gives a hint of %s ms", async (status, hint, expected) => {
    const date = "Mon, 20 Jul 2026 08:00:00 GMT";
    const server = await serve((_, response) => response.writeHead(status, { "retry-after": hint, date }).end());
    const result = await read(server.base);
    expect(result.kind === "failed" && result.error.retryAfterMs).toBe(expected);
  });

  test("the server's reference is kept, without what could break a log line", async () => {
    const server = await serve((_, response) =>
      response.writeHead(500, { "x-request-id": `r-1\u00e9${"x".repeat(200)}` }).end(),
    );
    const result = await read(server.base);
    expect(result.kind === "failed" && result.error.reference).toMatch(/^r-1x{117}$/);
  });

  test("refused, unknown host, silence, a reset, no HTTP, TLS where there is none", async () => {
    const closed = await startServer(() => undefined);
    await closed.close();
    expect(codeOf(await read(closed.base))).toBe("refused");
    expect(codeOf(await read("http://no-such-host.invalid/"))).toBe("dns");
    const silent = await serve(() => undefined);
    expect(codeOf(await read(silent.base, 80))).toBe("timeout");
    const dripping = await serve((_, response) => response.write("a"));
    expect(codeOf(await read(dripping.base, 80))).toBe("timeout");
    const resetting = await serve((request) => request.socket.resetAndDestroy());
    expect(codeOf(await read(resetting.base))).toBe("reset");
    const odd = createServer((socket) =>
      socket
        .on("error", () => undefined)
        .resume()
        .end("SSH-2.0-OpenSSH\r\n\r\n"),
    );
    await new Promise<void>((ready) => odd.listen(0, "127.0.0.1", ready));
    servers.push({ close: () => new Promise((done) => odd.close(() => done())) });
    const address = odd.address();
    const port = typeof address === "object" ? address?.port : 0;
    expect(codeOf(await read(`http://127.0.0.1:${port}/`))).toBe("unparsable");
    expect(codeOf(await read(`https://127.0.0.1:${port}/`))).toBe("tls");
  });

  test("a switch of protocols that nobody asked for is no answer", async () => {
    const server = await serve((request) =>
      request.socket.end("HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"),
    );
    expect(codeOf(await read(server.base))).toMatch(/unparsable|reset/);
  });

  test("an aborted signal sends nothing; addresses that are none are bad_url", async () => {
    const server = await serve((_, response) => response.end("x"));
    const signal = AbortSignal.abort();
    expect(codeOf(await createSourceReader().read(source(server.base), { signal, now: 0 }))).toBe("timeout");
    expect(server.requests).toHaveLength(0);
    for (const url of ["", "feed.xml", "file:///etc/passwd", "http://user:pw@127.0.0.1/"]) {
      expect(codeOf(await read(url))).toBe("bad_url");
    }
  });
});
