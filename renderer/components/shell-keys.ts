import { useLayoutEffect } from "react";
import { useMenu } from "../stores/menu";
import { PLACES_BY_DIGIT, useNav } from "../stores/nav";
import { isComposing, isTyping, moveRow } from "./keyboard";

/**
 * The keys of the whole window. They move, open lists and go back; none of them approves, sends, closes or deletes.
 * A dialog keeps its keys to itself.
 */
export function useShellKeys(): void {
  // A layout effect, so that `look` comes before the listeners of any dialog: by the time the key arrives below, Escape has
  // closed the dialog already, and the same key would leave the screen behind it as well.
  useLayoutEffect(() => {
    let isForDialog = false;
    const look = () => {
      isForDialog = document.querySelector("[role='dialog']") !== null;
    };
    const onKey = (event: KeyboardEvent) => {
      if (isComposing(event) || event.defaultPrevented || isForDialog) return;
      if ((event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && controlKey(event.key))
        return event.preventDefault();
      if (event.ctrlKey || event.metaKey || event.altKey) return;
      if (isTyping(event.target)) {
        if (event.key === "Escape") (event.target as HTMLElement).blur();
        return;
      }
      if (bareKey(event)) event.preventDefault();
    };
    window.addEventListener("keydown", look, { capture: true });
    window.addEventListener("keydown", onKey);
    return () => {
      window.removeEventListener("keydown", look, { capture: true });
      window.removeEventListener("keydown", onKey);
    };
  }, []);
}

function controlKey(key: string): boolean {
  const screen = PLACES_BY_DIGIT[Number(key) - 1];
  if (screen !== undefined) useNav.getState().go({ screen });
  else if (key === ",") useNav.getState().go({ screen: "settings" });
  else if (key.toLowerCase() === "k") useMenu.getState().open("menu");
  else return false;
  return true;
}

function bareKey(event: KeyboardEvent): boolean {
  switch (event.key) {
    case "j":
      return moveRow(1);
    case "k":
      return moveRow(-1);
    case "ArrowDown":
      return isOnRow() && moveRow(1);
    case "ArrowUp":
      return isOnRow() && moveRow(-1);
    case "Escape":
      useNav.getState().back();
      return true;
    case "/":
      return focusFilter();
    case "?":
      useMenu.getState().open("shortcuts");
      return true;
    default:
      return false;
  }
}

/** Arrows scroll the page, except on a row of a list. */
function isOnRow(): boolean {
  return document.activeElement?.closest("[data-row]") != null;
}

function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>("input[data-filter]");
  filter?.focus();
  filter?.select();
  return filter !== null;
}
