import { afterEach, describe, expect, it } from "vitest";
import { useNav } from "../../renderer/stores/nav";
import { boot } from "./fixtures/common";
import { today } from "./fixtures/today";
import { close, find, findAll, get, getAsync, nameOf, open, press, textOf, waitFor } from "./page";

afterEach(close);

const building = { state: "building", done: 12, of: 30, failed: null } as const;
const ready = { state: "ready", done: 0, of: 0, failed: null } as const;
const firstRun = { ...boot, workspace: null };
const ledgerWorkspace = { ...boot.workspace, path: "/home/lin/Imprimatur/sample-ledger", isSampleLedger: true };

async function menuNames(): Promise<string[]> {
  press("k", { on: document.body, metaKey: true });
  await getAsync("combobox");
  return findAll("option").map(nameOf);
}

describe("the first run", () => {
  it("offers the sample ledger, shows how far it is, and lets it be cancelled", async () => {
    const api = await open(null, (fake) => {
      fake.answer("app.bootstrap", () => firstRun);
      fake.answer("workspace.openLedger", () => ({ ...firstRun, ledger: { ...building, done: 0 } }));
    });
    (await getAsync("button", "Open the sample ledger")).click();
    const progress = await waitFor(() => document.querySelector("progress"));
    expect([progress.value, progress.max]).toEqual([0, 30]);
    api.push("workspace.changed", { ...firstRun, ledger: building });
    await waitFor(() => progress.value === 12);
    expect(textOf(find("status"))).toContain("week 12 of 30");
    expect(find("button", "Open the sample ledger")).toBeUndefined();
    api.answer("workspace.cancelLedger", () => firstRun);
    get("button", "Cancel").click();
    await getAsync("button", "Open the sample ledger");
    expect(api.of("workspace.cancelLedger")).toHaveLength(1);
    expect(document.querySelector("progress")).toBeNull();
  });

  it("says why there is none, as text", async () => {
    const failed = { ...boot.ledger, failed: "<b>disk full</b>" };
    await open(null, (fake) => fake.answer("app.bootstrap", () => ({ ...firstRun, ledger: failed })));
    expect(textOf(await getAsync("alert"))).toContain("could not be made: <b>disk full</b>");
  });
});

describe("with a workspace open", () => {
  it("offers to make it, then to open it; being made takes nobody away", async () => {
    const api = await open(null);
    expect(await menuNames()).toContain("Make the sample ledger");
    get("option", "Make the sample ledger").click();
    await waitFor(() => api.of("workspace.openLedger").length === 1);
    api.push("workspace.changed", { ...boot, ledger: building });
    await waitFor(() => document.querySelector("progress"));
    api.push("workspace.changed", { ...boot, ledger: ready });
    (await getAsync("button", "Open the sample ledger")).click();
    await waitFor(() => api.of("workspace.openLedger").length === 2);
  });

  it("does not leave unsaved edits without being told to", async () => {
    const api = await open(null, (fake) => fake.answer("app.bootstrap", () => ({ ...boot, ledger: ready })));
    await getAsync("row", /^Send approval/);
    useNav.setState({ place: { screen: "run", taskId: "t1" }, guard: () => true });
    await menuNames();
    get("option", "Open the sample ledger").click();
    await waitFor(() => useNav.getState().held);
    expect(api.of("workspace.openLedger")).toHaveLength(0);
  });

  it("forgets what it showed of one workspace when another is opened", async () => {
    const api = await open(null);
    await getAsync("row", /^Send approval/);
    api.answer("today.get", () => new Promise(() => undefined));
    useNav.getState().go({ screen: "sandbox" });
    api.push("workspace.changed", { ...boot, workspace: ledgerWorkspace, ledger: ready });
    await getAsync("heading", "Today");
    await waitFor(() => find("row", /^Send approval/) === undefined);
    expect(await menuNames()).toContain("Open the sandbox workspace");
  });
});

describe("many ended editions", () => {
  const ended = Array.from({ length: 31 }, (_, index) => ({
    ...{ taskId: `t${index}`, edition: `2026-W${String(31 - index).padStart(2, "0")}`, state: "succeeded", at: 0 },
  }));
  const rows = () => findAll("row", /^2026-W/, get("region", "Ended editions")).length;

  it("the newest are shown first, and all of them on demand", async () => {
    await open(null, (fake) => fake.answer("today.get", () => ({ ...today, ended })));
    await getAsync("button", "Show all 31");
    expect(rows()).toBe(10);
    get("button", "Show all 31").click();
    await waitFor(() => rows() === 31);
    expect(find("button", "Show all 31")).toBeUndefined();
  });
});
