import { afterEach, describe, expect, it } from "vitest";
import type { Input } from "../../preload/contract";
import { useEvidence } from "../../renderer/stores/evidence";
import { useLedger } from "../../renderer/stores/ledger";
import { type Place, useNav } from "../../renderer/stores/nav";
import type { FakeApi } from "./fake-api";
import { boot, TASK } from "./fixtures/common";
import { facts, ledgerOf, rows, rowsOf } from "./fixtures/ledger";
import { answerManyEditions } from "./fixtures/many";
import {
  close,
  find,
  findAll,
  get,
  getAsync,
  isDisabled,
  mostRowsWhileScrolling,
  open,
  press,
  textOf,
  type,
  waitFor,
} from "./page";

afterEach(close);

const place: Place = { screen: "ledger" };
const lastAsked = (api: FakeApi) => api.of("ledger.get").at(-1) as Input<"ledger.get">;
const table = () => getAsync("table", "Editions");
const lineOf = (edition: string) => waitFor(() => findAll("tr").find((line) => textOf(line).includes(edition)));

async function chosen(...editions: string[]): Promise<void> {
  for (const edition of editions) (await getAsync("checkbox", new RegExp(`^Choose ${edition}`))).click();
}

describe("the table", () => {
  it("shows what happened to each edition, in words and numbers", async () => {
    await open(place);
    const line = textOf(await lineOf("2026-W29"));
    expect(line).toContain("Succeeded");
    expect(line).toContain("32100");
    expect(line).toContain("27 min");
    expect(line).toContain("18426");
    expect(textOf(await lineOf("2026-W27"))).toContain("not ended");
    expect(textOf(get("status", /of 5 editions/))).toBe("5 of 5 editions");
  });

  it("opens a run by Enter on its row, and is gone through by j", async () => {
    await open(place);
    await lineOf("2026-W30");
    press("j", { on: document.body });
    expect(document.activeElement?.getAttribute("aria-label")).toBe("Open the run of 2026-W30, version 1");
    (document.activeElement as HTMLElement).click();
    await waitFor(() => useNav.getState().place.screen === "run");
    expect(useNav.getState().place).toEqual({ screen: "run", taskId: TASK });
  });

  it("is reached by its key and by the command menu, which names the key", async () => {
    await open(null);
    press("3", { on: document.body, ctrlKey: true });
    await getAsync("heading", "Ledger");
    press("1", { on: document.body, metaKey: true });
    await getAsync("heading", "Today");
    press("k", { on: document.body, ctrlKey: true });
    (await getAsync("option", /^Go to the ledger ?Ctrl 3$/)).click();
    await getAsync("heading", "Ledger");
  });

  it("builds a few rows of ten thousand wherever it is scrolled to, and asks for those and their neighbours alone", async () => {
    const api = await open(place, answerManyEditions);
    await waitFor(() => find("row"));
    expect((await table()).getAttribute("aria-rowcount")).toBe("10001");
    expect(textOf(get("status", /editions/))).toBe("10,000 of 10,000 editions");
    const asked = () => api.of("ledger.rows").flatMap((input) => (input as Input<"ledger.rows">).taskIds);
    expect(asked().length).toBeLessThan(400);
    expect(await mostRowsWhileScrolling(document.querySelector(".ledger-scroll") as HTMLElement)).toBeLessThan(400);
    await waitFor(() => find("row", undefined, document.querySelector('[aria-rowindex="10001"]') ?? undefined));
    expect(asked().length).toBeLessThan(5_000);
    // Seen twice before the answer is there.
    const { answer, see } = useLedger.getState();
    const unseen = answer.value?.taskIds.slice(4_700, 4_720) ?? [];
    await Promise.all([see(unseen), see(unseen)]);
    expect(asked().filter((taskId) => taskId === unseen[0])).toHaveLength(1);
  });

  it("is asked for again when the journal changes, with the rows that are seen", async () => {
    const api = await open(place);
    await lineOf("2026-W30");
    const after = rows.map((row) => (row.taskId === TASK ? { ...row, state: "succeeded" } : row));
    api.answer("ledger.rows", ({ taskIds }) => rowsOf(after, taskIds));
    expect(textOf(await lineOf("2026-W30"))).toContain("Sending");
    api.push("journal.changed", { seq: 9, taskIds: [TASK] });
    await waitFor(() => textOf(findAll("tr")[1]).includes("Succeeded"));
  });
});

