import { close, expect, test } from "./app";
import * as desk from "./desk";
import { countEvents, fromJournal, remoteRecords, remoteUrl } from "./remote";

/** The first gate: one approval per decision, by mouse or by keyboard, for these bytes and no others. */
test("a double click on approve gives one approval", async ({ app, win, dataDir }) => {
  await desk.openSandbox(win);
  await desk.startEdition(win);
  await desk.openWaiting(win, "Content approval");
  await desk.prepareContentApproval(win);
  await desk.approveContentButton(win).dblclick();
  await desk.goTo(win, "Today");
  await desk.openWaiting(win, "Send approval");
  await desk.goTo(win, "Sandbox");
  expect((await remoteRecords(await remoteUrl(win))).cms.createCalls).toBe(1);
  await close(app);
  expect(countEvents(dataDir, "ContentApproved")).toBe(1);
  expect(fromJournal(dataDir, "SELECT scope FROM approval")).toEqual([{ scope: "publish" }]);
});
