import { afterEach, expect, test } from "vitest";
import { createLinkChecker } from "../../main/adapters/links";
import type { LinkCheck } from "../../main/domain/ports";
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

/** @param headPatienceMs short only where a server keeps silent: a busy machine takes its time with the first answer, too */
const check = (url: string, ms?: number, headPatienceMs = 5_000): Promise<LinkCheck> =>
  createLinkChecker({ allowPrivateHosts: true, headPatienceMs }).check(url, contextFor(ms));
const methods = (server: LoopbackServer) => server.requests.map((one) => `${one.method} ${one.url}`);

test("a good HEAD is enough", async () => {
  const server = await serve((_, response) => response.end("page"));
  const url = `${server.base}/a`;
  expect(await check(url)).toEqual({ url, verdict: "ok", httpStatus: 200, finalUrl: url, hops: 0, code: null });
  expect(methods(server)).toEqual(["HEAD /a"]);
});

test.each([405, 501, 403, 404, 500, 999])("after a HEAD with %i, GET decides", async (status) => {
  const server = await serve((request, response) => response.writeHead(request.method === "HEAD" ? status : 200).end());
  expect(await check(`${server.base}/a`)).toMatchObject({ verdict: "ok", httpStatus: 200 });
  expect(methods(server)).toEqual(["HEAD /a", "GET /a"]);
});

test("after a HEAD that is reset or never answered, GET decides", async () => {
  const server = await serve((request, response) => {
    if (request.method === "GET") return response.end("page");
    if (request.url === "/reset") request.socket.destroy();
    return undefined;
  });
  expect(await check(`${server.base}/reset`)).toMatchObject({ verdict: "ok" });
  expect(await check(`${server.base}/silent`, undefined, 60)).toMatchObject({ verdict: "ok" });
});

test.each([
  [401, "bot_blocked"],
  [403, "bot_blocked"],
  [429, "bot_blocked"],
  [451, "bot_blocked"],
  [999, "bot_blocked"],
  [400, "broken"],
  [404, "broken"],
  [410, "broken"],
  [500, "broken"],
  [503, "broken"],
  [408, "timeout"],
  [504, "timeout"],
  [204, "ok"],
])("status %i to both is %s", async (status, verdict) => {
  const server = await serve((_, response) => response.writeHead(status).end());
  const code = verdict === "ok" ? null : `http_${status}`;
  expect(await check(`${server.base}/a`)).toMatchObject({ verdict, httpStatus: status, code });
});

test("a challenge that only a browser passes needs eyes, though it is a 503", async () => {
  const server = await serve((_, response) => response.writeHead(503, { "cf-mitigated": "challenge" }).end());
  expect(await check(`${server.base}/a`)).toMatchObject({ verdict: "bot_blocked" });
});

test("silence is a timeout, a closed port and an unknown name are broken", async () => {
  const silent = await serve(() => undefined);
  expect(await check(`${silent.base}/a`, 200)).toMatchObject({ verdict: "timeout", code: "timeout", finalUrl: null });
  const closed = await startServer(() => undefined);
  await closed.close();
  expect(await check(closed.base)).toMatchObject({
    verdict: "broken",
    code: "refused",
    httpStatus: null,
    finalUrl: null,
  });
  expect(await check("http://no-such-host.invalid/")).toMatchObject({ verdict: "broken", code: "dns" });
  expect(await check("mailto:a@example.org")).toMatchObject({ verdict: "broken", code: "bad_url" });
});

test("the end of the chain counts: five hops to a page are a redirect, to a 404 broken, six and loops broken", async () => {
  const server = await serve((request, response) => {
    const [, name = "", left = "0"] = request.url?.split("/") ?? [];
    if (name === "loop") return response.writeHead(302, { location: "/loop" }).end();
    if (left === "0") return response.writeHead(name === "gone" ? 404 : 200).end();
    return response.writeHead(302, { location: `/${name}/${Number(left) - 1}` }).end();
  });
  expect(await check(`${server.base}/page/5`)).toMatchObject({
    verdict: "redirect",
    httpStatus: 200,
    hops: 5,
    code: null,
    finalUrl: `${server.base}/page/0`,
  });
  expect(await check(`${server.base}/gone/1`)).toMatchObject({ verdict: "broken", code: "http_404" });
  expect(await check(`${server.base}/page/6`)).toMatchObject({ verdict: "broken", code: "too_many_redirects" });
  expect(await check(`${server.base}/loop`)).toMatchObject({ verdict: "broken", code: "redirect_loop" });
});

test("a deep link sent to the home page is named; the home page itself may end where it likes (I6)", async () => {
  const server = await serve((request, response) => {
    const to: Record<string, string> = {
      "/gone/page": "/",
      "/lang": "/en/",
      "/": "/index.html",
      "/old": "/new",
      "/query": "/?p=17",
    };
    const location = to[request.url ?? ""];
    // `/` is the end for `/gone/page`, and is itself moved when it is asked for under its other name.
    if (location === undefined || (request.url === "/" && request.headers.host?.startsWith("127")))
      return response.end("x");
    return response.writeHead(301, { location }).end();
  });
  expect(await check(`${server.base}/gone/page`)).toMatchObject({ verdict: "redirect", code: "to_homepage" });
  expect(await check(`${server.base}/lang`)).toMatchObject({ verdict: "redirect", code: "to_homepage" });
  expect(await check(`${server.base.replace("127.0.0.1", "localhost")}/`)).toMatchObject({
    verdict: "redirect",
    code: null,
  });
  expect(await check(`${server.base}/old`)).toMatchObject({ verdict: "redirect", code: null });
  expect(await check(`${server.base}/query`)).toMatchObject({ verdict: "redirect", code: null });
  expect(await check(`${server.base}/`)).toMatchObject({ verdict: "ok" });
});

test("sent to the home page of another site, it is a redirect like any other", async () => {
  const server = await serve((request, response) => {
    const home = `http://localhost:${request.headers.host?.split(":")[1]}/`;
    if (request.url === "/moved") return response.writeHead(301, { location: home }).end();
    return response.end("home");
  });
  expect(await check(`${server.base}/moved`)).toMatchObject({ verdict: "redirect", code: null });
});

test("for real work, links into this machine are refused without a request", async () => {
  const server = await serve((_, response) => response.end("x"));
  const checker = createLinkChecker({ allowPrivateHosts: false });
  expect(await checker.check(server.base, contextFor())).toMatchObject({ verdict: "broken", code: "private_address" });
  expect(server.requests).toHaveLength(0);
});
