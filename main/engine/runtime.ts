import type { ExecuteResult, Journal } from "../../db/journal";
import type { Command, CommandContext, NewArtifact, OperationIntent } from "../domain/commands";
import type { CompensationStep } from "../domain/compensation-step";
import type { ErrorClass, RawError } from "../domain/errors";
import type { Instant, OperationId, Sha256 } from "../domain/ids";
import type { StageNext, TransitionIntent } from "../domain/next-action";
import type { Refusal } from "../domain/plan";
import type { BoundHashes, Clock, CrashPoints, Randomness, TrustedTime, WriteAdapter } from "../domain/ports";
import type { CompensationRow, OperationRow } from "../domain/records";
import type { TaskView } from "../domain/view";
import type { Breaker } from "./breaker";
import type { OutsideQuestions } from "./outside-reading";

/** What a stage's work may use: the task as it was when it began, time, and the one way to write. */
export interface WorkContext {
  view: TaskView;
  signal: AbortSignal;
  clock: Clock;
  /** Executes with this executor's token and the version of the newest view. */
  execute(command: Command): ExecuteResult;
  /** The task as it is now. */
  refresh(): TaskView;
}

export type Work = (context: WorkContext) => Promise<void>;

/** The exact bytes of a request and the hashes recomputed from them, right before the call. */
export type PreparedRequest =
  | { kind: "ready"; bytes: Uint8Array; bytesHash: Sha256; recomputed: BoundHashes; remoteId: string | null }
  | { kind: "blocked"; intent: TransitionIntent }
  /** Something that must be known first cannot be asked right now. */
  | { kind: "wait"; until: number };

/** What the remote has right now, asked right before an undo's call (domain 9). `seen` is a receipt: states and hashes. */
export type UndoAsked =
  | {
      kind: "holds";
      seen: Receipt;
      intent: OperationIntent;
      /** The forward operation whose object the call acts on. */
      forwardId: OperationId;
      /** The exact bytes, kept from the first time on; the answer asked for is what they were made from. */
      requestFor(operation: OperationRow): PreparedRequest;
    }
  /** What the undo wants is there already: also where the forward call never happened. */
  | { kind: "reached"; seen: Receipt }
  /** Somebody else's work is there: nothing is overwritten. */
  | { kind: "changed"; seen: Receipt }
  /** The remote may not show yet what we know it has. */
  | { kind: "wait"; until: Instant }
  | { kind: "failed"; error: RawError };

export type Receipt = Readonly<Record<string, unknown>>;

/** One look at whether an undo holds, with what was seen. */
export type UndoProof = {
  seen: Receipt;
  artifacts: readonly NewArtifact[];
  evidenceRefs: readonly string[];
  calls: number;
} & ({ kind: "proved" } | { kind: "not_yet"; code: string; class: ErrorClass | null; nextAt: Instant });

/** How a pipeline takes its own writes back: the engine knows the order, the pipeline knows what is there. */
export interface UndoRuntime {
  ask(view: TaskView, entry: CompensationRow, step: CompensationStep): Promise<UndoAsked>;
  prove(view: TaskView, entry: CompensationRow, step: CompensationStep): Promise<UndoProof>;
}

/** A pipeline as the engine sees it: what is next, how its stages work, what its requests are. */
export interface PipelineRuntime {
  next: StageNext;
  works: Readonly<Record<string, Work>>;
  prepareRequest(view: TaskView, operation: OperationRow): Promise<PreparedRequest>;
  /** Which event follows when the last guard before a call says no; null: wait for the next tick. */
  onRefused(view: TaskView, operation: OperationRow, refusal: Refusal): TransitionIntent | null;
  /** Which event blocks the stage an operation belongs to. */
  createKeyOf(view: TaskView, operation: OperationRow): string;
  undo: UndoRuntime;
  /** What a reconciliation asks besides the objects; a pipeline without public pages and recipients has none. */
  outside?: OutsideQuestions;
}

export interface EngineOptions {
  journal: Journal;
  clock: Clock;
  random: Randomness;
  trusted: TrustedTime;
  crash: CrashPoints;
  breaker: Breaker;
  /** Unique per process and start: `executor:<id>` is the lease's owner. */
  executorId: string;
  pipelineOf(name: string): PipelineRuntime;
  adapterOf(name: string): WriteAdapter;
}

/** A command's context at this moment. */
export function contextOf(
  options: Pick<EngineOptions, "clock" | "trusted">,
  actor: CommandContext["actor"],
  more: Pick<CommandContext, "expectedVersion" | "fencingToken"> = {},
): CommandContext {
  return { actor, now: options.clock.now(), trusted: options.trusted.read(), ...more };
}
