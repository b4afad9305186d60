import type { StoreApi } from "zustand";
import { listen } from "../bridge";
import { useAlerts } from "./alerts";
import { type Boot, useApp } from "./app";
import { useBackups } from "./backups";
import { useClock } from "./clock";
import { useCommands } from "./commands";
import { useCompensation } from "./compensation";
import { useContentReview } from "./content-review";
import { useDraft } from "./draft";
import { useDrills } from "./drills";
import { useEvidence } from "./evidence";
import { useHealth } from "./health";
import { useIncidents } from "./incidents";
import { useLedger } from "./ledger";
import { useLink } from "./link";
import { useNav } from "./nav";
import { useReconciliation } from "./reconciliation";
import { useRecovery } from "./recovery";
import { useRun } from "./run";
import { useSandbox } from "./sandbox";
import { useSendReview } from "./send-review";
import { useSettings } from "./settings";
import { useSnapshots } from "./snapshots";
import { useToday } from "./today";

/** Long enough to take a burst of commits as one, short enough not to be seen. */
const DEBOUNCE_MS = 50;

/** Asks again for what is shown now, and for nothing else. */
export async function refreshShown(): Promise<void> {
  const { place } = useNav.getState();
  if (place.screen === "today") {
    await Promise.all([useToday.getState().load(), useReconciliation.getState().load()]);
    return;
  }
  if (place.screen === "alerts") return useAlerts.getState().load();
  if (place.screen === "sandbox") return useSandbox.getState().load();
  if (place.screen === "recovery") return useRecovery.getState().load(place.itemId ?? null);
  if (place.screen === "incidents") return useIncidents.getState().load(place.incidentId ?? null);
  if (place.screen === "health") return useHealth.getState().load();
  if (place.screen === "settings") {
    await Promise.all([useSettings.getState().load(), useBackups.getState().load()]);
    return;
  }
  if (place.screen === "ledger") return useLedger.getState().load(place.compare ?? []);
  if (place.screen === "drills") return useDrills.getState().load();
  if (place.screen === "audit") return useEvidence.getState().load();
  if (place.screen === "content") return useContentReview.getState().load(place.taskId);
  if (place.screen === "draft") return useDraft.getState().load(place.taskId);
  if (place.screen === "send") return useSendReview.getState().load(place.taskId);
  if (place.screen === "compensation") return useCompensation.getState().load(place.taskId);
  return useRun.getState().load(place.taskId);
}

function isPaused(): boolean {
  return useNav.getState().place.screen === "run" && useRun.getState().pausedAt !== null;
}

/** Another workspace than the one whose editions are shown. */
function isOther(boot: Boot): boolean {
  const shown = useApp.getState().boot?.workspace;
  return shown !== undefined && shown !== null && boot.workspace !== null && boot.workspace.path !== shown.path;
}

/** Nothing of one workspace may be seen, or decided about, in another. */
function forgetWorkspace(): void {
  for (const store of [
    useToday,
    useReconciliation,
    useRun,
    useContentReview,
    useDraft,
    useSnapshots,
    useSendReview,
    useSandbox,
    useCommands,
    useBackups,
    useEvidence,
    useNav,
    useRecovery,
    useAlerts,
    useHealth,
    useIncidents,
    useLedger,
    useSettings,
  ] as const)
    (store as StoreApi<unknown>).setState(store.getInitialState(), true);
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
      if (isOther(boot)) forgetWorkspace();
      useApp.getState().receive(boot);
      soon();
    }),
    listen("drill.progress", (progress) => useDrills.getState().hear(progress)),
    listen("drill.changed", (change) => useDrills.getState().change(change)),
    listen("alerts.changed", () => void useAlerts.getState().load()),
    listen("alerts.open", ({ alertId }) => useNav.getState().go({ screen: "alerts", alertId })),
    listen("place.open", (opened) => useLink.getState().follow(opened)),
    listen("backups.changed", (value) => useBackups.getState().hear(value)),
    listen("evidence.changed", (value) => useEvidence.getState().hear(value)),
  ];
  return () => {
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}
