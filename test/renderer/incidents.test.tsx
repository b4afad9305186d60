import { afterEach, describe, expect, it } from "vitest";
import { useNav } from "../../renderer/stores/nav";
import { MINUTE, NOW, TASK } from "./fixtures/common";
import { duplicate, incident, incidents } from "./fixtures/incidents";
import { emptyToday } from "./fixtures/today";
import { close, find, findAll, get, getAsync, isDisabled, nameOf, open, press, textOf, type, waitFor } from "./page";

const list = { screen: "incidents" } as const;
const at = (incidentId: string) => ({ ...list, incidentId });

afterEach(close);

describe("the list", () => {
  it("shows the open ones first, each with what it is, at which edition and how far it freezes, by j, k and Enter", async () => {
    await open(list);
    const openOnes = textOf(await getAsync("region", "Open"));
    expect(openOnes).toContain("Unknown publish2026-W30Opened by hand · This place, with every version of the edition");
    expect(textOf(get("region", "Closed"))).toContain("Restored backupthe journal as a whole");
    press("j", { on: document.body });
    expect(nameOf(document.activeElement as Element)).toContain("Unknown publish");
    (document.activeElement as HTMLElement).click();
    await waitFor(() => useNav.getState().visit === 1);
    expect(useNav.getState().place).toEqual(at(incident.id));
    await getAsync("region", "The incident at a glance");
    press("Escape", { on: document.body });
    await getAsync("region", "Open");
  });

  it("opens one by hand for what was chosen, never without a reason", async () => {
    const api = await open(list);
    const button = await getAsync("button", "Freeze it and open the incident");
    expect(isDisabled(button)).toBe(true);
    const choose = (name: string, value: string) => {
      const label = findAll("label").find((one) => textOf(one) === name) as HTMLLabelElement;
      const select = document.getElementById(label.htmlFor) as HTMLSelectElement;
      select.value = value;
      select.dispatchEvent(new Event("change", { bubbles: true }));
    };
    choose("What it is", "wrong_audience");
    choose("What to freeze", "slot");
    type(get("textbox", /^What you saw/), "R5 is on the list again");
    await waitFor(() => !isDisabled(button));
    button.click();
    await waitFor(() => api.of("incident.open").length === 1);
    expect(api.of("incident.open")).toEqual([
      {
        ...{ taskId: TASK, kind: "wrong_audience", scope: "slot", scopeValue: incident.scopeValue },
        ...{ operationId: null, reason: "R5 is on the list again" },
      },
    ]);
  });

  it("can freeze everything where there is no edition at all", async () => {
    const api = await open(list, (fake) => fake.answer("incident.list", () => ({ ...incidents, places: [] })));
    type(await getAsync("textbox", /^What you saw/), "the clock jumped");
    (await getAsync("button", "Freeze it and open the incident")).click();
    await waitFor(() => api.of("incident.open").length === 1);
    expect(api.of("incident.open")).toMatchObject([{ taskId: null, scope: "all", scopeValue: "other" }]);
  });
});

