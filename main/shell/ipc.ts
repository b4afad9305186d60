import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain } from "electron";
import { type Channel, contract, type PushEvent, type Pushed } from "../../preload/contract";
import type { Report } from "../adapters/debug-log";
import type { Backend } from "./handlers";
import { answer, IpcRefusal, isOurs, pushable, type Sender } from "./ipc-answer";

function senderOf(event: IpcMainInvokeEvent, window: BrowserWindow): Sender {
  // A frame that navigated away or was removed is gone, and newer runtimes say so with null.
  const frame = event.senderFrame;
  const isOurWindow = !window.isDestroyed() && event.sender.id === window.webContents.id;
  return { isOurWindow, isTopFrame: frame !== null && frame.parent === null, frameUrl: frame?.url ?? null };
}

const FIRST_QUESTION: Channel = "app.bootstrap";

/**
 * The one place where the page's questions come in. Every channel of the contract is registered here and nowhere else, so
 * the check of the sender cannot be forgotten. Questions asked while the backend is still opening wait for it.
 * @param options.onPageListens called whenever a page of ours has asked its first question: what is pushed from then on is heard
 */
export function registerIpc(
  window: BrowserWindow,
  backend: Promise<Backend>,
  options: { report: Report; onPageListens: () => void },
): void {
  const { report, onPageListens } = options;
  const handlers = backend.then((opened) => opened.handlers);
  // Whoever opened the backend deals with its failure; here it would only be reported a second time.
  handlers.catch(() => undefined);
  for (const channel of Object.keys(contract) as Channel[]) {
    ipcMain.handle(channel, (event, raw: unknown) => {
      if (!isOurs(senderOf(event, window))) {
        report({ code: "ipc_foreign_sender", channel });
        throw new IpcRefusal("foreign_sender");
      }
      const answered = answer(channel, raw, { handlers, report });
      // The page begins to listen before it asks its first question. What is pushed then is no part of the answer.
      if (channel === FIRST_QUESTION) void answered.then(onPageListens, onPageListens);
      return answered;
    });
  }
}

/** Sends a push event to our window, and only while it shows our page. */
export function pushTo<E extends PushEvent>(window: BrowserWindow, event: E, value: Pushed<E>, report: Report): void {
  if (window.isDestroyed() || window.webContents.isCrashed()) return;
  const { mainFrame } = window.webContents;
  if (!isOurs({ isOurWindow: true, isTopFrame: true, frameUrl: mainFrame.url })) return;
  const checked = pushable(event, value, report);
  if (checked !== null) mainFrame.send(event, checked);
}

/** Forwards the backend's push events to our window. */
export function forwardPushes(window: BrowserWindow, backend: Backend, report: Report): void {
  window.on(
    "closed",
    backend.onPush((event, value) => pushTo(window, event, value, report)),
  );
}
