import { afterEach, describe, expect, it } from "vitest";
import type { Input } from "../../preload/contract";
import { useDraft } from "../../renderer/stores/draft";
import { useNav } from "../../renderer/stores/nav";
import type { FakeApi } from "./fake-api";
import { fakeHash } from "./fixtures/common";
import { contentReview } from "./fixtures/content";
import { blockedDraft, draft, hostileSnapshot, hostileText, unfinishedDraft } from "./fixtures/draft";
import { blockedRun } from "./fixtures/run";
import { close, find, findAll, get, getAsync, isDisabled, open, press, rest, textOf, type, waitFor } from "./page";

const place = { screen: "draft", taskId: draft.taskId } as const;

afterEach(close);

const field = (name: string, within: ParentNode = document) => get("textbox", name, within) as HTMLInputElement;
const factOf = (number: number) =>
  findAll("fieldset.fact-fields").find((one) => textOf(one).includes(`Fact ${number}`)) as HTMLElement;
const headlines = () => findAll("textbox", "Headline").map((one) => (one as HTMLInputElement).value);
const kept = (api: FakeApi) => api.of("draft.keep") as Input<"draft.keep">[];
const source = () => getAsync("textbox", /to select from$/) as Promise<HTMLTextAreaElement>;

/** Selects as a hand or the arrow keys do, and lets the page hear of it. */
function selectIn(box: HTMLTextAreaElement, start: number, end: number): void {
  box.focus();
  box.setSelectionRange(start, end);
  box.dispatchEvent(new KeyboardEvent("keyup", { key: "Shift", bubbles: true }));
  box.dispatchEvent(new MouseEvent("mouseup", { bubbles: true }));
}

describe("the draft editor", () => {
  it("picks a quote from the frozen source by place, and never sends words of it", async () => {
    const api = await open(place);
    const box = await source();
    const start = box.value.indexOf("More in the announcement.");
    selectIn(box, start - 1, start + 25);
    const take = await getAsync("button", "Take the selection as the quote of fact 1");
    await waitFor(() => !isDisabled(take));
    press("Enter", { on: box });
    await waitFor(() => api.of("draft.pick").length === 1);
    await waitFor(() => textOf(factOf(1)).includes("More in the announcement."));
    const [asked] = api.of("draft.pick") as Input<"draft.pick">[];
    // The blank before it belongs to nobody's quote.
    expect(asked?.span.end).toBe((asked?.span.start ?? 0) + 25);
    await waitFor(() => kept(api).length === 1);
    const [first] = kept(api);
    expect(first?.edit.facts[0]).toEqual({
      ...{ id: "F1", headline: contentReview.facts[0]?.headline, statement: contentReview.facts[0]?.statement },
      span: asked?.span,
    });
    expect(JSON.stringify(first)).not.toContain("More in the announcement.");
  });

  it("says why words cannot be quoted, and leaves the fact as it was", async () => {
    const api = await open(place, (fake) =>
      fake.answer("draft.pick", () => ({ kind: "fault", fault: "outside_item" })),
    );
    const box = await source();
    selectIn(box, 0, 30);
    (await getAsync("button", /^Take the selection/)).click();
    expect(textOf(await getAsync("alert"))).toContain("reaches over more than one item");
    await rest(20);
    expect(api.of("draft.keep")).toHaveLength(0);
    expect(textOf(factOf(1))).toContain(contentReview.facts[0]?.quote);
  });

  it("takes nothing that is typed into the source", async () => {
    await open(place);
    const box = await source();
    const event = new InputEvent("beforeinput", {
      inputType: "insertText",
      data: "x",
      cancelable: true,
      bubbles: true,
    });
    box.dispatchEvent(event);
    expect(event.defaultPrevented).toBe(true);
  });

  it("moves, removes and adds facts, and keeps the focus", async () => {
    await open(place);
    const down = await getAsync("button", "Move fact 1 down");
    down.focus();
    down.click();
    await waitFor(() => headlines()[1] === contentReview.facts[0]?.headline);
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Move fact 2 down");
    get("button", "Remove fact 1").click();
    await waitFor(() => headlines().length === 8);
    get("button", "Add a fact").click();
    await waitFor(() => headlines().length === 9);
    await waitFor(() => document.activeElement === findAll("textbox", "Headline")[8]);
    expect(useDraft.getState().session?.history.present.facts.at(-1)).toMatchObject({ id: "F10", span: null });
    expect(textOf(factOf(9))).toContain("No quote is picked yet.");
  });

  it("steps back and forth over the whole draft by keyboard, typing in a field as one step, and not while composing", async () => {
    await open(place);
    await getAsync("button", "Move fact 1 down");
    type(field("Title"), "A");
    type(field("Title"), "Ab");
    get("button", "Move fact 1 down").click();
    await waitFor(() => headlines()[1] === contentReview.facts[0]?.headline);
    press("z", { ctrlKey: true, keyCode: 229 });
    expect(headlines()[1]).toBe(contentReview.facts[0]?.headline);
    press("z", { ctrlKey: true });
    await waitFor(() => headlines()[0] === contentReview.facts[0]?.headline);
    expect(field("Title").value).toBe("Ab");
    press("z", { ctrlKey: true });
    await waitFor(() => field("Title").value === draft.draft.title);
    press("Z", { ctrlKey: true, shiftKey: true });
    await waitFor(() => field("Title").value === "Ab");
  });

  it("keeps an edit by itself beside the draft, each copy going on from the one before, and gives it up when nothing is left of it", async () => {
    const api = await open(place);
    await getAsync("button", "Move fact 1 down");
    type(field("Title"), "One");
    expect(await useDraft.getState().keep()).toBe(true);
    type(field("Title"), "Two");
    expect(await useDraft.getState().keep()).toBe(true);
    const seen = kept(api).map((one) => one.seen);
    expect(seen).toEqual([
      { draftHash: draft.draftHash, workingHash: null },
      { draftHash: draft.draftHash, workingHash: fakeHash("working-2") },
    ]);
    await waitFor(() => document.body.textContent?.includes("kept at"));
    type(field("Title"), draft.draft.title);
    expect(await useDraft.getState().keep()).toBe(true);
    expect(api.of("draft.drop")).toEqual([{ taskId: draft.taskId, workingHash: fakeHash("working-3") }]);
  });

  it("waits for an input method to finish before it keeps anything", async () => {
    const api = await open(place);
    const title = await waitFor(() => field("Title"));
    title.dispatchEvent(new CompositionEvent("compositionstart", { bubbles: true }));
    type(title, "zhou");
    await rest(1150);
    expect(kept(api)).toHaveLength(0);
    title.dispatchEvent(new CompositionEvent("compositionend", { bubbles: true }));
    await waitFor(() => kept(api).length === 1);
  });

  it("says at once that an edit could not be kept", async () => {
    await open(place, (fake) => fake.answer("draft.keep", () => ({ result: "unavailable", code: "SQLITE_FULL" })));
    type(await waitFor(() => field("Title")), "Lost?");
    await useDraft.getState().keep();
    const alert = await getAsync("alert");
    expect(textOf(alert)).toContain("It is in this window only.");
    expect(textOf(alert)).toContain("SQLITE_FULL");
    get("button", "Today").click();
    expect(textOf(await getAsync("dialog"))).toContain("Discard your edits?");
  });
});

