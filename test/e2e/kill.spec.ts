import { close, expect, kill, launch, test } from "./app";
import * as desk from "./desk";
import { STAGE } from "./desk";
import { countEvents, fromJournal, remoteRecords, remoteUrl } from "./remote";

/**
 * The app dies in the worst moment: the website has published and its answer will never be read. The remotes live in the
 * app's own process and die with it, as a laptop's network would; their records are on disk.
 */
test("killed while publishing waits for its answer, the reopened app finds the article and publishes no second one", async ({
  app,
  win,
  dataDir,
}) => {
  await desk.openSandbox(win);
  await desk.goTo(win, "Sandbox");
  await desk.switchOn(win, "Lose the website's answer after it published");
  const url = await remoteUrl(win);
  await desk.goTo(win, "Today");
  await desk.startEdition(win);
  await desk.openWaiting(win, "Content approval");
  await desk.prepareContentApproval(win);
  await desk.approveContentButton(win).click();
  await expect.poll(async () => (await remoteRecords(url)).cms.objects.length, STAGE).toBe(1);
  await kill(app);
  expect(fromJournal(dataDir, "SELECT state, remote_id AS remoteId FROM operation")).toEqual([
    { state: "request_sent", remoteId: null },
  ]);
  const before = fromJournal<{ hash: string }>(dataDir, "SELECT hash FROM event ORDER BY seq");

  const reopened = await launch(dataDir);
  const page = await reopened.firstWindow();
  await desk.openWaiting(page, "Send approval");
  await desk.inState(page, "Waiting for send approval");
  await desk.turnTo(page, "Run");
  const publish = page.getByRole("button", { name: /^Publish, create: Confirmed/ });
  await publish.click();
  const details = page.getByRole("region", { name: "Details of the operation" });
  await expect(details.getByRole("row", { name: /Found, equal/ })).toContainText("18427");
  await desk.goTo(page, "Sandbox");
  const remote = await remoteRecords(await remoteUrl(page));
  expect(remote.cms).toMatchObject({ createCalls: 1, objects: [{ id: 18427, status: "published" }] });
  expect(remote.cms.objects).toHaveLength(1);
  expect(remote.mail).toMatchObject({ createCalls: 0, triggerCalls: 0 });
  await close(reopened);

  const after = fromJournal<{ hash: string }>(dataDir, "SELECT hash FROM event ORDER BY seq");
  expect(after.slice(0, before.length)).toEqual(before);
  expect(countEvents(dataDir, "RequestSent")).toBe(1);
  expect(fromJournal(dataDir, "SELECT state, remote_id AS remoteId FROM operation")).toEqual([
    { state: "confirmed", remoteId: "18427" },
  ]);
  expect(fromJournal(dataDir, "SELECT outcome FROM attempt")).toEqual([{ outcome: "unknown" }]);
});

test("quitting in the middle of a call asks first; what was left unknown is found at the next start", async ({
  app,
  win,
  dataDir,
}) => {
  // The dialogs are the system's own: they are answered here by the words on their buttons.
  await app.evaluate(({ dialog }) => {
    const asked: string[] = [];
    const answers = ["Cancel", "Quit now"];
    Object.assign(globalThis, { asked });
    dialog.showMessageBox = (async (...given: unknown[]) => {
      const { buttons, defaultId, message } = given[given.length - 1] as {
        buttons: string[];
        defaultId: number;
        message: string;
      };
      asked.push(`${message} Default: ${buttons[defaultId]}`);
      const answer = answers.shift() ?? "Cancel";
      return { response: buttons.findIndex((button) => button.startsWith(answer)), checkboxChecked: false };
    }) as typeof dialog.showMessageBox;
  });
  const asked = () => app.evaluate(() => (globalThis as unknown as { asked: string[] }).asked);
  const quit = () =>
    app.evaluate(({ Menu }) => {
      const file = Menu.getApplicationMenu()?.items.find((item) => item.label === "File");
      setTimeout(() => file?.submenu?.items.find((item) => item.label === "Quit Imprimatur")?.click(), 0);
    });

  await desk.openSandbox(win);
  await desk.goTo(win, "Sandbox");
  await desk.switchOn(win, "Lose the website's answer after it published");
  // Nobody skips the waiting: the call stays in flight until its time-out.
  await win.getByRole("switch", { name: /^Skip waiting/ }).click();
  const url = await remoteUrl(win);
  await desk.goTo(win, "Today");
  await desk.startEdition(win);
  await desk.openWaiting(win, "Content approval");
  await desk.prepareContentApproval(win);
  await desk.approveContentButton(win).click();
  await expect.poll(async () => (await remoteRecords(url)).cms.objects.length, STAGE).toBe(1);

  await quit();
  await expect.poll(asked).toHaveLength(1);
  expect((await asked())[0]).toContain("Default: Cancel");
  await desk.turnTo(win, "Run");
  await expect(win.getByRole("button", { name: /^Publish, create: Request sent/ })).toBeVisible();
  const isGone = new Promise((resolve) => app.process().once("exit", resolve));
  await quit();
  expect(await isGone).toBe(0);

  const reopened = await launch(dataDir);
  const page = await reopened.firstWindow();
  await desk.openWaiting(page, "Send approval");
  await desk.goTo(page, "Sandbox");
  expect((await remoteRecords(await remoteUrl(page))).cms).toMatchObject({ createCalls: 1, objects: [{ id: 18427 }] });
  await close(reopened);
  expect(countEvents(dataDir, "RequestSent")).toBe(1);
});
