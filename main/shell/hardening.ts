import { app, type BrowserWindow, type Session, session, type WebContents } from "electron";
import type { Report } from "../adapters/debug-log";
import { isRendererUrl, previewHashOf } from "./origins";

/** The one thing a page of ours may do that needs a permission: put a hash on the clipboard when a person clicks it. */
const ALLOWED_PERMISSION = "clipboard-sanitized-write";

/** What no page of ours ever loads, whatever its policy says: the second lock on the same door. */
const NETWORK = ["http://*/*", "https://*/*", "ws://*/*", "wss://*/*", "ftp://*/*", "file://*/*"];

function hardenSession(target: Session): void {
  const isOwnCopy = (contents: WebContents | null, permission: string) =>
    permission === ALLOWED_PERMISSION && contents !== null && isRendererUrl(contents.getURL());
  target.setPermissionRequestHandler((contents, permission, decide, details) =>
    decide(details.isMainFrame && isOwnCopy(contents, permission)),
  );
  target.setPermissionCheckHandler((contents, permission, _origin, details) =>
    details.isMainFrame ? isOwnCopy(contents, permission) : false,
  );
  target.setDevicePermissionHandler(() => false);
  // No dictionary is fetched, and no word of a draft is looked up anywhere.
  target.setSpellCheckerEnabled(false);
  target.on("will-download", (event) => event.preventDefault());
  target.webRequest.onBeforeRequest({ urls: NETWORK }, (_details, decide) => decide({ cancel: true }));
}

/**
 * Rules for every web contents there will ever be, ours or one that nobody meant to open: they stay where they are, open
 * nothing, embed nothing. Links that a person follows on our own page are offered to `openOutside`.
 */
export function hardenEverything(options: {
  ourWindow: () => BrowserWindow | null;
  openOutside: (window: BrowserWindow, url: string) => Promise<void>;
  report: Report;
}): void {
  const { report } = options;
  const offer = (contents: WebContents, url: string) => {
    const window = options.ourWindow();
    if (window === null || window.isDestroyed() || window.webContents.id !== contents.id) return;
    options.openOutside(window, url).catch(() => report({ code: "link_not_opened" }));
  };
  app.on("session-created", hardenSession);
  hardenSession(session.defaultSession);
  app.on("web-contents-created", (_created, contents) => {
    contents.on("will-navigate", (event) => {
      const { url } = event;
      if (isRendererUrl(url) && isRendererUrl(contents.getURL())) return;
      event.preventDefault();
      report({ code: "navigation_denied" });
      offer(contents, url);
    });
    contents.on("will-redirect", (event) => {
      if (isRendererUrl(event.url) || previewHashOf(event.url) !== null) return;
      event.preventDefault();
      report({ code: "redirect_denied" });
    });
    contents.on("will-frame-navigate", (event) => {
      // The top frame is judged above, with the offer to open outside; a link in hostile content is offered nothing.
      if (event.isMainFrame || previewHashOf(event.url) !== null) return;
      event.preventDefault();
      report({ code: "frame_navigation_denied" });
    });
    contents.on("will-attach-webview", (event) => {
      event.preventDefault();
      report({ code: "webview_denied" });
    });
    contents.setWindowOpenHandler(({ url }) => {
      report({ code: "window_denied" });
      offer(contents, url);
      return { action: "deny" };
    });
    // Leaving asks in our own words (lifecycle); a page cannot hold the window by refusing to unload.
    contents.on("will-prevent-unload", (event) => event.preventDefault());
  });
  app.on("certificate-error", (event, _contents, _url, _error, _certificate, trust) => {
    event.preventDefault();
    trust(false);
  });
  app.on("select-client-certificate", (event) => event.preventDefault());
  app.on("login", (event) => event.preventDefault());
}
