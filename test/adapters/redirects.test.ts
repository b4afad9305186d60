import { readFileSync } from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { expect, test } from "vitest";
import type { Exchange, ExchangeRequest } from "../../main/adapters/sources/exchange";
import { createSourceReader } from "../../main/adapters/sources/reader";
import { follow } from "../../main/adapters/sources/redirects";
import { contextFor } from "./loopback-server";

const request = {
  method: "GET" as const,
  headers: {},
  signal: contextFor().signal,
  maxBodyBytes: 100,
  wantsBody: () => true,
  maxRedirects: 5,
  privateHosts: "as_first" as const,
};

/** Answers of servers that cannot be had here: each address once, with where it sends and whether it is private. */
function world(sites: Record<string, { to?: string; isPrivate?: boolean; cookie?: string }>) {
  const sent: ExchangeRequest[] = [];
  const send = async (one: ExchangeRequest): Promise<Exchange> => {
    sent.push(one);
    const site = sites[one.url.href];
    if (site === undefined) throw new Error(`asked for ${one.url.href}`);
    const headers = { location: site.to, ...(site.cookie === undefined ? {} : { "set-cookie": [site.cookie] }) };
    const status = site.to === undefined ? 200 : 302;
    return { kind: "answered", status, headers, body: new Uint8Array(), fromPrivateHost: site.isPrivate ?? false };
  };
  return { sent, send };
}

test("what was asked over https is not answered over http", async () => {
  const { send, sent } = world({ "https://a.example/": { to: "http://a.example/" }, "http://a.example/": {} });
  const result = await follow({ ...request, url: "https://a.example/" }, send);
  expect(result).toMatchObject({ kind: "failed", code: "insecure_redirect", finalUrl: "https://a.example/", hops: 0 });
  expect(sent).toHaveLength(1);
});

test("a chain that began outside may not lead inside; one that began inside may", async () => {
  const outside = world({ "http://a.example/": { to: "http://10.0.0.1/" }, "http://10.0.0.1/": { isPrivate: true } });
  await follow({ ...request, url: "http://a.example/" }, outside.send);
  expect(outside.sent.map((one) => one.allowPrivateHosts)).toEqual([true, false]);
  const inside = world({
    "http://10.0.0.1/": { to: "/feed", isPrivate: true },
    "http://10.0.0.1/feed": { isPrivate: true },
  });
  await follow({ ...request, url: "http://10.0.0.1/" }, inside.send);
  expect(inside.sent.map((one) => one.allowPrivateHosts)).toEqual([true, true]);
});

test("once outside, always outside: the way back in is closed too", async () => {
  const { send, sent } = world({
    "http://10.0.0.1/": { to: "http://a.example/", isPrivate: true },
    "http://a.example/": { to: "http://10.0.0.1/admin" },
    "http://10.0.0.1/admin": { isPrivate: true },
  });
  await follow({ ...request, url: "http://10.0.0.1/" }, send);
  expect(sent.map((one) => one.allowPrivateHosts)).toEqual([true, true, false]);
});

test.each([
  ["a.example", "s=1", "https://a.example/next", "s=1"],
  ["a.example", "s=1", "https://b.example/next", undefined],
  ["www.a.example", "s=1; Domain=a.example", "https://a.example/next", "s=1"],
  ["www.a.example", "s=1; domain=.a.example", "https://x.a.example/next", "s=1"],
  ["www.a.example", "s=1", "https://a.example/next", undefined],
  ["a.example", "s=1; Domain=example", "https://b.example/next", undefined],
  ["a.example", "s=1; Domain=b.example", "https://b.example/next", undefined],
  ["a.example", "s=1; Max-Age=0", "https://a.example/next", undefined],
  ["a.example", "s=", "https://a.example/next", "s="],
  ["a.example", "nonsense", "https://a.example/next", undefined],
])("from %s, cookie %s goes to %s as %s", async (host, cookie, to, expected) => {
  const { send, sent } = world({ [`https://${host}/`]: { to, cookie }, [to]: {} });
  await follow({ ...request, url: `https://${host}/` }, send);
  expect(sent[1]?.headers["cookie"]).toBe(expected);
});

test("a secure cookie stays on https", async () => {
  const { send, sent } = world({
    "http://a.example/": { to: "https://a.example/", cookie: "open=1" },
    "https://a.example/": { to: "https://a.example/x", cookie: "safe=1; Secure" },
    "https://a.example/x": {},
  });
  await follow({ ...request, url: "http://a.example/" }, send);
  expect(sent.map((one) => one.headers["cookie"])).toEqual([undefined, "open=1", "open=1; safe=1"]);
});

test("a certificate that nobody vouches for is not accepted, and is no matter of trying again", async () => {
  const pem = (name: string) => readFileSync(new URL(`../fixtures/sources/${name}.pem`, import.meta.url));
  const server = createServer({ key: pem("loopback-key"), cert: pem("loopback-cert") }, (_, response) =>
    response.end("x"),
  );
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  const { port } = server.address() as AddressInfo;
  const source = {
    id: "s",
    title: "S",
    url: `https://127.0.0.1:${port}/`,
    format: "auto" as const,
    licence: "",
    required: true,
  };
  const result = await createSourceReader().read(source, contextFor());
  expect(result).toMatchObject({ kind: "failed", error: { code: "tls_certificate" } });
  await new Promise((done) => server.close(done));
});
