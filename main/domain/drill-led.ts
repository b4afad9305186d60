import type { IncidentKind } from "./incident";

/** What whoever plays a drill is asked: which case it is, what to do, and whether it is over (domain section 10). */
export const DRILL_QUESTIONS = ["classify", "decide", "verify"] as const;
export type DrillQuestionKind = (typeof DRILL_QUESTIONS)[number];

/** What a person may do at a standstill; those that the edition allows at the moment are offered. */
export const DRILL_WAYS = [
  ...(["look", "wait", "verdict_happened", "verdict_did_not_happen", "verdict_cannot_tell"] as const),
  ...(["take_down", "close_incident", "unblock", "close_protectively", "revoke"] as const),
  ...(["start_compensation", "resume_undo", "close_undo", "start_version", "approve_send", "finish"] as const),
] as const;
export type DrillWay = (typeof DRILL_WAYS)[number];

/** One thing that may be chosen. `about` names the object, the state or the entry that is meant. */
export interface DrillChoice<Name extends string = string> {
  name: Name;
  about: string | null;
}

/** How a choice is named in an answer and in a record: `close_incident 18427`. */
export const choiceId = ({ name, about }: DrillChoice): string => (about === null ? name : `${name} ${about}`);

/** From where on a person plays: the first trouble, where the edition stops, the script's end, or a wrong version on the site. */
type DrillBeginning = "first_trouble" | "stopped" | "script" | "wrong_version" | "newer_version";

/** A scenario that a person can play, and what it expects of them: a right end by a wrong path fails (domain section 12). */
export interface LedDrill {
  scenario: string;
  begins: DrillBeginning;
  /** Whose runbook it is played by. */
  kind: IncidentKind;
  /** Choices that are right, whenever they are made. */
  right: readonly string[];
  /** Choices without which nothing is over yet. */
  needed: readonly string[];
}

const LOOKS = ["look", "wait"];
const OF_TWO_PAGES = ["take_down 18428", "close_incident 18427", "verdict_happened 18427", "unblock publishing"];
/** Nothing is sent again: by then the edition's time is over. */
const ABSENT = ["verdict_did_not_happen", "close_protectively"];
const UNDONE = ["start_compensation"];
const FORWARD = ["start_compensation", "close_undo point_page_back", "start_version"];

const publish = (scenario: string, more: readonly string[] = []): LedDrill => ({
  ...{ scenario, begins: "first_trouble", kind: "unknown_publish" },
  ...{ right: [...LOOKS, ...more], needed: [] },
});
const send = (scenario: string): LedDrill => ({ ...publish(scenario), kind: "unknown_send" });

export const LED_DRILLS: readonly LedDrill[] = [
  publish("S13"),
  publish("S14"),
  publish("S15"),
  publish("S16", OF_TWO_PAGES),
  send("S37"),
  send("S38"),
  { ...send("S40"), begins: "script", right: ABSENT },
  { ...{ scenario: "S45", begins: "wrong_version", kind: "wrong_page_live" }, right: UNDONE, needed: UNDONE },
  { ...{ scenario: "S46", begins: "newer_version", kind: "wrong_page_live" }, right: FORWARD, needed: FORWARD },
  { ...{ scenario: "S48", begins: "stopped", kind: "duplicate_remote" }, right: OF_TWO_PAGES, needed: [] },
];

/** Among which cases a person says which it is: those of the built-in runbooks that an edition can run into by itself. */
export const DRILL_CASES = [
  ...(["unknown_publish", "duplicate_remote", "unknown_send"] as const),
  ...(["wrong_audience", "wrong_page_live", "source_missing"] as const),
] as const;

/** The case of a scenario that a person can play; null: only the script plays it. */
export const ledDrillOf = (scenario: string): LedDrill | null =>
  LED_DRILLS.find((led) => led.scenario === scenario) ?? null;

/** Whether nothing is left out that the scenario cannot end well without. */
export const isAllMade = ({ needed }: LedDrill, made: readonly string[]): boolean =>
  needed.every((choice) => made.includes(choice));

/** Which of the choices are right at this scenario; `finish` only once nothing that it needs is left out. */
export function rightChoices(led: LedDrill, offered: readonly string[], made: readonly string[]): string[] {
  return offered.filter((choice) => led.right.includes(choice) || (choice === "finish" && isAllMade(led, made)));
}
