import type { MenuItemConstructorOptions } from "electron";
import { SHORTCUTS, type Shortcut } from "./shortcuts";
import type { Texts } from "./texts";

const separator: MenuItemConstructorOptions = { type: "separator" };

export interface MenuOptions {
  texts: Texts;
  platform: NodeJS.Platform;
  allowDevTools: boolean;
  press: (shortcut: Shortcut) => void;
  quit: () => void;
}

/**
 * One entry that presses a key of the page. The key is shown but not registered, so that the page gets it first and a text
 * field keeps its letters. macOS registers whatever it shows: there a bare key stands in the label instead.
 */
function entryFor(shortcut: Shortcut, options: MenuOptions): MenuItemConstructorOptions {
  const label = options.texts.menu[shortcut.label];
  const click = () => options.press(shortcut);
  if (options.platform === "darwin" && shortcut.isBare) return { label: `${label} (${shortcut.accelerator})`, click };
  return { label, accelerator: shortcut.accelerator, registerAccelerator: false, click };
}

function macMenu({ texts: { menu }, quit }: MenuOptions): MenuItemConstructorOptions {
  return {
    label: "Imprimatur",
    submenu: [
      { label: menu.about, role: "about" },
      separator,
      { label: menu.hide, role: "hide" },
      { label: menu.hideOthers, role: "hideOthers" },
      { label: menu.showAll, role: "unhide" },
      separator,
      { label: menu.quit, accelerator: "Cmd+Q", click: quit },
    ],
  };
}

/**
 * The application menu. No entry approves, sends or closes anything. There is no reload: what is on the screen is fetched
 * again by the page itself, and a reload would only drop unsaved text.
 */
export function menuTemplate(options: MenuOptions): MenuItemConstructorOptions[] {
  const { menu } = options.texts;
  const isMac = options.platform === "darwin";
  const [shortcutList] = SHORTCUTS.filter((shortcut) => shortcut.label === "shortcuts");
  const go = SHORTCUTS.filter((shortcut) => shortcut !== shortcutList);
  return [
    ...(isMac ? [macMenu(options)] : []),
    {
      label: menu.file,
      submenu: [
        { label: menu.closeWindow, role: "close" },
        ...(isMac ? [] : [separator, { label: menu.quit, accelerator: "Ctrl+Q", click: options.quit }]),
      ],
    },
    {
      label: menu.edit,
      submenu: [
        { label: menu.undo, role: "undo" },
        { label: menu.redo, role: "redo" },
        separator,
        { label: menu.cut, role: "cut" },
        { label: menu.copy, role: "copy" },
        { label: menu.paste, role: "paste" },
        { label: menu.selectAll, role: "selectAll" },
      ],
    },
    { label: menu.go, submenu: go.map((shortcut) => entryFor(shortcut, options)) },
    {
      label: menu.view,
      submenu: [
        { label: menu.zoomIn, role: "zoomIn", accelerator: "CmdOrCtrl+=" },
        { label: menu.zoomOut, role: "zoomOut" },
        { label: menu.zoomReset, role: "resetZoom" },
        separator,
        { label: menu.fullScreen, role: "togglefullscreen" },
        ...(options.allowDevTools ? [separator, { role: "toggleDevTools" } as const] : []),
      ],
    },
    { label: menu.window, submenu: [{ label: menu.minimize, role: "minimize" }] },
    { label: menu.help, submenu: shortcutList === undefined ? [] : [entryFor(shortcutList, options)] },
  ];
}
