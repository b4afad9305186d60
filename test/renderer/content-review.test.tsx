import { afterEach, describe, expect, it } from "vitest";
import { fakeHash } from "./fixtures/common";
import { approvedReview, contentReview } from "./fixtures/content";
import { unknownRun } from "./fixtures/run";
import { close, find, findAll, get, getAsync, isDisabled, open, rest, textOf, type, waitFor } from "./page";

const place = { screen: "content", taskId: contentReview.taskId } as const;
const APPROVE = /^Approve these bytes for publishing to example\.com, until Wed 07:18 Asia\/Shanghai$/;

afterEach(close);

/** Ticks every warning and types the edition. */
async function getReady() {
  const approve = await getAsync("button", APPROVE);
  for (const box of findAll("checkbox", /redirects|needs your eyes|could not be read/))
    if (!(box as HTMLInputElement).checked) box.click();
  type(get("textbox", /^Type the edition/), contentReview.edition);
  await waitFor(() => !isDisabled(approve));
  return approve;
}

describe("content review", () => {
  it("explains why the button is off, and says what is missing as it is done", async () => {
    await open(place);
    const approve = await getAsync("button", APPROVE);
    expect(isDisabled(approve)).toBe(true);
    const reasons = () => textOf(document.getElementById(approve.getAttribute("aria-describedby") ?? ""));
    expect(reasons()).toContain("3 warnings are not ticked.");
    expect(reasons()).toContain("The edition has not been typed.");
    get("checkbox", /redirects/).click();
    await waitFor(() => reasons().includes("2 warnings are not ticked."));
    await getReady();
  });

  it("sends one command for a double click, with the hashes that are on the screen", async () => {
    const api = await open(place, (fake) =>
      fake.answer("contentReview.approve", async () => {
        await rest(50);
        return { result: "applied", state: "content_approved", stateVersion: 5 };
      }),
    );
    const approve = await getReady();
    get("checkbox", "Title read").click();
    get("checkbox", "Fact 2 read").click();
    await waitFor(() => document.body.textContent?.includes("2 of 13 sections marked as read"));
    approve.click();
    approve.click();
    await waitFor(() => document.body.textContent?.includes("Approve for publishing: done, saved in the journal."));
    expect(api.of("contentReview.approve")).toEqual([
      {
        taskId: contentReview.taskId,
        expectedVersion: 4,
        packageHash: contentReview.packageHash,
        contentHash: contentReview.contentHash,
        comparedWith: { choice: "last_approved", hash: fakeHash("content-30") },
        acknowledgedWarnings: ["link_redirect:4", "link_bot_blocked:12", "source_failed:harbor"],
        readSections: ["title", "fact:F2"],
      },
    ]);
  });

  it("shows a refusal in place with both hashes, and asks again", async () => {
    const seen = fakeHash("seen");
    const now = fakeHash("now");
    const api = await open(place, (fake) =>
      fake.answer("contentReview.approve", () => ({
        result: "guard_failed",
        unmet: [{ code: "package_changed", values: { seen, now } }],
      })),
    );
    (await getReady()).click();
    const alert = await getAsync("alert");
    expect(textOf(alert)).toContain("The package is no longer the one you saw.");
    expect(findAll("button", /copy the whole hash/, alert).map((chip) => chip.getAttribute("title"))).toEqual([
      seen,
      now,
    ]);
    await waitFor(() => api.of("contentReview.get").length >= 2);
  });

  it("says that a lost answer may have been carried out, and never claims success", async () => {
    await open(place, (fake) =>
      fake.answer("contentReview.approve", () => {
        throw new Error("the core has gone");
      }),
    );
    (await getReady()).click();
    expect(textOf(await getAsync("alert"))).toContain("It may or may not have been done");
    expect(document.body.textContent).not.toContain("done, saved in the journal");
  });

  it("clears the mark of a section that changed, and the ticks of a package that was replaced", async () => {
    const api = await open(place);
    await getReady();
    get("checkbox", "Title read").click();
    get("checkbox", "Introduction read").click();
    api.answer("contentReview.get", () => ({
      ...contentReview,
      packageHash: fakeHash("newer"),
      title: "Another title",
    }));
    api.push("journal.changed", { seq: 9, taskIds: [contentReview.taskId] });
    await waitFor(() => document.body.textContent?.includes("1 of 13 sections marked as read"));
    expect((get("checkbox", "Title read") as HTMLInputElement).checked).toBe(false);
    expect((get("checkbox", "Introduction read") as HTMLInputElement).checked).toBe(true);
    expect((get("checkbox", /redirects/) as HTMLInputElement).checked).toBe(false);
    expect((get("textbox", /^Type the edition/) as HTMLInputElement).value).toBe("");
  });

  it("marks an older package as not current and never lets it be approved", async () => {
    await open(place, (fake) => fake.answer("contentReview.get", () => ({ ...contentReview, current: false })));
    const approve = await getAsync("button", APPROVE);
    for (const box of findAll("checkbox", /redirects|needs your eyes|could not be read/)) box.click();
    type(get("textbox", /^Type the edition/), contentReview.edition);
    await rest(50);
    expect(isDisabled(approve)).toBe(true);
    expect(document.body.textContent).toContain("It can be read, never approved.");
  });

  it("shows the chosen fact's source with the quoted span marked, and asks for each source once", async () => {
    const api = await open(place);
    await waitFor(() => find("heading", "Orbit Cloud Status"));
    (await getAsync("row", /^Fact 9/)).focus();
    await waitFor(() => find("heading", "云桥开发者公告"));
    get("row", /^Fact 1:/).focus();
    await waitFor(() => find("heading", "Orbit Cloud Status"));
    expect(api.of("contentReview.snapshot")).toHaveLength(2);
    const mark = await waitFor(() => document.querySelector(".source-text mark"));
    expect(mark.textContent).toBe(contentReview.facts[0]?.quote);
  });

  it("frames previews without any permission", async () => {
    await open(place);
    (await getAsync("tab", "Preview")).click();
    const frame = await getAsync("frame", "Preview of the page at desktop width");
    expect(frame.getAttribute("sandbox")).toBe("");
    get("radio", "Phone").click();
    await getAsync("frame", "Preview of the page at phone width");
    get("radio", "E-mail").click();
    expect((await getAsync("frame", "Preview of the e-mail")).getAttribute("sandbox")).toBe("");
  });

  it("sends the choice of what is compared, which is then recorded with the approval", async () => {
    const api = await open(place);
    (await getAsync("tab", "Changes")).click();
    (await getAsync("radio", "Nothing")).click();
    await waitFor(() =>
      api.of("contentReview.get").some((input) => (input as { compareWith?: string }).compareWith === "nothing"),
    );
    (await getReady()).click();
    await waitFor(() => api.of("contentReview.approve").length === 1);
    expect(api.of("contentReview.approve")[0]).toMatchObject({ comparedWith: { choice: "nothing" } });
  });

  it("tells what revoking would do at that moment", async () => {
    await open(place, (fake) => {
      fake.answer("contentReview.get", () => approvedReview);
      fake.answer("run.get", () => unknownRun);
    });
    (await getAsync("button", "Revoke the approval …")).click();
    const dialog = await getAsync("dialog");
    await waitFor(() => dialog.textContent?.includes("A request has already left. It cannot be called back"));
    const confirm = get("button", "Revoke the approval", dialog);
    expect(isDisabled(confirm)).toBe(true);
    type(get("textbox", "Reason", dialog), "wrong price in fact 4");
    await waitFor(() => !isDisabled(confirm));
  });
});
