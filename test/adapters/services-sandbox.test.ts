import { describe, expect, it } from "vitest";
import { buildServiceState, SandboxMembership } from "../../main/adapters/services/membership";
import { buildMessage, SandboxMessages } from "../../main/adapters/services/messages";
import type { OperationPhase, WriteAnswer } from "../../main/domain/ports";
import { fault, records, sandbox } from "../sandbox/world";
import { context, outgoing } from "./sandbox-world";

const access = { token: "sandbox" };
const members = new SandboxMembership(access);
const messages = new SandboxMessages(access);
const state = (status: string, expectedRevision: number | null = null) =>
  buildServiceState({ operationKey: `effect:x:${status}:update`, status, expectedRevision });
const statusUrl = (url: string) => `${url}/services/members/U-88/status`;

const setStatus = (url: string, status = "cancelling", phase: OperationPhase = "update"): Promise<WriteAnswer> =>
  members.send(outgoing(statusUrl(url), phase, state(status), { kind: "effect" }), context());

describe("members and vouchers", () => {
  it("a state is set, and its key is found where it was set", async () => {
    const { url } = await sandbox();
    expect(await setStatus(url)).toMatchObject({
      kind: "confirmed",
      remoteId: "U-88",
      observed: { state: "cancelling" },
    });
    const query = { operationKey: "", createKey: "", slot: "", phase: "update" as const, remoteId: "U-88" };
    const look = await members.look({ ...query, target: statusUrl(url) }, context({ at: 60_000 }));
    expect(look).toMatchObject({
      kind: "seen",
      able: true,
      objects: [{ state: "cancelling", revision: 2, appliedKeys: ["effect:x:cancelling:update"] }],
    });
    const vouchers = { ...query, target: `${url}/services/members/U-88/vouchers` };
    expect(await members.look(vouchers, context({ at: 60_000 }))).toMatchObject({ objects: [{ state: "usable" }] });
    const nobody = { ...query, target: `${url}/services/members/U-99` };
    expect(await members.look(nobody, context())).toMatchObject({ kind: "seen", able: true, objects: [] });
  });

  it.each([
    ["drop-before-commit", "unknown"],
    ["drop-after-commit", "unknown"],
    ["unparsable", "unknown"],
    ["status-after-commit", "unknown"],
    ["auth", "rejected"],
  ])("%s: %s", async (name, kind) => {
    const { url } = await sandbox();
    await fault(url, { on: "member.status", fault: name });
    expect((await setStatus(url)).kind).toBe(kind);
  });

  it("an answer about another state is no confirmation; other phases do not exist here", async () => {
    const { url } = await sandbox();
    await setStatus(url, "cancelled");
    const repeated = outgoing(
      statusUrl(url),
      "update",
      buildServiceState({ operationKey: "effect:x:cancelled:update", status: "active", expectedRevision: null }),
    );
    expect(await members.send(repeated, context())).toMatchObject({
      kind: "unknown",
      error: { code: "answer_differs" },
    });
    for (const phase of ["create", "deliver", "trigger"] as const)
      expect(await setStatus(url, "active", phase)).toMatchObject({ kind: "not_sent" });
    expect((await records(url)).services.statusCalls).toBe(2);
  });
});

describe("messages", () => {
  const bytes = buildMessage({ operationKey: "effect:x:send_sms:deliver", memberId: "U-88", text: "hello" });
  const send = (url: string, phase: OperationPhase = "deliver") =>
    messages.send(outgoing(`${url}/services/messages`, phase, bytes, { kind: "effect" }), context());

  it("are confirmed by their own key, and cannot be asked for", async () => {
    const { url } = await sandbox();
    expect(await send(url)).toMatchObject({ kind: "confirmed", remoteId: "5001" });
    expect(await messages.look()).toMatchObject({ kind: "seen", able: false });
    expect(messages.manifest).toMatchObject({ query: { reliable: false }, compensation: { grade: "C" } });
  });

  it("a lost answer is unknown, and nothing can be taken back", async () => {
    const { url } = await sandbox();
    await fault(url, { on: "message.send", fault: "drop-after-commit" });
    expect((await send(url)).kind).toBe("unknown");
    expect(await send(url, "undo")).toMatchObject({ kind: "not_sent" });
    expect((await records(url)).services.messages).toHaveLength(1);
  });
});
