import { readdirSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createSshAgent } from "../../main/adapters/ssh-agent";
import { AgentKeys } from "../../main/compose/agent-keys";
import { approvalSigner } from "../../main/compose/approval-signer";
import { APPROVAL_NAMESPACE, fingerprintOf, verifySsh } from "../../main/domain/sshsig";
import { failed, verdictOn, workspaceWith } from "../evidence/bundle-kit";
import { startTouchAgent } from "../support/real-agent";
import { openDeskAt } from "./evidence-desk-kit";

/** A key that an ssh-agent has, and a server that is asked for the time, through the app's own channels. */
let workspace: string;
beforeAll(async () => {
  workspace = await workspaceWith("2026-W30");
  return () => rmSync(workspace, { recursive: true, force: true });
}, 60_000);
afterEach(() => void delete process.env["SSH_AUTH_SOCK"]);

/** A desk whose agent has a hardware key, which is registered. */
async function openWithAgent() {
  const agent = await startTouchAgent();
  onTestFinished(() => agent.stop());
  // The program that writes bundles finds the agent by itself.
  process.env["SSH_AUTH_SOCK"] = agent.address;
  const opened = openDeskAt(workspace, { hasKeychain: true, agentAddress: agent.address });
  const fingerprint = fingerprintOf(agent.key.publicKey);
  await opened.ask("evidence.registerKey", { reason: "first" });
  await opened.ask("evidence.findAgentKeys", {});
  const registered = await opened.ask("evidence.registerKey", { reason: "a token", agentKey: fingerprint });
  expect(registered).toEqual({ result: "registered" });
  const beginExport = async () => {
    opened.state.chosen = join(opened.data, "bundle.zip");
    expect(await opened.ask("evidence.export", { taskId: opened.state.taskId, withBytes: false })).toEqual({
      result: "started",
    });
    await vi.waitFor(() => expect(agent.waiting()).toBe(1), 10_000);
  };
  return { ...opened, agent, fingerprint, beginExport };
}

