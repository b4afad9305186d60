import type { OperationId, Sha256, TaskId } from "./ids";
import type { IncidentKind, IncidentRule, IncidentScope } from "./incident";
import type { ArtifactRow } from "./records";

/** About an incident of a task, or of the journal as a whole: its events are the task's, or the journal's own. */
interface OfIncident {
  taskId: TaskId | null;
  incidentId: string;
}

export interface OpenIncident {
  type: "open_incident";
  taskId: TaskId | null;
  rule: Exclude<IncidentRule, "duplicate_remote" | "journal_epoch">;
  kind: IncidentKind;
  scope: IncidentScope;
  /** Slot, task id or adapter; for `all` what was found. */
  scopeValue: string;
  operationId: OperationId | null;
  /** What a rule found, or a person's reason. A rule's finding is one incident for ever, however often it is found. */
  reason: string;
}

/** How a step of the runbook was passed. The last word about a step counts. */
export type StepPassed = "done" | "skipped" | "branch";

export interface PassRunbookStep extends OfIncident {
  type: "pass_runbook_step";
  runbookVersion: number;
  step: string;
  how: StepPassed;
  /** The branch that was taken; null for the other two. */
  branch: string | null;
  /** What was seen or why it was skipped. */
  note: string;
}

export interface NoteIncident extends OfIncident {
  type: "note_incident";
  note: string;
}

/** An event is kept at the top of the timeline, or no longer. */
export interface PinIncidentEvent extends OfIncident {
  type: "pin_incident_event";
  seq: number;
  isPinned: boolean;
}

/** What could be looked up at the moment of closing; never what somebody typed. */
export interface ObservedForIncident {
  captureHash: Sha256 | null;
  /** The approved content that the public page was found equal to. */
  provedContentHash: Sha256 | null;
}

/** Ends an incident that is not the two objects of a look: those are closed by `close_incident`. */
export interface SettleIncident extends OfIncident {
  type: "settle_incident";
  /** What a person vouches for, by the piece of evidence it is. */
  proofs: Readonly<Record<string, string>>;
  observed: ObservedForIncident | null;
  artifacts?: readonly Omit<ArtifactRow, "taskId" | "at">[];
  reason: string;
}

export type IncidentCommand = OpenIncident | PassRunbookStep | NoteIncident | PinIncidentEvent | SettleIncident;

const TYPES: ReadonlySet<string> = new Set<IncidentCommand["type"]>([
  "open_incident",
  "pass_runbook_step",
  "note_incident",
  "pin_incident_event",
  "settle_incident",
]);

export const isIncidentCommand = <C extends { type: string }>(command: C): command is Extract<C, IncidentCommand> =>
  TYPES.has(command.type);
