import { spawnSync } from "node:child_process";
import { mkdtempSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Locator, Page } from "@playwright/test";
import { APPROVAL_NAMESPACE, verifySsh } from "../../main/domain/sshsig";
import { close, expect, kill, launch, test } from "./app";
import * as desk from "./desk";
import { addFault, countEvents, fromJournal, remoteRecords, remoteUrl } from "./remote";

interface SignedRow {
  statement: string;
  signature: string;
  signedBy: string;
  identity: string;
  publicKey: string;
}

/** The approval as the journal has it, held by stock ssh-keygen (where the machine has it) against the registered key. */
function expectSigned(dataDir: string): void {
  const rows = fromJournal<SignedRow>(
    dataDir,
    `SELECT a.statement, a.signature, a.signed_by AS signedBy, s.identity, s.public_key AS publicKey
     FROM approval a LEFT JOIN signer s ON s.fingerprint = a.signed_by`,
  );
  expect(rows).toHaveLength(1);
  const [{ statement, signature, signedBy, identity, publicKey }] = rows as [SignedRow];
  const found = verifySsh(Buffer.from(statement), APPROVAL_NAMESPACE, signature);
  expect(found).toMatchObject({ kind: "good", fingerprint: signedBy });
  const place = mkdtempSync(path.join(dataDir, "signature-"));
  writeFileSync(path.join(place, "signers"), `${identity} ssh-ed25519 ${publicKey}\n`);
  writeFileSync(path.join(place, "sig"), signature);
  const args = ["-Y", "verify", "-f", "signers", "-I", identity, "-n", APPROVAL_NAMESPACE, "-s", "sig"];
  const stock = spawnSync("ssh-keygen", args, { cwd: place, input: statement, encoding: "utf8" });
  if (stock.error === undefined) expect(stock.stdout).toContain(`Good "${APPROVAL_NAMESPACE}" signature`);
}

/** The first gate: one approval per decision, by mouse or by keyboard, for these bytes and for no others. */
/** What the events say was told, to whom. */
const TOLD = `SELECT json_extract(payload, '$.code') AS code, json_extract(payload, '$.to') AS "to"
  FROM event WHERE type = 'AlertTold'`;

test("a double click on approve gives one approval", async ({ app, win, dataDir }) => {
  await desk.openSandbox(win);
  await desk.startEdition(win);
  await desk.openWaiting(win, "Content approval");
  await desk.prepareContentApproval(win);
  await desk.approveContentButton(win).dblclick();
  await desk.goTo(win, "Today");
  await desk.openWaiting(win, "Send approval");
  await desk.turnTo(win, "Run");
  await win.getByRole("tab", { name: "Evidence" }).click();
  await expect(win.getByText(/^Signed by SHA256:\S+; verified just now/)).toBeVisible();
  await desk.goTo(win, "Sandbox");
  expect((await remoteRecords(await remoteUrl(win))).cms.createCalls).toBe(1);
  await close(app);
  expect(countEvents(dataDir, "ContentApproved")).toBe(1);
  expect(fromJournal(dataDir, "SELECT scope FROM approval")).toEqual([{ scope: "publish" }]);
  expect(countEvents(dataDir, "SignerRegistered")).toBe(1);
  expectSigned(dataDir);
});

const hasFocus = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** Tab by Tab to an element that is on the screen, as somebody without a mouse gets there. */
async function tabTo(win: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let presses = 0; presses < 100 && !(await hasFocus(target)); presses++) await win.keyboard.press("Tab");
  await expect(target).toBeFocused();
}

