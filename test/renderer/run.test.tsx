import { afterEach, describe, expect, it } from "vitest";
import { TASK } from "./fixtures/common";
import { answerManyEvents } from "./fixtures/many";
import { blockedRun, observationRun, succeededRun, unknownRun } from "./fixtures/run";
import {
  close,
  find,
  findAll,
  get,
  getAsync,
  isDisabled,
  mostRowsWhileScrolling,
  nameOf,
  open,
  press,
  rest,
  textOf,
  type,
  waitFor,
} from "./page";

const place = { screen: "run", taskId: TASK } as const;

afterEach(close);

describe("a request without an answer", () => {
  it("is told by words of its own, with what was meant and what the remote shows", async () => {
    await open(place, (api) => api.answer("run.get", () => unknownRun));
    const panel = await getAsync("region", "Sent, no answer");
    const text = textOf(panel);
    expect(text).toContain("It may have happened. Nothing is sent again before the remote has been looked at.");
    // The clock goes on while a busy machine draws the page.
    expect(text).toMatch(/checked 1\d s ago/);
    expect(text).toContain("Object 18427");
    expect(text).toMatch(/Key equal\s*Intent equal\s*Content differs\s*Task not shown by the remote/);
    expect(text).not.toMatch(/retry/i);
  });

  it("records a verdict only with evidence, the object's id and the typed edition", async () => {
    const api = await open(place, (fake) => fake.answer("run.get", () => unknownRun));
    (await getAsync("button", "It happened")).click();
    const dialog = await getAsync("dialog");
    const record = get("button", "Record: It happened", dialog);
    expect((get("textbox", "Id of the object on the remote", dialog) as HTMLInputElement).value).toBe("18427");
    type(get("textbox", /^Evidence/, dialog), "seen in the admin pages at 09:18");
    await rest(30);
    expect(isDisabled(record)).toBe(true);
    type(get("textbox", "Type 2026-W30 to confirm", dialog), "2026-W30");
    await waitFor(() => !isDisabled(record));
    record.click();
    await waitFor(() => api.of("run.giveVerdict").length === 1);
    expect(api.of("run.giveVerdict")[0]).toEqual({
      taskId: TASK,
      operationId: "op-publish",
      verdict: "happened",
      remoteId: "18427",
      evidence: "seen in the admin pages at 09:18",
    });
  });

  it("looks once per click and says so", async () => {
    const api = await open(place, (fake) => fake.answer("run.get", () => unknownRun));
    const look = await getAsync("button", "Look now");
    look.click();
    look.click();
    await waitFor(() => document.body.textContent?.includes("Look at the remote: done"));
    expect(api.of("run.lookNow")).toHaveLength(1);
  });

  it("offers only the verdicts that are asked for", async () => {
    await open(place, (api) =>
      api.answer("run.get", () => ({
        ...unknownRun,
        operations: unknownRun.operations.map((operation) => ({ ...operation, verdicts: [] })),
      })),
    );
    await getAsync("region", "Sent, no answer");
    expect(find("button", "It happened")).toBeUndefined();
    expect(document.body.textContent).toContain("No verdict is asked for yet");
  });
});

describe("a blocked edition", () => {
  it("gives each way out a button of its own, closed ones with their reason", async () => {
    await open(place, (api) => api.answer("run.get", () => blockedRun));
    const box = await getAsync("region", "Blocked: The deadline has passed");
    expect(findAll("button", undefined, box).map((button) => [nameOf(button), isDisabled(button)])).toEqual([
      ["Go on with publishing …", false],
      ["Start the compensation …", true],
      ["Close the edition protectively …", false],
    ]);
    expect(textOf(box)).toContain("The deadline has not passed.");
  });

  it("asks for the new deadline in the workspace's zone, and sends the instant", async () => {
    const api = await open(place, (fake) => fake.answer("run.get", () => blockedRun));
    (await getAsync("button", "Go on with publishing …")).click();
    const dialog = await getAsync("dialog");
    const go = get("button", "Go on with publishing", dialog);
    type(get("textbox", "New deadline (Asia/Shanghai)", dialog), "2026-07-21T09:00");
    type(get("textbox", /^Evidence/, dialog), "agreed with the team");
    await waitFor(() => dialog.textContent?.includes("The new deadline must lie in the future."));
    expect(isDisabled(go)).toBe(true);
    type(get("textbox", "New deadline (Asia/Shanghai)", dialog), "2026-07-21T12:00");
    await waitFor(() => !isDisabled(go));
    go.click();
    await waitFor(() => api.of("run.unblock").length === 1);
    expect(api.of("run.unblock")[0]).toEqual({
      taskId: TASK,
      expectedVersion: 7,
      to: "publishing",
      evidence: "agreed with the team",
      newDeadlineAt: Date.UTC(2026, 6, 21, 4, 0),
    });
  });

  it("closes protectively only after the edition was typed and a reason given", async () => {
    const api = await open(place, (fake) => fake.answer("run.get", () => blockedRun));
    (await getAsync("button", "Close protectively …")).click();
    const dialog = await getAsync("dialog");
    const cancel = get("button", "Cancel", dialog);
    await waitFor(() => document.activeElement === cancel);
    const confirm = get("button", "Close edition 2026-W30 protectively", dialog);
    type(get("textbox", "Reason", dialog), "superseded");
    type(get("textbox", "Type 2026-W30 to confirm", dialog), "2026-W3");
    await rest(30);
    expect(isDisabled(confirm)).toBe(true);
    type(get("textbox", "Type 2026-W30 to confirm", dialog), "2026-W30");
    await waitFor(() => !isDisabled(confirm));
    confirm.click();
    await waitFor(() => api.of("run.closeProtectively").length === 1);
  });
});

