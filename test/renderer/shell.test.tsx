import { afterEach, describe, expect, it } from "vitest";
import { boot, clock, MINUTE, NOW } from "./fixtures/common";
import { emptyToday, today } from "./fixtures/today";
import {
  close,
  find,
  findAll,
  get,
  getAsync,
  isDisabled,
  nameOf,
  open,
  press,
  rest,
  textOf,
  type,
  waitFor,
} from "./page";

afterEach(close);

describe("Today", () => {
  it("says what waits, why and until when, in the order given", async () => {
    await open(null);
    const rows = await waitFor(() => {
      const all = findAll("row", undefined, get("region", "Waits for me"));
      return all.length > 0 ? all : null;
    });
    expect(rows.map(textOf)).toEqual([
      expect.stringMatching(/^Send approval2026-W30.*1 h 12 min left21 Jul, 10:30$/),
      expect.stringMatching(/^Content approval2026-W31.*22 h left/),
      expect.stringMatching(/^Sent, no answer2026-W29The outcome of a request is unknown/),
      expect.stringMatching(/^Blocked2026-W28A required source is missing.*no time limit$/),
    ]);
  });

  it("says what will appear while there is nothing, and starts the edition once", async () => {
    const api = await open(null, (fake) => fake.answer("today.get", () => emptyToday));
    const start = await getAsync("button", "Start edition 2026-W30");
    expect(document.body.textContent).toContain("Nothing waits for you.");
    start.click();
    start.click();
    await waitFor(() =>
      document.body.textContent?.includes("Start edition 2026-W30: done, saved in the journal. State: Created."),
    );
    expect(api.of("edition.start")).toEqual([{ edition: "2026-W30" }]);
  });

  it("names a state, a reason and an unmet condition that it does not know, instead of showing nothing", async () => {
    await open(null, (api) =>
      api.answer("today.get", () => ({
        ...today,
        live: [{ ...today.live[0], state: "proof_reading" }],
        waiting: [{ ...today.waiting[3], blockedReason: "ink_is_dry" }],
      })),
    );
    await waitFor(() => document.body.textContent?.includes("proof reading (no wording in this version)"));
    expect(document.body.textContent).toContain("ink is dry (no wording in this version)");
  });

  it("asks again when the journal changed, once for a burst", async () => {
    const api = await open(null);
    await getAsync("region", "Waits for me");
    const asked = api.of("today.get").length;
    for (let seq = 0; seq < 20; seq += 1) api.push("journal.changed", { seq, taskIds: [] });
    await rest(150);
    expect(api.of("today.get")).toHaveLength(asked + 1);
  });

  it("shows an answer it cannot read as a problem, and asks again on request", async () => {
    const api = await open(null, (fake) => fake.answer("today.get", () => ({ waiting: "many" })));
    expect(textOf(await getAsync("alert"))).toContain("The answer to “today.get” does not have the agreed form");
    api.answer("today.get", () => today);
    get("button", "Ask again").click();
    await getAsync("region", "Waits for me");
    expect(find("alert")).toBeUndefined();
  });
});

describe("the clock", () => {
  it("says plainly that it is the sandbox's, and follows when it is moved", async () => {
    const api = await open(null);
    const region = await getAsync("region", "Workspace time");
    expect(textOf(region)).toContain("Sandbox clock");
    expect(textOf(region)).toContain("09:18:2");
    api.push("clock.changed", { ...clock, now: NOW + 10 * MINUTE, skipsWaiting: true });
    await waitFor(() => textOf(region).includes("09:28:2"));
    expect(textOf(region)).toContain("waits are skipped");
  });

  it("warns where time cannot be trusted", async () => {
    await open(null, (api) =>
      api.answer("today.get", () => ({ ...today, clock: { ...clock, simulated: false, trusted: false } })),
    );
    await waitFor(() => textOf(find("region", "Workspace time")).includes("Time not trusted"));
    expect(textOf(find("region", "Workspace time"))).not.toContain("Sandbox clock");
  });
});

describe("keys", () => {
  it("move through the list, open an entry and come back; the heading takes the focus", async () => {
    await open(null);
    await getAsync("row", /^Send approval/);
    press("j", { on: document.body });
    press("j");
    expect(textOf(document.activeElement)).toContain("Content approval");
    press("k");
    expect(textOf(document.activeElement)).toContain("Send approval");
    (document.activeElement as HTMLElement).click();
    const heading = await getAsync("heading", /^Send review of 2026-W30/);
    await waitFor(() => document.activeElement === heading);
    press("Escape");
    await getAsync("heading", "Today");
  });

  it("open the command menu, which runs nothing while an input method is choosing", async () => {
    await open(null);
    await getAsync("row", /^Send approval/);
    press("k", { on: document.body, ctrlKey: true });
    const input = await getAsync("combobox");
    type(input, "run of 2026-W30");
    await waitFor(() => findAll("option").length === 1);
    press("Enter", { on: input, isComposing: true });
    press("Enter", { on: input, keyCode: 229 });
    await rest(30);
    expect(find("heading", /^Run of/)).toBeUndefined();
    press("Enter", { on: input });
    await getAsync("heading", /^Run of 2026-W30/);
  });

  it("offer no approval, sending or closing in the command menu", async () => {
    await open(null);
    await getAsync("row", /^Send approval/);
    press("k", { on: document.body, metaKey: true });
    await getAsync("combobox");
    const names = findAll("option").map(nameOf);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => /approve|send edition|close|reject|revoke|start/i.test(name))).toEqual([]);
  });

  it("list themselves on ?", async () => {
    await open(null);
    await getAsync("row", /^Send approval/);
    press("?", { on: document.body });
    expect(textOf(await getAsync("dialog"))).toContain("No single key approves, sends, closes or deletes anything.");
  });
});

