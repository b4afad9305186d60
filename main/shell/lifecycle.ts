import { app, type BrowserWindow, powerMonitor } from "electron";
import { type Report, traceOf } from "../adapters/debug-log";
import { confirm } from "./confirm";
import type { Backend } from "./handlers";
import { nextQuitStep, type Question, type QuitEffect, type QuitEvent, type QuitState } from "./quit-state";
import type { Texts } from "./texts";

/** With nothing in flight, closing takes milliseconds. A backend that takes this long is stuck, and is closed hard. */
const IDLE_STOP_LIMIT_MS = 8_000;

export interface Lifecycle {
  /** The person wants to quit: menu, tray, system. */
  quit(): void;
  /** The backend is open: from now on there is something to ask about and to close. */
  attach(backend: Backend): void;
  /** Stops everything under way, at once: after a fault nothing more may leave, not even while a dialog says so. */
  halt(): void;
  /** Leaves without asking and with an exit code that says so, after a fault or a start that failed. */
  abandon(): void;
}

type Choice = Extract<QuitEvent, { kind: "answered" }>["choice"];

function wording(question: Question, texts: Texts) {
  const cancel = { choice: "cancel" as Choice, label: texts.cancel };
  switch (question) {
    case "call_in_flight": {
      const { message, detail, finish, now } = texts.callInFlight;
      const choices: { choice: Choice; label: string }[] = [
        { choice: "finish", label: finish },
        { choice: "now", label: now },
      ];
      return { message, detail, choices, harmless: cancel };
    }
    case "run_stops": {
      const { message, detail, quit } = texts.runStops;
      return { message, detail, choices: [{ choice: "finish" as Choice, label: quit }], harmless: cancel };
    }
    case "keeps_running": {
      const { message, detail, keep, stay } = texts.keepsRunning;
      const choices = [{ choice: "keep" as Choice, label: keep }];
      return { message, detail, choices, harmless: { ...cancel, label: stay } };
    }
    case "still_finishing": {
      const { message, detail, wait, now } = texts.stillFinishing;
      const choices = [{ choice: "now" as Choice, label: now }];
      return { message, detail, choices, harmless: { ...cancel, label: wait } };
    }
  }
}

/**
 * Carries out the state machine of quitting: every way out of the program ends here. The window's `close` and the app's
 * `before-quit` are always held back; the program leaves by `app.exit` once the backend has closed.
 */
export function createLifecycle(options: {
  window: BrowserWindow;
  texts: () => Texts;
  /** Whether closing the window leaves the program in a tray: there is one, and the person wants it so. */
  staysInTray: () => boolean;
  memory: { read(): { saidTray: boolean }; write(change: { saidTray: boolean }): void };
  /** Whoever has to write something before the end. Must be quick and must not fail. */
  beforeLeaving: () => void;
  report: Report;
}): Lifecycle {
  const { window, report } = options;
  let state: QuitState = { kind: "open" };
  let backend: Backend | null = null;
  let isLeaving = false;

  const facts = () => ({
    callInFlight: backend?.hasCallInFlight() ?? false,
    liveRun: backend?.hasLiveRun() ?? false,
    hasTray: options.staysInTray(),
    saidTray: options.memory.read().saidTray,
  });

  const leave = (code: 0 | 1) => {
    isLeaving = true;
    options.beforeLeaving();
    app.exit(code);
  };

  const stopNow = () => {
    try {
      backend?.stopNow();
    } catch (error) {
      // It is closed or it is not; either way the next start looks up what is unknown.
      report({ code: "stop_failed", error: traceOf(error) });
    }
  };

  const finishThenStop = async () => {
    if (backend === null) return;
    const isIdle = !backend.hasCallInFlight();
    if (!isIdle && !window.isDestroyed()) window.setTitle(options.texts().finishingTitle);
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<"stuck">((resolve) => {
      if (isIdle) timer = setTimeout(resolve, IDLE_STOP_LIMIT_MS, "stuck");
    });
    try {
      if ((await Promise.race([backend.finishThenStop(), limit])) === "stuck") {
        report({ code: "stop_stuck" });
        stopNow();
      }
    } catch (error) {
      report({ code: "finish_failed", error: traceOf(error) });
      stopNow();
    } finally {
      clearTimeout(timer);
    }
  };

  const ask = async (question: Question) => {
    const choice = await confirm(window, wording(question, options.texts())).catch((): Choice => "cancel");
    if (question === "keeps_running" && choice === "keep") options.memory.write({ saidTray: true });
    send({ kind: "answered", choice });
  };

  const carryOut = (effect: QuitEffect) => {
    switch (effect.kind) {
      case "ask":
        return void ask(effect.question);
      case "hide_window":
        return window.hide();
      case "finish_then_stop":
        return void finishThenStop().then(() => send({ kind: "stopped" }));
      case "stop_now":
        stopNow();
        return send({ kind: "stopped" });
      case "leave":
        return leave(0);
    }
  };

  function send(event: QuitEvent): void {
    const step = nextQuitStep(state, event);
    state = step.state;
    for (const effect of step.effects) carryOut(effect);
  }

  const quit = () => send({ kind: "quit_asked", facts: facts() });
  app.on("before-quit", (event) => {
    if (isLeaving) return;
    event.preventDefault();
    quit();
  });
  window.on("close", (event) => {
    if (isLeaving) return;
    event.preventDefault();
    send({ kind: "close_asked", facts: facts() });
  });
  // The window is only ever destroyed together with the program; a destroyed one alone would leave it headless.
  app.on("window-all-closed", () => {
    if (!isLeaving) quit();
  });
  powerMonitor.on("shutdown", () => send({ kind: "session_ends" }));
  window.on("session-end", () => send({ kind: "session_ends" }));

  return {
    quit,
    attach: (opened) => {
      backend = opened;
    },
    halt: stopNow,
    abandon: () => {
      stopNow();
      leave(1);
    },
  };
}