test("from the first run through the content approval without a mouse", async ({ app, win, dataDir }) => {
  const { keyboard } = win;
  await tabTo(win, win.getByRole("button", { name: "Open the sandbox workspace" }));
  await keyboard.press("Enter");
  await tabTo(win, win.getByRole("button", { name: `Start edition ${desk.EDITION}` }));
  await keyboard.press("Enter");
  const waiting = win.getByRole("button", { name: `Content approval ${desk.EDITION}` });
  await expect(waiting).toBeVisible(desk.STAGE);
  await keyboard.press("j");
  await expect(waiting).toBeFocused();
  await keyboard.press("Enter");
  await expect(win.getByRole("heading", { name: `Content review of ${desk.EDITION}` })).toBeFocused();

  // Through the facts: each one shows its frozen source beside it.
  const facts = win.getByRole("list", { name: "Facts of this edition" });
  await expect(facts).toBeVisible();
  await keyboard.press("j");
  await keyboard.press("j");
  await expect(facts.getByRole("button", { name: /^Fact 2: / })).toBeFocused();
  await expect(win.getByRole("region", { name: "Frozen source" }).getByText("Answers of Harbor 2.4")).toBeVisible();
  await tabTo(win, win.getByRole("checkbox", { name: "Fact 2 read" }));
  await keyboard.press("Space");
  await expect(win.getByRole("checkbox", { name: "Fact 2 read" })).toBeChecked();

  // Escape leaves the dialog, and not the screen behind it with it; a dialog keeps every other key to itself.
  await tabTo(win, win.getByRole("button", { name: "Reject with a reason …" }));
  await keyboard.press("Enter");
  const dialog = win.getByRole("dialog", { name: "Reject this package?" });
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await keyboard.press("Control+k");
  await keyboard.press("Escape");
  await expect(win.getByRole("dialog")).toHaveCount(0);
  await expect(win.getByRole("button", { name: "Reject with a reason …" })).toBeFocused();

  for (const box of await win.getByRole("group", { name: "Warnings, each to be ticked" }).getByRole("checkbox").all()) {
    await tabTo(win, box);
    await keyboard.press("Space");
  }
  await tabTo(win, win.getByLabel(`Type the edition, ${desk.EDITION}, to confirm`));
  await keyboard.type(desk.EDITION);
  // Enter in the field is not the button: nothing outward happens on a bare key.
  await keyboard.press("Enter");
  await expect(desk.approveContentButton(win)).toBeEnabled();
  await tabTo(win, desk.approveContentButton(win));
  await keyboard.press("Enter");
  const status = win.getByRole("status").filter({ hasText: "Approve for publishing: done, saved in the journal." });
  await expect(status).toHaveCount(1);
  await keyboard.press("Escape");
  await expect(win.getByRole("heading", { name: "Today", level: 1 })).toBeFocused();
  // Publishing has ended: with its call under way, quitting would ask first, as it should.
  await expect(win.getByRole("button", { name: `Send approval ${desk.EDITION}` })).toBeVisible(desk.STAGE);
  await close(app);
  expect(countEvents(dataDir, "ContentApproved")).toBe(1);
});

test("an edit made by keyboard outlives a kill, says what it ends, and is another package, approved by its own hash", async ({
  app,
  win,
  dataDir,
}) => {
  await desk.openSandbox(win);
  await desk.startEdition(win);
  await desk.openWaiting(win, "Content approval");
  const chipOf = (page: Page) =>
    page.getByRole("button", { name: /^Package [0-9a-f]{8}: copy the whole hash$/ }).first();
  await expect(chipOf(win)).toBeVisible(desk.STAGE);
  const before = await chipOf(win).getAttribute("title");

  // A quote is picked, a headline written and a fact moved without a mouse; nothing can be typed into the source.
  const { keyboard } = win;
  await desk.turnTo(win, "Draft");
  const first = win.getByRole("group", { name: /^Fact 1/ });
  const quote = await first.locator("q").textContent();
  await tabTo(win, first.getByRole("button", { name: "Pick another quote for fact 1" }));
  await keyboard.press("Enter");
  const source = win.getByRole("textbox", { name: /, to select from$/ });
  await expect(source).toBeFocused();
  await keyboard.type("x");
  for (let words = 0; words < 2; words++) await keyboard.press("Control+Shift+ArrowLeft");
  await keyboard.press("Enter");
  await expect(first.locator("q")).not.toHaveText(quote ?? "");
  const picked = (await first.locator("q").textContent()) ?? "";
  expect(quote?.startsWith(picked)).toBe(true);
  await keyboard.press("Control+z");
  await expect(first.locator("q")).toHaveText(quote ?? "");
  await keyboard.press("Control+Shift+z");
  await expect(first.locator("q")).toHaveText(picked);
  await first.getByLabel("Headline").fill("Batch window for agent calls, off by default");
  for (let steps = 0; steps < 2; steps++) await keyboard.press("Shift+Tab");
  await expect(first.getByRole("button", { name: "Move fact 1 down" })).toBeFocused();
  await keyboard.press("Enter");
  await expect(win.getByRole("button", { name: "Move fact 2 down" })).toBeFocused();
  await expect(win.getByText(/kept at \d\d:\d\d/)).toBeVisible();
  await kill(app);

  const reopened = await launch(dataDir);
  const page = await reopened.firstWindow();
  await desk.openWaiting(page, "Content approval");
  await expect(chipOf(page)).toHaveAttribute("title", before ?? "", desk.STAGE);
  await desk.turnTo(page, "Draft");
  await expect(page.getByRole("heading", { name: /^Your unfinished edit of \d\d:\d\d/ })).toBeVisible();
  await page.getByRole("button", { name: "Go on with it" }).click();
  const second = page.getByRole("group", { name: /^Fact 2/ });
  await expect(second.getByLabel("Headline")).toHaveValue("Batch window for agent calls, off by default");
  await expect(second.locator("q")).toHaveText(picked);
  await page.getByRole("button", { name: "Use as the next draft …" }).click();
  const dialog = page.getByRole("dialog", { name: "Use this edit as the next draft?" });
  await expect(dialog.getByText("No approval ends: none is living.")).toBeVisible();
  await expect(dialog.getByText("The mailing's body changes.")).toBeVisible();
  await expect(dialog.getByRole("button", { name: "Cancel" })).toBeFocused();
  await dialog.getByRole("button", { name: "Use it and check again" }).click();
  await desk.atScreen(page, "Content review");
  await expect(chipOf(page)).not.toHaveAttribute("title", before ?? "", desk.STAGE);
  await desk.inState(page, "Waiting for content approval");
  const after = await chipOf(page).getAttribute("title");
  await expect(page.getByText("Batch window for agent calls, off by default")).toBeVisible();
  await desk.prepareContentApproval(page);
  await desk.approveContentButton(page).click();
  await desk.goTo(page, "Today");
  await desk.openWaiting(page, "Send approval");
  await close(reopened);
  expect(countEvents(dataDir, "ArtifactChanged")).toBe(1);
  expect(countEvents(dataDir, "CheckPassed")).toBe(2);
  expect(fromJournal(dataDir, "SELECT json_extract(context, '$.workingDraftHash') AS hash FROM task")).toEqual([
    { hash: null },
  ]);
  expect(fromJournal(dataDir, "SELECT package_hash AS hash FROM approval WHERE scope = 'publish'")).toEqual([
    { hash: after },
  ]);
  expect(fromJournal(dataDir, "SELECT hash FROM artifact WHERE kind = 'package' ORDER BY at")).toEqual([
    { hash: before },
    { hash: after },
  ]);
});

