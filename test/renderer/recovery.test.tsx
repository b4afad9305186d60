import { afterEach, describe, expect, it } from "vitest";
import { useNav } from "../../renderer/stores/nav";
import { TASK } from "./fixtures/common";
import { board, drillBoard, looked } from "./fixtures/recovery";
import { close, find, findAll, get, getAsync, isDisabled, nameOf, open, press, textOf, type, waitFor } from "./page";

const place = { screen: "recovery" } as const;
const item = (itemId: string) => ({ ...place, itemId });
const rows = () => findAll("row").map(textOf);

afterEach(close);

describe("the board", () => {
  it("lists every item in its stage with what it is about, whose it is and until when, and says what presses", async () => {
    await open(place);
    const triage = textOf(await getAsync("region", "To triage"));
    expect(triage).toContain("Dead letter2026-W30Untouched for a day, now the backup's as well");
    expect(triage).toContain("Publish, create · cms-sandboxEditorBackup: Backup editor");
    expect(textOf(get("region", "Recovering"))).toContain("Customer care2026-W30Bounced · R7Editor");
    expect(textOf(get("region", "Triaged"))).toContain("Block that lasts too long");
    const verify = textOf(get("region", "To verify"));
    expect(verify).toContain("Failed undo2026-W30OverdueTake the page down");
    expect(verify).toContain("10 min over");
    expect(find("region", "Reviewed")).toBeUndefined();
    expect(textOf(document.querySelector("main"))).toContain("1 dead letter has not been touched for a day");
  });

  it("says what recurs: the review that is owed, the one that is open again, and the rule that is proposed", async () => {
    await open(place);
    const recurs = textOf(await getAsync("list", "What recurs"));
    expect(recurs).toContain("Dead letter · Transient · cms-sandbox/create · the remote is out of service (503)");
    expect(recurs).toContain("3 in 7 days, 5 in 30 days");
    expect(recurs).toContain("Three within a week: a review is owed.");
    expect(recurs).toContain("do “sent it again” without asking. It was done 5 times in 30 days.");
    expect(recurs).toContain("Customer care · Bounced · mailbox_full");
    expect(recurs).toContain("the review is open again");
    get("button", "Open the newest").click();
    await waitFor(() => useNav.getState().place.screen === "recovery" && "itemId" in useNav.getState().place);
    expect(useNav.getState().place).toEqual(item("ri-letter"));
  });

  it("names a failed drill by its scenario and an overdue one by its duty, and says what will prove it", async () => {
    await open(item("ri-drill"), (api) => api.answer("recovery.get", () => drillBoard));
    await getAsync("heading", "Failed drill");
    expect(textOf(document.querySelector("main"))).toContain("S13 · needed its author's memory");
    expect(textOf(document.querySelector("main"))).toContain("What proved itNothing yet: a later play of it");
    get("button", "To the board").click();
    const triage = textOf(await getAsync("region", "To triage"));
    expect(triage).toContain("Unknown publish, every month · not played in its time");
  });

  it("is gone through by j and k over all stages, opened by Enter, left by Escape, filtered by /", async () => {
    const api = await open(place);
    await getAsync("region", "To triage");
    const names = findAll("row").map(nameOf);
    press("j", { on: document.body });
    press("j");
    expect(nameOf(document.activeElement as Element)).toBe(names[1]);
    press("k");
    expect(nameOf(document.activeElement as Element)).toBe(names[0]);
    (document.activeElement as HTMLElement).click();
    await getAsync("button", "Move to “Triaged”");
    expect(api.of("recovery.get").at(-1)).toEqual({ itemId: "ri-letter" });
    press("Escape", { on: document.body });
    await getAsync("region", "To triage");
    press("/", { on: document.body });
    expect(document.activeElement).toBe(get("textbox", "Filter the items"));
    type(get("textbox", "Filter the items"), "mailbox_full");
    await waitFor(() => rows().length === 1);
    expect(rows()[0]).toContain("Customer care");
    type(get("textbox", "Filter the items"), "nobody");
    await waitFor(() => textOf(document.querySelector("main")).includes("Nothing matches “nobody”."));
  });
});

