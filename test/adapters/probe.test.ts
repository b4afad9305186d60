import { gzipSync } from "node:zlib";
import { afterEach, expect, test } from "vitest";
import { createPageProbe } from "../../main/adapters/probe";
import { READ_ERRORS } from "../../main/adapters/sources/reader";
import { classify } from "../../main/domain/errors";
import { contextFor, type Handler, type LoopbackServer, startServer } from "./loopback-server";

const servers: LoopbackServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

async function serve(handler: Handler): Promise<LoopbackServer> {
  const server = await startServer(handler);
  servers.push(server);
  return server;
}

test("asks past caches, at the address readers use, and reports how old the answer is", async () => {
  const server = await serve((_, response) => {
    response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-encoding": "gzip", age: "42" });
    response.end(gzipSync("<p>周报</p>"));
  });
  const page = await createPageProbe().read(`${server.base}/p`, contextFor());
  expect(page).toMatchObject({ kind: "read", httpStatus: 200, ageSeconds: 42, mediaType: "text/html; charset=utf-8" });
  expect(page.kind === "read" && Buffer.from(page.bytes).toString()).toBe("<p>周报</p>");
  expect(server.requests).toHaveLength(1);
  expect(server.requests[0]).toMatchObject({ method: "GET", url: "/p" });
  expect(server.requests[0]?.headers).toMatchObject({ "cache-control": "no-cache", pragma: "no-cache" });
});

test("a unique address only where it was configured, and always the same for one moment", async () => {
  const server = await serve((_, response) => response.end("x"));
  const probe = createPageProbe({ uniqueQuery: "check" });
  await probe.read(`${server.base}/p?a=1`, contextFor());
  expect(server.requests[0]?.url).toBe(`/p?a=1&check=${contextFor().now}`);
});

test.each([404, 500, 503])("an answer with %i is an answer, not a failure", async (status) => {
  const server = await serve((_, response) => response.writeHead(status).end("gone"));
  const page = await createPageProbe().read(server.base, contextFor());
  expect(page).toMatchObject({ kind: "read", httpStatus: status, ageSeconds: null, mediaType: "" });
});

test("three redirects on the site are followed; a fourth and any to elsewhere are not", async () => {
  const other = await serve((_, response) => response.end("copy"));
  const server = await serve((request, response) => {
    const left = Number(request.url?.slice(1));
    if (request.url === "/out") return response.writeHead(302, { location: other.base }).end();
    if (left === 0) return response.end("page");
    return response.writeHead(301, { location: `/${left - 1}` }).end();
  });
  const probe = createPageProbe();
  expect(await probe.read(`${server.base}/3`, contextFor())).toMatchObject({
    kind: "read",
    finalUrl: `${server.base}/0`,
  });
  expect(await probe.read(`${server.base}/4`, contextFor())).toMatchObject({
    kind: "failed",
    error: { code: "too_many_redirects" },
  });
  expect(await probe.read(`${server.base}/out`, contextFor())).toMatchObject({
    kind: "failed",
    error: { code: "redirect_elsewhere" },
  });
  expect(other.requests).toHaveLength(0);
});

test("a page made to be slow to compare is a failed read", async () => {
  const server = await serve((_, response) => response.end("<div>".repeat(600)));
  expect(await createPageProbe().read(server.base, contextFor())).toMatchObject({
    kind: "failed",
    error: { code: "too_deep", httpStatus: 200 },
  });
});

test("a cut page and silence are failed reads that may be asked again", async () => {
  const server = await serve((request, response) => {
    if (request.url === "/silent") return undefined;
    response.writeHead(200, { "content-length": 100 });
    response.write("half");
    return setTimeout(() => response.destroy(), 20);
  });
  for (const [path, code] of [
    ["/cut", "cut_short"],
    ["/silent", "timeout"],
  ]) {
    const page = await createPageProbe().read(`${server.base}${path}`, contextFor(150));
    if (page.kind !== "failed") throw new Error("was read");
    expect(page.error).toMatchObject({ phase: "read", code });
    expect(classify(READ_ERRORS, page.error)).toBe("transient");
  }
});
