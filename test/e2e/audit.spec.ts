import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { ElectronApplication, Page } from "@playwright/test";
import { sha256 } from "../../main/domain/hashing";
import { startAgent } from "../support/real-agent";
import { close, expect, launch, test } from "./app";
import * as desk from "./desk";
import { LONG_MS, lookAt, lookAtPart } from "./looks";

test.describe.configure({ timeout: LONG_MS });

const CLI = path.resolve(import.meta.dirname, "../../out/test/main/cli.cjs");

/** What `verify` says without a window: an exit code that is not 0 comes with an answer, too. */
function verify(file: string, ...args: string[]): { valid: boolean; checks: { name: string; ok: boolean }[] } {
  try {
    return JSON.parse(execFileSync(process.execPath, [CLI, "verify", file, "--json", ...args]).toString());
  } catch (error) {
    return JSON.parse(String((error as { stdout: Buffer }).stdout));
  }
}

/** Answers the system's dialogs, which nobody can press here. Null: the person cancels. */
const chooses = (app: ElectronApplication, file: string | null) =>
  app.evaluate(({ dialog }, chosen) => {
    dialog.showSaveDialog = async () => ({ canceled: chosen === null, filePath: chosen ?? "" });
    dialog.showOpenDialog = async () => ({ canceled: chosen === null, filePaths: chosen === null ? [] : [chosen] });
  }, file);

/** A real ssh-agent with one key in it, for the app that is started. */
const agent = startAgent("lin@desk");
test.afterAll(() => agent.stop());
test.use({ appOptions: { env: { SSH_AUTH_SOCK: agent.address } } });

/** The key of the ssh-agent takes the place of the app's own, in words that say what happens. */
async function registerAgentKey(win: Page): Promise<void> {
  const key = win.getByRole("region", { name: "Signing key" });
  await lookAtPart(win, "64-audit-register-key", async (words) => {
    await win.getByRole("button", { name: words.audit.keys.register }).click();
    await expect(win.getByRole("dialog")).toContainText("lin@desk");
    return win.getByRole("dialog");
  });
  await key.getByRole("button", { name: "Register a new key …" }).click();
  const dialog = win.getByRole("dialog", { name: "Sign with a new key from now on" });
  await dialog.getByRole("radio", { name: "lin@desk" }).click();
  await dialog.getByRole("textbox").fill("a key that is not on this disk");
  await dialog.getByRole("button", { name: "Register this key" }).click();
  await expect(key).toContainText("Registered. Approvals are signed with the new key from now on.");
  await expect(key).toContainText("in the ssh-agent; it never comes into this app");
  await lookAtPart(win, "65-audit-agent-key");
}

