import { create } from "zustand";
import type { Output } from "../../preload/contract";
import { ask, type BridgeProblem } from "../bridge";
import { showLanguage } from "../i18n";
import { useCommands } from "./commands";

export type Boot = Output<"app.bootstrap">;
export type Preferences = Boot["preferences"];

interface AppState {
  boot: Boot | null;
  problem: BridgeProblem | null;
  busy: "opening" | "retrying" | null;
  start(): Promise<void>;
  receive(boot: Boot): void;
  prefer(change: Partial<Preferences>): Promise<void>;
  openSandbox(): Promise<void>;
  retryOpen(): Promise<void>;
  showFolder(): Promise<void>;
}

/** What the program itself is in: start-up answer, workspace, preferences. */
export const useApp = create<AppState>()((set, get) => {
  const open = async (channel: "app.bootstrap" | "app.retryOpen" | "workspace.openSandbox", busy: AppState["busy"]) => {
    if (get().busy) return;
    set({ busy });
    const reply = await ask(channel, {});
    set({ busy: null });
    if (reply.ok) get().receive(reply.value);
    else set({ problem: reply.problem });
  };
  return {
    boot: null,
    problem: null,
    busy: null,
    start: () => open("app.bootstrap", null),
    receive: (boot) => {
      showLanguage(boot.preferences.language);
      set({ boot, problem: null });
    },
    prefer: async (change) => {
      const boot = get().boot;
      // Shown at once: a theme or a language is no effect that needs a receipt, and waiting would feel broken.
      if (boot) get().receive({ ...boot, preferences: { ...boot.preferences, ...change } });
      // What was said of a command was said in the other language.
      if (change.language !== undefined) useCommands.getState().dismiss();
      const reply = await ask("app.setPreferences", change);
      const now = get().boot;
      if (!reply.ok) set({ problem: reply.problem });
      else if (now) get().receive({ ...now, preferences: reply.value });
    },
    openSandbox: () => open("workspace.openSandbox", "opening"),
    retryOpen: () => open("app.retryOpen", "retrying"),
    showFolder: async () => {
      await ask("app.showFolder", {});
    },
  };
});