describe("the run's records", () => {
  it("balances the recipients, and names the one for customer care", async () => {
    await open(place, (api) => api.answer("run.get", () => succeededRun));
    (await getAsync("tab", "Recipients")).click();
    await waitFor(() => document.body.textContent?.includes("Balanced: every one of 63 is accounted for."));
    expect(textOf(get("region", "Customer care"))).toContain("c-0058Bounced");
  });

  it("offers to revoke an approval only where that still means something", async () => {
    const api = await open(place, (fake) => fake.answer("run.get", () => unknownRun));
    (await getAsync("tab", "Evidence")).click();
    await getAsync("button", "Revoke the approval …");
    api.answer("run.get", () => ({ ...succeededRun, approvals: unknownRun.approvals }));
    api.push("journal.changed", { seq: 3, taskIds: [TASK] });
    await waitFor(() => !find("button", "Revoke the approval …"));
    expect(find("region", "Content approval")).toBeDefined();
  });

  it("says when the parts do not add up", async () => {
    await open(place, (api) =>
      api.answer("run.get", () => ({ ...succeededRun, recipients: { ...succeededRun.recipients, delivered: 60 } })),
    );
    (await getAsync("tab", "Recipients")).click();
    await waitFor(() => document.body.textContent?.includes("The parts add up to 61, the audience has 63."));
  });

  it("accounts for exactly the open recipients, by a person with evidence", async () => {
    const api = await open(place, (fake) => fake.answer("run.get", () => observationRun));
    (await getAsync("tab", "Recipients")).click();
    (await getAsync("button", "Account for the open recipients …")).click();
    const dialog = await getAsync("dialog");
    type(get("textbox", /^Evidence/, dialog), "accepted by the provider; no reports expected");
    type(get("textbox", "Type 2026-W30 to confirm", dialog), "2026-W30");
    (
      await waitFor(() => {
        const button = get("button", "Account for 3 recipients", dialog);
        return isDisabled(button) ? null : button;
      })
    ).click();
    await waitFor(() => api.of("run.closeRecipients").length === 1);
    expect(api.of("run.closeRecipients")[0]).toMatchObject({ recipientIds: ["c-0001", "c-0002", "c-0003"] });
  });

  it("shows an operation's attempts and looks when its bar is pressed", async () => {
    await open(place, (api) => api.answer("run.get", () => succeededRun));
    const bar = await getAsync("button", /^Publish, create: Confirmed/);
    bar.click();
    const detail = await getAsync("region", "Details of the operation");
    expect(textOf(detail)).toContain("No answer");
    expect(bar.getAttribute("aria-expanded")).toBe("true");
  });

  it("filters events by / and opens an event's raw JSON by r", async () => {
    await open(place, (api) => api.answer("run.get", () => unknownRun));
    await getAsync("list", "Events of the edition");
    press("/", { on: document.body });
    const filter = get("textbox", "Filter the events");
    expect(document.activeElement).toBe(filter);
    type(filter, "OutcomeUnknown");
    await waitFor(() => document.body.textContent?.includes("1 of 14 events"));
    const row = await waitFor(() => find("row", /Sent, no answer/, get("list", "Events of the edition")));
    row.focus();
    press("r", { on: row });
    await waitFor(() => document.body.textContent?.includes('"type": "OutcomeUnknown"'));
  });

  it("builds a few rows of five thousand events wherever they are scrolled to, and the dots that can be told apart", async () => {
    await open(place, answerManyEvents);
    await waitFor(() => find("row", undefined, get("list", "Events of the edition")));
    expect(await mostRowsWhileScrolling(document.querySelector(".event-scroll") as HTMLElement)).toBeLessThan(400);
    await waitFor(() => document.querySelector('[aria-posinset="5000"]'));
    const dots = [...document.querySelectorAll<HTMLElement>(".timeline .tl-dot")];
    expect(dots.length).toBeLessThan(1_200);
    expect(dots.some((dot) => / and \d+ more until /.test(dot.title))).toBe(true);
  });

  it("holds still while updates are paused", async () => {
    const api = await open(place, (fake) => fake.answer("run.get", () => unknownRun));
    (await getAsync("button", "Pause live updates")).click();
    await getAsync("button", "Resume live updates");
    const asked = api.of("run.get").length;
    api.push("journal.changed", { seq: 2, taskIds: [TASK] });
    await rest(120);
    expect(api.of("run.get")).toHaveLength(asked);
    get("button", "Resume live updates").click();
    await waitFor(() => api.of("run.get").length > asked);
  });

  it("marks where the edition is, and lists the closed ways with what they wait for", async () => {
    await open(place, (api) => api.answer("run.get", () => unknownRun));
    const ways = await getAsync("region", "Ways from here");
    expect(textOf(document.querySelector("[aria-current=step]"))).toContain("Publish");
    expect(textOf(ways)).toContain("An operation is not settled.");
  });
});
