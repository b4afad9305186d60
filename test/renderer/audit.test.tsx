import { afterEach, describe, expect, it } from "vitest";
import { useClock } from "../../renderer/stores/clock";
import { clock, TASK } from "./fixtures/common";
import { bundle, evidence, refused, valid } from "./fixtures/evidence";
import { succeededRun } from "./fixtures/run";
import { close, find, get, getAsync, open, textOf, type, waitFor } from "./page";

afterEach(close);

async function openAudit(shown: Partial<typeof evidence> = {}) {
  const api = await open({ screen: "audit" }, (fake) => fake.answer("evidence.get", () => ({ ...evidence, ...shown })));
  await waitFor(() => find("region", "Both chains"), 15_000);
  return api;
}

describe("the audit screen", () => {
  it("says what the last check found, and shows how far a new one is", async () => {
    const api = await openAudit();
    const panel = get("region", "Both chains");
    expect(textOf(panel)).toContain("Whole: no event was changed, taken out or put in.");
    get("button", "Check both chains now").click();
    await waitFor(() => api.of("evidence.check").length === 1);
    api.push("evidence.changed", {
      ...evidence,
      check: { running: { done: 30_000, of: 64_000 }, last: evidence.check?.last ?? null },
    });
    await waitFor(() => textOf(panel).includes("30,000 of 64,000 events"));
    expect((get("button", "Check both chains now") as HTMLButtonElement).disabled).toBe(true);
    const last = { at: 0, ok: false, events: 50, head: "", detail: "event 7 of t-1: payload", violations: 1 };
    api.push("evidence.changed", { ...evidence, check: { running: null, last } });
    await waitFor(() => textOf(panel).includes("BrokenWhat was foundevent 7 of t-1: payload"));
  });

  it("says whose key signs, where it is kept and why there, and saves the public line", async () => {
    const api = await openAudit();
    const panel = get("region", "Signing key");
    expect(textOf(panel)).toContain("in a file of the workspace, readable by its owner alone");
    expect(textOf(panel)).toContain("This system has no keychain, or it is locked.");
    expect(textOf(panel)).toContain("SHA256:MSmMNZVEC9fE9IUI7dQz1Ctvl+DpME+TuVQLsmno1Pw");
    get("button", "Save the line as a file …").click();
    await waitFor(() => api.of("evidence.saveAllowedSigners").length === 1 && textOf(panel).includes("Saved."));
    api.push("evidence.changed", {
      ...evidence,
      signer: { kind: "unavailable", where: "keychain", refusal: null, file: "/k", code: "locked", detail: "" },
    });
    await waitFor(() => textOf(panel).includes("the keychain does not open it"));
    expect(find("button", "Save the line as a file …")).toBeUndefined();
  });

  it("opens a bundle that was made here by its hash, and tells how it stands to the journal", async () => {
    const api = await openAudit();
    get("button", "Verify and compare 2026-W30").click();
    await waitFor(() => api.of("evidence.open").length === 1);
    expect(api.of("evidence.open")).toEqual([{ sha256: bundle.sha256 }]);
    api.push("evidence.changed", { ...evidence, opened: valid, outcome: { kind: "opened" } });
    const held = await getAsync("region", "Held against the open journal");
    expect(textOf(held)).toContain(
      "An older part of it: the bundle's 50 events are the first of the open journal's 112.",
    );
    expect(textOf(get("region", "Approvals"))).toContain("Editor lin");
    expect(textOf(get("region", "Operations"))).toContain("unknown timeout");
    expect(textOf(get("region", "Incidents"))).toContain("a gateway repeated it");
    // What a stranger wrote stays text.
    expect(textOf(get("region", "Events"))).toContain("<img src=x onerror=alert(1)>");
    expect(document.querySelector("main img")).toBeNull();
    expect(textOf(get("region", "Events"))).toContain("The first 2 of 48.");
  });

  it("shows nothing of a bundle that is not valid but what is wrong with it, by name", async () => {
    await openAudit({ opened: refused, outcome: { kind: "opened" } });
    expect(textOf(await getAsync("alert"))).toContain("Refused: this bundle is not as it was signed.");
    expect([...get("region", "What is wrong").querySelectorAll("li")].map(textOf)).toEqual([
      "Containerchanged after it was written",
      "Filesdata/report.html does not have the checksum it announces",
    ]);
    for (const name of ["Events", "Approvals", "Operations", "Held against the open journal"])
      expect([name, find("region", name)]).toEqual([name, undefined]);
    expect(textOf(document.querySelector("main") as HTMLElement)).not.toContain("Signed by");
  });
});

