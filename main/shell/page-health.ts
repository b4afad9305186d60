import type { BrowserWindow } from "electron";
import type { Report } from "../adapters/debug-log";
import { confirm } from "./confirm";
import type { Texts } from "./texts";

/** Offers to reload a page that crashed or hangs. What runs is in this process and is not touched by it. */
export function watchPage(
  window: BrowserWindow,
  options: { texts: () => Texts; report: Report; reload: () => Promise<void>; quit: () => void },
): void {
  const { texts, report } = options;
  let isAsking = false;
  const askOnce = async (ask: () => Promise<void>) => {
    if (isAsking) return;
    isAsking = true;
    try {
      await ask();
    } catch {
      report({ code: "page_reload_failed" });
    } finally {
      isAsking = false;
    }
  };
  window.webContents.on("render-process-gone", (_event, { reason, exitCode }) => {
    if (reason === "clean-exit") return;
    report({ code: `page_gone_${reason}`, numbers: { exitCode } });
    void askOnce(async () => {
      const { message, detail, reload, quit } = texts().crashed;
      const choice = await confirm(window, {
        message,
        detail,
        choices: [{ choice: "quit", label: quit }],
        harmless: { choice: "reload", label: reload },
      });
      if (choice === "quit") options.quit();
      else await options.reload();
    });
  });
  window.on("unresponsive", () => {
    report({ code: "page_hangs" });
    void askOnce(async () => {
      const { message, detail, wait, reload } = texts().hangs;
      const choice = await confirm(window, {
        message,
        detail,
        choices: [{ choice: "reload", label: reload }],
        harmless: { choice: "wait", label: wait },
      });
      if (choice === "reload") await options.reload();
    });
  });
}