test("the evidence of a run leaves as a bundle that anybody can verify, is read back, and is refused with one byte changed", async ({
  app,
  win,
  dataDir,
}) => {
  const folder = path.join(dataDir, "out 证据");
  mkdirSync(folder);
  const file = path.join(folder, "2026-W30.evidence.zip");
  await desk.openSandbox(win);
  await desk.goTo(win, "Audit");
  const keys = win.getByRole("region", { name: "Approvals are signed with" });
  await expect(keys).toContainText(/Signs now.*SHA256:\S+/);
  // Both approvals and every bundle from here on are signed by the agent.
  await registerAgentKey(win);
  await expect(keys).toContainText(/Signs now.*SHA256:\S+.*Signed before.*SHA256:\S+/);
  await desk.goTo(win, "Today");
  await desk.publishAndSend(win);
  await desk.goTo(win, "Today");
  await win
    .getByRole("button", { name: new RegExp(`${desk.EDITION}`) })
    .first()
    .click(desk.STAGE);
  await desk.turnTo(win, "Run");
  await desk.inState(win, "Succeeded");

  const exportButton = win.getByRole("button", { name: "Export evidence …" });
  await exportButton.click();
  const dialog = win.getByRole("dialog", { name: `Export the evidence of ${desk.EDITION}` });
  await expect(dialog).toContainText("Because the licence does not let a copy be passed on:");
  await expect(dialog).toContainText("Addresses and mails as they were sent are never in a bundle.");
  await dialog.getByRole("button", { name: "Close" }).click();
  await lookAtPart(win, "60-export-choices", async (words) => {
    await win.getByRole("button", { name: words.audit.export.open }).click();
    await expect(win.getByRole("dialog")).toContainText(words.audit.export.inside);
    return win.getByRole("dialog");
  });

  await exportButton.click();
  await chooses(app, null);
  await dialog.getByRole("button", { name: "Choose a file and export …" }).click();
  await expect(dialog).toContainText("No file was chosen; nothing was done.");
  await chooses(app, file);
  await dialog.getByRole("button", { name: "Choose a file and export …" }).click();
  await expect(dialog).toContainText(`The bundle of ${desk.EDITION} is written.`, desk.STAGE);
  expect(readdirSync(folder)).toEqual(["2026-W30.evidence.zip"]);
  await expect(dialog).toContainText(sha256(readFileSync(file)));
  await dialog.getByRole("button", { name: "Close" }).click();

  await desk.goTo(win, "Audit");
  const signers = path.join(folder, "allowed_signers");
  await chooses(app, signers);
  await win.getByRole("button", { name: "Save the line as a file …" }).click();
  await expect(win.getByText("Saved.")).toBeVisible();
  const verdict = verify(file, "--signers", signers);
  expect(verdict).toMatchObject({ valid: true, signer: { trusted: true } });
  expect(JSON.stringify(verdict.checks)).toMatch(/"approval_signatures","ok":true,"detail":"2 signed with SHA256:/);

  await win.getByRole("button", { name: "Check both chains now" }).click();
  const chains = win.getByRole("region", { name: "Both chains" });
  await expect(chains).toContainText("Whole: no event was changed", desk.STAGE);
  await win.getByRole("button", { name: `Verify and compare ${desk.EDITION}` }).click();
  await expect(win.getByText("Valid: everything in it is as it was signed.")).toBeVisible(desk.STAGE);
  const held = win.getByRole("region", { name: "Held against the open journal" });
  await expect(held).toContainText(/The same: all \d+ events are those of the open journal/);
  await expect(win.getByRole("region", { name: "Operations" })).toContainText("18427");
  await expect(win.getByText("This workspace's own key.")).toBeVisible();
  const days = win.getByRole("region", { name: "Export a period" });
  await days.getByRole("button", { name: "Export the period …" }).click();
  await expect(days.getByText("Choose a day.")).toHaveCount(2);
  await lookAt(win, "61-audit-valid");
  await days.getByLabel("From").fill("2026-07-20");
  await days.getByLabel("To").fill("2026-07-26");
  const period = path.join(folder, "period.zip");
  await chooses(app, period);
  await days.getByRole("button", { name: "Export the period …" }).press("Enter");
  const choices = win.getByRole("dialog", { name: "Export the evidence from 2026-07-20 to 2026-07-26" });
  await expect(choices).toContainText("The whole journal's chain");
  await choices.getByRole("button", { name: "Choose a file and export …" }).click();
  await expect(choices).toContainText(`The bundle of ${desk.EDITION} is written.`, desk.STAGE);
  expect(verify(period, "--signers", signers).valid).toBe(true);
  await choices.getByRole("button", { name: "Close" }).click();

  const changed = path.join(folder, "changed.zip");
  const bytes = readFileSync(file);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  writeFileSync(changed, bytes);
  expect(verify(changed).valid).toBe(false);
  await chooses(app, changed);
  await win.getByRole("button", { name: "Choose a bundle …" }).click();
  await expect(win.getByRole("alert")).toContainText("Refused: this bundle is not as it was signed.", desk.STAGE);
  await expect(win.getByRole("region", { name: "What is wrong" })).toContainText("changed after it was written");
  await expect(win.getByRole("region", { name: "Operations" })).toBeHidden();
  await lookAtPart(win, "62-audit-refused");
  await close(app);

  // Another machine: nothing of the workspace is there, and the bundle tells the same.
  const elsewhere = path.join(dataDir, "elsewhere");
  mkdirSync(elsewhere);
  copyFileSync(file, path.join(elsewhere, "handed-over.zip"));
  const second = await launch(path.join(elsewhere, "data"));
  const page = await second.firstWindow();
  await chooses(second, path.join(elsewhere, "handed-over.zip"));
  await page.getByRole("button", { name: "Choose a bundle …" }).click(desk.STAGE);
  await expect(page.getByText("Valid: everything in it is as it was signed.")).toBeVisible(desk.STAGE);
  await expect(page.getByText("No workspace is open, so it was held against none.")).toBeVisible();
  await expect(page.getByRole("region", { name: "Approvals" })).toContainText("2026-07-");
  await lookAtPart(page, "63-first-run-bundle");
  expect(existsSync(path.join(elsewhere, "data/sandbox"))).toBe(false);
  await close(second);
});
