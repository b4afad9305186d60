import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Locator, Page } from "@playwright/test";
import { close, expect, launch, startAgain, test } from "./app";
import * as desk from "./desk";
import { LONG_MS, lookAt, lookAtPart, pictureOf } from "./looks";

/** A drill has servers, a journal and an engine of its own: on a busy machine it takes its time. */
const DRILL = { timeout: 60_000 };
test.describe.configure({ timeout: LONG_MS });

/**
 * Every line of a virtual list, in the list's order. Each is looked for where it comes up while the list is scrolled by
 * its own keys, and put where it says that it stands: a list that was at its end may show that first.
 */
async function linesOf(list: Locator, win: Page): Promise<string[]> {
  const byPlace: string[] = [];
  await list.focus();
  await win.keyboard.press("Home");
  for (let page = 0; page < 40; page += 1) {
    const shown = await list
      .getByRole("listitem")
      .evaluateAll((items) => items.map((item) => [Number(item.ariaPosInSet), item.textContent ?? ""] as const));
    for (const [place, line] of shown) byPlace[place - 1] = line;
    await win.keyboard.press("PageDown");
    await win.waitForTimeout(60);
  }
  expect(Object.keys(byPlace)).toHaveLength(byPlace.length);
  return byPlace;
}

test("S13 is run by keyboard and watched: sent, no answer, found by asking; one create call, one article", async ({
  app,
  win,
  dataDir,
}) => {
  await desk.openSandbox(win);
  await desk.goTo(win, "Drills");
  await win.keyboard.press("/");
  await win.keyboard.type("S13");
  await win.keyboard.press("Escape");
  await win.keyboard.press("j");
  const row = win.getByRole("button", { name: /^S13/ });
  await expect(row).toBeFocused();
  await win.keyboard.press("Enter");
  await expect(win.getByRole("heading", { name: /^S13 · / })).toBeVisible();
  const run = win.getByRole("button", { name: "Run this drill" });
  await win.keyboard.press("Tab");
  await expect(run).toBeFocused();
  await win.keyboard.press("Enter");

  const facts = win.getByRole("region", { name: "What it came to" });
  await expect(facts).toBeVisible(DRILL);
  await expect(facts).toContainText("All held, by the journal's own checker.");
  await expect(facts.getByRole("term").filter({ hasText: "Create calls at the website" })).toBeVisible();
  await expect(facts).toContainText(/Create calls at the website\s*1\s*Articles it holds\s*18427 published/);
  const story = win.getByRole("region", { name: /^S13 · / });
  await expect(story).toContainText(/Came to\s*Succeeded\s*All invariants held/);
  await expect(win.getByRole("button", { name: "Run it again" })).toBeFocused();
  const steps = win.getByRole("region", { name: "Steps of the drill" });
  const told = ["Request sent", "Sent, no answer", "Looking at the remote", "Remote confirmed"];
  const lines = await linesOf(steps, win);
  const places = told.map((words) => lines.findIndex((line) => line.includes(words)));
  expect(places).not.toContain(-1);
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect(lines.filter((line) => line.includes("Received: create an article"))).toHaveLength(1);
  await lookAt(win, "51-drill-played");

  await test.step("a person plays it by keyboard: it stops where they decide, and tells what was right", async () => {
    await win.getByRole("button", { name: "Play it yourself" }).focus();
    await win.keyboard.press("Enter");
    const decision = win.getByRole("region", { name: "Your decision" });
    for (const [asked, choice] of [
      ["Which case is it?", "Unknown publish"],
      ["What do you do?", "Look now, by key: nothing is sent"],
      ["Is it recovered and verified?", "Yes: it is recovered, and the facts prove it"],
    ] as const) {
      await expect(decision.getByRole("paragraph").filter({ hasText: asked })).toBeFocused(DRILL);
      await win.keyboard.press("Tab");
      await expect(decision.getByRole("button", { name: choice })).toBeFocused();
      await win.keyboard.press("Enter");
    }
    const verdict = win.getByRole("region", { name: "What was decided" });
    await expect(verdict).toContainText("Every decision was right", DRILL);
    await expect(win.getByRole("region", { name: "How long it took" })).toContainText("By the clock on the wall");
    await expect(facts).toContainText(/Create calls at the website\s*1\s*Articles it holds\s*18427 published/);
  });

  // Nothing of it is in the open workspace, and nothing is left of its own.
  expect(existsSync(path.join(dataDir, "drill"))).toBe(false);
  await desk.goTo(win, "Sandbox");
  await expect(win.getByText("Nothing has been created yet.").first()).toBeVisible();
  await test.step("a link from outside opens its place, one that says more opens nothing, and neither begins anything", async () => {
    expect(await startAgain(app, "imprimatur://health")).toBe(0);
    await expect(win.getByRole("heading", { name: "Health", level: 1 })).toBeVisible();
    expect(await startAgain(app, "imprimatur://today/start?now=1")).toBe(0);
    const notice = win.getByRole("alert").filter({ hasText: "That link names no place of this program" });
    await notice.getByRole("button", { name: "Dismiss" }).click();
    await expect(win.getByRole("heading", { name: "Health", level: 1 })).toBeVisible();
    await desk.goTo(win, "Today");
    await expect(win.getByRole("button", { name: `Start edition ${desk.EDITION}` })).toBeVisible();
  });
});

test("drills run one after the other, are cancelled, and what they came to is there after a restart", async ({
  app,
  win,
  dataDir,
}) => {
  await desk.openSandbox(win);
  await desk.goTo(win, "Drills");
  await lookAt(win, "50-drills");
  await win.getByLabel("Filter the scenarios").fill("two objects");
  await win.getByRole("button", { name: "Run the one shown" }).click();
  await win.getByRole("button", { name: /^S16/ }).first().click();
  await expect(win.getByRole("region", { name: "What it came to" })).toContainText(
    "Two remote objects carry one key",
    DRILL,
  );
  await lookAtPart(win, "52-drill-blocked");

  await win.getByLabel("Filter the scenarios").fill("");
  await win.getByRole("button", { name: "Run all 51" }).click();
  await win.getByRole("button", { name: /^S13/ }).first().click();
  await expect(win.getByText(/^S\d\d is being played\. One drill at a time\.$/)).toBeVisible();
  await expect(win.getByRole("button", { name: "Run this drill" })).toHaveAttribute("aria-disabled", "true");
  await pictureOf(win, "53-drills-running");
  await win.getByRole("button", { name: /^Cancel S\d\d and the \d+ that wait$/ }).click();
  await expect(win.getByRole("status").filter({ hasText: "was cancelled" })).toContainText("nothing of it is left");
  await expect(win.getByRole("button", { name: "Run all 51" })).toBeEnabled();
  expect(existsSync(path.join(dataDir, "drill"))).toBe(false);
  await close(app);

  const kept = JSON.parse(readFileSync(path.join(dataDir, "drills.json"), "utf8")) as { outcome: string }[];
  expect(kept[0]?.outcome).toBe("cancelled");
  const second = await launch(dataDir, { args: ["imprimatur://drills"] });
  const page = await second.firstWindow();
  const last = page.getByRole("region", { name: "Last drills" });
  await expect(last.getByRole("row").nth(1)).toContainText("Cancelled");
  await expect(last.getByRole("row").last()).toContainText("S16");
  await close(second);
});
