import { afterEach, describe, expect, it } from "vitest";
import { useNav } from "../../renderer/stores/nav";
import { TASK } from "./fixtures/common";
import { healthy, unused } from "./fixtures/health";
import { close, findAll, get, getAsync, open, press, textOf, waitFor } from "./page";

const place = { screen: "health" } as const;
const metric = (name: string) => textOf(get("li.metric", name));

afterEach(close);

describe("the metrics", () => {
  it("each says its value, what it means and what it is out of; durations with P95", async () => {
    await open(place);
    await getAsync("region", "Metrics");
    expect(findAll("li.metric")).toHaveLength(healthy.metrics.length);
    expect(metric("Retry rate per call")).toContain("Reads of sources and requests");
    expect(metric("Retry rate per call")).toContain("3.7 %19 of 512 calls");
    expect(metric("Duplicate execution")).toContain("0 ‰0 duplicates, 86 effects");
    expect(metric("Time to restore")).toContain("40 minP95 26 h8 of 9 faults restored");
    expect(metric("Backlog of recovery")).toContain("22 open of 7 seen in the periodThe oldest has waited 3 d.");
  });

  it("without a denominator it says “no data”, never a share", async () => {
    await open(place, (api) => api.answer("health.get", () => unused));
    await getAsync("region", "Metrics");
    expect(findAll("li.metric")).toHaveLength(healthy.metrics.length);
    for (const item of findAll("li.metric")) {
      expect(textOf(item)).toContain("no data");
      expect(textOf(item)).not.toMatch(/\d ?[%‰]/);
    }
  });

  it("the trend can be read as words, weeks without data apart from weeks of nothing", async () => {
    await open(place);
    await getAsync("region", "Metrics");
    const trend = get("svg", /^By week over three months, oldest first: no data, .*no data, 0 %, 2 %, 5 %$/);
    expect(trend.querySelectorAll("rect")).toHaveLength(3);
    expect(trend.querySelectorAll("circle")).toHaveLength(10);
  });

  it("leads to the editions it rests on, and says how many more there are", async () => {
    await open(place);
    await getAsync("region", "Metrics");
    expect(metric("Retry rate per call")).toContain("The 2 that tell most, of 31");
    for (const rows of document.querySelectorAll("details")) rows.open = true;
    (await getAsync("button", "Open the run of 2026-W29")).click();
    await waitFor(() => useNav.getState().place.screen === "run");
    expect(useNav.getState().place).toEqual({ screen: "run", taskId: TASK });
  });

  it("is asked for again when another period is chosen", async () => {
    const api = await open(place);
    await getAsync("region", "Metrics");
    expect(api.of("health.get")).toEqual([{ days: 90 }]);
    (get("radio", "7 days") as HTMLInputElement).click();
    await waitFor(() => api.of("health.get").length === 2);
    expect(api.of("health.get").at(-1)).toEqual({ days: 7 });
  });
});

describe("what holds or limits it", () => {
  it("names hosts by the state of their breaker, budgets, the clock, the chain, and that there is no backup", async () => {
    await open(place);
    const breakers = textOf(await getAsync("region", "Breakers"));
    expect(breakers).toContain("openfeeds.examplefailures in a row: 6");
    expect(breakers).toContain("half-openmail.examplefailures in a row: 5the next call is the one that tries");
    expect(textOf(get("region", "Budgets"))).toContain("2026-W3037 of 400 calls used");
    const journal = textOf(get("region", "Time and journal"));
    for (const part of ["sandbox, trusted", "1,812 events, 4.2 MB", "Last backupno backup yet"])
      expect(journal).toContain(part);
    get("button", "Open the audit").click();
    await waitFor(() => useNav.getState().place.screen === "audit");
  });

  it("says by itself or by a person, as the coverage is", async () => {
    await open(place);
    expect(textOf(await getAsync("region", "Idempotency coverage"))).toContain(
      "sent anew by itself.Undos go by themselves: 0 failed within a day, of 3 that people can take.",
    );
    close();
    await open(place, (api) => api.answer("health.get", () => unused));
    const coverage = textOf(await getAsync("region", "Idempotency coverage"));
    expect(coverage).toContain("vouchers, version 233.3 %1 of 3 writes");
    expect(coverage).toContain("Too low: what was proven absent waits for a person");
    expect(coverage).toContain("not covered: letters/create · letters/trigger");
    expect(coverage).toContain("3 undos failed within a day, of 3 that people can take");
    expect(coverage).toContain("the next is Editor’s from the beginning");
  });
});

it("pre-flight: a yes stands beside what proves it, a no beside what is missing, and both lead to where it is looked up", async () => {
  await open(place);
  const panel = await getAsync("region", "Pre-flight");
  const answers = [...panel.querySelectorAll("li")].map(textOf);
  expect(answers[0]).toContain("ProvedRests oni03_one_open_createpublishing");
  expect(answers[1]).toContain("Not provedThe last round is more than a day old.");
  expect(answers[3]).toContain("Not provedThese runbooks are not complete: other");
  expect(textOf(panel)).toContain("It may run in parts");
  get("button", "Look it up for weekly-briefing: Does one id give the whole history?").click();
  await waitFor(() => useNav.getState().place.screen === "run");
  expect(useNav.getState().place).toEqual({ screen: "run", taskId: TASK });
});

it("is gone through by j and k", async () => {
  await open(place);
  await getAsync("region", "Metrics");
  press("j", { on: document.body });
  expect(document.activeElement?.tagName).toBe("SUMMARY");
});
