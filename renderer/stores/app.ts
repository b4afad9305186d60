import { create } from "zustand";
import type { Channel, Output } from "../../preload/contract";
import { ask, type BridgeProblem } from "../bridge";
import { showLanguage } from "../i18n";
import { useCommands } from "./commands";

export type Boot = Output<"app.bootstrap">;
export type Preferences = Boot["preferences"];

interface AppState {
  boot: Boot | null;
  problem: BridgeProblem | null;
  busy: "opening" | "retrying" | null;
  /** The sample ledger was made while another workspace was open, and nobody has looked at it yet. */
  ledgerMade: boolean;
  start(): Promise<void>;
  receive(boot: Boot): void;
  prefer(change: Partial<Preferences>): Promise<void>;
  openSandbox(): Promise<void>;
  /** Opens the sample ledger, or lets it be made where there is none. */
  openLedger(): Promise<void>;
  cancelLedger(): Promise<void>;
  retryOpen(): Promise<void>;
  showFolder(): Promise<void>;
}

/** What the program itself is in: start-up answer, workspace, preferences. */
export const useApp = create<AppState>()((set, get) => {
  type Opening = Extract<Channel, "app.bootstrap" | "app.retryOpen" | `workspace.${string}`>;
  const open = async (channel: Opening, busy: AppState["busy"]) => {
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
    ledgerMade: false,
    start: () => open("app.bootstrap", null),
    receive: (boot) => {
      showLanguage(boot.preferences.language);
      const { boot: before, ledgerMade } = get();
      const isMade = before?.ledger.state === "building" && boot.ledger.state === "ready";
      set({ boot, problem: null, ledgerMade: (ledgerMade || isMade) && boot.workspace?.isSampleLedger === false });
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
    openLedger: () => open("workspace.openLedger", "opening"),
    cancelLedger: () => open("workspace.cancelLedger", null),
    retryOpen: () => open("app.retryOpen", "retrying"),
    showFolder: async () => {
      await ask("app.showFolder", {});
    },
  };
});
