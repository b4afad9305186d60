import { close, expect, test } from "./app";
import * as desk from "./desk";
import { countEvents, fromJournal, remoteRecords, remoteUrl } from "./remote";

/** The second gate: what is mailed is what was approved last, and a rejected review mails nothing. */
test("a rejected send review mails nothing; the edited e-mail is approved and goes out by its own hash", async ({
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
  const body = win.getByRole("button", { name: /^E-mail body [0-9a-f]{8}: copy the whole hash$/ }).first();
  const before = await body.getAttribute("title");

  await win.getByRole("button", { name: "Reject with a reason …" }).click();
  const dialog = win.getByRole("dialog", { name: "Reject this mailing?" });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  const reject = dialog.getByRole("button", { name: "Reject the mailing" });
  await expect(reject).toBeDisabled();
  await dialog.getByLabel("Reason").fill("The subject says nothing.");
  await reject.click();
  await expect(dialog).toBeHidden();
  await desk.turnTo(win, "Run");
  const events = win.getByRole("list", { name: "Events of the edition" });
  await win.getByLabel("Filter the events").fill("rejected");
  await expect(events.getByRole("listitem").filter({ hasText: "Sending rejected" })).toContainText(
    "The subject says nothing.",
  );

  await desk.turnTo(win, "Send review");
  await win.getByRole("button", { name: "Edit the e-mail" }).click();
  const edit = win.getByRole("dialog", { name: "Edit the e-mail" });
  await edit.getByLabel("Subject").fill("Agent calls: the batch window arrives");
  await edit.getByRole("button", { name: "Save and open a new send review" }).click();
  await expect(edit).toBeHidden();
  await expect(body).not.toHaveAttribute("title", before ?? "", desk.STAGE);
  await expect(win.getByRole("region", { name: "Agent calls: the batch window arrives" })).toBeVisible();
  await desk.inState(win, "Waiting for send approval");
  expect((await remoteRecords(url)).mail).toMatchObject({ createCalls: 0, mailings: [] });
  const after = await body.getAttribute("title");

  await desk.prepareSendApproval(win);
  await desk.sendButton(win).click();
  await desk.inState(win, "Succeeded");
  const { cms, mail } = await remoteRecords(url);
  expect(cms).toMatchObject({ createCalls: 1, updateCalls: 0 });
  expect(mail).toMatchObject({ createCalls: 1, triggerCalls: 1, campaigns: [{ bodyHash: after }] });
  expect(mail.mailings).toHaveLength(63);
  await close(app);
  expect(countEvents(dataDir, "SendRejected")).toBe(1);
  expect(fromJournal(dataDir, "SELECT body_hash AS body FROM approval WHERE scope = 'send'")).toEqual([
    { body: after },
  ]);
});
