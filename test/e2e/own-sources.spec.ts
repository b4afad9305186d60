import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "./app";
import * as desk from "./desk";
import { remoteRecords, remoteUrl } from "./remote";

/**
 * The whole edition on files that nobody here wrote. A tester names a folder of feeds and pages in IMPRIMATUR_TEST_SOURCES;
 * without one a small folder is made, with a broken file in it.
 */
const brought = process.env.IMPRIMATUR_TEST_SOURCES;
const folder = brought ?? makeFolder();

function makeFolder(): string {
  const dir = mkdtempSync(path.join(tmpdir(), "imprimatur-sources-"));
  const items = [1, 2, 3, 4, 5, 6, 7].map(
    (n) =>
      `<item><guid>n${n}</guid><title>Notice ${n} of the harbour office</title><link>http://127.0.0.1:9/n/${n}</link>` +
      `<description>From week ${n} on, boats longer than ${n + 10} metres must report to the harbour office.</description></item>`,
  );
  writeFileSync(
    path.join(dir, "harbour.xml"),
    `<rss version="2.0"><channel><title>Harbour</title>${items.join("").replaceAll("http://127.0.0.1:9/n/", "/n/")}</channel></rss>`,
  );
  writeFileSync(
    path.join(dir, "页面.html"),
    `<html lang="zh"><title>公告</title><article><h2><a href="/a">码头新规定</a></h2><p>自下周一起，所有船只必须在靠岸前两小时报告。</p></article></html>`,
  );
  writeFileSync(path.join(dir, "broken.xml"), "<rss><channel><title>cut");
  return dir;
}

test.use({ appOptions: { env: { IMPRIMATUR_SOURCES: folder } } });

test("an edition is made of a folder that was brought; a broken file stops no other", async ({ win }) => {
  await desk.openSandbox(win);
  await desk.goTo(win, "Sandbox");
  const url = await remoteUrl(win);
  await desk.goTo(win, "Today");
  await desk.startEdition(win);
  await desk.openWaiting(win, "Content approval");
  if (brought === undefined) {
    await expect(win.getByText("Notice 7 of the harbour office").first()).toBeVisible();
    await expect(win.getByText("码头新规定").first()).toBeVisible();
    const warnings = win.getByRole("group", { name: "Warnings, each to be ticked" });
    await expect(warnings.getByText(/broken/).first()).toBeVisible();
    await expect(warnings.getByText(/Facts missing/)).toBeVisible();
  }
  await desk.prepareContentApproval(win);
  await desk.approveContentButton(win).click();
  await desk.goTo(win, "Today");
  await desk.openWaiting(win, "Send approval");
  await desk.prepareSendApproval(win);
  await desk.sendButton(win).click();
  await desk.inState(win, "Succeeded");
  const { cms, mail } = await remoteRecords(url);
  expect([cms.createCalls, cms.objects.length, mail.createCalls, mail.mailings.length]).toEqual([1, 1, 1, 63]);
});