describe("the export of a period", () => {
  it("says at the field what is wrong with the days, asks for nothing until it is right, and then for these days", async () => {
    const api = await openAudit();
    useClock.getState().receive(clock);
    const panel = get("region", "Export a period");
    await waitFor(() => textOf(panel).includes("by the calendar of Asia/Shanghai"));
    const press = () => get("button", "Export the period …").click();
    const choose = (label: string, day: string) =>
      type(panel.querySelectorAll("input")[label === "From" ? 0 : 1] as HTMLElement, day);
    press();
    await waitFor(() => textOf(panel).split("Choose a day.").length === 3);
    choose("From", "2026-07-31");
    choose("To", "2026-07-01");
    await waitFor(() => textOf(panel).includes("The last day is before the first."));
    press();
    expect(api.of("evidence.plan")).toEqual([]);
    choose("From", "2026-07-01");
    await waitFor(() => !textOf(panel).includes("The last day"));
    press();
    await waitFor(() => api.of("evidence.plan").length === 1);
    expect(api.of("evidence.plan")).toEqual([{ from: "2026-07-01", to: "2026-07-01", withBytes: true }]);
    expect(textOf(await getAsync("dialog", "Export the evidence from 2026-07-01 to 2026-07-01"))).toContain("Inside");
  });
});

describe("the export of a run", () => {
  const openRun = async () => {
    const api = await open({ screen: "run", taskId: TASK }, (fake) => fake.answer("run.get", () => succeededRun));
    (await getAsync("button", "Export evidence …")).click();
    await waitFor(() => document.body.textContent?.includes("about 171.4 kB before it is packed"), 15_000);
    return api;
  };
  const dialog = () => textOf(get("dialog"));

  it("shows what would be inside, what is left out and why, how much it is and which key signs, before a file is chosen", async () => {
    const api = await openRun();
    expect(api.of("evidence.plan")).toEqual([{ taskId: TASK, withBytes: true }]);
    expect(dialog()).toContain(
      "Source snapshot 5 files · Harbour notice · A page called <b>bold</b>Licences: all rights reserved",
    );
    expect(dialog()).toContain(
      "Because addresses are in it, or it was made from them:Audience by id 1 fileRequest: Send · trigger 1 file",
    );
    expect(dialog()).toContain("the workspace's key file, since there is no usable keychain");
    expect(api.of("evidence.export")).toEqual([]);
    get("radio", /^Records only/).click();
    await waitFor(() => api.of("evidence.plan").length === 2);
    expect(api.of("evidence.plan")[1]).toEqual({ taskId: TASK, withBytes: false });
  });

  it("begins once however often it is pressed, can be cancelled, and tells file, hash and how to verify it", async () => {
    const api = await openRun();
    const start = get("button", "Choose a file and export …");
    start.click();
    start.click();
    await waitFor(() => api.of("evidence.export").length === 1);
    const work = { kind: "export", label: "2026-W30", done: 64_000, of: 171_400 };
    api.push("evidence.changed", { ...evidence, work });
    (await getAsync("button", "Cancel the export")).click();
    await waitFor(() => api.of("evidence.cancel").length === 1);
    expect(api.of("evidence.export")).toHaveLength(1);
    api.push("evidence.changed", { ...evidence, outcome: { kind: "cancelled", work: "export" } });
    await waitFor(() => dialog().includes("Cancelled. Nothing was left behind."));
    api.push("evidence.changed", { ...evidence, outcome: { kind: "exported", bundle } });
    await waitFor(() => dialog().includes(bundle.sha256));
    expect(dialog()).toContain(bundle.file);
    expect(dialog()).toContain("bash '2026-W30.evidence/verify.sh' allowed_signers");
  });

  it("says in words why it did not begin, or could not be counted", async () => {
    const api = await openRun();
    api.answer("evidence.export", () => ({ result: "no_key" }));
    get("button", "Choose a file and export …").click();
    await waitFor(() => dialog().includes("the signing key cannot be opened now"));
    api.answer("evidence.plan", () => ({ result: "failed", detail: "ended_early 9" }));
    get("radio", /^Records only/).click();
    await waitFor(() => dialog().includes("the program that does the work ended before it was done."));
    expect((get("button", "Choose a file and export …") as HTMLButtonElement).disabled).toBe(true);
  });
});
