import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type AgentKey, agentAddress, createSshAgent } from "../../main/adapters/ssh-agent";
import { sshString } from "../../main/domain/ssh-wire";
import { armouredSignature, signedRecord } from "../../main/domain/sshsig";
import { type RealAgent, startAgent, startTouchAgent } from "../support/real-agent";

const NAMESPACE = "approval@imprimatur";
const MESSAGE = Buffer.from("the words agreed to");
const never = new AbortController().signal;

/** An agent that answers every request with these bytes, as they are. */
async function agentSaying(...pieces: Buffer[]): Promise<string> {
  const address = join(mkdtempSync(join(tmpdir(), "agent-")), "s");
  const server = createServer((socket) => {
    socket.on("error", () => undefined);
    socket.on("data", () => {
      for (const piece of pieces) socket.write(piece);
      if (pieces.length === 0) socket.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(address, resolve));
  onTestFinished(() => void server.close());
  return address;
}

describe("a real ssh-agent", () => {
  let real: RealAgent;
  beforeAll(() => {
    real = startAgent("lin@desk", "中文 key");
  });
  afterAll(() => real.stop());

  test("tells its keys with their comments", async () => {
    const answer = await createSshAgent(real.address).list();
    const keys = answer.kind === "answered" ? answer.value : [];
    expect(keys.map(({ publicKey, comment }) => `ssh-ed25519 ${publicKey.toString("base64")} ${comment}`)).toEqual(
      real.lines(),
    );
    expect(keys.map(({ isHardware }) => isHardware)).toEqual([false, false]);
  });

  test("signs what stock ssh-keygen accepts, and refuses for a key that it does not hold", async () => {
    const agent = createSshAgent(real.address);
    const listed = await agent.list();
    const [key] = listed.kind === "answered" ? listed.value : [];
    const { publicKey } = key as AgentKey;
    const signed = await agent.sign(publicKey, signedRecord(MESSAGE, NAMESPACE), never);
    if (signed.kind === "failed") throw new Error(signed.code);
    const dir = mkdtempSync(join(tmpdir(), "agent-"));
    writeFileSync(join(dir, "signers"), `lin ssh-ed25519 ${publicKey.toString("base64")}\n`);
    writeFileSync(join(dir, "sig"), armouredSignature(publicKey, NAMESPACE, signed.value));
    const args = ["-Y", "verify", "-f", "signers", "-I", "lin", "-n", NAMESPACE, "-s", "sig"];
    expect(spawnSync("ssh-keygen", args, { cwd: dir, input: MESSAGE }).status).toBe(0);
    real.remove();
    expect(await agent.sign(publicKey, MESSAGE, never)).toEqual({ kind: "failed", code: "agent_refused" });
    expect(await agent.list()).toEqual({ kind: "answered", value: [] });
  });
});

describe("an agent that", () => {
  test("holds a hardware key says so, its comment without control characters", async () => {
    const touch = await startTouchAgent();
    onTestFinished(() => touch.stop());
    const answer = await createSshAgent(touch.address).list();
    expect(answer).toMatchObject({ value: [{ comment: "token [1m", isHardware: true }] });
  });

  test("is not there, is silent or is told to stop is an error value", async () => {
    expect(await createSshAgent(null).list()).toEqual({ kind: "failed", code: "agent_missing" });
    const nowhere = join(tmpdir(), "no-such-agent");
    expect(await createSshAgent(nowhere).list()).toEqual({ kind: "failed", code: "agent_unreachable" });
    const touch = await startTouchAgent();
    onTestFinished(() => touch.stop());
    const { publicKey } = touch.key;
    const hasty = createSshAgent(touch.address, { listMs: 1_000, signMs: 20 });
    expect(await hasty.sign(publicKey, MESSAGE, never)).toEqual({ kind: "failed", code: "agent_silent" });
    const controller = new AbortController();
    const asked = createSshAgent(touch.address).sign(publicKey, MESSAGE, controller.signal);
    controller.abort();
    expect(await asked).toEqual({ kind: "failed", code: "agent_cancelled" });
  });

  test.each<[string, Buffer[]]>([
    ["hangs up", []],
    ["says that megabytes follow", [Buffer.from([0xff, 0, 0, 0, 12])]],
    ["sends nothing at all", [Buffer.from([0, 0, 0, 0])]],
    ["sends more than it said", [Buffer.concat([sshString(Buffer.from([12, 0, 0, 0, 0])), Buffer.from([1])])]],
    ["answers something else", [sshString(Buffer.from([14, 0, 0, 0, 0]))]],
    ["tells of more keys than it sends", [sshString(Buffer.from([12, 0, 0, 0, 9, 0, 0, 0, 99]))]],
  ])("%s is not believed", async (_, pieces) => {
    const address = await agentSaying(...pieces);
    expect(await createSshAgent(address).list()).toEqual({ kind: "failed", code: "agent_unreadable" });
  });

  test("answers in pieces is understood", async () => {
    const answer = sshString(Buffer.from([12, 0, 0, 0, 0]));
    const address = await agentSaying(...[...answer].map((byte) => Buffer.from([byte])));
    expect(await createSshAgent(address).list()).toEqual({ kind: "answered", value: [] });
  });
});

test("the agent is the one that SSH_AUTH_SOCK names, on Windows otherwise the system's own", () => {
  expect(agentAddress({ SSH_AUTH_SOCK: "/run/agent" }, "linux")).toBe("/run/agent");
  expect(agentAddress({}, "linux")).toBeNull();
  expect(agentAddress({}, "win32")).toBe("//./pipe/openssh-ssh-agent");
});
