import { type BrowserWindow, Menu } from "electron";
import type { Preference } from "./handlers";
import { menuTemplate } from "./menu-template";
import type { Shortcut } from "./shortcuts";
import { textsIn } from "./texts";

/** A menu entry presses the key it names: the page has one way to do a thing, and the menu cannot drift away from it. */
function press(window: BrowserWindow, shortcut: Shortcut): void {
  if (window.isDestroyed()) return;
  window.webContents.focus();
  const key = { keyCode: shortcut.keyCode, modifiers: [...shortcut.modifiers(process.platform)] };
  window.webContents.sendInputEvent({ type: "keyDown", ...key });
  // A focused button answers Enter's character, not its key.
  if (shortcut.keyCode === "Enter") window.webContents.sendInputEvent({ type: "char", keyCode: "\r" });
  window.webContents.sendInputEvent({ type: "keyUp", ...key });
}

/** Sets the application menu in the language given. */
export function setMenu(
  window: BrowserWindow,
  options: { language: Preference["language"]; allowDevTools: boolean; quit: () => void },
): void {
  const template = menuTemplate({
    texts: textsIn(options.language),
    platform: process.platform,
    allowDevTools: options.allowDevTools,
    press: (shortcut) => press(window, shortcut),
    quit: options.quit,
  });
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}
