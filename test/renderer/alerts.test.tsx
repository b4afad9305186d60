import { afterEach, describe, expect, it } from "vitest";
import { useNav } from "../../renderer/stores/nav";
import { emptyInbox, inbox, owed } from "./fixtures/alerts";
import { TASK } from "./fixtures/common";
import { close, find, findAll, get, getAsync, nameOf, open, press, textOf, waitFor } from "./page";

const place = { screen: "alerts" } as const;
const VERDICT = "Sent, no answer: the queries cannot tell 2026-W30";
const answersTo = (title: string) => get("group", `Answers to “${title}”, 2026-W30`);

afterEach(close);

describe("the bell", () => {
  it("counts on every screen what nobody has acknowledged, and leads into the inbox", async () => {
    await open({ screen: "today" });
    const bell = await getAsync("button", "Alerts: 2 not acknowledged");
    expect(textOf(bell)).toBe("2");
    bell.click();
    await getAsync("heading", "Alerts");
    expect(useNav.getState().place).toEqual(place);
  });

  it("counts anew when the inbox changed, and asks for nothing else", async () => {
    const api = await open({ screen: "today" });
    await getAsync("button", "Alerts: 2 not acknowledged");
    const before = api.of("today.get").length;
    api.answer("alerts.get", () => ({ ...inbox, open: inbox.open.slice(0, 1) }));
    api.push("alerts.changed", {});
    await getAsync("button", "Alerts: 1 not acknowledged");
    expect(api.of("today.get")).toHaveLength(before);
  });
});

