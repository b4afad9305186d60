import type { Chain } from "./action-chain";
import type { CompensationGrade } from "./compensation-grade";
import type { PipelineDefinition } from "./definition";
import type { AdapterManifest, OperationPhase } from "./ports";
import type { Words } from "./runbook";

/** What every external action has to be able to answer before it may happen by itself (domain 7), in the order of asking. */
export const FIVE_ANSWERS = ["key", "query", "retry", "approvalBinds", "compensation"] as const;
export type FiveAnswer = (typeof FIVE_ANSWERS)[number];

/** The answers of one action. Null: nobody has given it, or "the platform will handle it". */
export type FiveAnswers = { [Name in FiveAnswer]: AdapterManifest[Name] | null };

/** One external action of a workflow. */
export interface WorkflowAction {
  name: string;
  /** The stage in which it happens. */
  step: string;
  adapter: string;
  phase: OperationPhase;
  /** How far it can be undone; what the automatic chain makes of it follows (domain 9). */
  grade: CompensationGrade;
  /** The automatic segment it runs in; null: a person's decision comes right before it. */
  segment: string | null;
  answers: FiveAnswers;
}

/** A workflow as it is handed on: everything that decides what may happen by itself, and nothing that runs (domain 13). */
export interface WorkflowPackage {
  /** What a task is about, and how its name looks: a regular expression. */
  subject: { title: Words; pattern: string };
  definition: PipelineDefinition;
  actions: readonly WorkflowAction[];
  /** The actions as a list that the program itself carries out; null: the program has code of its own for this workflow. */
  chain: Chain | null;
  /** The runbooks that it relies on. */
  runbooks: readonly { kind: string; version: number }[];
  /** The scenarios that have to hold for it. */
  faults: readonly string[];
}
