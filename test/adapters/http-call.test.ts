import { createServer as createHttpServer, type RequestListener } from "node:http";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { type HttpCall, httpCall, parseRetryAfter } from "../../main/adapters/http-call";

const open: { server: Server; sockets: Set<Socket> }[] = [];
afterEach(async () => {
  for (const { server, sockets } of open.splice(0)) {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  }
});

function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  open.push({ server, sockets });
  return new Promise((resolve) => {
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      resolve(typeof address === "object" && address !== null ? address.port : 0);
    });
  });
}

const http = async (handler: RequestListener): Promise<string> =>
  `http://127.0.0.1:${await listen(createHttpServer(handler))}`;
const tcp = async (handler: (socket: Socket) => void): Promise<number> => listen(createTcpServer(handler));

const call = (url: string, more: Partial<HttpCall> = {}) =>
  httpCall({
    method: "POST",
    url,
    body: new TextEncoder().encode('{"a":1}'),
    signal: AbortSignal.timeout(5000),
    ...more,
  });

describe("a call that never left", () => {
  it.each([
    ["a name that does not exist", "http://nowhere.invalid/", "dns"],
    ["a port nobody listens on", "http://127.0.0.1:1/", "refused"],
    ["an address that is none", "not a url", "bad_url"],
    ["another scheme", "ftp://127.0.0.1/", "bad_url"],
    ["an address with a password in it", "http://me:secret@127.0.0.1/", "bad_url"],
  ])("%s: %s is %s, and proven not sent", async (_what, url, code) => {
    expect(await call(url)).toMatchObject({ kind: "failed", phase: "before_send", code });
  });

  it("TLS that fails: not one byte of the request came out", async () => {
    let received = Buffer.alloc(0);
    const port = await tcp((socket) => {
      socket.on("data", (bytes) => {
        received = Buffer.concat([received, bytes]);
        socket.write("HTTP/1.1 400 Bad Request\r\n\r\n");
      });
    });
    expect(await call(`https://127.0.0.1:${port}/`)).toMatchObject({ phase: "before_send", code: "tls" });
    expect(received.includes("POST")).toBe(false);
    expect(received[0]).toBe(0x16);
  });

  it("time that runs out during the handshake, or before it began", async () => {
    const port = await tcp(() => undefined);
    const late = call(`https://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(30) });
    expect(await late).toMatchObject({ phase: "before_send", code: "timeout" });
    expect(await call(`http://127.0.0.1:${port}/`, { signal: AbortSignal.abort() })).toMatchObject({
      phase: "before_send",
      code: "timeout",
    });
  });
});

describe("a call that may have arrived", () => {
  it.each<[string, string, (socket: Socket) => void]>([
    ["the line is cut at once", "reset", (socket) => void socket.destroy()],
    ["the line is cut after the request", "reset", (socket) => void socket.once("data", () => socket.destroy())],
    ["the line is reset", "reset", (socket) => void socket.once("data", () => socket.resetAndDestroy())],
    [
      "the answer ends in its head",
      "reset",
      (socket) => void socket.once("data", () => socket.end("HTTP/1.1 201 Crea")),
    ],
    [
      "the answer is no HTTP",
      "unparsable",
      (socket) => void socket.once("data", () => socket.end("220 mail.example ESMTP\r\n")),
    ],
  ])("%s: %s", async (_what, code, handler) => {
    const port = await tcp(handler);
    expect(await call(`http://127.0.0.1:${port}/`)).toMatchObject({
      kind: "failed",
      phase: "after_send",
      code,
      httpStatus: null,
    });
  });

  it.each([
    ["announced", 'HTTP/1.1 201 Created\r\nX-Request-Id: r-7\r\nContent-Length: 100\r\n\r\n{"id":'],
    ["chunked", 'HTTP/1.1 201 Created\r\nX-Request-Id: r-7\r\nTransfer-Encoding: chunked\r\n\r\n6\r\n{"id":\r\n'],
  ])("a body cut short (%s) is no answer, whatever its status said", async (_what, start) => {
    const port = await tcp((socket) => void socket.once("data", () => socket.end(start)));
    const result = await call(`http://127.0.0.1:${port}/`);
    expect(result).toMatchObject({
      kind: "failed",
      phase: "after_send",
      code: "reset",
      httpStatus: 201,
      reference: "r-7",
    });
  });

  it("time runs out while the server works, or in the middle of its answer", async () => {
    const never = await http(() => undefined);
    expect(await call(never, { signal: AbortSignal.timeout(50) })).toMatchObject({
      phase: "after_send",
      code: "timeout",
      httpStatus: null,
    });
    const slow = await http((_request, response) => {
      response.writeHead(200);
      response.write("{");
    });
    expect(await call(slow, { signal: AbortSignal.timeout(50) })).toMatchObject({
      phase: "after_send",
      code: "timeout",
      httpStatus: 200,
    });
  });

  it("an answer that is larger than any honest one", async () => {
    const url = await http((_request, response) => response.end("x".repeat(2000)));
    expect(await call(url, { maxBytes: 1000 })).toMatchObject({
      phase: "after_send",
      code: "too_large",
      httpStatus: 200,
    });
    expect(await call(url, { maxBytes: 2000 })).toMatchObject({ kind: "answered" });
  });
});

