import { assertNever } from "../domain/ids";

/**
 * Quitting as a state machine, as a value: which question is asked when, and what follows from the answer. It exists
 * because ending in the middle of an outside call loses the one thing that cannot be had back, the knowledge of its
 * outcome; and because every way to quit (menu, window, tray, system) must ask the same.
 */
export type QuitState =
  | { kind: "open" }
  | { kind: "asking"; question: Question }
  /** Calls are being finished. `question`: the person tries to quit again meanwhile. */
  | { kind: "finishing"; question: "still_finishing" | null }
  | { kind: "ended" };

export type Question = "call_in_flight" | "run_stops" | "keeps_running" | "still_finishing";

/** What matters at the moment of asking. */
export interface Facts {
  callInFlight: boolean;
  liveRun: boolean;
  hasTray: boolean;
  /** It was said before that closing leaves the program in the tray. */
  saidTray: boolean;
}

export type QuitEvent =
  | { kind: "quit_asked"; facts: Facts }
  | { kind: "close_asked"; facts: Facts }
  /** `finish`: finish, then quit. `now`: quit and mark unknown. `keep`: stay in the tray. `cancel`: nothing. */
  | { kind: "answered"; choice: "finish" | "now" | "keep" | "cancel" }
  /** The system ends the session: there is no time to ask. */
  | { kind: "session_ends" }
  /** The backend has closed. */
  | { kind: "stopped" };

export type QuitEffect =
  | { kind: "ask"; question: Question }
  | { kind: "hide_window" }
  | { kind: "finish_then_stop" }
  | { kind: "stop_now" }
  | { kind: "leave" };

export interface QuitStep {
  state: QuitState;
  effects: QuitEffect[];
}

const to = (state: QuitState, ...effects: QuitEffect[]): QuitStep => ({ state, effects });
const finish = () => to({ kind: "finishing", question: null }, { kind: "finish_then_stop" });
const stopNow = () => to({ kind: "finishing", question: null }, { kind: "stop_now" });
const ask = (question: Question) => to({ kind: "asking", question }, { kind: "ask", question });

/** Quitting by word: only a call in flight is worth a question, everything else goes on at the next start. */
const quit = (facts: Facts) => (facts.callInFlight ? ask("call_in_flight") : finish());

/** Closing the window: people close windows without meaning to stop what runs. */
function close(facts: Facts): QuitStep {
  if (!facts.liveRun && !facts.callInFlight) return finish();
  if (facts.hasTray) return facts.saidTray ? to({ kind: "open" }, { kind: "hide_window" }) : ask("keeps_running");
  return facts.callInFlight ? ask("call_in_flight") : ask("run_stops");
}

function answered(question: Question, choice: "finish" | "now" | "keep" | "cancel"): QuitStep {
  switch (choice) {
    case "cancel":
      return to(question === "still_finishing" ? { kind: "finishing", question: null } : { kind: "open" });
    case "keep":
      return to({ kind: "open" }, { kind: "hide_window" });
    case "finish":
      return finish();
    case "now":
      return stopNow();
    default:
      return assertNever(choice, "answer to a question about quitting");
  }
}

/** What follows from an event. Pure: the same in a test and in the program. */
export function nextQuitStep(state: QuitState, event: QuitEvent): QuitStep {
  if (state.kind === "ended") return to(state);
  if (event.kind === "session_ends") return stopNow();
  if (event.kind === "stopped") {
    // A backend that closed by itself does not end the program; only a quit that is under way does.
    return state.kind === "finishing" ? to({ kind: "ended" }, { kind: "leave" }) : to(state);
  }
  switch (state.kind) {
    case "open":
      if (event.kind === "quit_asked") return quit(event.facts);
      return event.kind === "close_asked" ? close(event.facts) : to(state);
    case "asking":
      // A second wish to quit while the question is on the screen is not a second question.
      return event.kind === "answered" ? answered(state.question, event.choice) : to(state);
    case "finishing":
      if (state.question !== null) {
        return event.kind === "answered" ? answered(state.question, event.choice) : to(state);
      }
      if (event.kind === "answered") return to(state);
      return to({ kind: "finishing", question: "still_finishing" }, { kind: "ask", question: "still_finishing" });
    default:
      return assertNever(state, "state of quitting");
  }
}
