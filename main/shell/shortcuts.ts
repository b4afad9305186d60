import type { Texts } from "./texts";

export type Modifier = "control" | "meta" | "shift";

/** A key of the page that the menu shows, and presses when it is chosen. */
export interface Shortcut {
  label: keyof Texts["menu"];
  /** As Electron writes it in a menu. */
  accelerator: string;
  /** As Electron sends it to the page. */
  keyCode: string;
  modifiers(platform: NodeJS.Platform): readonly Modifier[];
  /** A key alone. As a real menu shortcut it would be taken away from every text field. */
  isBare: boolean;
}

const bare = (label: Shortcut["label"], accelerator: string, keyCode = accelerator): Shortcut => ({
  label,
  accelerator,
  keyCode,
  modifiers: () => [],
  isBare: true,
});

const withControl = (label: Shortcut["label"], key: string): Shortcut => ({
  label,
  accelerator: `CmdOrCtrl+${key.toUpperCase()}`,
  keyCode: key,
  modifiers: (platform) => [platform === "darwin" ? "meta" : "control"],
  isBare: false,
});

/** Every shortcut of the page. None of them approves, sends, closes or deletes anything. */
export const SHORTCUTS: readonly Shortcut[] = [
  withControl("commandMenu", "k"),
  withControl("today", "1"),
  withControl("recovery", "2"),
  withControl("ledger", "3"),
  withControl("health", "4"),
  withControl("drills", "5"),
  withControl("audit", "6"),
  withControl("settings", ","),
  bare("filter", "/"),
  bare("next", "J", "j"),
  bare("previous", "K", "k"),
  bare("open", "Enter"),
  bare("back", "Escape"),
  bare("rawJson", "R", "r"),
  { label: "shortcuts", accelerator: "Shift+/", keyCode: "?", modifiers: () => ["shift"], isBare: true },
];