describe("an item", () => {
  it("shows what is known of it and what became of it", async () => {
    await open(item("ri-letter"), (api) => api.answer("recovery.get", () => ({ ...board, history: looked })));
    const facts = textOf(await getAsync("region", "What it is about"));
    for (const fact of ["Blocked", "publish:weekly-briefing:2026-W30:zh-CN:v1", "Transient", "http_503", "63"])
      expect(facts).toContain(fact);
    const history = textOf(get("list", "What became of it"));
    expect(history).toContain("To triage → TriagedEditor lin4 minThe website was down.");
    expect(history).toContain("NotedEditor lin2 minAsked the provider.");
    expect(textOf(get("region", "What recurs"))).toContain("a review is owed");
  });

  it("is moved with a note and minutes, once, in the stage it was seen in", async () => {
    const api = await open(item("ri-letter"));
    const move = await getAsync("button", "Move to “Triaged”");
    expect(isDisabled(move)).toBe(true);
    type(get("textbox", /^Note/), "the website was down");
    type(get("textbox", /^Minutes spent/), "4.5");
    await waitFor(() => textOf(document.querySelector("main")).includes("A whole number, zero or more."));
    expect(isDisabled(move)).toBe(true);
    type(get("textbox", /^Minutes spent/), "4");
    type(get("textbox", /^New owner/), "editor:wang");
    await waitFor(() => !isDisabled(move));
    move.click();
    move.click();
    await waitFor(() => api.of("recovery.move").length > 0);
    const seen = { taskId: TASK, expectedVersion: 9, itemId: "ri-letter", from: "to_triage", to: "triaged" };
    expect(api.of("recovery.move")).toEqual([
      { ...seen, note: "the website was down", minutes: 4, owner: "editor:wang" },
    ]);
  });

  it("asks for what the stage needs: how, what proved it, and what came of the review", async () => {
    const api = await open(item("ri-undo"));
    const move = await getAsync("button", "Move to “Closed”");
    type(get("textbox", /^Note/), "looked at it");
    type(get("textbox", /^Minutes spent/), "0");
    await waitFor(() => textOf(document.querySelector("main")).includes("Still needed: What proved it"));
    expect(isDisabled(move)).toBe(true);
    type(get("textbox", /^What proved it/), "HTTP 404");
    await waitFor(() => !isDisabled(move));
    get("radio", "Stay here, add a note").click();
    await getAsync("button", "Add the note");
    expect(find("textbox", /^What proved it/)).toBeUndefined();
    get("radio", "Closed").click();
    (await getAsync("button", "Move to “Closed”")).click();
    await waitFor(() => api.of("recovery.move").length > 0);
    expect(api.of("recovery.move")).toMatchObject([{ from: "to_verify", to: "closed", verification: "HTTP 404" }]);
  });

  it("names the domain's refusal, and keeps what was written", async () => {
    const api = await open(item("ri-closed"), (fake) =>
      fake.answer("recovery.move", () => ({
        result: "guard_failed",
        unmet: [{ code: "review_without_outcome", values: {} }],
      })),
    );
    await getAsync("button", "Move to “Reviewed”");
    type(get("textbox", /^What came of the review/), "more care");
    type(get("textbox", /^Note/), "talked about it");
    type(get("textbox", /^Minutes spent/), "15");
    const move = get("button", "Move to “Reviewed”");
    await waitFor(() => !isDisabled(move));
    move.click();
    await waitFor(() => textOf(document.querySelector("main")).includes("A review ends in a changed rule or a test."));
    expect((get("textbox", /^Note/) as HTMLTextAreaElement).value).toBe("talked about it");
    expect(api.of("recovery.move")).toHaveLength(1);
    // Leaving with what was written is asked about.
    press("Escape", { on: document.body });
    await getAsync("dialog");
    expect(useNav.getState().place).toEqual(item("ri-closed"));
  });

  it("says so when it is gone", async () => {
    await open(item("ri-nobody"));
    await waitFor(() => textOf(document.querySelector("main")).includes("There is no such item on the board."));
  });
});
