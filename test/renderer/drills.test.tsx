import { afterEach, describe, expect, it } from "vitest";
import type { Output, Pushed } from "../../preload/contract";
import { blocked, broken, duties, idle, played, RUN, running, steps } from "./fixtures/drills";
import { close, find, findAll, get, getAsync, nameOf, open, press, textOf, type, waitFor } from "./page";

afterEach(close);

/** The screen is fetched when it is first opened, which takes a moment on a busy machine. */
async function openDrills(prepare?: Parameters<typeof open>[1]) {
  const api = await open({ screen: "drills" }, prepare);
  await waitFor(() => find("region", "Scenarios"), 15_000);
  return api;
}

const rows = () => findAll("row").map(textOf);
const lines = () =>
  [...get("region", "Steps of the drill").querySelectorAll("li")].map((line) => textOf(line).replace(/^[\d:]+/, ""));
const started: Pushed<"drill.changed"> = {
  running: { run: RUN, scenario: "S13", startedAt: played.startedAt, waiting: [], isLed: false, question: null },
  ended: null,
  duties,
  failed: [],
};

describe("the scenarios", () => {
  it("are listed by group, all 51, and found by number, title or fault in either language", async () => {
    await openDrills();
    await getAsync("region", "4. Unknown publish");
    expect(rows()).toHaveLength(51);
    expect(findAll("region", /^\d+\. /).map(nameOf)).toHaveLength(12);
    expect(
      rows()
        .slice(-3)
        .map((row) => row.slice(0, 2)),
    ).toEqual(["B1", "B2", "B3"]);
    press("/");
    const filter = get("textbox", "Filter the scenarios");
    expect(document.activeElement).toBe(filter);
    type(filter, "网关");
    await waitFor(() => rows().length === 1);
    expect(rows()).toEqual(["S16Two objects with one key"]);
    expect(get("button", "Run the one shown")).toBeDefined();
    type(filter, "no such fault");
    await waitFor(() => document.body.textContent?.includes("No scenario matches “no such fault”."));
  });

  it("show given, fault and expected of the one that is chosen, which alone is a stop for Tab", async () => {
    await openDrills();
    (await getAsync("row", /^S40/)).click();
    const panel = await getAsync("region", "S40 · Key retention over");
    expect(textOf(panel)).toContain("GivenThe provider keeps keys for 24 hours; a request left and nobody answered.");
    expect(textOf(panel)).toContain("Expected");
    expect(
      findAll("row")
        .filter((row) => row.tabIndex === 0)
        .map(textOf),
    ).toEqual(["S40Key retention over"]);
    expect(document.body.textContent).toContain("Not played yet. What happens is shown here as it happens.");
  });
});

describe("what is due", () => {
  const owed = () => [...get("region", "What is due").querySelectorAll("tbody tr")].map(textOf);

  it("is told by word and shape with how far it is, and what is due is started from there", async () => {
    const failed = [{ scenario: "S02", at: broken.startedAt, isPersons: false }];
    const api = await openDrills((fake) => fake.answer("drills.get", () => ({ ...idle, duties, failed })));
    expect(owed()).toEqual([
      "Unknown publish, every monthDue0 of 1 this monthneverMon 30 NovPlay S13",
      "Compensation, every quarterOverdue0 of 1 this quarter2 May, 17:00 S45Wed 30 SeptPlay S46",
      "Three recoveries, every monthDone3 of 3 this month20 Nov, 17:00 S37Thu 31 Dec",
      "S02 againFailedIts newest play failed: 1 Dec, 04:00Start S02",
    ]);
    expect(get("region", "What is due").querySelectorAll(".mark svg")).toHaveLength(4);
    get("button", "Play S46").click();
    await waitFor(() => api.of("drills.start").length === 1);
    expect(api.of("drills.start")).toEqual([{ scenarios: ["S46"], led: true }]);
    await getAsync("region", /^S46 · /);
    api.push("drill.changed", { ...started, duties });
    await waitFor(() => get("button", "Play S46").getAttribute("aria-disabled") === "true");
    get("button", "Play S46").click();
    expect(api.of("drills.start")).toHaveLength(1);
    const caughtUp = duties.map((duty) => ({ ...duty, standing: "done" as const, done: duty.times }));
    api.push("drill.changed", { running: null, ended: played, duties: caughtUp, failed: [] });
    await waitFor(() => owed()[0]?.includes("Done1 of 1 this month"));
    expect(findAll("button", /^(Start|Play) S/)).toEqual([]);
  });

  it("waits on Today where it is late or has failed, opens its scenario from there, and is gone when it passed", async () => {
    const failed = [{ scenario: "S02", at: broken.startedAt, isPersons: false }];
    const api = await open({ screen: "today" }, (fake) =>
      fake.answer("drills.get", () => ({ ...idle, duties, failed })),
    );
    await waitFor(() => find("button", /^Drill failed/));
    expect(textOf(get("button", /^Drill failed/))).toContain("S02Play S02: a play that passes ends this.");
    expect(textOf(get("button", /^Drill overdue/))).toContain("Compensation, every quarterPlay S46");
    api.push("drill.changed", { running: null, ended: played, duties, failed: [] });
    await waitFor(() => find("button", /^Drill failed/) === undefined);
    get("button", /^Drill overdue/).click();
    await getAsync("region", /^S46 · /);
  });
});