describe("the inbox", () => {
  it("lists by urgency, each with what to do, by when, and everything that is needed for it", async () => {
    await open(place);
    const urgent = textOf(await getAsync("region", "Within five minutes, at any hour"));
    expect(urgent).toContain("Sent, no answer: the queries cannot tell 2026-W30");
    expect(urgent).toContain("raised 2 times");
    expect(urgent).toContain("with the backup owner as well");
    expect(urgent).toContain("3 min over");
    expect(urgent).toContain("give a verdict: it happened, it did not, or cannot tell.");
    expect(urgent).toContain("weekly-briefing:2026-W30:zh-CN");
    expect(urgent).toContain("Editor; backup: Backup editor");
    expect(urgent).toContain("Publish, create · cms-sandbox");
    expect(urgent).toContain("Remote id none");
    expect(urgent).toContain("Content approvallivingEditor Lin");
    expect(urgent).toContain("publish:weekly-briefing:2026-W30:zh-CN");
    expect(find("region", "In working hours")).toBeUndefined();
  });

  it("names a dependency that needs ever more attempts, and what was counted", async () => {
    const retries = { recent: { calls: 60, again: 9 }, baseline: { calls: 240, again: 8 } };
    const alert = { ...inbox.open[1], code: "retry_rate_cahiers", todo: "look_at_dependency", retries };
    await open(place, (api) => api.answer("alerts.get", () => ({ ...inbox, open: [alert as never] })));
    const told = textOf(await getAsync("region", "Within an hour, told outside of the quiet hours"));
    expect(told).toContain("Repeated calls at twice the usual rate: cahiers");
    expect(told).toContain("9 of 60 calls in seven days; 8 of 240 in the four weeks before");
    expect(told).toContain("Do not raise the attempts");
  });

  it("names what recurs and how often, and leads to the item at which it is reviewed", async () => {
    await open(place, (api) => api.answer("alerts.get", () => ({ ...inbox, open: [owed] })));
    const told = textOf(await getAsync("region", "In working hours"));
    expect(told).toContain("The same trouble again and again: its review is owed");
    expect(told).toContain("What recursCustomer care · Bounced · 5503 in 7 days, 4 in 30");
    get("button", "Go to the recovery item").click();
    expect(useNav.getState().place).toEqual({ screen: "recovery", itemId: "ri-3" });
  });

  it("names the drill that has failed, and the duty that is overdue", async () => {
    const [failed, overdue] = ["drill_failed_S13", "drill_overdue_unknown_publish"].map((code, index) => ({
      ...owed,
      ...{ id: `al-drill-${index}`, code, todo: "play_drill", recurs: null },
    }));
    await open(place, (api) => api.answer("alerts.get", () => ({ ...inbox, open: [failed, overdue] as never })));
    const told = textOf(await getAsync("region", "In working hours"));
    expect(told).toContain("A drill has failed: S13");
    expect(told).toContain("A drill is overdue: Unknown publish, every month");
    expect(told).toContain("Open Drills and play it, with the runbook alone.");
  });

  it("says what there is none of", async () => {
    await open(place);
    const bare = textOf(await getAsync("region", "Within an hour, told outside of the quiet hours"));
    expect(bare).toContain("Content hashnone");
    expect(bare).toContain("Operationsnone");
    expect(bare).toContain("Last approvalnone");
    expect(bare).toContain("Freezenone: nothing is frozen");
    expect(bare).toContain("silent until");
    expect(bare).toContain("not told yet");
  });

  it("keeps what was told, with who acknowledged it or that it was over", async () => {
    await open(place);
    const done = textOf(await getAsync("list", "Told within 30 days"));
    expect(done).toContain("Edition blocked: A link is broken2026-W29");
    expect(done).toContain("acknowledged by Editor Lin");
    expect(done).toContain("not told: it was over before");
    expect(done).toContain("over by itself");
  });

  it("says that nobody is told outside of the window, and what would appear where nothing is", async () => {
    await open(place);
    await waitFor(() => textOf(document.querySelector("main")).includes("This system shows no notifications"));
    await close();
    await open(place, (api) => api.answer("alerts.get", () => emptyInbox));
    await getAsync("button", "Alerts: 0 not acknowledged");
    expect(textOf(document.querySelector("main"))).toContain("Nobody has to act.");
    expect(textOf(document.querySelector("main"))).not.toContain("no notifications");
  });

  it("acknowledges and snoozes the one alert, and goes to its run without doing anything", async () => {
    const api = await open(place);
    await getAsync("region", "Within five minutes, at any hour");
    const answers = answersTo("Sent, no answer: the queries cannot tell");
    get("button", "Remind me in an hour", answers).click();
    await waitFor(() => api.of("alerts.snooze").length === 1);
    expect(api.of("alerts.snooze")).toEqual([{ taskId: TASK, alertId: "al-locked", span: "hour" }]);
    await waitFor(() => find("button", "Acknowledge", answers) !== undefined);
    get("button", "Acknowledge", answers).click();
    await waitFor(() => api.of("alerts.acknowledge").length === 1);
    expect(api.of("alerts.acknowledge")).toEqual([{ taskId: TASK, alertId: "al-locked", note: "" }]);
    get("button", /Remind me in the morning/, answers).click();
    await waitFor(() => api.of("alerts.snooze").length === 2);
    expect(api.of("alerts.snooze").at(-1)).toMatchObject({ span: "morning" });
    get("button", "Go to the run", answers).click();
    expect(useNav.getState().place).toEqual({ screen: "run", taskId: TASK });
    expect(api.of("alerts.acknowledge")).toHaveLength(1);
  });

  it("is gone through by j and k", async () => {
    await open(place);
    await getAsync("region", "Within five minutes, at any hour");
    press("j", { on: document.body });
    expect(nameOf(document.activeElement as Element)).toBe(VERDICT);
    press("j");
    expect(nameOf(document.activeElement as Element)).toBe("A block lasts too long 2026-W30");
    press("k");
    expect(nameOf(document.activeElement as Element)).toBe(VERDICT);
  });

  it("is opened at its alert by a click on a notification, which acknowledges nothing", async () => {
    const api = await open({ screen: "today" });
    await getAsync("button", "Alerts: 2 not acknowledged");
    api.push("alerts.open", { alertId: "al-bare" });
    await getAsync("region", "Within five minutes, at any hour");
    await waitFor(() => document.activeElement?.tagName === "ARTICLE");
    expect(nameOf(document.activeElement as Element)).toBe("A block lasts too long 2026-W30");
    expect(api.of("alerts.acknowledge")).toEqual([]);
    expect(findAll("article")).toHaveLength(2);
  });
});
