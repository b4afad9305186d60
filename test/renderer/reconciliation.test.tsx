import { afterEach, describe, expect, it } from "vitest";
import type { Output } from "../../preload/contract";
import { boot } from "./fixtures/common";
import { reconciliation } from "./fixtures/reconciliation";
import { close, find, get, getAsync, open, textOf, waitFor } from "./page";

afterEach(close);

type Round = NonNullable<Output<"reconciliation.get">["last"]>;

const roundWith = (more: Partial<Round>) => ({
  ...reconciliation,
  last: { ...(reconciliation.last as Round), ...more },
});
const panel = (name = "Held against the outside") => getAsync("region", name);
const button = (name = "Reconcile with the outside now") => get("button", name) as HTMLButtonElement;

describe("what went out, held against the outside", () => {
  it("says what the last round checked, what it found and when", async () => {
    await open(null);
    expect(textOf(await panel())).toMatch(/12 effects checked, differences: 0.*20 Jul, 09:18/);
  });

  it("says before the first round when one begins by itself", async () => {
    await open(null, (api) => api.answer("reconciliation.get", () => ({ ...reconciliation, last: null })));
    expect(textOf(await panel())).toContain("It begins by itself the morning after an edition went out.");
  });

  it("asks once for two clicks, says how far it is, and then what it found", async () => {
    let finish: (value: unknown) => void = () => undefined;
    const api = await open(null, (fake) =>
      fake.answer("reconciliation.start", () => new Promise((resolve) => (finish = resolve))),
    );
    const shown = await panel();
    button().click();
    button().click();
    api.answer("reconciliation.get", () => ({ ...reconciliation, running: { done: 1, of: 3 } }));
    api.push("journal.changed", { seq: 1, taskIds: [] });
    await waitFor(() => textOf(shown).includes("Checking: 1 of 3 editions done"));
    finish(roundWith({ differences: 2 }));
    await waitFor(() => textOf(shown).includes("12 effects checked, differences: 2"));
    expect(textOf(shown)).toContain("two objects in one place are an open incident");
    expect(api.of("reconciliation.start")).toEqual([{}]);
  });

  it("says who gave no answer and that this is no difference", async () => {
    const silent = roundWith({ putOff: 1, checked: 0, unreachable: ["127.0.0.1:4630"] });
    await open(null, (api) => api.answer("reconciliation.get", () => silent));
    expect(textOf(await panel())).toContain("No answer from 127.0.0.1:4630. That is no difference");
  });

  it("says when it was cut off, and what the journal does not keep of its own", async () => {
    await open(null, (api) => api.answer("reconciliation.get", () => roundWith({ putOff: 1, brokenPromises: 2 })));
    expect(textOf(await panel())).toContain("It was cut off before the end.");
    expect(textOf(await panel())).toContain("The journal itself does not keep 2 of its promises.");
  });

  it("shows a round whose answer was lost as a problem, and lets it be asked for again", async () => {
    const api = await open(null, (fake) =>
      fake.answer("reconciliation.start", () => Promise.reject(new Error("the line is gone"))),
    );
    await panel();
    button().click();
    expect(textOf(await getAsync("alert"))).toContain("The question “reconciliation.start” was not answered.");
    api.answer("reconciliation.start", () => roundWith({ differences: 1 }));
    get("button", "Ask again").click();
    await waitFor(() => find("alert") === undefined);
    expect(textOf(await panel())).toContain("differences: 1");
  });

  it("says all of it in Chinese", async () => {
    const preferences = { language: "zh-CN", theme: "light" } as const;
    await open(null, (api) => api.answer("app.bootstrap", () => ({ ...boot, preferences })));
    expect(textOf(await panel("与外部对账"))).toContain("已核对 12 项效果，差异 0 处");
    expect(button("立即与外部对账").disabled).toBe(false);
  });
});
