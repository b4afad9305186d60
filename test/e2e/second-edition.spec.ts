import { close, expect, test } from "./app";
import * as desk from "./desk";
import { fromJournal, remoteRecords, remoteUrl } from "./remote";

const NEXT = "2026-W31";

/** A week later: the sources have news of that week, and everything is compared with what went out before. */
test("the next Monday's edition has that week's news, a page of its own and the same audience", async ({
  app,
  win,
  dataDir,
}) => {
  await desk.openSandbox(win);
  await desk.goTo(win, "Sandbox");
  const url = await remoteUrl(win);
  await desk.goTo(win, "Today");
  await desk.startEdition(win);
  await desk.openWaiting(win, "Content approval");
  await desk.prepareContentApproval(win);
  await desk.approveContentButton(win).click();
  await desk.goTo(win, "Today");
  await desk.openWaiting(win, "Send approval");
  await desk.prepareSendApproval(win);
  await desk.sendButton(win).click();
  await desk.inState(win, "Succeeded");

  await desk.goTo(win, "Sandbox");
  await win.getByRole("button", { name: "To next Monday, 08:00" }).click();
  await expect(win.getByRole("region", { name: "Workspace time" })).toContainText("Mon, 27 Jul");
  await desk.goTo(win, "Today");
  await desk.startEdition(win, NEXT);
  await desk.openWaiting(win, "Content approval", NEXT);
  await expect(win.getByRole("checkbox", { name: "Facts missing from the planned number: 7" })).toBeVisible();
  await win.getByRole("tab", { name: "Changes" }).click();
  await expect(win.getByText(`Compared with ${desk.EDITION}`)).toBeVisible();
  await win.getByRole("radio", { name: "Last published" }).check();
  await desk.prepareContentApproval(win, NEXT);
  await desk.approveContentButton(win).click();
  await desk.goTo(win, "Today");
  await desk.openWaiting(win, "Send approval", NEXT);
  await expect(win.getByText(`No change since ${desk.EDITION}.`)).toBeVisible();
  await desk.prepareSendApproval(win);
  await desk.sendButton(win).click();
  await desk.inState(win, "Succeeded", NEXT);

  const { cms, mail } = await remoteRecords(url);
  expect(cms.createCalls).toBe(2);
  expect(cms.objects.map((object) => object.slug)).toEqual([
    "weekly-briefing-2026-w30-zh-cn",
    "weekly-briefing-2026-w31-zh-cn",
  ]);
  expect(mail).toMatchObject({ createCalls: 2, triggerCalls: 2 });
  expect(mail.mailings).toHaveLength(126);
  await close(app);
  const statements = fromJournal<{ statement: string }>(
    dataDir,
    "SELECT statement FROM approval WHERE scope = 'publish' ORDER BY issued_at",
  );
  expect(statements.map(({ statement }) => JSON.parse(statement).comparedWith.choice)).toEqual([
    "last_approved",
    "last_published",
  ]);
});
