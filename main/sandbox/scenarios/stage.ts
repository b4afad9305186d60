import type { SandboxConfig } from "../config";
import type { FaultName, FaultParams, RequestKind } from "../faults";

/** One fault rule as a scenario gives it; what is left out is the sandbox's default. */
export interface ScenarioFault {
  on: RequestKind;
  fault: FaultName;
  times?: number;
  skip?: number;
  params?: FaultParams;
}

/** What a rehearsal puts in the place of the outside, where the sandbox's servers are not what fails. */
export interface Replacements {
  /** The name of this source's host is not found at the first `times` reads. */
  nameNotFound?: { source: string; times: number };
  /** `malformed`: answers break the schema so many times. `invented`: one fact quotes what stands in no source. */
  drafter?: { malformed: number } | { invented: true };
  /** How long the mail provider says it remembers a key. */
  mailKeyRetentionMs?: number;
  /** The website is written to in two phases: an invisible draft, a look, then published by its id. */
  twoPhase?: boolean;
  /** The program's own monitor breaks at every commit. */
  brokenMonitor?: boolean;
}

/** What a person had before them when they decided. */
export type Seen = Readonly<Record<string, string | number | null>>;

/** The operator's hands. Each answers with the result, and with the codes of what was missing where it was refused. */
export interface Operator {
  /** What stands on the table now, to be decided about later. */
  see(): Seen;
  approveContent(seen?: Seen): string;
  approveSend(seen?: Seen): string;
  /** Replaces a text of the draft; null leaves out the fact that cannot be proved. */
  editContent(change: { title?: (title: string) => string; withoutFact?: string }): string;
  editEmail(words: { subject: string; intro: string }): string;
  rejectContent(reason: string): string;
  recollect(reason: string): string;
  revoke(scope: "publish" | "send", reason: string): string;
  unblock(to: string, evidence: string, newDeadlineInMs?: number): string;
  /** Leads out of a block like `unblock`, but brings the mailing's calls under the same key with another body. */
  unblockWithOtherBody(to: string, evidence: string): string;
  verdict(phase: string, verdict: "happened" | "did_not_happen" | "cannot_tell", remoteId?: string): string;
  suppress(recipientId: string, reason: string): string;
  /** Takes over a list with somebody new on it. */
  addRecipient(id: string, address: string): string;
  closeRecipients(evidence: string): string;
  closeProtectively(reason: string): string;
  startCompensation(reason: string): string;
  /** Lets a failed entry go on at the step it stopped at. */
  resumeUndo(action: string, reason: string): string;
  closeUndo(action: string, note: string): string;
  /** Looks at both objects and asks to close the incident; with the owner's word for scheduler and drafter or without. */
  closeIncident(canonicalId: string, released: boolean): Promise<string>;
}

/** The stage that a scenario is played on: engines, clock, remotes and the operator. */
export interface ScenarioStage {
  operator: Operator;
  /** Starts the edition by hand; scenarios that do not start it themselves find it started. */
  start(edition?: string): string;
  /** Begins the edition anew: another version, which names the one it supersedes. */
  startVersion(): string;
  /** Somebody at the website's own screen puts another text on the page, or takes an object down. */
  atTheWebsite(does: { overwrite: string } | { takeDown: string }): Promise<void>;
  /** Lets the engine work until a person is asked, the edition ended, or nothing is due by itself. Returns the state. */
  work(): Promise<string>;
  /** Works and decides as somebody who finds everything right, until the state is reached or the work stops elsewhere. */
  workTo(state: string): Promise<string>;
  /** Works until the remote holds an answer back; the engine waits for it while the script goes on. */
  workUntilWithheld(): Promise<void>;
  /** Lets time pass while the engine works, also past what a person was asked to do. */
  wait(ms: number): Promise<string>;
  /** Time passes and nobody works: the laptop sleeps, and with it every timer of the program. */
  sleep(ms: number): Promise<void>;
  /** Works until the process dies at this point, then starts another on the same files. */
  workUntilKilled(point: string): Promise<void>;
  /** The engine stands still in the middle of what it does: no heartbeat, no timer, no write. */
  pause(): void;
  /** A second engine opens the same workspace and works from now on. */
  takeOver(): void;
  /** What was paused wakes up, and ends what it was doing. */
  wake(): Promise<void>;
  /** Keeps a copy of the journal; puts it back in its place later. A new process opens it each time. */
  backUp(): void;
  restore(): void;
  /** This many timers, each of a process of its own, fire for one period at once. */
  fireTimers(count: number): string[];
  addFault(fault: ScenarioFault): Promise<void>;
  clearFaults(): Promise<void>;
  configure(change: Partial<SandboxConfig>): Promise<void>;
  /** Keeps what the editor is shown now, under a name of its own. */
  show(label: string): Promise<void>;
}

export interface TwoLanguages {
  "zh-CN": string;
  en: string;
}

/** A fault scenario as data, and the operator's part in it. What must come of it, event by event, is frozen in the tests. */
export interface Scenario {
  id: string;
  group: number;
  title: TwoLanguages;
  given: TwoLanguages;
  fault: TwoLanguages;
  /** What should come of it, in words for whoever watches; nothing is judged by it. */
  expected: TwoLanguages;
  config?: Partial<SandboxConfig>;
  faults?: readonly ScenarioFault[];
  replaced?: Replacements;
  /** Local time at which the workspace's clock begins; `daysBefore` the edition's Monday. */
  beginsAt?: { local: string; daysBefore?: number };
  /** The script starts the edition itself. */
  startsItself?: boolean;
  /** The journal's commits are part of what is frozen. */
  countsCommits?: boolean;
  play(stage: ScenarioStage): Promise<void>;
}

/** What is needed to play one. */
export type PlayableScenario = Omit<Scenario, "expected">;

export interface ScenarioGroup {
  number: number;
  title: TwoLanguages;
  scenarios: readonly Scenario[];
}

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;
