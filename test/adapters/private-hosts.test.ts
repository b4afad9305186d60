import { expect, test } from "vitest";
import { isPrivateAddress, isPrivateHost, publicLookup } from "../../main/adapters/sources/private-hosts";
import { follow } from "../../main/adapters/sources/redirects";
import { contextFor, startServer } from "./loopback-server";

test.each([
  "http://localhost/",
  "http://app.localhost/",
  "http://127.0.0.1/",
  "http://127.1/",
  "http://2130706433/",
  "http://0x7f000001/",
  "http://0/",
  "http://10.1.2.3/",
  "http://172.31.0.1/",
  "http://192.168.1.1/",
  "http://169.254.169.254/latest/meta-data",
  "http://100.64.0.1/",
  "http://[::1]/",
  "http://[::ffff:127.0.0.1]/",
  "http://[fe80::1]/",
  "http://[fd00::1]/",
])("%s is private", (url) => {
  expect(isPrivateHost(new URL(url))).toBe(true);
});

test.each([
  "http://example.org/",
  "http://172.32.0.1/",
  "http://11.0.0.1/",
  "http://[2606:4700::1]/",
  "http://127.0.0.1.example.org/",
])("%s is not", (url) => {
  expect(isPrivateHost(new URL(url))).toBe(false);
});

test("an address is judged in every spelling of the system", () => {
  expect(isPrivateAddress("::ffff:10.0.0.1")).toBe(true);
  expect(isPrivateAddress("8.8.8.8")).toBe(false);
  expect(isPrivateAddress("not an address")).toBe(false);
});

test("a name that leads inside is refused when it is resolved, whatever it looks like", async () => {
  const error = await new Promise<unknown>((done) =>
    publicLookup("localhost", { all: true }, (failure) => done(failure)),
  );
  expect(error).toMatchObject({ code: "EPRIVATE" });
});

test("where private hosts are never allowed, not even the first hop is sent", async () => {
  const server = await startServer((_, response) => response.end("x"));
  const request = {
    method: "GET" as const,
    url: server.base,
    headers: {},
    signal: contextFor().signal,
    maxBodyBytes: 10,
    wantsBody: () => true,
    maxRedirects: 0,
  };
  expect(await follow({ ...request, privateHosts: "never" })).toMatchObject({
    kind: "failed",
    code: "private_address",
  });
  expect(server.requests).toHaveLength(0);
  expect(await follow({ ...request, privateHosts: "as_first" })).toMatchObject({ kind: "answered", status: 200 });
  await server.close();
});