describe("what is shown", () => {
  it("is chosen by chips, a day and a text, and goes back to everything at once", async () => {
    const api = await open(place);
    (await getAsync("checkbox", "Blocked")).click();
    await waitFor(() => lastAsked(api).filter.outcomes.includes("blocked"));
    get("checkbox", "Unknown outcome").click();
    await waitFor(() => lastAsked(api).filter.marks.includes("unknown"));
    type(get("textbox", "Started from"), "2026-07-01");
    await waitFor(() => lastAsked(api).filter.from === "2026-07-01");
    press("/", { on: document.body });
    type(document.activeElement as HTMLElement, "w30");
    await waitFor(() => lastAsked(api).filter.text === "w30");
    expect(lastAsked(api).filter).toEqual({
      ...{ outcomes: ["blocked"], marks: ["unknown"], from: "2026-07-01", to: null, text: "w30" },
    });
    get("button", "Show all").click();
    await waitFor(() => lastAsked(api).filter.text === "");
    expect(lastAsked(api).filter).toEqual({ outcomes: [], marks: [], from: null, to: null, text: "" });
  });

  it("is sorted by its heads: numbers by the most, names from A, and the other way when pressed again", async () => {
    const api = await open(place);
    const head = async (name: string) => (await getAsync("button", name)).click();
    await head("Unknowns");
    await waitFor(() => lastAsked(api).sort.by === "unknowns");
    expect(lastAsked(api).sort.descending).toBe(true);
    await head("Unknowns");
    await waitFor(() => !lastAsked(api).sort.descending);
    await head("Edition");
    await waitFor(() => lastAsked(api).sort.by === "edition");
    expect(lastAsked(api).sort.descending).toBe(false);
    expect(findAll("th").map((one) => one.getAttribute("aria-sort"))).toContain("ascending");
  });

  it("says what will appear where there is nothing, and what to do where nothing matches", async () => {
    await open(place, (api) => api.answer("ledger.get", () => ledgerOf([])));
    await waitFor(() => textOf(document.body).includes("No edition was begun yet."));
    await close();
    const api = await open(place, (fake) => fake.answer("ledger.get", () => ({ ...ledgerOf([]), total: 5 })));
    await waitFor(() => textOf(document.body).includes("No edition matches these filters."));
    const before = api.of("ledger.get").length;
    findAll("button", "Show all")[0]?.click();
    await waitFor(() => api.of("ledger.get").length > before);
  });
});

describe("saved views", () => {
  const kept = (api: FakeApi) =>
    (api.of("app.setPreferences").at(-1) as Input<"app.setPreferences"> | undefined)?.ledgerViews;

  it("are saved under a name, shown again, renamed and removed", async () => {
    const api = await open(place);
    (await getAsync("checkbox", "Was blocked")).click();
    (await getAsync("button", "Save this view …")).click();
    const name = await getAsync("textbox", "Name of the view");
    expect(isDisabled(get("button", "Save the view"))).toBe(true);
    type(name, " Trouble ");
    await waitFor(() => !isDisabled(get("button", "Save the view")));
    get("button", "Save the view").click();
    await waitFor(() => kept(api)?.length === 1);
    expect(kept(api)?.[0]).toMatchObject({ name: "Trouble", filter: { marks: ["blocked"] } });
    (await getAsync("button", "Show all")).click();
    await waitFor(() => useLedger.getState().filter.marks.length === 0);
    (await getAsync("button", "Trouble")).click();
    await waitFor(() => useLedger.getState().filter.marks[0] === "blocked");
    (await getAsync("button", "Rename Trouble …")).click();
    type(await getAsync("textbox", "Name of the view"), "Blocks");
    await waitFor(() => !isDisabled(get("button", "Rename the view")));
    get("button", "Rename the view").click();
    await waitFor(() => kept(api)?.[0]?.name === "Blocks");
    (await getAsync("button", "Remove Blocks …")).click();
    (await getAsync("button", "Remove the view")).click();
    await waitFor(() => kept(api)?.length === 0);
  });

  it("refuse a name that another view has when one is renamed", async () => {
    const view = (name: string, text: string) => ({
      ...{ name, filter: { outcomes: [], marks: [], from: null, to: null, text } },
      sort: { by: "started" as const, descending: true },
    });
    const ledgerViews = [view("One", "w1"), view("Two", "w2")];
    await open(place, (api) =>
      api.answer("app.bootstrap", () => ({ ...boot, preferences: { ...boot.preferences, ledgerViews } })),
    );
    (await getAsync("button", "One")).click();
    (await getAsync("button", "Rename One …")).click();
    type(await getAsync("textbox", "Name of the view"), "Two");
    await waitFor(() => textOf(document.body).includes("Another view has this name."));
    expect(isDisabled(get("button", "Rename the view"))).toBe(true);
  });
});