describe("a call that was answered", () => {
  it("sends the bytes as they are, with the clock, and asks for no compression", async () => {
    let heard: Record<string, unknown> = {};
    const url = await http(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      heard = { ...request.headers, method: request.method, url: request.url, body: Buffer.concat(chunks) };
      response.setHeader("X-Request-Id", `id\u00e9 7${"x".repeat(200)}`);
      response.end("ok");
    });
    const body = new Uint8Array([0xff, 0x00, 0x0d, 0x0a, 0xe4]);
    const result = await call(`${url}/a/b?c=%2F#no`, {
      body,
      clock: Date.UTC(2026, 6, 20, 1, 14),
      headers: { "X-A": "b" },
    });
    expect(heard).toMatchObject({
      method: "POST",
      url: "/a/b?c=%2F",
      "x-a": "b",
      "content-length": "5",
      connection: "close",
    });
    expect(heard).toMatchObject({ "imprimatur-clock": "2026-07-20T01:14:00.000Z", "accept-encoding": "identity" });
    expect(heard.body).toEqual(Buffer.from(body));
    expect(result).toMatchObject({ kind: "answered", httpStatus: 200, bytes: Buffer.from("ok"), retryAfterMs: null });
    expect(result.reference).toMatch(/^id7x{117}$/);
  });

  it("follows no redirect and repeats nothing", async () => {
    let requests = 0;
    const url = await http((_request, response) => {
      requests += 1;
      response.writeHead(307, { Location: "/elsewhere" }).end();
    });
    expect(await call(url)).toMatchObject({ kind: "answered", httpStatus: 307 });
    const failing = await http((_request, response) => {
      requests += 1;
      response.destroy();
    });
    expect(await call(failing)).toMatchObject({ kind: "failed" });
    expect(requests).toBe(2);
  });

  it("uses every connection once", async () => {
    const ports = new Set<number | undefined>();
    const url = await http((request, response) => {
      ports.add(request.socket.remotePort);
      response.setHeader("Connection", "keep-alive");
      response.end();
    });
    for (let round = 0; round < 3; round += 1) await call(url);
    expect(ports.size).toBe(3);
  });

  it("understands Retry-After by the server's own time", async () => {
    const url = await http((_request, response) => {
      response.setHeader("Date", "Mon, 20 Jul 2026 01:14:00 GMT");
      response.writeHead(429, { "Retry-After": "Mon, 20 Jul 2026 01:16:00 GMT" }).end();
    });
    expect(await call(url)).toMatchObject({ httpStatus: 429, retryAfterMs: 120_000 });
  });

  it.each([
    ["7", 7000],
    [" 0 ", 0],
    ["Mon, 20 Jul 2026 01:14:30 GMT", 30_000],
    ["Monday, 20-Jul-26 01:14:30 GMT", 30_000],
    ["Mon Jul 20 01:14:30 2026", 30_000],
    ["Mon, 20 Jul 2026 01:13:00 GMT", 0],
    ["-5", null],
    ["1.5", null],
    ["soon", null],
    ["99999999999999", null],
    ["", null],
  ])("Retry-After %j is %s ms", (value, ms) => {
    expect(parseRetryAfter(value, Date.UTC(2026, 6, 20, 1, 14))).toBe(ms);
  });
});
