import { listen } from "../bridge";
import { useApp } from "./app";
import { useClock } from "./clock";
import { useContentReview } from "./content-review";
import { useNav } from "./nav";
import { useRun } from "./run";
import { useSandbox } from "./sandbox";
import { useSendReview } from "./send-review";
import { useToday } from "./today";

/** Long enough to take a burst of commits as one, short enough not to be seen. */
const DEBOUNCE_MS = 50;

/** Asks again for what is shown now, and for nothing else. */
export async function refreshShown(): Promise<void> {
  const { place } = useNav.getState();
  if (place.screen === "today") return useToday.getState().load();
  if (place.screen === "sandbox") return useSandbox.getState().load();
  if (place.screen === "content") return useContentReview.getState().load(place.taskId);
  if (place.screen === "send") return useSendReview.getState().load(place.taskId);
  return useRun.getState().load(place.taskId);
}

function isPaused(): boolean {
  return useNav.getState().place.screen === "run" && useRun.getState().pausedAt !== null;
}

/** Follows the main process: what changed there is asked for here. Returns the function that stops it. */
export function followPushes(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!isPaused()) void refreshShown();
    }, DEBOUNCE_MS);
  };
  const stops = [
    listen("journal.changed", soon),
    listen("clock.changed", (info) => {
      useClock.getState().receive(info);
      // A clock that was moved changes what is due, expired and late.
      soon();
    }),
    listen("workspace.changed", (boot) => {
      useApp.getState().receive(boot);
      soon();
    }),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