describe("exports", () => {
  it("ask for exactly what is shown, and tell what came of it", async () => {
    const api = await open(place);
    (await getAsync("checkbox", "Succeeded")).click();
    await waitFor(() => lastAsked(api).filter.outcomes.length === 1);
    get("button", "Export CSV …").click();
    await waitFor(() => find("status", "5 rows were written to /home/lin/ledger.csv."));
    expect(api.of("ledger.export")).toEqual([{ ...lastAsked(api), format: "csv" }]);
    api.answer("ledger.export", () => ({ result: "failed" }));
    get("button", "Export JSON …").click();
    await waitFor(() => find("alert", /could not be written/));
    api.answer("ledger.export", () => {
      throw new Error("the pipe broke");
    });
    get("button", "Export JSON …").click();
    await waitFor(() => find("alert", /It is not known whether the file was written: the pipe broke/));
  });

  it("of evidence are of the one that is chosen, or of the days", async () => {
    await open(place);
    await chosen("2026-W29");
    (await getAsync("button", "Export evidence of 2026-W29 …")).click();
    await waitFor(() => useEvidence.getState().exporting !== null);
    expect(useEvidence.getState().exporting?.subject).toEqual({ taskId: "t-1" });
    useEvidence.getState().leaveExport();
    type(get("textbox", "Started from"), "2026-07-01");
    await waitFor(() => useLedger.getState().filter.from !== null);
    expect(find("button", "Export evidence of this period …")).toBeUndefined();
    type(get("textbox", "Started until"), "2026-07-31");
    (await getAsync("button", "Export evidence of this period …")).click();
    await waitFor(() => useEvidence.getState().exporting !== null);
    expect(useEvidence.getState().exporting?.subject).toEqual({ from: "2026-07-01", to: "2026-07-31" });
  });
});

describe("two editions side by side", () => {
  it("differ in words, fact by fact, and Escape goes back to the ledger", async () => {
    await open(place, (api) =>
      api.answer("ledger.facts", ({ taskId }) =>
        taskId === TASK ? facts : { ...facts, facts: [{ headline: "A new limit", statement: "At most 50." }] },
      ),
    );
    await chosen("2026-W30", "2026-W29");
    (await getAsync("button", "Compare the two chosen")).click();
    await getAsync("heading", "Compare 2026-W30 with 2026-W29");
    await waitFor(() => textOf(document.body).includes("worded differently"));
    const line = (name: string) => textOf(findAll("tr").find((one) => textOf(one.querySelector("th")) === name));
    expect(line("Unknowns")).toBe("Unknowns121 more on the right");
    expect(line("People's time")).toContain("17 min longer on the right");
    expect(line("Audience")).toContain("same");
    expect(line("Content")).toContain("different");
    expect(line("A new limit")).toContain("worded differently");
    expect(line("Batch window for agent calls")).toContain("only in 2026-W30");
    press("Escape", { on: document.body });
    await getAsync("heading", "Ledger");
  });

  it("are the two that were ticked last", async () => {
    await open(place);
    await chosen("2026-W30", "2026-W29", "2026-W28");
    expect(useLedger.getState().chosen).toEqual(["t-1", "t-2"]);
  });
});
