import { afterEach, describe, expect, it } from "vitest";
import { useRun } from "../../renderer/stores/run";
import { TASK } from "./fixtures/common";
import { evidence, FINGERPRINT } from "./fixtures/evidence";
import { succeededRun } from "./fixtures/run";
import { close, find, get, open, textOf, type, waitFor } from "./page";

afterEach(close);

const OTHER = "SHA256:2b8kYtGgqvN3yEPhUzC3Wn8xPqf0mA6cJ1u5dS9oL0E";
const other = { fingerprint: OTHER, identity: "editor@w", at: 0, by: "editor:lin", reason: "the laptop was lost" };

async function openAudit(shown: Partial<typeof evidence> = {}) {
  const api = await open({ screen: "audit" }, (fake) => fake.answer("evidence.get", () => ({ ...evidence, ...shown })));
  await waitFor(() => find("region", "Approvals are signed with"), 15_000);
  return { api, panel: get("region", "Approvals are signed with") };
}

describe("the keys that approvals are signed with", () => {
  it("are listed, the one that signs first, with who registered each and why", async () => {
    const { panel } = await openAudit({ registered: [...evidence.registered, other] });
    const text = textOf(panel);
    expect(text.indexOf(FINGERPRINT)).toBeLessThan(text.indexOf(OTHER));
    expect(text).toContain("Signs now");
    expect(text).toContain("Signed before");
    expect(text).toContain("the laptop was lost");
    expect(text).not.toContain("cannot be had on this computer");
  });

  it("say that there is none, and that the registered one is not here", async () => {
    const { api, panel } = await openAudit({ registered: [] });
    expect(textOf(panel)).toContain("No key is registered in this journal, so approvals are not signed.");
    api.push("evidence.changed", { ...evidence, registered: [other], canSign: false });
    await waitFor(() => textOf(panel).includes("The registered key cannot be had on this computer now"));
    expect(textOf(panel)).toContain("register a new key");
  });

  it("are replaced only with a reason, after what it does was said", async () => {
    const { api, panel } = await openAudit();
    get("button", "Register a new key …").click();
    const dialog = await waitFor(() => find("dialog", "Sign with a new key from now on"));
    expect(textOf(dialog)).toContain("its approvals stay valid");
    const confirm = get("button", "Make and register a new key") as HTMLButtonElement;
    expect(confirm.disabled).toBe(true);
    await type(get("textbox", "Reason"), "the laptop was lost");
    await waitFor(() => !confirm.disabled);
    confirm.click();
    await waitFor(() => api.of("evidence.registerKey").length === 1 && textOf(panel).includes("Registered. Approvals"));
    expect(api.of("evidence.registerKey")).toEqual([{ reason: "the laptop was lost" }]);
  });

  it("are written into a file only after the warning", async () => {
    const { api, panel } = await openAudit();
    get("button", "Export the private key …").click();
    const dialog = await waitFor(() => find("dialog", "Write the private key into a file"));
    expect(textOf(dialog)).toContain("Whoever has this file can sign approvals in your name.");
    expect(api.of("evidence.exportKey")).toEqual([]);
    get("button", "Choose a file").click();
    await waitFor(() => textOf(panel).includes("Written, readable by you alone."));
    expect(api.of("evidence.exportKey")).toEqual([{}]);
  });
});

describe("an approval", () => {
  it.each([
    ["good", FINGERPRINT, `Signed by ${FINGERPRINT}; verified just now`],
    ["wrong", FINGERPRINT, "The signature is WRONG"],
    ["none", null, "Not signed, because no signing key was registered when it was given."],
  ] as const)("whose signature is %s says so", async (signature, signedBy, said) => {
    const approvals = succeededRun.approvals.map((approval) => ({ ...approval, signature, signedBy }));
    await open({ screen: "run", taskId: TASK }, (fake) =>
      fake.answer("run.get", () => ({ ...succeededRun, approvals })),
    );
    await waitFor(() => find("tab", "Evidence"), 15_000);
    useRun.getState().set({ side: "evidence" });
    await waitFor(() => textOf(document.body).includes(said));
  });
});
