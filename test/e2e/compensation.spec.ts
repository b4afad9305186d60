import type { Page } from "@playwright/test";
import { close, expect, launch, picture, test } from "./app";
import * as desk from "./desk";
import { addFault, countEvents, fromJournal, remoteRecords, remoteUrl } from "./remote";

const entry = (win: Page, action: string) => win.getByRole("article", { name: action });

/** Undoing at the desk: from the plan that was read, over a restart, to the last entry, which only a person can close. */
test("a mailed edition is undone: the page goes by the remote's own records, the customers are a person's, and a restart loses nothing", async ({
  app,
  win,
  dataDir,
}, info) => {
  test.setTimeout(240_000);
  await desk.openSandbox(win);
  await desk.goTo(win, "Sandbox");
  const url = await remoteUrl(win);
  // Without delivery reports the edition stays open, as it does for the first hours of a real one.
  await addFault(url, { on: "mail.report", fault: "status", times: 100_000, params: { status: 503 } });
  await desk.publishAndSend(win);

  await desk.turnTo(win, "Run");
  const doors = win.getByRole("region", { name: "Four ways to recover" });
  await doors.getByRole("button", { name: "Open the undo plan" }).click();
  await desk.atScreen(win, "Compensation");
  const plan = win.getByRole("region", { name: "What starting would do" });
  await expect(plan).toContainText("63 mails have left or may have left.");
  const page = entry(win, "Take the page down");
  // Right after its own write the website may not show it yet; then the screen says so, and a person asks once more.
  await expect(async () => {
    await page.getByRole("button", { name: "Ask the remote now" }).click();
    await expect(page).toContainText("Still ours, revision 1: the precondition holds.");
  }).toPass(desk.STAGE);
  expect((await remoteRecords(url)).cms).toMatchObject({ statusCalls: 0, objects: [{ status: "published" }] });
  await picture(win, info, "plan");

  const open = win.getByRole("button", { name: "Start the compensation …" });
  await open.click();
  const dialog = win.getByRole("dialog", { name: `Undo edition ${desk.EDITION}?` });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  const start = dialog.getByRole("button", { name: `Undo edition ${desk.EDITION}` });
  await dialog.getByLabel("Reason").fill("The price in fact 4 is wrong.");
  await dialog.getByLabel(`Type ${desk.EDITION} to confirm`).fill("2026-W31");
  await expect(start).toBeDisabled();
  await dialog.getByLabel(`Type ${desk.EDITION} to confirm`).fill(desk.EDITION);
  await start.click();
  await expect(dialog).toBeHidden();
  await desk.inState(win, "Compensating");
  const told = entry(win, "Decide how the customers are told");
  await expect(page).toContainText("Done and verified", desk.STAGE);
  await expect(page).toContainText("HTTP 404");
  await expect(told.getByRole("button", { name: "Close by hand …" })).toBeVisible(desk.STAGE);
  await expect(win.getByText("2 of 3 done")).toBeVisible();
  await picture(win, info, "running");
  const remote = await remoteRecords(url);
  expect(remote.cms).toMatchObject({ createCalls: 1, statusCalls: 1, objects: [{ status: "draft" }] });
  expect(remote.mail.mailings).toHaveLength(63);
  await close(app);
  expect(fromJournal(dataDir, "SELECT state FROM task")).toEqual([{ state: "compensating" }]);

  const second = await launch(dataDir);
  const again = await second.firstWindow();
  await desk.openWaiting(again, "Undo by hand");
  await desk.atScreen(again, "Compensation");
  await expect(again.getByText("2 of 3 done")).toBeVisible();
  await entry(again, "Decide how the customers are told").getByRole("button", { name: "Close by hand …" }).click();
  const hand = again.getByRole("dialog");
  await expect(hand.getByRole("button", { name: "Cancel" })).toBeFocused();
  const finish = hand.getByRole("button", { name: "Close the entry" });
  await hand.getByLabel("Note: what was done").fill("A correction goes out by letter.");
  await expect(finish).toBeDisabled();
  await hand.getByLabel("Link, or where it can be seen").fill("https://desk.example/letters/7");
  await finish.click();
  await desk.inState(again, "Compensated");
  await expect(again.getByText("3 of 3 done")).toBeVisible();
  await expect(entry(again, "Decide how the customers are told")).toContainText("A correction goes out by letter.");
  await picture(again, info, "ended");
  await desk.goTo(again, "Today");
  await expect(again.getByRole("button", { name: `Undo by hand ${desk.EDITION}` })).toHaveCount(0);
  await again.getByRole("button", { name: new RegExp(`^${desk.EDITION}\\s*Compensated`) }).click();
  await again.getByRole("button", { name: "Start version 2 …" }).click();
  const next = again.getByRole("dialog");
  await expect(next).toContainText("This edition was mailed. Nobody is mailed twice");
  await next.getByLabel("Why a new version is needed").fill("The price of the first source was wrong.");
  await picture(again, info, "next-version");
  await next.getByRole("button", { name: "Start version 2" }).click();
  await expect(again.getByRole("button", { name: `Content approval ${desk.EDITION} v2` })).toBeVisible(desk.STAGE);
  await picture(again, info, "second-version");
  await close(second);

  expect(fromJournal(dataDir, "SELECT state FROM task WHERE task_version = 1")).toEqual([{ state: "compensated" }]);
  expect(fromJournal(dataDir, "SELECT reason FROM event WHERE type = 'TaskCreated' AND reason IS NOT NULL")).toEqual([
    { reason: "The price of the first source was wrong." },
  ]);
  expect(countEvents(dataDir, "CompensationStarted")).toBe(1);
  expect(
    fromJournal(dataDir, "SELECT reason, evidence_refs AS refs FROM event WHERE type = 'CompensationClosed'"),
  ).toEqual([{ reason: "A correction goes out by letter.", refs: '["https://desk.example/letters/7"]' }]);
});
