import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { languageFor, openPreferences } from "../../main/shell/preferences";
import { MIN_HEIGHT, MIN_WIDTH, openWindowMemory, placeWindow } from "../../main/shell/window-state";
import { asOrdinaryUser } from "../support/ordinary-user";

let folder: string;
let reported: string[];
const report = (code: string) => void reported.push(code);
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "imprimatur-files-"));
  reported = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("preferences", () => {
  const open = (locale = "en-GB") => openPreferences(path.join(folder, "preferences.json"), { locale, report });

  it("begin with the system's language and theme", () => {
    expect(open("zh-TW").read()).toEqual({ language: "zh-CN", theme: "system" });
    expect(open("de").read()).toEqual({ language: "en", theme: "system" });
    expect(languageFor("zhuang")).toBe("en");
  });

  it("are kept, whole, and told to whoever listens", () => {
    const seen: unknown[] = [];
    const store = open();
    const stop = store.onChange((now) => void seen.push(now));
    store.change({ theme: "dark" });
    stop();
    store.change({ language: "zh-CN" });
    expect(open().read()).toEqual({ language: "zh-CN", theme: "dark" });
    expect(seen).toEqual([{ language: "en", theme: "dark" }]);
    expect(readdirSync(folder)).toEqual(["preferences.json"]);
  });

  it("keep the ledger's views whatever else is changed, and lose none to a change of theme", () => {
    const filter = { outcomes: ["blocked" as const], marks: [], from: "2026-07-01", to: null, text: "w3" };
    const ledgerViews = [{ name: "Trouble", filter, sort: { by: "human" as const, descending: true } }];
    open().change({ ledgerViews });
    open().change({ theme: "dark" });
    expect(open().read()).toEqual({ language: "en", theme: "dark", ledgerViews });
    open().change({ ledgerViews: [] });
    expect(open().read().ledgerViews).toEqual([]);
  });

  it.each(["{ torn", "[]", '{"language":"xx","theme":"dark"}', ""])(
    "are the usual ones after damage, which is kept aside: %s",
    (text) => {
      const file = path.join(folder, "preferences.json");
      writeFileSync(file, text);
      const store = open();
      expect(store.read()).toEqual({ language: "en", theme: "system" });
      expect(reported).toEqual(["preferences_damaged"]);
      const aside = readdirSync(folder).filter((name) => name.startsWith("preferences.json.damaged-"));
      expect(aside).toHaveLength(1);
      expect(readFileSync(path.join(folder, aside[0] ?? ""), "utf8")).toBe(text);
      store.change({ theme: "light" });
      expect(open().read().theme).toBe("light");
    },
  );

  it("take effect even when they cannot be written, and what cannot be read is not written over", () => {
    mkdirSync(path.join(folder, "preferences.json"));
    const store = open();
    expect(reported).toEqual(["preferences_unreadable"]);
    expect(store.change({ theme: "dark" }).theme).toBe("dark");
    expect(readdirSync(folder)).toEqual(["preferences.json"]);
  });

  it.skipIf(process.platform === "win32")("report a folder that refuses", async () => {
    await asOrdinaryUser(folder, () => {
      const store = open();
      chmodSync(folder, 0o500);
      store.change({ theme: "dark" });
      chmodSync(folder, 0o700);
    });
    expect(reported).toEqual(["preferences_not_written"]);
  });
});

describe("where the window goes", () => {
  const screenOne = { x: 0, y: 25, width: 1440, height: 875 };
  const screenTwo = { x: 1440, y: 0, width: 1920, height: 1080 };

  it("is the middle of the first screen at first", () => {
    expect(placeWindow(null, [screenOne, screenTwo])).toEqual({ x: 80, y: 33, width: 1280, height: 860 });
  });

  it("is where it was, if that is still on a screen", () => {
    const saved = { x: 1600, y: 100, width: 1500, height: 900 };
    expect(placeWindow(saved, [screenOne, screenTwo])).toEqual(saved);
    expect(placeWindow(saved, [screenOne])).toEqual({ x: 80, y: 33, width: 1280, height: 860 });
  });

  it("is not where nobody can take hold of it, and not larger than the screen", () => {
    const above = { x: 100, y: -400, width: 1200, height: 800 };
    const corner = { x: 1400, y: 100, width: 1200, height: 800 };
    const huge = { x: 0, y: 25, width: 9000, height: 9000 };
    for (const saved of [above, corner]) expect(placeWindow(saved, [screenOne])).toMatchObject({ x: 80, y: 33 });
    expect(placeWindow(huge, [screenOne])).toEqual({ x: 0, y: 25, width: 1440, height: 875 });
  });

  it("is never below the least size, even on a tiny screen or on none", () => {
    const tiny = { x: 0, y: 0, width: 800, height: 600 };
    expect(placeWindow(null, [tiny])).toEqual({ x: 0, y: 0, width: MIN_WIDTH, height: MIN_HEIGHT });
    expect(placeWindow(null, []).width).toBeGreaterThanOrEqual(MIN_WIDTH);
  });

  it("is remembered between starts, and forgotten when damaged", () => {
    const file = path.join(folder, "window.json");
    const memory = openWindowMemory(file, report);
    memory.write({ bounds: screenOne });
    memory.write({ saidTray: true });
    expect(openWindowMemory(file, report).read()).toEqual({ bounds: screenOne, isMaximized: false, saidTray: true });
    writeFileSync(file, '{"bounds":{"x":"a"}}');
    expect(openWindowMemory(file, report).read().bounds).toBeNull();
    expect(reported).toEqual(["window_state_damaged"]);
  });
});
