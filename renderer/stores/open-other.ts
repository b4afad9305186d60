import { useApp } from "./app";
import { useNav } from "./nav";

/** Opens another workspace. Leaving this one with unsaved edits is asked about, like leaving a screen. */
export function openOther(which: "openSandbox" | "openLedger"): void {
  useNav.getState().go({ screen: "today" });
  if (useNav.getState().held === null) void useApp.getState()[which]();
}
