import { app } from "electron";
import type { Pushed } from "../../preload/contract";
import { LINK_SCHEME, placeOfLink } from "../../preload/contract/place-link";

type Opened = Pushed<"place.open">;

export interface DeepLinks {
  /** From now on the page listens; what came before it did is told now. */
  deliverTo(deliver: (opened: Opened) => void): void;
}

/** The last link among the words that a program was started with, or null. What it says is read by {@link placeOfLink} alone. */
export const linkAmong = (words: readonly string[]): string | null =>
  words.filter((word) => word.toLowerCase().startsWith(`${LINK_SCHEME}:`)).at(-1) ?? null;

/**
 * Links from outside: they open a place of the window and do nothing else (standards: nothing is approved from a link). One that
 * is not understood is told of in the window, and never what it said.
 * @param started the words that this program was started with
 */
export function createDeepLinks(started: readonly string[]): DeepLinks {
  let deliver: ((opened: Opened) => void) | null = null;
  let waiting: Opened | null = null;
  const receive = (link: string | null) => {
    if (link === null) return;
    const opened = { place: placeOfLink(link) };
    if (deliver) deliver(opened);
    else waiting = opened;
  };
  receive(linkAmong(started));
  app.on("open-url", (event, url) => {
    event.preventDefault();
    receive(url);
  });
  app.on("second-instance", (_event, words) => receive(linkAmong(words)));
  // On Linux the installed desktop file says whose the links are; a build that runs from its folder takes nobody's away.
  if (app.isPackaged && process.platform !== "linux") app.setAsDefaultProtocolClient(LINK_SCHEME);
  return {
    deliverTo: (next) => {
      deliver = next;
      if (waiting !== null) next(waiting);
      waiting = null;
    },
  };
}
