import type { Output, PushEvent } from "../../preload/contract";
import { type Report, traceOf } from "../adapters/debug-log";
import type { Backend } from "./handlers";

type Today = Output<"today.get">;

/** Commits come in bursts; a menu that nobody looks at is not built for each of them. */
const PAUSE_MS = 1_000;

const TELLING: readonly PushEvent[] = ["journal.changed", "clock.changed", "workspace.changed"];

/**
 * Asks what waits and what runs, as the window's own page does, at first and whenever something changed.
 * @param tell called with null where no workspace is open
 * @returns the function that stops it
 */
export function followToday(backend: Backend, tell: (today: Today | null) => void, report: Report): () => void {
  let timer: NodeJS.Timeout | null = null;
  const ask = async () => {
    timer = null;
    try {
      const { workspace } = await backend.handlers["app.bootstrap"]({});
      tell(workspace === null ? null : await backend.handlers["today.get"]({}));
    } catch (error) {
      // What is wrong is the window's to show.
      report({ code: "tray_not_told", error: traceOf(error) });
      tell(null);
    }
  };
  const soon = () => {
    timer ??= setTimeout(() => void ask(), PAUSE_MS);
  };
  const stop = backend.onPush((event) => {
    if (TELLING.includes(event)) soon();
  });
  soon();
  return () => {
    stop();
    if (timer !== null) clearTimeout(timer);
  };
}
