import { afterEach, describe, expect, it } from "vitest";
import { TASK } from "./fixtures/common";
import { bundle, evidence } from "./fixtures/evidence";
import { succeededRun } from "./fixtures/run";
import { close, find, get, getAsync, isDisabled, open, textOf, type, waitFor } from "./page";

afterEach(close);

const [token] = evidence.agent.keys;
const AGENT_KEY = token?.fingerprint ?? "";

async function openAudit(shown: Partial<typeof evidence> = {}) {
  const api = await open({ screen: "audit" }, (fake) => fake.answer("evidence.get", () => ({ ...evidence, ...shown })));
  await waitFor(() => find("region", "Signing key"), 15_000);
  return api;
}

describe("which key signs", () => {
  it("is chosen among a new one and those of the ssh-agent, and registered with a reason", async () => {
    const api = await openAudit();
    get("button", "Register a new key …").click();
    await waitFor(() => api.of("evidence.findAgentKeys").length === 1);
    const dialog = await getAsync("dialog", "Sign with a new key from now on");
    expect(textOf(dialog)).toContain(`hardware key in the ssh-agent; each signature needs a touch · ${AGENT_KEY}`);
    get("radio", /^lin@token/).click();
    const confirm = await getAsync("button", "Register this key");
    expect(isDisabled(confirm)).toBe(true);
    type(get("textbox", /^Reason/), "a key that leaves the desk");
    await waitFor(() => !isDisabled(confirm));
    // It was pulled out: what is no longer there is not registered.
    api.push("evidence.changed", { ...evidence, agent: { problem: "agent_silent", keys: [] } });
    await waitFor(() => isDisabled(get("button", "Register this key")));
    expect(textOf(dialog)).toContain("The ssh-agent does not answer.");
    api.push("evidence.changed", evidence);
    await waitFor(() => !isDisabled(get("button", "Register this key")));
    get("button", "Register this key").click();
    await waitFor(() => api.of("evidence.registerKey").length === 1);
    expect(api.of("evidence.registerKey")).toEqual([{ reason: "a key that leaves the desk", agentKey: AGENT_KEY }]);
  });

  it("is told with its place, and a key that only an agent has is not exported", async () => {
    const signer = { ...evidence.signer, kind: "ready", where: "agent", refusal: null, file: null } as const;
    await openAudit({ signer: signer as typeof evidence.signer });
    expect(textOf(get("region", "Signing key"))).toContain("in the ssh-agent; it never comes into this app");
    expect(find("button", "Export the private key …")).toBeUndefined();
  });

  it("is registered by the program for a reason that has words", async () => {
    await openAudit();
    expect(textOf(get("region", "Approvals are signed with"))).toContain("first start with a signing key");
  });

  it("waits on every screen until it is touched, and can be told that nothing is to be approved", async () => {
    const api = await open({ screen: "content", taskId: TASK });
    api.push("evidence.changed", { ...evidence, asking: token ?? null });
    const dialog = await getAsync("dialog", "The approval waits for your key");
    expect(textOf(dialog)).toContain("Touch your key now.");
    expect(textOf(dialog)).toContain("lin@token");
    get("button", "Cancel, approve nothing").click();
    await waitFor(() => api.of("evidence.cancelSigning").length === 1);
    api.push("evidence.changed", { ...evidence, asking: null });
    await waitFor(() => find("dialog", "The approval waits for your key") === undefined);
  });
});

describe("a time stamp", () => {
  const openRun = async (timestampUrl: string | null) => {
    const api = await open({ screen: "run", taskId: TASK }, (fake) => {
      fake.answer("run.get", () => succeededRun);
      fake.answer("evidence.get", () => ({ ...evidence, timestampUrl }));
    });
    (await getAsync("button", "Export evidence …")).click();
    await waitFor(() => find("checkbox", /^Ask for a time stamp/));
    return api;
  };
  const url = "https://tsa.example.org/tsr";

  it("is asked for only where a server is named and it is ticked; its result is told, or why there is none", async () => {
    const api = await openRun(url);
    const tick = get("checkbox", /^Ask for a time stamp/) as HTMLInputElement;
    expect(tick.checked).toBe(false);
    tick.click();
    await waitFor(() => tick.checked);
    get("button", "Choose a file and export …").click();
    await waitFor(() => api.of("evidence.export").length === 1);
    expect(api.of("evidence.export")).toEqual([{ taskId: TASK, withBytes: true, stamp: true }]);
    const told = async (timestamp: NonNullable<typeof bundle.timestamp>, words: string) => {
      api.push("evidence.changed", { ...evidence, outcome: { kind: "exported", bundle: { ...bundle, timestamp } } });
      await waitFor(() => textOf(get("dialog")).includes(words));
    };
    await told({ at: "2026-07-20T08:00:00Z" }, "2026-07-20T08:00:00Z, by the server's word");
    await told({ missing: "timeout" }, "none: timeout. The bundle is whole without it.");
  });

  it("cannot be ticked where no server is named", async () => {
    await openRun(null);
    expect(isDisabled(get("checkbox", /^Ask for a time stamp/))).toBe(true);
    expect(textOf(get("dialog"))).toContain("No time-stamp server is named");
  });

  it("has its server named on the audit screen; what is no address is said at the field", async () => {
    const api = await openAudit();
    const panel = get("region", "Time stamp");
    const field = get("textbox", "Address of a time-stamp server");
    api.answer("evidence.setTimestampServer", () => ({ result: "no_address" }));
    type(field, "tsa.example.org");
    get("button", "Keep this address").click();
    await waitFor(() => textOf(panel).includes("This is no address of a server"));
    api.answer("evidence.setTimestampServer", () => ({ result: "saved" }));
    api.answer("evidence.get", () => ({ ...evidence, timestampUrl: url }));
    type(field, url);
    get("button", "Keep this address").click();
    await waitFor(() => textOf(panel).includes("Kept. Tick it at an export."));
    expect(api.of("evidence.setTimestampServer")).toEqual([{ url: "tsa.example.org" }, { url }]);
  });
});
