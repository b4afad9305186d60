import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ElectronApplication, Page } from "@playwright/test";
import { close, expect, picture, test } from "./app";
import * as desk from "./desk";
import { lookAtPart } from "./looks";

/** The program without a window, of the same build. */
const CLI = join(import.meta.dirname, "../../out/test/main/cli.cjs");
/** Thirty weeks on a machine that does other things as well. */
const MADE = { timeout: 300_000 };

/** The system's dialogs, which nobody can press here, come to this file. */
const choose = (app: ElectronApplication, file: string) =>
  app.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = async () => ({ canceled: false, filePath: chosen });
    dialog.showOpenDialog = async () => ({ canceled: false, filePaths: [chosen] });
  }, file);

/** What is exported are the rows that are shown, in their order. */
async function exportShown(app: ElectronApplication, win: Page, file: string): Promise<void> {
  await choose(app, file);
  await win.getByRole("button", { name: "Export CSV …" }).click();
  await expect(win.getByText("4 rows were written to")).toBeVisible();
  const [, ...rows] = readFileSync(file, "utf8").trimEnd().split("\n");
  expect(rows.map((row) => row.split(",")[1])).toEqual(["2026-W30", "2026-W17", "2026-W11", "2026-W06"]);
}

/** A list with heads of its own, to its preview and its import; and one customer onto the suppression list. */
async function changeAudience(app: ElectronApplication, win: Page, file: string): Promise<void> {
  writeFileSync(file, "Nr,Mail,Plan\r\nc001,HANA.Evers@example.com,team\r\nc900,new@example.org,trial\r\n");
  await win.keyboard.press("Control+,");
  await expect(win.getByText("63 people")).toBeVisible();
  await lookAtPart(win, "settings");
  await choose(app, file);
  await win.getByRole("button", { name: "Import a list …" }).click();
  await win.getByLabel("Customer's id").first().selectOption("Nr");
  await win.getByLabel("E-mail address").selectOption("Mail");
  await win.getByLabel("Group").selectOption("Plan");
  const preview = win.getByRole("region", { name: "What the import would do" });
  await expect(preview).toContainText("c900");
  await lookAtPart(win, "settings-import");
  await win.getByRole("button", { name: "Replace the audience by 2 people …" }).click();
  const dialog = win.getByRole("dialog");
  await expect(dialog).toContainText("62 people leave the audience");
  await dialog.getByRole("button", { name: "Replace the audience by 2 people" }).click();
  await expect(win.getByText("the audience is 2 people now")).toBeVisible();
  const form = win.getByRole("region", { name: "Put somebody on the list" });
  await form.getByLabel("Customer's id").fill("c900");
  await form.getByLabel("Reason").fill("Asked by telephone.");
  await form.getByRole("button", { name: "Never mail this customer" }).click();
  await expect(win.getByRole("row", { name: "c900" })).toContainText("Asked by telephone.");
}

/** Made by a program of its own, and in order by the check that anybody can run. */
async function backUp(app: ElectronApplication, win: Page, folder: string): Promise<void> {
  mkdirSync(folder);
  await choose(app, folder);
  await win.getByRole("button", { name: "Choose a folder …" }).click();
  const panel = win.getByRole("region", { name: "Backups" });
  const now = panel.getByRole("button", { name: "Back up now" });
  // It may have begun by itself: a first one is due at once.
  if (await now.isVisible()) await now.click();
  await expect(panel).toContainText("1 backup in the folder", desk.STAGE);
  await lookAtPart(win, "settings-backups");
  const [name = ""] = readdirSync(folder);
  const checked = execFileSync(process.execPath, [CLI, "fsck", join(folder, name), "--json"]);
  expect(JSON.parse(checked.toString())).toMatchObject({ ok: true, violations: [] });
}

test("the sample ledger is made beside the window, cancelled without a trace, made again, looked through and left", async ({
  app,
  win,
  dataDir,
}, info) => {
  test.setTimeout(480_000);
  const begun = () => readdirSync(dataDir).filter((name) => name.startsWith("sample-ledger"));
  const make = win.getByRole("button", { name: "Open the sample ledger" });
  await make.click();
  await expect(win.getByRole("status").filter({ hasText: "week 1 of 30" })).toBeVisible(desk.STAGE);
  await picture(win, info, "ledger-being-made");
  await lookAtPart(win, "ledger-being-made");
  expect(begun()).toEqual([expect.stringContaining(".building-")]);
  await win.getByRole("button", { name: "Cancel" }).click();
  await expect(make).toBeVisible();
  await expect.poll(begun).toEqual([]);

  await make.click();
  await expect(win.getByRole("heading", { name: "Today", level: 1 })).toBeVisible(MADE);
  expect(begun()).toEqual(["sample-ledger"]);
  const waiting = win.getByRole("region", { name: "Waits for me" });
  await expect(waiting).toContainText("2026-W20");
  await expect(win.getByText("Sample ledger", { exact: true })).toBeVisible();
  await win.getByRole("button", { name: "Show all 30" }).click();
  const ended = win.getByRole("region", { name: "Ended editions" }).getByRole("listitem");
  await expect(ended).toHaveCount(30);
  await expect(ended.filter({ hasText: "2026-W24" })).toHaveCount(2);
  await picture(win, info, "ledger-today");

  await desk.goTo(win, "Ledger");
  const rows = win.getByRole("table", { name: "Editions" }).getByRole("row");
  await expect(win.getByText("31 of 31 editions")).toBeVisible();
  await win.getByText("Succeeded after trouble", { exact: true }).click();
  // The head, and the four.
  await expect(rows).toHaveCount(5);
  await expect(win.getByText("4 of 31 editions")).toBeVisible();
  await exportShown(app, win, join(info.outputDir, "ledger.csv"));
  await lookAtPart(win, "ledger-screen");
  await win.getByRole("button", { name: "Show all" }).click();
  await win.getByLabel("Filter by edition, id or hash").fill("w24");
  await expect(win.getByText("2 of 31 editions")).toBeVisible();
  for (const box of await win.getByRole("checkbox", { name: /^Choose 2026-W24/ }).all()) await box.check();
  await win.getByRole("button", { name: "Compare the two chosen" }).click();
  await expect(win.getByRole("row", { name: /^State/ })).toContainText("different");
  await lookAtPart(win, "ledger-compare");
  await win.keyboard.press("Escape");
  await win.keyboard.press("Control+1");
  await win.getByRole("button", { name: "Show all 30" }).click();
  await ended.filter({ hasText: "2026-W30" }).getByRole("button").click();
  await desk.inState(win, "Succeeded", "2026-W30");
  await picture(win, info, "ledger-run");

  await win.keyboard.press("Control+k");
  await win.getByRole("option", { name: "Open the sandbox workspace" }).click();
  await expect(win.getByRole("button", { name: `Start edition ${desk.EDITION}` })).toBeVisible(desk.STAGE);
  expect(existsSync(join(dataDir, "sandbox/journal.db"))).toBe(true);
  await changeAudience(app, win, join(info.outputDir, "customers.csv"));
  await backUp(app, win, join(info.outputDir, "backups"));
  await close(app);
  const checked = execFileSync(process.execPath, [CLI, "fsck", join(dataDir, "sample-ledger"), "--json"]);
  expect(JSON.parse(checked.toString())).toMatchObject({ ok: true, violations: [] });
});
