import { afterEach, describe, expect, it } from "vitest";
import { useNav } from "../../renderer/stores/nav";
import { fakeHash, NOW, TASK } from "./fixtures/common";
import { byHandUndo, endedUndo, overwrittenUndo, plannedUndo } from "./fixtures/compensation";
import { duplicate } from "./fixtures/incidents";
import { blockedRun, succeededRun, unknownRun } from "./fixtures/run";
import { today } from "./fixtures/today";
import { close, find, get, getAsync, isDisabled, open, textOf, type, waitFor } from "./page";

const place = { screen: "compensation", taskId: TASK } as const;
const card = (action: string) =>
  waitFor(() =>
    [...document.querySelectorAll<HTMLElement>("article")].find((one) =>
      one.querySelector("h3")?.textContent?.includes(action),
    ),
  );

afterEach(close);

describe("the plan before it starts", () => {
  it("says what the program undoes, what a person must do, and what nothing takes back", async () => {
    await open(place);
    const plan = textOf(await getAsync("region", "What starting would do"));
    expect(plan).toContain("The program undoesStop the campaignTake the page down");
    expect(plan).toContain("A person must doDecide how the customers are told");
    expect(plan).toContain("63 mails have left or may have left. Nothing calls them back");
    expect(textOf(await card("Take the page down"))).toContain("Can be undone by the program");
  });

  it("starts from what was read: with reason, typed edition and the hash of the plan that was on the screen", async () => {
    const api = await open(place);
    (await getAsync("button", "Start the compensation …")).click();
    const dialog = await getAsync("dialog", "Undo edition 2026-W30?");
    const start = get("button", "Undo edition 2026-W30", dialog);
    // The plan changes under the open dialog: what is sent is what was read, and the journal will say no.
    api.answer("compensation.get", () => ({ ...plannedUndo, planHash: fakeHash("plan-31"), stateVersion: 12 }));
    api.push("journal.changed", { seq: 1, taskIds: [TASK] });
    await waitFor(() => api.of("compensation.get").length > 1);
    expect(isDisabled(start)).toBe(true);
    type(get("textbox", "Reason", dialog), "wrong price");
    type(get("textbox", "Type 2026-W30 to confirm", dialog), "2026-W31");
    expect(isDisabled(start)).toBe(true);
    type(get("textbox", "Type 2026-W30 to confirm", dialog), "2026-W30");
    await waitFor(() => !isDisabled(start));
    start.click();
    start.click();
    await waitFor(() => api.of("run.startCompensation").length > 0);
    expect(api.of("run.startCompensation")).toEqual([
      { taskId: TASK, expectedVersion: 11, planHash: fakeHash("plan-30"), reason: "wrong price", typed: "2026-W30" },
    ]);
  });

  it("names what stands in the way where it cannot start", async () => {
    await open(place, (api) =>
      api.answer("compensation.get", () => ({
        ...plannedUndo,
        start: { open: false, unmet: [{ code: "nothing_to_undo", values: {} }] },
      })),
    );
    expect(textOf(await getAsync("region", "What starting would do"))).toContain("There is nothing to undo.");
    expect(find("button", "Start the compensation …")).toBeUndefined();
  });

  it("asks the remote when a person wants to know, and says when no answer came back", async () => {
    const api = await open(place);
    const page = await card("Take the page down");
    get("button", "Ask the remote now", page).click();
    await waitFor(() => page.textContent?.includes("Still ours, revision 30: the precondition holds."));
    expect(api.of("compensation.look")).toEqual([{ taskId: TASK, compensationId: "cp-page" }]);
    api.answer("compensation.look", () => {
      throw new Error("gone");
    });
    get("button", "Ask the remote now", page).click();
    await waitFor(() => page.textContent?.includes("The answer did not come back; ask again."));
  });
});

describe("the checklist", () => {
  it("shows that nothing newer was overwritten, offers the forward fix, and lets it go on only with a reason", async () => {
    const api = await open(place, (fake) => fake.answer("compensation.get", () => overwrittenUndo));
    const page = await card("Take the page down");
    expect(textOf(page)).toContain("Revision 31 is there, which is not ours. Nothing was overwritten.");
    expect(textOf(page)).toContain("The way on is a forward fix");
    expect(textOf(page)).toContain("1 of 3 came to nothing");
    expect(textOf(await card("Decide how the customers are told"))).toContain("Waits for: Take the page down");
    get("button", "Let it go on …", page).click();
    const dialog = await getAsync("dialog", "Let “Take the page down” go on?");
    const confirm = get("button", "Go on with the undo", dialog);
    expect(isDisabled(confirm)).toBe(true);
    type(get("textbox", "Why it may work now", dialog), "v31 was taken back");
    await waitFor(() => !isDisabled(confirm));
    confirm.click();
    await waitFor(() => api.of("run.resumeCompensation").length === 1);
    expect(api.of("run.resumeCompensation")).toEqual([
      { taskId: TASK, expectedVersion: 12, compensationId: "cp-page", reason: "v31 was taken back" },
    ]);
  });

  it("closes what is a person's only with a note and a link", async () => {
    const api = await open(place, (fake) => fake.answer("compensation.get", () => byHandUndo));
    const told = await card("Decide how the customers are told");
    expect(textOf(told)).toContain("The mails that left stay in the inboxes.");
    get("button", "Close by hand …", told).click();
    const dialog = await getAsync("dialog", "Close “Decide how the customers are told” by hand?");
    const confirm = get("button", "Close the entry", dialog);
    type(get("textbox", "Note: what was done", dialog), "told by letter");
    expect(isDisabled(confirm)).toBe(true);
    type(get("textbox", "Link, or where it can be seen", dialog), " https://desk.example/7 ");
    await waitFor(() => !isDisabled(confirm));
    confirm.click();
    await waitFor(() => api.of("run.closeCompensation").length === 1);
    expect(api.of("run.closeCompensation")[0]).toMatchObject({
      ...{ compensationId: "cp-mailing", expectedVersion: 12, note: "told by letter" },
      evidence: "https://desk.example/7",
    });
  });

  it("is a record at the end, with nothing left to press", async () => {
    await open(place, (api) => api.answer("compensation.get", () => endedUndo));
    const told = await card("Decide how the customers are told");
    expect(textOf(told)).toContain("A correction goes out by letter to all 63.");
    expect(textOf(document.querySelector("main"))).toContain("3 of 3 done");
    for (const name of ["Close by hand …", "Let it go on …", "Ask the remote now", "Start the compensation …"])
      expect(find("button", name)).toBeUndefined();
  });
});