describe("a drill", () => {
  it("is watched step by step, in whatever pieces it is told, and then shows what it came to", async () => {
    const api = await openDrills();
    (await getAsync("row", /^S13/)).click();
    (await getAsync("button", "Run this drill")).click();
    await waitFor(() => api.of("drills.start").length === 1);
    expect(api.of("drills.start")).toEqual([{ scenarios: ["S13"] }]);
    api.push("drill.changed", started);
    await getAsync("row", "S13Answer lost, found by asking (18427)Playing");
    await waitFor(() =>
      document.body.textContent?.includes("The throw-away workspace and its servers are being set up"),
    );
    api.push("drill.progress", { run: RUN, from: 0, steps: steps.slice(0, 30) });
    // Told twice in part: shown once.
    api.push("drill.progress", { run: RUN, from: 20, steps: steps.slice(20) });
    await waitFor(() => lines().length > 10);
    expect(lines()).toEqual([
      "JournalEdition creatednow Created",
      "JournalCollecting startednow Collecting sources",
      "OutsideReceived: read a source×12",
      "JournalSources frozennow Drafting",
      "OutsideReceived: check a link×19",
      "JournalContent approvednow Content approved",
      "PersonApprove the content: done",
      "JournalPublishing startednow Publishing",
      "JournalOperation preparedPublish, create",
      "JournalRequest sentPublish, create",
      "WebsiteReceived: create an article",
      "WebsiteFault strikes: Lose the website's answer after it published",
      "WebsiteNow holds 18427: published",
      "JournalSent, no answerPublish, create",
      "JournalLooking at the remotePublish, create",
      "WebsiteReceived: look for an article",
      "JournalRemote confirmedPublish, create",
      "JournalPublished and verifiednow Published",
      "PersonApprove the mailing: done",
      "MailNow holds 930: sent",
      "JournalEvery recipient accounted fornow Succeeded",
    ]);
    api.push("drill.changed", { running: null, ended: played, duties, failed: [] });
    const facts = textOf(await getAsync("region", "What it came to"));
    expect(facts).toContain("Create calls at the website1Articles it holds18427 published");
    expect(facts).toContain("All held, by the journal's own checker.");
    expect(facts).toContain("Publish, createConfirmedNo answer (timeout)Found, equal");
    expect(facts).toContain("Took1 s");
    const timing = get("region", "How long it took");
    expect([...timing.querySelectorAll("tbody tr")].map(textOf)).toEqual([
      "Registered08:00:00",
      "Failure detected08:07:307 min 30 s",
      "Classified08:07:311 s",
      "Decided08:07:310 s",
      "Compensated or reconciled08:07:310 s",
      "Verified08:09:011 min 30 sStuck here longest",
    ]);
    expect(textOf(timing)).toContain(
      "From detection to verified: 1 min 31 sWithin the 30 min it may take1 min slower than last time.",
    );
    expect(textOf(find("status", /has ended/))).toContain(
      "S13 has ended: Succeeded. All held, by the journal's own checker.",
    );
    expect(textOf(get("region", "Last drills"))).toContain("S13 Answer lost, found by asking (18427)HeldSucceeded");
    expect(lines()).toHaveLength(21);
  });

  it("that waits for a person says so, and one in which nothing failed has no times", async () => {
    const phases = (played.timing?.phases ?? []).map((one, index) => (index === 0 ? one : { ...one, at: null }));
    const quiet = {
      ...played,
      scenario: "B1",
      timing: { phases, stuck: null, totalMs: null, targetMs: 1_800_000, beforeMs: null },
    };
    await openDrills((api) => api.answer("drills.get", () => ({ ...idle, results: [blocked, quiet] })));
    (await getAsync("row", /^S16/)).click();
    const open = textOf(await getAsync("region", "How long it took"));
    expect(open).toContain("Decidednot reached");
    expect(open).toContain("Not verified in this play: what comes next waits for a person.");
    (await getAsync("row", /^B1/)).click();
    await waitFor(() => textOf(get("region", "How long it took")).includes("there is nothing to time"));
  });

  it("counts as failed where it needed its author, which a note explains", async () => {
    const results = [played];
    const api = await openDrills((fake) => fake.answer("drills.get", () => ({ ...idle, results })));
    (await getAsync("row", /^S13/)).click();
    await getAsync("region", "The runbook alone");
    const no = () => get("button", "No, it needed its author") as HTMLButtonElement;
    expect(no().disabled).toBe(true);
    type(get("textbox", "Note"), "Whom to call is not in it");
    await waitFor(() => !no().disabled);
    const runbook = { alone: false, note: "Whom to call is not in it", at: played.startedAt };
    api.answer("drills.judge", () => ({
      result: "noted",
      drills: {
        ...idle,
        results: [{ ...played, runbook }],
        failed: [{ scenario: "S13", at: played.startedAt, isPersons: false }],
      },
    }));
    no().click();
    await getAsync("row", /^S13.*Needed its author$/);
    expect(api.of("drills.judge")).toEqual([{ run: RUN, alone: false, note: "Whom to call is not in it" }]);
    expect(textOf(get("region", "The runbook alone"))).toContain("counts as failedWhom to call is not in it");
    expect(textOf(get("region", "What is due"))).toContain("S13 againFailed");
  });

  it("asks for the whole when a piece is missing, and shows a broken promise as one", async () => {
    const api = await openDrills();
    (await getAsync("row", /^S13/)).click();
    api.push("drill.changed", started);
    const before = api.of("drills.get").length;
    api.answer("drills.get", () => running);
    api.push("drill.progress", { run: RUN, from: steps.length - 1, steps: steps.slice(-1) });
    await waitFor(() => find("region", "Steps of the drill") && lines().length === 21);
    expect(api.of("drills.get")).toHaveLength(before + 1);
    const facts = {
      ...(played.facts as NonNullable<typeof played.facts>),
      violations: ["I03 two operations in a slot"],
    };
    api.push("drill.changed", { running: null, ended: { ...played, facts }, duties, failed: [] });
    expect(textOf(await getAsync("region", "What it came to"))).toContain("1 violationI03 two operations in a slot");
    await getAsync("row", /^S13.*Broken$/);
  });

  it("is refused by name while another is played, and can be cancelled", async () => {
    let answer: Output<"drills.get"> = idle;
    const api = await openDrills((fake) => {
      fake.answer("drills.get", () => answer);
      fake.answer("drills.start", () => ({ result: "busy", scenario: "S13" }));
    });
    (await getAsync("row", /^S14/)).click();
    const run = await getAsync("button", "Run this drill");
    run.click();
    run.click();
    expect(textOf(await getAsync("alert"))).toBe(
      "Not started: S13 is being played, and only one drill runs at a time. Wait for it, or cancel it.",
    );
    expect(api.of("drills.start")).toHaveLength(1);
    answer = running;
    api.push("clock.changed", {
      now: 0,
      zone: "UTC",
      simulated: true,
      skipsWaiting: true,
      source: "sandbox",
      trusted: true,
    });
    await getAsync("row", /^S14.*Waiting$/);
    expect(get("button", "Run this drill").getAttribute("aria-disabled")).toBe("true");
    run.click();
    expect(api.of("drills.start")).toHaveLength(1);
    (await getAsync("button", "Cancel S13 and the 2 that wait")).click();
    await waitFor(() => api.of("drills.cancel").length === 1);
  });

  it("that could not be played says so in words, with what its program said of itself", async () => {
    await openDrills((api) => api.answer("drills.get", () => ({ ...idle, results: [broken] })));
    (await getAsync("row", /^S02/)).click();
    await waitFor(() => document.body.textContent?.includes("S02 could not be played to its end."));
    expect(document.body.textContent).toContain("The drill's own program ended before it was done.");
    expect(textOf(document.querySelector("pre"))).toBe("ended_early 134");
    expect(find("region", "What it came to")).toBeUndefined();
  });
});