describe("an unfinished edit", () => {
  it("is named with its moment before anything else is shown, and taken up or thrown away", async () => {
    const api = await open(place, (fake) => fake.answer("draft.get", () => unfinishedDraft));
    expect(textOf(await getAsync("heading", /^Your unfinished edit of \d\d:\d\d/))).toContain("Asia/Shanghai");
    expect(find("textbox", "Title")).toBeUndefined();
    get("button", "Go on with it").click();
    await waitFor(() => field("Title").value === "Half a title");
    expect(headlines()[0]).toBe(contentReview.facts[1]?.headline);
    get("button", "Throw the edit away").click();
    await waitFor(() => api.of("draft.drop").length === 1);
    expect(api.of("draft.drop")).toEqual([{ taskId: draft.taskId, workingHash: fakeHash("working-1") }]);
  });

  it("that was thrown away is given up in the journal, and undo still has it", async () => {
    const api = await open(place, (fake) => fake.answer("draft.get", () => unfinishedDraft));
    (await getAsync("button", "Throw the edit away")).click();
    await waitFor(() => field("Title").value === draft.draft.title);
    await waitFor(() => api.of("draft.drop").length === 1);
    press("z", { ctrlKey: true });
    await waitFor(() => field("Title").value === "Half a title");
    expect(await useDraft.getState().keep()).toBe(true);
    expect(kept(api).at(-1)?.seen.workingHash).toBeNull();
  });

  it("of a draft that was replaced is never put over the new one by itself", async () => {
    const replaced = { ...unfinishedDraft, draftHash: fakeHash("draft-newer") };
    const api = await open(place, (fake) => fake.answer("draft.get", () => replaced));
    await getAsync("heading", /^Your unfinished edit/);
    expect(document.body.textContent).toContain("has been replaced since");
    get("button", "Go on with it over the present draft").click();
    await waitFor(() => field("Title").value === "Half a title");
    await waitFor(() => kept(api).length === 1);
    expect(kept(api)[0]?.seen).toEqual({ draftHash: fakeHash("draft-newer"), workingHash: fakeHash("working-1") });
  });

  it("of another window stops this one with a question", async () => {
    const api = await open(place);
    type(await waitFor(() => field("Title")), "Mine");
    api.answer("draft.get", () => unfinishedDraft);
    api.push("journal.changed", { seq: 9, taskIds: [draft.taskId] });
    await waitFor(() => document.body.textContent?.includes("Another window has kept another edit"));
    get("button", "Take up the other one").click();
    await waitFor(() => field("Title").value === "Half a title");
  });
});

