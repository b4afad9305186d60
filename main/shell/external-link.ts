import { type BrowserWindow, shell } from "electron";
import { confirm } from "./confirm";
import { externalUrl } from "./origins";
import type { Texts } from "./texts";

/** A longer address says nothing more to a person, and would push the buttons off the screen. */
const SHOWN_CHARACTERS = 600;

/** Offers web addresses to the system's browser, one at a time and only after showing where they lead. */
export function createExternalLinks(texts: () => Texts): (window: BrowserWindow, url: string) => Promise<void> {
  let isAsking = false;
  return async (window, url) => {
    const target = externalUrl(url);
    if (target === null || isAsking) return;
    isAsking = true;
    try {
      const { cancel, external } = texts();
      const { href } = target;
      const choice = await confirm(window, {
        title: external.title,
        message: external.message(target.host),
        detail: href.length > SHOWN_CHARACTERS ? `${href.slice(0, SHOWN_CHARACTERS)}…` : href,
        choices: [{ choice: "open", label: external.open }],
        harmless: { choice: "cancel", label: cancel },
      });
      if (choice === "open") await shell.openExternal(href);
    } finally {
      isAsking = false;
    }
  };
}