test("an approval revoked before anything left blocks the edition and offers its ways out", async ({
  app,
  win,
  dataDir,
}) => {
  await desk.openSandbox(win);
  await desk.goTo(win, "Sandbox");
  const url = await remoteUrl(win);
  // The website is busy and says that nothing was done: until the next try nothing is out.
  const params = { status: 503, retryAfterSeconds: 600, body: '{"code":"busy","processed":false}' };
  await addFault(url, { on: "cms.create", fault: "status", times: 99, params });
  await win.getByRole("switch", { name: /^Skip waiting/ }).click();
  await desk.goTo(win, "Today");
  await desk.startEdition(win);
  await desk.openWaiting(win, "Content approval");
  await desk.prepareContentApproval(win);
  await desk.approveContentButton(win).click();
  await desk.turnTo(win, "Run");
  await expect.poll(async () => (await remoteRecords(url)).cms.createCalls).toBe(1);
  await expect(win.getByRole("button", { name: /^Publish, create: Prepared, nothing sent/ })).toBeVisible();
  await desk.turnTo(win, "Content review");
  await win.getByRole("button", { name: "Revoke the approval …" }).click();
  const dialog = win.getByRole("dialog", { name: "Revoke this approval?" });
  await expect(dialog).toContainText("Nothing has left yet.");
  await dialog.getByLabel("Reason").fill("The second fact is wrong.");
  await dialog.getByRole("button", { name: "Revoke the approval", exact: true }).click();
  await desk.inState(win, "Blocked");
  await desk.goTo(win, "Today");
  await desk.openWaiting(win, "Blocked");
  const blocked = win.getByRole("region", { name: "Blocked: The approval was revoked" });
  await expect(blocked.getByRole("button", { name: "Collect the sources again …" })).toBeEnabled();
  await expect(blocked.getByRole("button", { name: "Check again …" })).toBeEnabled();
  expect((await remoteRecords(url)).cms.objects).toEqual([]);

  // The block is told of in the inbox, with all that is needed to act on it; a person says that they know.
  await win.getByRole("button", { name: "Alerts: 1 not acknowledged" }).click(desk.STAGE);
  const alert = win.getByRole("article", { name: `Edition blocked: The approval was revoked ${desk.EDITION}` });
  await expect(alert).toContainText("Decide what has to change, then check and approve again.");
  await expect(alert).toContainText("Content approvalrevoked");
  await expect(alert).toContainText("none: nothing is frozen");
  await expect.poll(() => fromJournal(dataDir, TOLD), desk.STAGE).toMatchObject([{ code: "blocked_approval_revoked" }]);
  await alert.getByRole("button", { name: "Go to the run" }).click();
  await desk.atScreen(win, "Run");
  await win.getByRole("button", { name: "Alerts: 1 not acknowledged" }).click();
  await alert.getByRole("button", { name: "Acknowledge" }).click();
  await expect(win.getByRole("button", { name: "Alerts: 0 not acknowledged" })).toBeVisible();
  await expect(win.getByRole("list", { name: "Told within 30 days" })).toContainText("acknowledged by Editor");
  await close(app);
  expect(fromJournal(dataDir, "SELECT state, blocked_reason AS reason FROM task")).toEqual([
    { state: "blocked", reason: "approval_revoked" },
  ]);
  const known = fromJournal(dataDir, "SELECT acknowledged_by AS who, told_at IS NOT NULL AS told FROM alert");
  expect(known).toEqual([{ who: expect.stringMatching(/^editor:/), told: 1 }]);
});
