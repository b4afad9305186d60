import { close, expect, picture, test } from "./app";
import * as desk from "./desk";
import { STAGE } from "./desk";
import { fromJournal, remoteRecords, remoteUrl } from "./remote";

/** The worked example of the product: both answers are lost, nothing happens twice, and every customer is accounted for. */
test("an edition goes out once although both answers are lost, and 63 customers are accounted for", async ({
  app,
  win,
  dataDir,
}, info) => {
  await expect(win.getByRole("heading", { name: "Choose a workspace" })).toBeVisible();
  await picture(win, info, "1-first-run");
  await desk.openSandbox(win);

  await desk.goTo(win, "Sandbox");
  await desk.switchOn(win, "Lose the website's answer after it published");
  await desk.switchOn(win, "Lose the mail provider's answer to the campaign");
  await desk.behave(win, { stale: 2, bounces: 1 });
  const url = await remoteUrl(win);
  await picture(win, info, "2-faults-set");

  await desk.goTo(win, "Today");
  await desk.startEdition(win);
  await desk.openWaiting(win, "Content approval");
  await desk.prepareContentApproval(win);
  await desk.markAllRead(win);
  await picture(win, info, "3-content-review");
  await desk.approveContentButton(win).click();

  await desk.turnTo(win, "Run");
  const unknown = win.getByRole("region", { name: "Sent, no answer" });
  await expect(unknown).toContainText("The request left and no usable answer came. It may have happened.", STAGE);
  await expect(unknown).toContainText("Publish, create");
  await picture(win, info, "4-publish-unknown");
  const publish = win.getByRole("button", { name: /^Publish, create: Confirmed/ });
  await expect(publish).toBeVisible(STAGE);
  await publish.click();
  const details = win.getByRole("region", { name: "Details of the operation" });
  await expect(details.getByRole("row", { name: /Found, equal/ })).toContainText("18427");
  await picture(win, info, "5-publish-found");
  await publish.click();

  await desk.goTo(win, "Today");
  await desk.openWaiting(win, "Send approval");
  await expect(win.getByText(/^Fetched .+, at attempt 3$/)).toBeVisible();
  await expect(win.getByText("17 links present")).toBeVisible();
  await desk.prepareSendApproval(win);
  await picture(win, info, "6-send-review");
  await desk.sendButton(win).click();

  await desk.turnTo(win, "Run");
  await expect(unknown).toContainText("Send, create", STAGE);
  await picture(win, info, "7-send-unknown");
  const send = win.getByRole("button", { name: /^Send, create: Confirmed/ });
  await expect(send).toBeVisible(STAGE);
  await send.click();
  await expect(details.getByRole("row", { name: /Found, equal/ })).toContainText("930");
  await send.click();
  await desk.inState(win, "Succeeded");
  await win.getByRole("tab", { name: "Recipients" }).click();
  await expect(win.getByRole("row", { name: "Delivered 62" })).toBeVisible();
  await expect(win.getByRole("row", { name: "Bounced 1" })).toBeVisible();
  await expect(win.getByRole("row", { name: "Approved 63" })).toBeVisible();
  await expect(win.getByText("Balanced: every one of 63 is accounted for.")).toBeVisible();
  await expect(win.getByRole("region", { name: "Customer care" }).getByRole("listitem")).toHaveText(
    /^c\d{3}\s*Bounced/,
  );
  await picture(win, info, "8-succeeded");

  await desk.goTo(win, "Today");
  const ended = win.getByRole("region", { name: "Ended editions" });
  await expect(ended.getByRole("button", { name: `${desk.EDITION} Succeeded` })).toBeVisible();
  await expect(win.getByText("0 open, 2 of 2 reconciled")).toBeVisible();
  await picture(win, info, "9-today");

  const remote = await remoteRecords(url);
  expect(remote.cms).toMatchObject({ createCalls: 1, updateCalls: 0, objects: [{ id: 18427, status: "published" }] });
  expect(remote.cms.objects).toHaveLength(1);
  expect(remote.mail).toMatchObject({ createCalls: 1, triggerCalls: 1, campaigns: [{ id: 930, recipientCount: 63 }] });
  expect(remote.mail.campaigns).toHaveLength(1);
  expect(new Set(remote.mail.mailings.map((mailing) => mailing.recipientId)).size).toBe(63);
  expect(remote.mail.mailings).toHaveLength(63);

  await close(app);
  expect(fromJournal(dataDir, "SELECT edition, state FROM task")).toEqual([
    { edition: desk.EDITION, state: "succeeded" },
  ]);
  const operations = fromJournal<{ key: string; content: string | null; body: string | null }>(
    dataDir,
    `SELECT kind || ' ' || phase AS key, state, remote_id AS remoteId, content_hash AS content, body_hash AS body,
       (SELECT count(*) FROM attempt WHERE operation_id = operation.id) AS attempts FROM operation ORDER BY prepared_at, key`,
  );
  expect(operations).toMatchObject([
    { key: "publish create", state: "confirmed", remoteId: "18427", attempts: 1 },
    { key: "send create", state: "confirmed", remoteId: "930", attempts: 1 },
    { key: "send trigger", state: "confirmed", attempts: 1 },
  ]);
  // What stands there is what was approved, byte for byte.
  expect(remote.cms.objects[0]?.contentHash).toBe(operations[0]?.content);
  expect(remote.mail.campaigns[0]?.bodyHash).toBe(operations[1]?.body);
  expect(
    fromJournal(dataDir, "SELECT scope, content_hash AS content, body_hash AS body FROM approval ORDER BY issued_at"),
  ).toEqual([
    { scope: "publish", content: operations[0]?.content, body: null },
    { scope: "send", content: operations[0]?.content, body: operations[1]?.body },
  ]);
  expect(
    fromJournal(dataDir, "SELECT outcome, count(*) AS n FROM recipient_account GROUP BY outcome ORDER BY outcome"),
  ).toEqual([
    { outcome: "bounced", n: 1 },
    { outcome: "delivered", n: 62 },
  ]);
});
