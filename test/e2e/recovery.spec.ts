import type { Page } from "@playwright/test";
import { close, expect, launch, picture, test } from "./app";
import * as desk from "./desk";
import { fromJournal } from "./remote";

/** Writes what the present stage asks for and moves the item on. */
async function move(win: Page, stage: string, more: Readonly<Record<string, string>>): Promise<void> {
  const form = win.getByRole("region", { name: "Next step" });
  const button = form.getByRole("button", { name: `Move to “${stage}”` });
  await expect(button).toBeDisabled();
  for (const [label, text] of Object.entries(more)) await form.getByRole("textbox", { name: label }).fill(text);
  await button.click();
  await expect(button).toHaveCount(0);
  await expect(win.locator("header.head b")).toHaveText(stage);
}

/** Domain 10 at the desk: a bounce is customer care's, and is closed on what proved it, over a restart. */
test("a bounce comes onto the board, is worked off by keyboard, and is closed on what proved it", async ({
  app,
  win,
  dataDir,
}, info) => {
  test.setTimeout(240_000);
  await desk.openSandbox(win);
  await desk.goTo(win, "Sandbox");
  await desk.behave(win, { bounces: 1 });
  await desk.publishAndSend(win);
  await desk.inState(win, "Succeeded");
  await desk.goTo(win, "Today");
  await expect(win.getByText("1 open, 0 of them overdue")).toBeVisible();

  await desk.goTo(win, "Recovery");
  const triage = win.getByRole("region", { name: "To triage" });
  await expect(triage).toContainText("Customer care");
  await expect(triage).toContainText("Bounced");
  await expect(triage).toContainText("Backup: Backup editor");
  await picture(win, info, "board");
  await win.keyboard.press("j");
  await win.keyboard.press("Enter");
  await expect(win.getByRole("heading", { name: "Customer care", level: 1 })).toBeVisible();
  await win.keyboard.press("Escape");
  await expect(triage).toBeVisible();
  await win.keyboard.press("j");
  await win.keyboard.press("Enter");

  await move(win, "Triaged", { Note: "The mailbox is full.", "Minutes spent": "2" });
  await move(win, "Recovering", { Note: "I take it.", "Minutes spent": "1", "New owner": "editor:wang" });
  await move(win, "To verify", {
    "How it was recovered": "Called the customer, another address was given.",
    ...{ Note: "Called.", "Minutes spent": "9" },
  });
  await picture(win, info, "to-verify");
  await close(app);
  expect(fromJournal(dataDir, "SELECT stage, owner, minutes FROM recovery_item")).toEqual([
    { stage: "to_verify", owner: "editor:wang", minutes: 12 },
  ]);

  const second = await launch(dataDir);
  const again = await second.firstWindow();
  await desk.goTo(again, "Recovery");
  await again.getByRole("region", { name: "To verify" }).getByRole("button").click();
  await move(again, "Closed", {
    "What proved it": "The customer answered from the new address.",
    ...{ Note: "Done.", "Minutes spent": "3" },
  });
  await expect(again.getByRole("list", { name: "What became of it" }).getByRole("listitem")).toHaveCount(5);
  await picture(again, info, "closed");
  await desk.goTo(again, "Today");
  await expect(again.getByText("0 open, 0 of them overdue")).toBeVisible();
  await close(second);

  expect(fromJournal(dataDir, "SELECT stage, method, verification, minutes FROM recovery_item")).toEqual([
    {
      stage: "closed",
      method: "Called the customer, another address was given.",
      verification: "The customer answered from the new address.",
      minutes: 15,
    },
  ]);
  expect(
    fromJournal(dataDir, "SELECT reason FROM event WHERE type = 'RecoveryItemMoved' ORDER BY seq").map(
      (row) => (row as { reason: string }).reason,
    ),
  ).toEqual(["The mailbox is full.", "I take it.", "Called.", "Done."]);
});
