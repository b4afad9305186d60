import type { BrowserWindow } from "electron";
import { type Report, traceOf } from "../adapters/debug-log";
import { Bug } from "../domain/ids";
import { confirm } from "./confirm";
import type { Lifecycle } from "./lifecycle";
import type { Texts } from "./texts";

interface FaultOptions {
  window: BrowserWindow;
  lifecycle: Lifecycle;
  texts: () => Texts;
  logFolder: string;
  report: Report;
}

/**
 * Stops everything, says so, leaves. The text names the folder of the debug log and nothing of the error: its message may
 * quote what was being handled.
 */
export async function stopAndSay(which: "cannotStart" | "fault", options: FaultOptions): Promise<void> {
  const { window, lifecycle } = options;
  lifecycle.halt();
  const { message, detail, quit } = options.texts()[which];
  try {
    await confirm(window, {
      message,
      detail: detail(options.logFolder),
      choices: [],
      harmless: { choice: "quit", label: quit },
    });
  } finally {
    lifecycle.abandon();
  }
}

/**
 * A fault of our own stops the program: what it would do next is not known any more, and whatever was in flight is looked
 * up at the next start. A rejection that nobody awaited stops it only when it is such a fault; others (an aborted call)
 * are written down.
 */
export function watchFaults(options: FaultOptions): void {
  let isStopping = false;
  const stop = (error: unknown) => {
    options.report({ code: "fault", error: traceOf(error) });
    if (isStopping) return;
    isStopping = true;
    void stopAndSay("fault", options);
  };
  process.on("uncaughtException", stop);
  process.on("unhandledRejection", (error) => {
    if (error instanceof Bug) stop(error);
    else options.report({ code: "rejection_nobody_awaited", error: traceOf(error) });
  });
}