describe("a key of the ssh-agent", () => {
  it("is listed, registered as a replacement, signs from then on, and is never given away", async () => {
    const { ask, fingerprint, registered } = await openWithAgent();
    const shown = await ask("evidence.get", {});
    expect(shown.agent).toEqual({ problem: null, keys: [{ fingerprint, comment: "token [1m", isHardware: true }] });
    expect(shown.signer).toMatchObject({ kind: "ready", where: "agent", file: null, fingerprint });
    expect(shown.signer).toMatchObject({ allowedSigners: expect.stringContaining(" sk-ssh-ed25519@openssh.com ") });
    expect(shown.canSign).toBe(true);
    expect(registered().map(({ reason }) => reason)).toEqual(["first", "a token"]);
    expect(await ask("evidence.exportKey", {})).toEqual({ result: "no_key" });
    expect(await ask("evidence.registerKey", { reason: "gone", agentKey: "SHA256:none" })).toEqual({
      result: "agent_key_missing",
    });
  });

  it("is asked for one approval at a time, is shown to wait for its touch, and can be cancelled", async () => {
    const { agent, fingerprint, key, place } = await openWithAgent();
    const changes: (string | null)[] = [];
    const keys: AgentKeys = new AgentKeys(createSshAgent(agent.address), () =>
      changes.push(keys.asking?.fingerprint ?? null),
    );
    await keys.refresh();
    const opened = approvalSigner(key, place, keys).open({ fingerprint });
    if (opened.kind !== "asked") throw new Error(opened.kind);
    const first = opened.ask("the words");
    await vi.waitFor(() => expect(agent.waiting()).toBe(1));
    expect(await opened.ask("other words")).toMatchObject({ unmet: { code: "signing_asked_already" } });
    keys.cancel();
    expect(await first).toMatchObject({ kind: "failed", unmet: { code: "signing_cancelled" } });
    // The touch that comes afterwards is nobody's.
    agent.touch();
    const second = opened.ask("the words");
    await vi.waitFor(() => expect(agent.waiting()).toBe(1));
    agent.touch(0);
    expect(await second).toMatchObject({ unmet: { code: "signing_agent_unreadable" } });
    const third = opened.ask("the words");
    await vi.waitFor(() => expect(agent.waiting()).toBe(1));
    agent.touch();
    const signed = await third;
    if (signed.kind !== "signed") throw new Error(signed.unmet.code);
    expect(verifySsh(Buffer.from("the words"), APPROVAL_NAMESPACE, signed.signature).fingerprint).toBe(fingerprint);
    expect(changes).toEqual([null, fingerprint, null, fingerprint, null, fingerprint, null]);
    agent.stop();
    await keys.refresh();
    expect([keys.known, keys.problem]).toEqual([[], "agent_unreachable"]);
    expect(approvalSigner(key, place, keys).open({ fingerprint })).toMatchObject({ kind: "unavailable" });
  });

  it("signs a bundle once it is touched; cancelled or refused, nothing is left", async () => {
    const { ask, settled, agent, data, fingerprint, beginExport } = await openWithAgent();
    await beginExport();
    expect((await ask("evidence.get", {})).work?.asking).toMatchObject({ fingerprint, isHardware: true });
    await ask("evidence.cancel", {});
    expect((await settled()).outcome).toEqual({ kind: "cancelled", work: "export" });
    agent.touch();
    await beginExport();
    agent.refuse();
    expect((await settled()).outcome).toEqual({ kind: "failed", work: "export", detail: "agent_refused" });
    expect(readdirSync(data).filter((name) => name.includes("bundle.zip"))).toEqual([]);
    await beginExport();
    agent.touch();
    const { outcome } = await settled();
    expect(outcome).toMatchObject({ kind: "exported", bundle: { fingerprint } });
    const verdict = await verdictOn(join(data, "bundle.zip"));
    expect([failed(verdict), verdict.signer?.fingerprint]).toEqual([[], fingerprint]);
  });

  it("that is gone leaves bundles unsigned rather than signed by the key that it replaced", async () => {
    const { ask, agent, state } = await openWithAgent();
    agent.stop();
    await ask("evidence.findAgentKeys", {});
    expect(await ask("evidence.get", {})).toMatchObject({ canSign: false, agent: { problem: "agent_unreachable" } });
    expect(await ask("evidence.export", { taskId: state.taskId, withBytes: false })).toEqual({ result: "no_key" });
  });
});

describe("a time stamp from the app", () => {
  it("is asked for only where a server is kept and ticked; what it does not answer costs the stamp alone", async () => {
    const { ask, settled, state, data } = openDeskAt(workspace);
    let asked = 0;
    const server = createServer((_request, response) => {
      asked += 1;
      response.writeHead(503).end();
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/tsr`;
    const exported = async (stamp?: boolean) => {
      state.chosen = join(data, "bundle.zip");
      const choice = { taskId: state.taskId, withBytes: false, ...(stamp === undefined ? {} : { stamp }) };
      await ask("evidence.export", choice);
      const { outcome } = await settled();
      if (outcome?.kind !== "exported") throw new Error(JSON.stringify(outcome));
      expect(failed(await verdictOn(state.chosen))).toEqual([]);
      return outcome.bundle.timestamp;
    };
    for (const wrong of ["tsa.example.org", "file:///etc/passwd", "https://lin:secret@tsa.example.org"])
      expect(await ask("evidence.setTimestampServer", { url: wrong })).toEqual({ result: "no_address" });
    expect(await exported(true)).toBeUndefined();
    expect(await ask("evidence.setTimestampServer", { url })).toEqual({ result: "saved" });
    expect((await ask("evidence.get", {})).timestampUrl).toBe(url);
    expect([await exported(), await exported(false), asked]).toEqual([undefined, undefined, 0]);
    expect([await exported(true), asked]).toEqual([{ missing: "http_503" }, 1]);
    expect(await ask("evidence.setTimestampServer", { url: null })).toEqual({ result: "saved" });
    expect((await ask("evidence.get", {})).timestampUrl).toBeNull();
  });
});