describe("the ways there", () => {
  it("Today names the undo that waits and why, and opens its checklist; an incident opens the run", async () => {
    const about = { taskId: TASK, edition: "2026-W30", blockedReason: null, since: NOW - 60_000 };
    await open({ screen: "today" }, (api) =>
      api.answer("today.get", () => ({
        ...today,
        waiting: [
          {
            ...{ ...about, kind: "undo_failed", until: NOW + 3_000_000 },
            undo: { action: "take_page_down", code: "precondition_changed" },
          },
          { ...about, kind: "incident", rule: "duplicate_remote", until: null },
        ],
      })),
    );
    const row = await getAsync("row", /^Undo failed/);
    expect(textOf(row)).toContain("Take the page down · something newer is there");
    expect(textOf(get("row", /^Incident open/))).toContain("two objects carry one key");
    row.click();
    await waitFor(() => useNav.getState().place.screen === "compensation");
    get("button", "Today").click();
    (await getAsync("row", /^Incident open/)).click();
    await waitFor(() => useNav.getState().place.screen === "run");
  });

  it("the run has four doors: one looks, one leads to the plan, two say what they would be", async () => {
    const api = await open({ screen: "run", taskId: TASK }, (fake) => fake.answer("run.get", () => unknownRun));
    const doors = await getAsync("region", "Four ways to recover");
    get("button", "Look now", get("region", "Reconcile", doors)).click();
    await waitFor(() => api.of("run.lookNow").length === 1);
    expect(textOf(get("region", "Roll back", doors))).toContain("There is no button");
    get("button", "Open the undo plan", get("region", "Compensate", doors)).click();
    await waitFor(() => useNav.getState().place.screen === "compensation");
  });

  it("starts an ended edition's next version with a reason and a deadline ahead, and says that nobody is mailed twice", async () => {
    const api = await open({ screen: "run", taskId: TASK }, (fake) => fake.answer("run.get", () => succeededRun));
    get("button", "Start version 2 …", await getAsync("region", "Four ways to recover")).click();
    const dialog = await getAsync("dialog");
    expect(textOf(dialog)).toContain("Nobody is mailed twice: version 2 replaces the page");
    const confirm = get("button", "Start version 2", dialog);
    expect((confirm as HTMLButtonElement).disabled).toBe(true);
    type(get("textbox", /^Why a new version is needed/, dialog), "the price of a was wrong");
    type(get("textbox", /^New deadline/, dialog), "2020-01-01T09:00");
    expect(textOf(dialog)).toContain("The new deadline must lie in the future.");
    expect((confirm as HTMLButtonElement).disabled).toBe(true);
    type(get("textbox", /^New deadline/, dialog), "2027-01-04T10:30");
    confirm.click();
    await waitFor(() => api.of("run.startNextVersion").length === 1);
    expect(api.of("run.startNextVersion")).toMatchObject([{ taskId: TASK, reason: "the price of a was wrong" }]);
    await waitFor(() => useNav.getState().place.screen === "today");
  });

  it("is honest where a door does not lead anywhere", async () => {
    await open({ screen: "run", taskId: TASK }, (api) => api.answer("run.get", () => succeededRun));
    const doors = await getAsync("region", "Four ways to recover");
    expect(textOf(get("region", "Reconcile", doors))).toContain("nothing is left to be learned");
    expect(find("button", "Look now", doors)).toBeUndefined();
  });
});

describe("an open incident", () => {
  it("stands at its edition, with its evidence, and leads to its runbook and its end", async () => {
    const found = {
      ...{ id: duplicate.id, rule: duplicate.rule, kind: duplicate.kind, scope: "slot" },
      ...{ scopeValue: duplicate.scopeValue, openedAt: NOW - 60_000, openedBy: "executor:desk-1" },
      ...{ nextTaskKey: "weekly-briefing:2026-W31:zh-CN", objects: duplicate.objects },
    };
    const api = await open({ screen: "run", taskId: TASK }, (fake) =>
      fake.answer("run.get", () => ({ ...blockedRun, incidents: [found] })),
    );
    const box = await getAsync("region", "Incident: Two objects in one place");
    for (const { remoteId, url } of duplicate.objects) {
      expect(textOf(box)).toContain(`Object ${remoteId}`);
      expect(textOf(box)).toContain(url);
    }
    (await getAsync("button", "Export the incident's evidence …")).click();
    await waitFor(() => api.of("evidence.plan").length === 1);
    expect(api.of("evidence.plan")).toMatchObject([{ incidentId: found.id, withBytes: true }]);
    const exporting = await getAsync("dialog", /^Export the evidence of the incident/);
    (await waitFor(() => find("button", "Close", exporting))).click();
    (await getAsync("button", "Open the incident")).click();
    await getAsync("region", "The incident at a glance");
    expect(api.of("incident.get").at(-1)).toEqual({ incidentId: found.id });
  });
});
