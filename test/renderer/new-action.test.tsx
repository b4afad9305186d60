import { afterEach, describe, expect, it } from "vitest";
import { useNewAction } from "../../renderer/stores/new-action";
import { close, find, get, getAsync, isDisabled, open, textOf, type, waitFor } from "./page";

const place = { screen: "health" } as const;
const fill = (label: string | RegExp, text: string) => type(get("textbox", label), text);
/** Turns to the page with this number, and waits until it is there. */
async function turnTo(page: number): Promise<void> {
  get("button", "Next").click();
  await getAsync("heading", new RegExp(`^${page} of 7 `));
}

afterEach(async () => {
  useNewAction.getState().startAnew();
  await close();
});

/** Opens the wizard and fills in its first page. */
async function begin(setUp?: Parameters<typeof open>[1]) {
  const api = await open(place, setUp);
  (await getAsync("button", "Describe a new external action …")).click();
  await getAsync("dialog", "A new external action");
  fill("Name of the workflow", "letter-of-regret");
  fill("Owner", "editor:lin");
  fill("Backup owner", "editor:wang");
  fill("Name of the action", "send_letter");
  fill("Adapter", "post-office");
  return api;
}

describe("a new external action", () => {
  it("is asked the five questions one by one, and what nobody knows is no answer", async () => {
    const api = await begin((fake) =>
      fake.answer("workflow.judge", () => ({
        verdict: "draft_and_manual",
        reasons: [
          { code: "answers_missing", answers: ["query", "retry"] },
          { code: "adapter_missing", answers: [] },
        ],
      })),
    );
    await turnTo(2);
    expect(document.activeElement).toBe(get("heading", /Which key names the intent\?$/));
    get("radio", "Yes").click();
    await waitFor(() => find("textbox", /^Where the key is carried/) !== undefined);
    expect(isDisabled(get("button", "Next"))).toBe(true);
    fill(/^Where the key is carried/, "header Idempotency-Key");
    get("checkbox", "The remote refuses a second one with the same key").click();
    for (const page of [3, 4, 5]) await turnTo(page);
    get("radio", "Yes").click();
    (await getAsync("checkbox", "the content")).click();
    await turnTo(6);
    get("radio", "Yes").click();
    await waitFor(() => find("textbox", /^How/) !== undefined);
    fill(/^How/, "a person writes a second letter");
    get("radio", /^C · by a person/).click();
    await turnTo(7);
    await waitFor(() =>
      textOf(document.body).includes("The program prepares it; a person acts and keeps the receipt."),
    );
    expect(textOf(get("list", "Why"))).toBe(
      "Not answered: How is the outcome asked? · What may be sent again?This program has no such adapter: until it has, a person carries it out.",
    );
    expect(api.of("workflow.judge")).toEqual([
      {
        ...{ name: "send_letter", adapter: "post-office", phase: "update", isDecided: false },
        answers: {
          key: { where: "header Idempotency-Key", unique: true },
          query: null,
          retry: null,
          approvalBinds: ["contentHash"],
          compensation: { action: "a person writes a second letter", grade: "C" },
        },
      },
    ]);
  });

  it("does not turn on without a name, two people and an action, and keeps what was written when it is closed", async () => {
    await begin();
    fill("Backup owner", "editor:lin");
    expect(isDisabled(get("button", "Next"))).toBe(true);
    expect(textOf(get("dialog"))).toContain("Still needed: Backup owner");
    get("button", "Close").click();
    await waitFor(() => find("dialog") === undefined);
    get("button", "Describe a new external action …").click();
    await getAsync("dialog", "A new external action");
    expect((get("textbox", "Name of the workflow") as HTMLInputElement).value).toBe("letter-of-regret");
    fill("Backup owner", "editor:wang");
    await turnTo(2);
    get("button", "Back").click();
    await getAsync("heading", /What it is$/);
    expect((get("textbox", "Adapter") as HTMLInputElement).value).toBe("post-office");
  });

  it("is written to a folder that the person chooses, and says what it came to", async () => {
    const api = await begin((fake) =>
      fake.answer("workflow.write", () => ({ result: "written", folder: "/home/lin/letter-of-regret" })),
    );
    for (const page of [2, 3, 4, 5, 6, 7]) await turnTo(page);
    await waitFor(() => !isDisabled(get("button", "Write its package …")));
    get("button", "Write its package …").click();
    await waitFor(() => textOf(get("status", undefined, get("dialog"))).includes("/home/lin/letter-of-regret"));
    expect(api.of("workflow.write")).toMatchObject([
      { name: "letter-of-regret", owner: "editor:lin", backupOwner: "editor:wang", action: { answers: { key: null } } },
    ]);
    api.answer("workflow.write", () => ({
      result: "refused",
      faults: [{ file: "definition.json", field: "backupOwner", wrong: "name somebody else" }],
    }));
    get("button", "Write its package …").click();
    await waitFor(() => textOf(get("dialog")).includes("definition.json backupOwner name somebody else"));
  });
});
