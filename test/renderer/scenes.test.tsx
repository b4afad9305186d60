import axe from "axe-core";
import { afterEach, describe, expect, it } from "vitest";
import { useNav } from "../../renderer/stores/nav";
import { boot } from "./fixtures/common";
import { scenes } from "./gallery/scenes";
import { close, findAll, nameOf, open, rest, textOf, waitFor } from "./page";

afterEach(close);

/** happy-dom lays nothing out. */
const NEEDS_LAYOUT = ["target-size", "scrollable-region-focusable"];
/** Contrast takes longer than all other rules together, and is judged where the app itself is shown. */
const unfit = ["color-contrast", "frame-tested", ...("happyDOM" in window ? NEEDS_LAYOUT : [])];

async function violations(): Promise<string[]> {
  const rules = Object.fromEntries(unfit.map((rule) => [rule, { enabled: false }]));
  // What passed is of no interest, and to describe it takes longer than to judge it.
  const told = { resultTypes: ["violations" as const], selectors: false, preload: false };
  const found = await axe.run(document.body, { rules, iframes: false, ...told });
  return found.violations.map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.html.slice(0, 120)).join(" | ")}`);
}

describe.each(["en", "zh-CN"] as const)("in %s", (language) => {
  it.each(Object.keys(scenes))("%s has words and names for everything, and a sound structure", async (name) => {
    const scene = scenes[name];
    await open(scene?.place ?? null, (api) => {
      const preferences = { language, theme: "light" } as const;
      api.answer("app.bootstrap", () => ({ ...boot, preferences }));
      scene?.prepare?.(api, preferences);
    });
    await waitFor(() => document.documentElement.lang === language);
    await rest(60);
    const page = document.querySelector("main")?.cloneNode(true) as HTMLElement;
    // Technical detail is shown as it came.
    for (const raw of page.querySelectorAll("pre")) raw.remove();
    const text = textOf(page);
    expect(text).not.toMatch(
      /no wording in this version|此版本没有对应的说法|\{\{|undefined|\[object|NaN|Invalid Date/,
    );
    for (const role of ["button", "checkbox", "textbox", "radio", "frame"])
      for (const element of findAll(role).filter(
        (one) => one.getAttribute("aria-hidden") !== "true" && one.tabIndex >= 0,
      ))
        expect([role, element.outerHTML.slice(0, 120), nameOf(element) !== ""]).toEqual([
          role,
          expect.anything(),
          true,
        ]);
    expect(document.querySelectorAll("h1")).toHaveLength(1);
    // The structure is the same in both languages, and judging it takes seconds.
    if (language === "en") expect(await violations()).toEqual([]);
    expect(useNav.getState().past).toEqual([]);
  });
});
