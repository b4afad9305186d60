import type { MenuItemConstructorOptions } from "electron";
import { describe, expect, it } from "vitest";
import { hasTray } from "../../main/shell/desktop";
import { menuTemplate } from "../../main/shell/menu-template";
import { SHORTCUTS } from "../../main/shell/shortcuts";
import { textsIn } from "../../main/shell/texts";
import { PLACES_BY_DIGIT } from "../../renderer/stores/nav";

function build(language: "en" | "zh-CN", platform: NodeJS.Platform, allowDevTools = false) {
  const pressed: string[] = [];
  const template = menuTemplate({
    texts: textsIn(language),
    platform,
    allowDevTools,
    press: (shortcut) => void pressed.push(shortcut.label),
    quit: () => void pressed.push("quit"),
  });
  const entries = template.flatMap((menu) =>
    (menu.submenu as MenuItemConstructorOptions[]).filter((entry) => entry.type !== "separator"),
  );
  return { template, entries, pressed };
}

describe("the application menu", () => {
  it.each(["en", "zh-CN"] as const)("shows every shortcut and presses it (%s)", (language) => {
    const { entries, pressed } = build(language, "linux");
    const texts = textsIn(language);
    for (const shortcut of SHORTCUTS) {
      const entry = entries.find(({ label }) => label === texts.menu[shortcut.label]);
      expect(entry?.accelerator, shortcut.label).toBe(shortcut.accelerator);
      expect(entry?.registerAccelerator).toBe(false);
      entry?.click?.(undefined as never, undefined as never, undefined as never);
    }
    expect(pressed).toEqual(SHORTCUTS.map(({ label }) => label));
  });

  it("names every entry in the language chosen, roles too", () => {
    for (const platform of ["linux", "win32", "darwin"] as const) {
      const { template, entries } = build("zh-CN", platform);
      for (const { label } of [...template, ...entries])
        expect(label === "Imprimatur" || /\p{Script=Han}/u.test(label ?? ""), label).toBe(true);
    }
  });

  it("gives each place the digit that the page goes by", () => {
    const digits = SHORTCUTS.filter(({ keyCode }) => /^\d$/.test(keyCode));
    expect(digits.map(({ label, keyCode }) => [label, Number(keyCode)])).toEqual(
      PLACES_BY_DIGIT.map((place, index) => [place, index + 1]),
    );
  });

  it("does not take bare keys away from text fields on macOS", () => {
    const { entries } = build("en", "darwin");
    for (const entry of entries)
      expect(/^(Shift\+)?[A-Z/]$|^(Enter|Escape)$/.test(String(entry.accelerator ?? ""))).toBe(false);
    expect(entries.some(({ label }) => label === "Next Entry (J)")).toBe(true);
  });

  it("has no reload, and the developer's tools only where they are allowed", () => {
    const roles = (allow: boolean) => build("en", "linux", allow).entries.map(({ role }) => role);
    expect(roles(true)).toContain("toggleDevTools");
    expect(roles(false)).not.toContain("toggleDevTools");
    for (const role of ["reload", "forceReload"]) expect(roles(true)).not.toContain(role);
  });
});

describe("texts", () => {
  const flatten = (value: object, at = ""): [string, string][] =>
    Object.entries(value).flatMap(([key, inner]) => {
      if (typeof inner === "function") return [[`${at}${key}`, String(inner("X"))] as [string, string]];
      return typeof inner === "string" ? [[`${at}${key}`, inner] as [string, string]] : flatten(inner, `${at}${key}.`);
    });

  it("say the same things in both languages, with full-width punctuation in Chinese sentences", () => {
    const chinese = flatten(textsIn("zh-CN"));
    expect(chinese.map(([key]) => key)).toEqual(flatten(textsIn("en")).map(([key]) => key));
    for (const [key, text] of chinese) {
      expect(/\p{Script=Han}/u.test(text), key).toBe(true);
      expect(/\p{Script=Han}[,.;:!?]/u.test(text), key).toBe(false);
    }
  });
});

describe("the tray", () => {
  it("is there on macOS and Windows, and on Linux where the desktop is known to show it", () => {
    expect(hasTray("win32", {})).toBe(true);
    expect(hasTray("darwin", {})).toBe(true);
    expect(hasTray("linux", { XDG_CURRENT_DESKTOP: "ubuntu:GNOME" })).toBe(true);
    expect(hasTray("linux", { XDG_CURRENT_DESKTOP: "KDE" })).toBe(true);
    expect(hasTray("linux", { XDG_CURRENT_DESKTOP: "GNOME" })).toBe(false);
    expect(hasTray("linux", {})).toBe(false);
  });
});
