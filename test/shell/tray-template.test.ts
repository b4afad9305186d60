import { describe, expect, it } from "vitest";
import { textsIn } from "../../main/shell/texts";
import { type TrayOptions, trayTemplate, trayTip } from "../../main/shell/tray-template";
import type { LinkedPlace } from "../../preload/contract/place-link";
import { emptyToday, today } from "../renderer/fixtures/today";

function build(shown: TrayOptions["today"], language: "en" | "zh-CN" = "en") {
  const opened: LinkedPlace[] = [];
  const options = {
    ...{ texts: textsIn(language), language, today: shown, open: (place: LinkedPlace) => void opened.push(place) },
    ...{ show: () => undefined, quit: () => undefined },
  };
  const entries = trayTemplate(options).filter(({ type }) => type !== "separator");
  return { entries, labels: entries.map(({ label }) => label), tip: trayTip(options), opened };
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

  it("says so where nothing waits and nothing runs, and nothing of it where no workspace is open", () => {
    expect(build(emptyToday as TrayOptions["today"], "zh-CN").labels).toEqual([
      ...["没有等待处理和正在运行的事项", "显示 Imprimatur", "退出 Imprimatur"],
    ]);
    expect(build(null)).toMatchObject({ labels: ["Show Imprimatur", "Quit Imprimatur"], tip: "Imprimatur" });
  });
});
