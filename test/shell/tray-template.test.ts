import { describe, expect, it } from "vitest";
import { textsIn } from "../../main/shell/texts";
import { type TrayOptions, trayTemplate, trayView } from "../../main/shell/tray-template";
import type { LinkedPlace } from "../../preload/contract/place-link";
import { emptyToday, today } from "../renderer/fixtures/today";

function build(shown: TrayOptions["today"], language: "en" | "zh-CN" = "en") {
  const opened: LinkedPlace[] = [];
  const options = {
    ...{ texts: textsIn(language), language, today: shown, open: (place: LinkedPlace) => void opened.push(place) },
    ...{ show: () => undefined, quit: () => undefined },
  };
  const view = trayView(options);
  const entries = trayTemplate(view, options).filter(({ type }) => type !== "separator");
  return { view, entries, labels: entries.map(({ label }) => label), tip: view.tip, opened };
}

describe("the tray", () => {
  it("says what waits with its limit and what runs, and each opens its own place", () => {
    const { entries, labels, tip, opened } = build(today as TrayOptions["today"]);
    expect(labels).toEqual([
      "2026-W30: send approval, by 21 Jul, 10:30",
      expect.stringMatching(/^2026-W31: content approval, by /),
      "2026-W29: sent, no answer, by 21 Jul, 09:27",
      "2026-W28: blocked",
      ...["Show Imprimatur", "Quit Imprimatur"],
    ]);
    expect(tip).toMatch(/^Imprimatur – 4 waiting, \d under way$/);
    for (const { click } of entries.slice(0, 4)) (click as () => void)();
    expect(opened.map(({ screen }) => screen)).toEqual(["send", "content", "run", "run"]);
  });

  it("names an incident that holds everything back first, and it counts", () => {
    const journalIncidents = [{ incidentId: "in-7", kind: "damaged_journal", since: 0 }];
    const { labels, tip, entries, opened } = build({ ...emptyToday, journalIncidents } as TrayOptions["today"]);
    expect(labels[0]).toBe("Everything: an incident is open");
    expect(tip).toBe("Imprimatur – 1 waiting, 0 under way");
    for (const { click } of entries.slice(0, 1)) (click as () => void)();
    expect(opened).toEqual([{ screen: "incidents", subject: "in-7" }]);
  });

  it("is another one where the same words lead elsewhere: the same edition in another workspace", () => {
    const waits = { ...today, live: [] };
    const elsewhere = { ...waits, waiting: today.waiting.map((item) => ({ ...item, taskId: "t-other" })) };
    const [here, there] = [waits, elsewhere].map((one) => build(one as TrayOptions["today"]));
    expect(there?.labels).toEqual(here?.labels);
    expect(there?.view).not.toEqual(here?.view);
  });

  it("says so where nothing waits and nothing runs, and nothing of it where no workspace is open", () => {
    expect(build(emptyToday as TrayOptions["today"], "zh-CN").labels).toEqual([
      ...["没有等待处理和正在运行的事项", "显示 Imprimatur", "退出 Imprimatur"],
    ]);
    expect(build(null)).toMatchObject({ labels: ["Show Imprimatur", "Quit Imprimatur"], tip: "Imprimatur" });
  });
});
