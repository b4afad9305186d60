import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { stampSignature } from "../../main/compose/evidence-timestamp";
import { BAG } from "../../main/evidence/bag-layout";
import { exportCommand } from "../../main/headless/export-command";
import { verifyCommand } from "../../main/headless/verify-command";
import { exported, failed, freshDir, packed, run, unpacked, verdictOn, withEntry, workspaceWith } from "./bundle-kit";

/** A time-stamp server as anybody can have one: `openssl ts -reply` behind a port of this machine. */
let workspace: string;
let tsa: string;

const CONFIG = `[tsa]
default_tsa = here
[here]
serial = serial
signer_cert = tsa.pem
signer_key = tsa.key
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256
`;
const EXTENSIONS = "subjectAltName = DNS:tsa\nextendedKeyUsage = critical,timeStamping\n";

beforeAll(async () => {
  workspace = await workspaceWith("2026-W30");
  tsa = freshDir();
  writeFileSync(join(tsa, "tsa.cnf"), CONFIG);
  writeFileSync(join(tsa, "ext.cnf"), EXTENSIONS);
  writeFileSync(join(tsa, "serial"), "01\n");
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl("req", "-x509", ...key, "-keyout", "ca.key", "-out", "ca.pem", "-days", "30", "-subj", "/CN=ca");
  openssl("req", ...key, "-keyout", "tsa.key", "-out", "tsa.csr", "-subj", "/CN=tsa");
  const signed = ["-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial", "-extfile", "ext.cnf", "-days", "30"];
  openssl("x509", "-req", "-in", "tsa.csr", ...signed, "-out", "tsa.pem");
});

const openssl = (...args: string[]) => execFileSync("openssl", args, { cwd: tsa, encoding: "utf8", stdio: "pipe" });

/** What the server was sent is answered by openssl. */
function reply(query: Buffer): Buffer {
  writeFileSync(join(tsa, "query"), query);
  openssl("ts", "-reply", "-config", "tsa.cnf", "-queryfile", "query", "-out", "answer");
  return readFileSync(join(tsa, "answer"));
}

async function serve(answer: (query: Buffer, response: ServerResponse, request: IncomingMessage) => void) {
  const server: Server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on("data", (piece: Buffer) => void pieces.push(piece));
    request.on("end", () => answer(Buffer.concat(pieces), response, request));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`;
}

const stampedBy = (url: string) => exported(workspace, "--timestamp-url", url);

describe("a time stamp", () => {
  test("lies beside the signature, openssl accepts it for the signature and for nothing else, and verify tells its time", async () => {
    const kinds: (string | undefined)[] = [];
    const url = await serve((query, response, request) => {
      kinds.push(request.headers["content-type"]);
      response.end(reply(query));
    });
    const made = await stampedBy(url);
    expect(kinds).toEqual(["application/timestamp-query"]);
    const verdict = await verdictOn(made.path);
    expect(failed(verdict)).toEqual([]);
    const at = /of (20\S+Z) and of this signature/.exec(
      verdict.checks.find(({ name }) => name === "timestamp")?.detail ?? "",
    )?.[1];
    expect(made.json).toMatchObject({ timestamp: { at } });
    expect(Math.abs(Date.parse(at ?? "") - Date.now())).toBeLessThan(600_000);

    const out = join(freshDir(), "out");
    expect((await run(verifyCommand, made.path, "--into", out)).code).toBe(0);
    const [answer, ca] = [join(out, BAG.timestamp), join(tsa, "ca.pem")];
    const check = (of: string) => openssl("ts", "-verify", "-data", join(out, of), "-in", answer, "-CAfile", ca);
    expect(check(BAG.signature)).toContain("Verification: OK");
    expect(() => check(BAG.manifest)).toThrow();
    const shell = execFileSync("bash", [join(out, BAG.script)], { encoding: "utf8" });
    expect(shell).toContain("VALID");
    expect(shell).toContain("the time stamp was NOT checked");

    // Another bundle's stamp is none of this one, whoever packs it.
    const entries = await unpacked(made.path);
    const other = (await unpacked((await exported(workspace, "--without-bytes", "--timestamp-url", url)).path)).find(
      ({ name }) => name === BAG.timestamp,
    );
    const exchanged = entries.map((entry) => (entry.name === BAG.timestamp && other ? other : entry));
    expect(failed(await verdictOn(await packed(exchanged)))).toEqual([
      `timestamp: ${BAG.timestamp}: it is of something else`,
    ]);
    const nonsense = withEntry(entries, BAG.timestamp, () => "soon");
    expect(failed(await verdictOn(await packed(nonsense)))).toEqual([
      `timestamp: ${BAG.timestamp}: it is no answer of a time-stamp server`,
    ]);
  });

  test.each<[string, (query: Buffer, response: ServerResponse) => void, string]>([
    ["refuses", (_, response) => response.writeHead(503).end(), "http_503"],
    ["answers nonsense", (_, response) => response.end("<html>soon</html>"), "it is no answer of a time-stamp server"],
    [
      "answers no whole record",
      (query, response) => response.end(reply(query).subarray(0, 400)),
      "it is no answer of a",
    ],
    ["hangs up", (_, response) => response.destroy(), "reset"],
    [
      "does not stamp such a hash",
      (query, response) => response.end(reply(query.subarray(0, 20))),
      "the server refused",
    ],
  ])("of a server that %s is missing, and the bundle is whole without it", async (_, answer, reason) => {
    const path = join(freshDir(), "b.zip");
    const said = await run(exportCommand, workspace, "--out", path, "--timestamp-url", await serve(answer));
    expect(said.code).toBe(0);
    expect(said.out).toContain(`time stamp NONE: ${reason}`);
    const verdict = await verdictOn(path);
    expect(failed(verdict)).toEqual([]);
    expect(verdict.checks.find(({ name }) => name === "timestamp")?.detail).toContain("there is none");
  });

  test("that answers an earlier question, or comes from a server that is silent, is none", async () => {
    const signature = Buffer.from("a signature");
    let earlier: Buffer | null = null;
    const repeating = await serve((query, response) => {
      earlier ??= reply(query);
      response.end(earlier);
    });
    expect(await stampSignature(repeating, signature)).toMatchObject({ kind: "stamped" });
    expect(await stampSignature(repeating, signature)).toEqual({ kind: "none", reason: "it answers another request" });
    const silent = await serve(() => undefined);
    expect(await stampSignature(silent, signature, 150)).toEqual({ kind: "none", reason: "timeout" });
  });

  test("is asked of an address only", async () => {
    for (const url of ["tsa.example.org", "file:///etc/passwd", "https://lin:secret@tsa.example.org/"]) {
      const said = await run(exportCommand, workspace, "--out", join(freshDir(), "b.zip"), "--timestamp-url", url);
      expect(said).toMatchObject({ code: 2, out: "" });
      expect(said.err).toContain("--timestamp-url takes an address");
    }
  });
});