describe("using the edit", () => {
  const edit = async () => {
    type(await waitFor(() => field("Title")), "A better title");
    const use = get("button", "Use as the next draft …");
    await waitFor(() => !isDisabled(use));
    use.click();
    return getAsync("dialog");
  };

  it("says before it what ends and what is made anew, and goes to the review", async () => {
    const api = await open(place);
    const dialog = await edit();
    await waitFor(() => textOf(dialog).includes("A new one is made and checked."));
    expect(textOf(dialog)).toMatch(
      /the approval of \d\d:\d\d \(?Asia\/Shanghai\)? ?by Editor Lin ends\.|the approval of .* by Editor Lin ends\./,
    );
    expect(textOf(dialog)).toContain("1 prepared call is cancelled.");
    expect(textOf(dialog)).toContain("The mailing's body changes.");
    get("button", "Use it and check again", dialog).click();
    await waitFor(() => api.of("draft.use").length === 1);
    expect(api.of("draft.use")[0]).toMatchObject({
      ...{ taskId: draft.taskId, expectedVersion: 4 },
      seen: { draftHash: draft.draftHash, workingHash: fakeHash("working-2") },
      edit: { title: "A better title" },
    });
    await waitFor(() => useNav.getState().place.screen === "content");
  });

  it("lists what is wrong in words, and cannot be confirmed", async () => {
    await open(place, (fake) =>
      fake.answer("draft.weigh", () => ({
        ...{ open: false, to: null, packageHash: null, ends: [], cancels: 0, changesPage: null, changesBody: null },
        unmet: [{ code: "quote_not_found", values: { fact: "F2" } }],
        facts: [{ factId: "F2", kind: "not_picked" }],
        fields: [{ factId: "F3", field: "headline", kind: "missing" }],
      })),
    );
    const dialog = await edit();
    await waitFor(() => textOf(dialog).includes("Fact 2: No quote is picked yet."));
    expect(textOf(dialog)).toContain("Fact 3, Headline: is empty.");
    expect(isDisabled(get("button", "Use it and check again", dialog))).toBe(true);
  });
});

describe("a block in which the draft must be changed", () => {
  it("opens the editor as its way out, with the failed facts marked and the reason beside each", async () => {
    const blocked = blockedRun.blocked as NonNullable<typeof blockedRun.blocked>;
    const ways = [{ to: "drafting", needsDeadline: false, open: false, unmet: [] }];
    const run = { ...blockedRun, blocked: { ...blocked, reason: "fact_evidence", waysOut: ways } };
    await open({ screen: "run", taskId: draft.taskId }, (fake) => {
      fake.answer("run.get", () => ({ ...run, taskId: draft.taskId }));
      fake.answer("draft.get", () => blockedDraft);
    });
    (await getAsync("button", "Edit the draft")).click();
    await waitFor(() => textOf(factOf(2)).includes("do not stand at their place in the frozen source"));
    expect(textOf(factOf(5))).toContain("reaches over more than one item");
    expect(textOf(factOf(1))).not.toContain("do not stand at their place");
  });
});

describe("a hostile source", () => {
  it("is shown as text, in parts, with every unseen character as a sign and every place where it was", async () => {
    await open(place, (fake) => fake.answer("contentReview.snapshot", () => hostileSnapshot));
    const box = await source();
    await waitFor(() => document.body.textContent?.includes("characters that are not seen"));
    expect(document.body.textContent).toContain(`of ${hostileText.length.toLocaleString("en")}`);
    expect(box.value.length).toBeLessThanOrEqual(20_000);
    expect(document.querySelector("main script, main img")).toBeNull();
    type(get("textbox", "Find in this source"), "the LAST of them");
    press("Enter", { on: get("textbox", "Find in this source") });
    await waitFor(() => box.value.endsWith("and the last of them."));
    expect(hostileText).toContain("\u202E");
    get("button", "Earlier part").click();
    await waitFor(() => box.value.length > 10_000);
  });
});
