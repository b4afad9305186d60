import { afterEach, describe, expect, it } from "vitest";
import { fakeHash, TASK } from "./fixtures/common";
import { sendReview } from "./fixtures/send";
import { close, find, findAll, get, getAsync, isDisabled, open, press, rest, textOf, type, waitFor } from "./page";

const place = { screen: "send", taskId: TASK } as const;
const SEND = "Send edition 2026-W30 to 63 recipients";

afterEach(close);

async function getReady() {
  const send = await getAsync("button", SEND);
  for (const box of findAll("checkbox", /^Addition of/)) if (!(box as HTMLInputElement).checked) box.click();
  type(get("textbox", "Type 2026-W30 63 to confirm"), "2026-W30 63");
  await waitFor(() => !isDisabled(send));
  return send;
}

describe("send review", () => {
  it("needs every addition ticked by itself and the confirmation typed exactly", async () => {
    await open(place);
    const send = await getAsync("button", SEND);
    type(get("textbox", "Type 2026-W30 63 to confirm"), "2026-W30 62");
    get("checkbox", "Addition of c-0064 seen").click();
    await waitFor(() => document.body.textContent?.includes("1 added recipient is not ticked."));
    expect(isDisabled(send)).toBe(true);
    get("checkbox", "Addition of c-0065 seen").click();
    await waitFor(() => !document.body.textContent?.includes("not ticked"));
    expect(isDisabled(send)).toBe(true);
    expect(document.body.textContent).toContain("The confirmation has not been typed exactly.");
    await getReady();
  });

  it("sends exactly what was on the screen, once", async () => {
    const api = await open(place, (fake) =>
      fake.answer("sendReview.approve", async () => {
        await rest(40);
        return { result: "applied", state: "sending", stateVersion: 10 };
      }),
    );
    const send = await getReady();
    send.click();
    send.click();
    await waitFor(() =>
      document.body.textContent?.includes("Approve the sending: done, saved in the journal. State: Sending."),
    );
    expect(api.of("sendReview.approve")).toEqual([
      {
        taskId: TASK,
        expectedVersion: 9,
        pageUrl: sendReview.pageUrl,
        bodyHash: sendReview.bodyHash,
        audienceHash: sendReview.audienceHash,
        typed: "2026-W30 63",
        acknowledgedAdditions: ["c-0064", "c-0065"],
      },
    ]);
  });

  it("starts ticks and typing again when the audience became another", async () => {
    const api = await open(place);
    await getReady();
    api.answer("sendReview.get", () => ({ ...sendReview, audienceHash: fakeHash("other audience") }));
    api.push("journal.changed", { seq: 1, taskIds: [TASK] });
    await waitFor(() => isDisabled(get("button", SEND)));
    expect((get("checkbox", "Addition of c-0064 seen") as HTMLInputElement).checked).toBe(false);
    expect((get("textbox", /^Type 2026/) as HTMLInputElement).value).toBe("");
  });

  it("says in words which rows are not in order", async () => {
    await open(place, (fake) =>
      fake.answer("sendReview.get", () => ({
        ...sendReview,
        canApprove: false,
        unmet: [{ code: "page_not_verified", values: {} }],
        proof: {
          ...sendReview.proof,
          hashEqual: false,
          links: { expected: 17, missing: ["https://orbit.example/articles/4"] },
        },
      })),
    );
    await getAsync("button", SEND);
    const body = textOf(document.querySelector("main"));
    expect(body).toContain("The page differs from what was approved.");
    expect(body).toContain("1 link is missing:https://orbit.example/articles/4");
    expect(body).toContain("The public page has not been verified.");
    expect(body.match(/Not in order/g)).toHaveLength(2);
  });

  it("does not send on Enter in the confirmation, an input method's Enter least of all", async () => {
    const api = await open(place);
    await getReady();
    const field = get("textbox", /^Type 2026/);
    field.focus();
    press("Enter", { on: field, isComposing: true });
    press("Enter", { on: field, keyCode: 229 });
    press("Enter", { on: field });
    await rest(50);
    expect(api.of("sendReview.approve")).toEqual([]);
  });

  it("edits the e-mail by a command that says what it makes anew", async () => {
    const api = await open(place);
    (await getAsync("button", "Edit the e-mail")).click();
    const dialog = await getAsync("dialog");
    expect(dialog.textContent).toContain("Ticks and the typed confirmation start again.");
    type(get("textbox", "Subject", dialog), "A shorter subject");
    (
      await waitFor(() => {
        const save = get("button", /^Save/, dialog);
        return isDisabled(save) ? null : save;
      })
    ).click();
    await waitFor(() => api.of("sendReview.editEmail").length === 1);
    expect(api.of("sendReview.editEmail")[0]).toMatchObject({
      subject: "A shorter subject",
      intro: sendReview.intro,
      expectedVersion: 9,
    });
  });

  it("shows the e-mail as a page without any permission", async () => {
    await open(place);
    (await getAsync("radio", "Page")).click();
    expect((await getAsync("frame", "Preview of the e-mail")).getAttribute("sandbox")).toBe("");
    expect(find("frame", "Preview of the e-mail")?.getAttribute("src")).toBe(sendReview.previewUrl);
  });
});
