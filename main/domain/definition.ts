import type { GuardName } from "./guards/names";
import { canonicalJson, sha256 } from "./hashing";
import type { Sha256 } from "./ids";
import type { ApprovalScope } from "./records";
import type { RetryPolicy } from "./retry";

/** States every pipeline has besides its own stages (domain 3). */
export const BRANCH_STATES = ["retry_wait", "blocked", "awaiting_observation", "compensating"] as const;
export const TERMINAL_STATES = ["succeeded", "compensated", "closed"] as const;
export type BranchState = (typeof BRANCH_STATES)[number];
export type TerminalState = (typeof TERMINAL_STATES)[number];

export const isTerminal = (state: string): state is TerminalState =>
  (TERMINAL_STATES as readonly string[]).includes(state);

/** Who may cause an event: a person is an editor or the script that stands for one; `system` is the sweep without a lease. */
export type Causer = "executor" | "person" | "system";

/**
 * One row of the transition table. `to` is a state, or `=` (the state stays), `@resume` (the state remembered),
 * `@way_out` (as the blocked reason's table says).
 */
export interface TransitionRule<State extends string = string, Event extends string = string> {
  from: readonly State[];
  event: Event;
  to: State | "=" | "@resume" | "@way_out";
  by: readonly Causer[];
  guards: readonly GuardName[];
  /** Approvals of these gates end with this event: what they bound is no longer what is on the table. */
  ends?: readonly ApprovalScope[];
  /** Reasons an event that leads to `blocked` may give. */
  reasons?: readonly string[];
}

/** One way out of `blocked` for one reason. Each is a button of its own; there is no common retry (domain 3). */
export interface WayOut<State extends string = string> {
  to: State | "@resume";
  /** Only where the task was blocked in one of these states; absent: anywhere. */
  blockedIn?: readonly State[];
  guards: readonly GuardName[];
  /** The stage goes on with what its checkpoint already has. */
  keepsCheckpoint?: boolean;
}

export interface BlockedRule<State extends string = string> {
  owner: string;
  evidenceNeeded: readonly string[];
  /** After this long an alert and a recovery item are made; the state stays. */
  expiresAfterMs: number;
  waysOut: readonly WayOut<State>[];
}

export interface PipelineDeadlines {
  /** Local time of day at which the edition is due, `HH:MM` in `zone`. */
  dueLocal: string;
  zone: string;
  /** Kept for a person before the due time: the automatic path stops this much earlier (domain 8). */
  humanWindowMs: number;
  approvalTtlMs: number;
  observationMs: number;
  observeEveryMs: number;
}

/** A pipeline as data. Its hash is stored with every task; a task runs on the version it began with (domain 13). */
export interface PipelineDefinition<State extends string = string, Event extends string = string> {
  name: string;
  version: number;
  states: readonly State[];
  initialState: State;
  /** Stages with work of their own and a checkpoint. */
  workStages: readonly State[];
  /** States in which an executor acts on the outside: their takeover begins with reconciliation. */
  outsideStates: readonly State[];
  transitions: readonly TransitionRule<State, Event>[];
  blocked: Readonly<Record<string, BlockedRule<State>>>;
  policies: Readonly<Record<string, RetryPolicy>>;
  deadlines: PipelineDeadlines;
  /** Leaving one of these cancels prepared operations in the same transaction. */
  cancelsPreparedOnLeaving: readonly State[];
  /** In these nothing runs by itself: entering one gives the lease back in the same commit. */
  releasesLease: readonly State[];
  /** Which gate governs a state: whose approval may expire or be revoked there, and which operations count as "out". */
  gates: Readonly<Partial<Record<State, ApprovalScope>>>;
  /** States in which a person is waited for. */
  humanStates: readonly State[];
  /** States whose deadline is the full one, the human window included: a person is waited for, or has just decided. */
  fullDeadlineStates: readonly State[];
  /** Undoing starts by a person who has read the plan; `automatic` where the definition was judged fit for it (domain 3). */
  startCompensation: "by_person" | "automatic";
  /** How many undo entries a day people can see to. Past it nothing further is undone by itself (domain 9). */
  undoFailuresPerDay: number;
  owner: string;
  backupOwner: string;
}

/** The hash a task keeps of the definition it began with. */
export function definitionHash(definition: PipelineDefinition): Sha256 {
  return sha256(canonicalJson(definition));
}

/** The rows of the table for one event in one state; more than one only where a rule is split by state. */
export function rulesFor(definition: PipelineDefinition, state: string, event: string): TransitionRule | null {
  return definition.transitions.find((rule) => rule.event === event && rule.from.includes(state)) ?? null;
}