describe("start-up", () => {
  it("offers the sandbox first and says that a real workspace is not built", async () => {
    const api = await open(null, (fake) => fake.answer("app.bootstrap", () => ({ ...boot, workspace: null })));
    expect(document.body.textContent).toContain("Not in this version.");
    get("button", "Open the sandbox workspace").click();
    await getAsync("heading", "Today");
    expect(api.of("workspace.openSandbox")).toHaveLength(1);
  });

  it.each(["newer_file", "damaged", "locked", "read_only", "disk_full", "chain_broken", "not_writable", "unknown"])(
    "has a page for %s that names the file and what can be done",
    async (code) => {
      const path = "/home/lin/Imprimatur/journal.sqlite";
      const api = await open(null, (fake) =>
        fake.answer("app.bootstrap", () => ({ ...boot, workspace: null, problem: { code, path, detail: "SQLITE" } })),
      );
      expect(document.body.textContent).toContain(path);
      expect(document.querySelectorAll("ol.steps > li").length).toBeGreaterThan(1);
      get("button", "Try again").click();
      await getAsync("heading", "Today");
      expect(api.of("app.retryOpen")).toHaveLength(1);
    },
  );

  it("says that the core did not answer", async () => {
    await open(null, (fake) =>
      fake.answer("app.bootstrap", () => {
        throw new Error("no handler");
      }),
    );
    await getAsync("heading", "The window has no connection to the app's core");
  });

  it("follows the main process to another workspace state", async () => {
    const api = await open(null);
    await getAsync("region", "Waits for me");
    api.push("workspace.changed", { ...boot, problem: { code: "disk_full", path: "/data", detail: "ENOSPC" } });
    await getAsync("heading", "The disk is full");
  });
});

describe("language and theme", () => {
  it("switch at once and are kept by the main process", async () => {
    const api = await open(null);
    (await getAsync("button", "Switch the language to Chinese")).click();
    await getAsync("heading", "今日");
    expect(document.documentElement.lang).toBe("zh-CN");
    expect(api.of("app.setPreferences")).toEqual([{ language: "zh-CN" }]);
    expect(textOf(find("region", "等我处理"))).toContain("等待内容审批".slice(2));
    get("button", /^主题/).click();
    await waitFor(() => document.documentElement.getAttribute("data-mantine-color-scheme") === "dark");
  });
});

describe("a link from outside", () => {
  it("goes where it leads and does nothing there; one that leads nowhere is said to, until it is put away", async () => {
    const api = await open(null);
    await getAsync("heading", "Today");
    api.push("place.open", { place: { screen: "health", subject: null } });
    await getAsync("heading", "Health");
    api.push("place.open", { place: null });
    await waitFor(() => find("alert")?.textContent?.includes("That link names no place of this program"));
    expect(find("heading", "Health")).toBeDefined();
    get("button", "Dismiss").click();
    await waitFor(() => find("alert") === undefined);
    api.push("place.open", { place: { screen: "content", subject: "t-1" } });
    await waitFor(() => api.of("contentReview.get").length > 0);
    expect(api.of("contentReview.approve")).toEqual([]);
  });
});

describe("the sandbox panel", () => {
  it("switches faults on by what will be seen, and shows how often each fired", async () => {
    const api = await open({ screen: "sandbox" });
    type(await getAsync("textbox", "How many times"), "2");
    get("button", "Switch on: Lose the website's answer after it published").click();
    await waitFor(() => api.of("sandbox.addFault").length === 1);
    expect(api.of("sandbox.addFault")).toEqual([{ on: "cms.create", fault: "hang-after-commit", times: 2 }]);
    await waitFor(() => textOf(get("region", "Active faults")).includes("fired 0 of 2"));
    await waitFor(() => !isDisabled(get("button", "Clear all faults")));
    get("button", "Clear all faults").click();
    await waitFor(() => textOf(get("region", "Active faults")).includes("No fault is switched on."));
  });

  it("moves the clock and skips waits", async () => {
    const api = await open({ screen: "sandbox" });
    (await getAsync("button", "Advance by 1 h")).click();
    await waitFor(() => textOf(find("region", "Workspace time")).includes("10:18:2"));
    await waitFor(() => !isDisabled(get("checkbox", /^Skip waiting/)));
    get("checkbox", /^Skip waiting/).click();
    await waitFor(() => api.of("sandbox.setClock").length === 2);
    expect(api.of("sandbox.setClock")).toEqual([{ advanceMs: 3_600_000 }, { skipsWaiting: true }]);
  });
});
