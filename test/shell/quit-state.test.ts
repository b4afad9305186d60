import { describe, expect, it } from "vitest";
import { type Facts, nextQuitStep, type QuitEffect, type QuitEvent, type QuitState } from "../../main/shell/quit-state";

const idle: Facts = { callInFlight: false, liveRun: false, hasTray: false, saidTray: false };
const live: Facts = { ...idle, liveRun: true };
const inFlight: Facts = { ...live, callInFlight: true };

/** Plays events from the start; returns the last state and all effects, named. */
function play(...events: QuitEvent[]) {
  let state: QuitState = { kind: "open" };
  const effects: string[] = [];
  for (const event of events) {
    const step = nextQuitStep(state, event);
    state = step.state;
    effects.push(...step.effects.map((effect) => (effect.kind === "ask" ? `ask ${effect.question}` : effect.kind)));
  }
  return { state, effects };
}
const quit = (facts: Facts): QuitEvent => ({ kind: "quit_asked", facts });
const close = (facts: Facts): QuitEvent => ({ kind: "close_asked", facts });
const say = (choice: "finish" | "now" | "keep" | "cancel"): QuitEvent => ({ kind: "answered", choice });
const stopped: QuitEvent = { kind: "stopped" };

describe("quitting", () => {
  it("asks nothing when nothing is in flight, and leaves once the backend has closed", () => {
    expect(play(quit(idle), stopped)).toEqual({ state: { kind: "ended" }, effects: ["finish_then_stop", "leave"] });
    expect(play(quit(live)).effects).toEqual(["finish_then_stop"]);
  });

  it("with a call in flight offers finishing, or unknown, or nothing", () => {
    expect(play(quit(inFlight)).effects).toEqual(["ask call_in_flight"]);
    expect(play(quit(inFlight), say("cancel"))).toEqual({ state: { kind: "open" }, effects: ["ask call_in_flight"] });
    expect(play(quit(inFlight), say("finish"), stopped).effects).toEqual([
      "ask call_in_flight",
      "finish_then_stop",
      "leave",
    ]);
    expect(play(quit(inFlight), say("now"), stopped).effects).toEqual(["ask call_in_flight", "stop_now", "leave"]);
  });

  it("asks once, however often one quits while the question is on the screen", () => {
    expect(play(quit(inFlight), quit(inFlight), close(inFlight), quit(idle)).effects).toEqual(["ask call_in_flight"]);
  });

  it("can be cut short while it is finishing", () => {
    const finishing = [quit(inFlight), say("finish"), quit(inFlight)] as const;
    expect(play(...finishing).effects).toEqual(["ask call_in_flight", "finish_then_stop", "ask still_finishing"]);
    expect(play(...finishing, say("cancel")).state).toEqual({ kind: "finishing", question: null });
    expect(play(...finishing, say("now"), stopped).effects.slice(-2)).toEqual(["stop_now", "leave"]);
    expect(play(...finishing, stopped).effects.at(-1)).toBe("leave");
  });
});

describe("closing the window", () => {
  it("quits when nothing runs", () => expect(play(close(idle)).effects).toEqual(["finish_then_stop"]));

  it("stays in the tray while something runs, and says so once", () => {
    const withTray = { ...inFlight, hasTray: true };
    expect(play(close(withTray)).effects).toEqual(["ask keeps_running"]);
    expect(play(close(withTray), say("keep"))).toEqual({
      state: { kind: "open" },
      effects: ["ask keeps_running", "hide_window"],
    });
    expect(play(close(withTray), say("cancel")).effects).toEqual(["ask keeps_running"]);
    expect(play(close({ ...withTray, saidTray: true })).effects).toEqual(["hide_window"]);
  });

  it("without a tray says what will not run, or offers to finish the call", () => {
    expect(play(close(live)).effects).toEqual(["ask run_stops"]);
    expect(play(close(live), say("cancel")).state).toEqual({ kind: "open" });
    expect(play(close(live), say("finish")).effects).toEqual(["ask run_stops", "finish_then_stop"]);
    expect(play(close(inFlight)).effects).toEqual(["ask call_in_flight"]);
  });
});

describe("whatever happens", () => {
  const facts = [idle, live, inFlight, { ...live, hasTray: true }, { ...inFlight, hasTray: true, saidTray: true }];
  const events: QuitEvent[] = [
    ...facts.map(quit),
    ...facts.map(close),
    ...(["finish", "now", "keep", "cancel"] as const).map(say),
    stopped,
    { kind: "session_ends" },
  ];

  it("leaves only after the backend has been closed, once, and never comes back (all sequences of four events)", () => {
    const walk = (state: QuitState, wasStopped: boolean, left: number, depth: number): void => {
      if (depth === 0) return;
      for (const event of events) {
        const { state: next, effects } = nextQuitStep(state, event);
        const kinds = effects.map((effect: QuitEffect) => effect.kind);
        const stops = wasStopped || kinds.includes("finish_then_stop") || kinds.includes("stop_now");
        if (kinds.includes("leave")) {
          expect(wasStopped).toBe(true);
          expect(event.kind).toBe("stopped");
          expect(left).toBe(0);
        }
        if (state.kind === "ended") expect({ next, kinds }).toEqual({ next: state, kinds: [] });
        // A call is never given up without a person's word or the system's.
        if (kinds.includes("stop_now")) expect(["answered", "session_ends"]).toContain(event.kind);
        walk(next, stops, left + (kinds.includes("leave") ? 1 : 0), depth - 1);
      }
    };
    walk({ kind: "open" }, false, 0, 4);
  });

  it("does not ask when the system ends the session", () => {
    expect(play({ kind: "session_ends" }, stopped).effects).toEqual(["stop_now", "leave"]);
    expect(play(quit(inFlight), { kind: "session_ends" }, stopped).effects).toEqual([
      "ask call_in_flight",
      "stop_now",
      "leave",
    ]);
  });

  it("does not leave because a backend closed by itself", () => {
    expect(play(stopped)).toEqual({ state: { kind: "open" }, effects: [] });
  });
});