describe("an incident", () => {
  it("has three facts in their places, the step in turn with its clock, and texts only as text", async () => {
    await open(at(incident.id));
    const facts = await getAsync("region", "The incident at a glance");
    expect([...facts.querySelectorAll("h2")].map(textOf)).toEqual([
      ...["What is affected", "Since when", "What is being done"],
    ]);
    expect(textOf(facts)).toContain("Step 2 of 3: Query");
    expect(textOf(facts)).toContain("over");
    expect(textOf(facts)).toContain("<b>no answer</b> since nine");
    expect(facts.querySelector("p b b")).toBeNull();
    expect(textOf(get("region", "Runbook"))).toContain("Quick stop Do not publish by hand.");
    const step = document.querySelector('[aria-current="step"]') as Element;
    expect(textOf(step)).toContain("Look now: ask by the key.");
  });

  it("passes a step by its branch, done, or skipped with a reason", async () => {
    const api = await open(at(incident.id));
    const skip = await getAsync("button", "Skip the step");
    expect(isDisabled(skip)).toBe(true);
    expect(find("button", "Step done")).toBeUndefined();
    get("button", "Go on with: Nothing there").click();
    await waitFor(() => api.of("incident.get").length === 2);
    type(get("textbox", /^What was seen/), "no network tonight");
    await waitFor(() => !isDisabled(skip));
    skip.click();
    await waitFor(() => api.of("incident.get").length === 3);
    const about = { incidentId: incident.id, taskId: TASK, runbookVersion: 1, step: "look_now" };
    expect(api.of("incident.passStep")).toEqual([
      { ...about, how: "branch", branch: "none", note: "" },
      { ...about, how: "skipped", branch: null, note: "no network tonight" },
    ]);
    get("button", /Say what happened/).click();
    (await getAsync("button", "Step done")).click();
    await waitFor(() => api.of("incident.passStep").length === 3);
    expect(api.of("incident.passStep").at(-1)).toMatchObject({ step: "give_verdict", how: "done" });
  });

  it("lists what waits for the network, and looks when it is asked to", async () => {
    const api = await open(at(incident.id));
    const waits = await getAsync("region", "Waits for the network");
    expect(textOf(waits)).toContain("Look at publish:weekly-briefing:2026-W30");
    expect(textOf(get("list", "Steps that need the network"))).toBe("Look now: ask by the key.");
    get("button", "Look now", waits).click();
    await waitFor(() => api.of("run.lookNow").length === 1);
  });

  it("keeps notes and pins in the timeline", async () => {
    const api = await open(at(incident.id));
    expect(textOf(await getAsync("list", "Pinned"))).toContain("Sent, no answer");
    expect(findAll("li", undefined, get("list", "All events"))).toHaveLength(4);
    get("button", "Pin Request sent").click();
    await waitFor(() => api.of("incident.pin").length === 1);
    expect(api.of("incident.pin")).toMatchObject([{ seq: 21, isPinned: true }]);
    type(get("textbox", /^Note/), "called the hosting");
    const add = get("button", "Add the note");
    await waitFor(() => !isDisabled(add));
    add.click();
    await waitFor(() => api.of("incident.note").length === 1);
    expect(api.of("incident.note")).toMatchObject([{ note: "called the hosting", incidentId: incident.id }]);
  });

  it("has the drafts in both languages to be copied, and no way to send them", async () => {
    await open(at(incident.id));
    const drafts = await getAsync("region", "Drafts to copy");
    expect(textOf(drafts)).toContain("The program sends none of this.");
    expect([...drafts.querySelectorAll("[lang]")].map((one) => one.getAttribute("lang"))).toEqual([
      ...["zh-CN", "en", "zh-CN", "en"],
    ]);
    expect(findAll("button", undefined, drafts).map(nameOf)).toEqual([
      ...["Copy: Note to customers, Chinese", "Copy: Note to customers, English"],
      ...["Copy: Correction, Chinese", "Copy: Correction, English"],
    ]);
  });

  it("can always be asked to close: the answer names what is missing, in words", async () => {
    const api = await open(at(incident.id), (fake) =>
      fake.answer("incident.settle", () => ({
        result: "guard_failed",
        unmet: [{ code: "incident_evidence_missing", values: { what: "outcome_known" } }],
      })),
    );
    const box = await getAsync("region", "Close with evidence");
    expect(textOf(box)).toContain(
      "Still missing: The outcome of every call is known · What the remote shows, and when it was looked at · The cause",
    );
    type(get("textbox", "The cause"), "a lost answer");
    const button = get("button", "Look, and close the incident");
    expect(isDisabled(button)).toBe(false);
    button.click();
    expect(textOf(await getAsync("alert"))).toContain("Still to be shown: The outcome of every call is known.");
    expect(api.of("incident.settle")).toEqual([
      {
        ...{ incidentId: incident.id, taskId: TASK, reason: "" },
        proofs: { outcome_known: "", remote_shows: "", cause: "a lost answer" },
      },
    ]);
    expect((get("textbox", "The cause") as HTMLInputElement).value).toBe("a lost answer");
  });

  it("of two objects asks for the one that stays and for both releases", async () => {
    const api = await open(at(duplicate.id));
    await getAsync("region", "Close with evidence");
    expect(textOf(get("list", "Objects there"))).toContain("Object 18427");
    type(get("textbox", "Scheduler released: by whom, when"), "lin 09:40");
    get("button", "Look, and close the incident").click();
    await waitFor(() => api.of("incident.close").length === 1);
    expect(api.of("incident.close")).toMatchObject([
      { incidentId: "in-2", canonicalId: null, schedulerReleased: "lin 09:40", nextTaskKey: duplicate.nextTaskKey },
    ]);
  });

  it("closed shows its story and nothing to press", async () => {
    const closed = { ...incident, closedAt: NOW - MINUTE };
    await open(at(incident.id), (fake) => fake.answer("incident.get", () => closed));
    await getAsync("region", "The incident at a glance");
    for (const name of ["Look, and close the incident", "Skip the step", "Add the note", "Look now"])
      expect(find("button", name)).toBeUndefined();
    expect(textOf(get("region", "The incident at a glance"))).toContain("nothing is frozen by it any more");
  });

  it("is reached from Today and from the command menu", async () => {
    await open({ screen: "today" }, (fake) =>
      fake.answer("today.get", () => ({
        ...emptyToday,
        journalIncidents: [{ incidentId: incident.id, kind: "damaged_journal", since: NOW }],
      })),
    );
    get("button", /Incident open.*Damaged journal/).click();
    await waitFor(() => useNav.getState().place.screen === "incidents");
    press("k", { on: document.body, ctrlKey: true });
    const field = await getAsync("combobox", "Type a place or an action");
    type(field, "incidents");
    await waitFor(() => findAll("option").length === 1);
    press("Enter", { on: field });
    await waitFor(() => !("incidentId" in useNav.getState().place));
    await getAsync("region", "Open an incident by hand");
  });
});
