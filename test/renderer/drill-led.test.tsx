import { afterEach, describe, expect, it } from "vitest";
import { classifying, closing, deciding, led, playedByPerson } from "./fixtures/drill-question";
import { duties, idle, played, RUN, steps } from "./fixtures/drills";
import { close, find, findAll, get, getAsync, open, textOf, waitFor } from "./page";

afterEach(close);

async function openAtS13(prepare?: Parameters<typeof open>[1]) {
  const api = await open({ screen: "drills" }, prepare);
  await waitFor(() => find("region", "Scenarios"), 15_000);
  (await getAsync("row", /^S13/)).click();
  return api;
}
const now = (question: Parameters<typeof led>[0]) => {
  const { steps: _told, ...running } = led(question);
  return { running, ended: null, duties, failed: [] };
};
const choices = () => [...get("region", "Your decision").querySelectorAll("li button")].map(textOf);

describe("a drill that a person plays", () => {
  it("tells neither fault nor end, asks which case it is, and then shows its runbook beside the facts", async () => {
    const api = await openAtS13();
    (await getAsync("button", "Play it yourself")).click();
    await waitFor(() => api.of("drills.start").length === 1);
    expect(api.of("drills.start")).toEqual([{ scenarios: ["S13"], led: true }]);
    api.push("drill.changed", now(null));
    await waitFor(() => document.body.textContent?.includes("It goes on until somebody has to decide"));
    api.push("drill.progress", { run: RUN, from: 0, steps });
    api.push("drill.changed", now(classifying));
    await waitFor(() => choices().length === 3);
    const story = textOf(get("region", "S13"));
    expect(story).not.toMatch(/Answer lost|does not answer|a query by key finds/);
    expect(textOf(get("region", "Steps of the drill"))).not.toMatch(/18427|Received|Fault strikes/);
    // Whoever is asked hears it, and Tab leads from there to the first answer.
    expect(textOf(document.activeElement as HTMLElement)).toBe("Something has gone wrong. Which case is it?");
    expect(document.body.textContent).toContain("The runbook is shown once it is said which case it is.");
    get("button", "Unknown publish").click();
    await waitFor(() => api.of("drills.answer").length === 1);
    expect(api.of("drills.answer")).toEqual([{ run: RUN, number: 1, choice: "unknown_publish" }]);

    api.push("drill.changed", now(deciding));
    await waitFor(() => choices().length === 4);
    expect(choices()[0]).toBe("Look now, by key: nothing is sent");
    expect(textOf(get("region", "Runbook: Unknown publish"))).toContain(
      "Look now: ask cms-sandbox by the key publish:",
    );
    expect(textOf(get("region", "Runbook: Unknown publish"))).toContain("so nothing is frozen");
    const call = textOf(get("region", "Publish, create: Sent, no answer"));
    expect(call).toContain("timeout");
    expect(textOf(get("region", "Facts of the moment"))).toContain("OperationSent, no answer");
    expect(find("region", "What the remotes' own screens show")).toBeUndefined();
    get("button", "Take the approval back: Content approval").click();
    await waitFor(() => api.of("drills.answer").length === 2);
    expect(api.of("drills.answer")[1]).toMatchObject({ number: 3, choice: "revoke publish" });
  });

  it("says why the edition refused a way, and what the remotes' own screens show", async () => {
    const api = await openAtS13((fake) => fake.answer("drills.get", () => ({ ...idle, running: led(closing) })));
    await getAsync("region", "Your decision");
    expect(textOf(find("status", /refused/))).toContain("refused · missing: “The other address is no longer public”");
    expect(textOf(get("region", "What the remotes' own screens show"))).toContain("18428publishedweekly-briefing");
    expect(choices()).toContain("Close the undo entry by hand: Point the page back to the version before");
    // The play has gone on meanwhile: the whole is asked for, and nothing is said to have been decided.
    api.answer("drills.answer", () => ({ result: "not_asked" }));
    const before = api.of("drills.get").length;
    get("button", /^Take 18428 down/).click();
    await waitFor(() => api.of("drills.get").length > before);
  });

  it("ends with what was decided, right or wrong, where it stuck, and the time by the clock on the wall", async () => {
    await openAtS13((fake) => fake.answer("drills.get", () => ({ ...idle, results: [playedByPerson, played] })));
    const verdict = await getAsync("region", "What was decided");
    expect(textOf(verdict)).toContain("1 wrong decision: counts as failed");
    expect([...verdict.querySelectorAll("tbody tr")].map(textOf)).toEqual([
      "Unknown publishRight1 min",
      "Take the approval back: Content approvalWrong6 min 40 sStuck here longest",
      "Look now, by key: nothing is sentRight2 min 20 s",
      "Yes: it is recovered, and the facts prove itRight59 s",
    ]);
    const timing = textOf(get("region", "How long it took"));
    expect(timing).toContain(
      "From detection to verified: 11 minWithin the 30 min it may take4 min faster than last time.",
    );
    expect(timing).toContain("By the clock on the wall: a person decided.");
    expect(findAll("row", /Wrongly decided$/)).toHaveLength(1);
    expect(get("region", "The runbook alone")).toBeDefined();
  });
});
