import type { EventDraft } from "../chain";
import type { Command, CommandContext } from "../commands";
import { isAutomatic } from "../compensation";
import { forwardState, undoOperation } from "../compensation-forward";
import { waitsForOthers } from "../compensation-need";
import { type Decision, draftEvent, refuse, type Write } from "../plan";
import type { CompensationRow, OperationRow } from "../records";
import { type Unmet, unmet } from "../unmet";
import type { TaskView } from "../view";
import { causerOf, checkStanding } from "./actor";
import { changeEntry } from "./compensation-writes";

type Close = Extract<Command, { type: "close_compensation" }>;
type Resume = Extract<Command, { type: "resume_compensation" }>;

const isBlank = (text: string): boolean => text.trim() === "";

function found(view: TaskView, command: Close | Resume, context: CommandContext) {
  const { task } = view;
  if (task.state !== "compensating")
    return refuse("illegal_transition", unmet("state_is", { state: task.state, event: command.type }));
  const standing = checkStanding(task, context, true);
  if (standing) return { ok: false as const, refusal: standing };
  if (causerOf(context.actor) !== "person")
    return refuse("guard_failed", unmet("person_required", { event: command.type }));
  const entry = view.compensations().find((row) => row.id === command.compensationId);
  return entry ? { entry } : refuse("not_found", unmet("compensation_not_found"));
}

/**
 * A person says that an entry is dealt with, with a note and where the evidence is: what only people can undo, or what the
 * program could not. Nobody is told before the proof is there, and nothing is closed over an answer that is still out.
 */
export function decideCloseUndo(view: TaskView, command: Close, context: CommandContext): Decision {
  const asked = found(view, command, context);
  if (!("entry" in asked)) return asked;
  const { entry } = asked;
  const missing = closingConditions(view, entry, command);
  if (missing.length > 0) return refuse("guard_failed", ...missing);
  const { write, payload } = changeEntry(entry, { state: "closed_by_person", nextAt: null });
  const dropped = cancelPreparedUndo(view, entry);
  const closed = draftEvent("CompensationClosed", {
    reason: command.note,
    evidenceRefs: [command.evidence],
    payload,
  });
  return { ok: true, plan: { task: {}, events: [closed, ...dropped.events], writes: [write, ...dropped.writes] } };
}

function closingConditions(view: TaskView, entry: CompensationRow, command: Close): Unmet[] {
  const missing: Unmet[] = [];
  if (isBlank(command.note)) missing.push(unmet("reason_missing"));
  if (isBlank(command.evidence)) missing.push(unmet("evidence_missing"));
  const isOpen = entry.state === "registered" || entry.state === "running";
  const isForPerson = entry.state === "failed" || (isOpen && !isAutomatic(entry));
  if (!isForPerson) missing.push(unmet("compensation_state_is", { action: entry.action, state: entry.state }));
  const forward = forwardState(view, entry);
  if (forward === "unsettled" || forward === "for_person")
    missing.push(unmet("operation_unsettled", { operation: entry.action }));
  for (const other of waitsForOthers(view, entry))
    missing.push(unmet("compensation_waits_for", { action: entry.action, first: other.action }));
  return missing;
}

/** Closing an entry gives up its own call that has not left; another's is never touched. */
function cancelPreparedUndo(view: TaskView, entry: CompensationRow): { events: EventDraft[]; writes: Write[] } {
  const events: EventDraft[] = [];
  const writes: Write[] = [];
  const prepared = entry.steps
    .map((step) => (step.kind === "call" ? undoOperation(view, entry, step) : null))
    .filter((row): row is OperationRow => row?.state === "prepared");
  for (const { id } of prepared) {
    const update = { id, state: "cancelled" as const, settled: true, nextLookAt: null };
    writes.push({ table: "operation", update, was: "prepared" });
    events.push(draftEvent("OperationCancelled", { operationId: id, payload: { operationState: "cancelled" } }));
  }
  return { events, writes };
}

/** A person lets a failed entry go on: at the very step it stopped at, with its tries counted anew (scenario S47). */
export function decideResumeUndo(view: TaskView, command: Resume, context: CommandContext): Decision {
  const asked = found(view, command, context);
  if (!("entry" in asked)) return asked;
  const { entry } = asked;
  const missing: Unmet[] = [];
  if (isBlank(command.reason)) missing.push(unmet("reason_missing"));
  if (entry.state !== "failed")
    missing.push(unmet("compensation_state_is", { action: entry.action, state: entry.state }));
  if (missing.length > 0) return refuse("guard_failed", ...missing);
  const step = entry.steps[entry.stepsDone];
  const operation = step?.kind === "call" ? undoOperation(view, entry, step) : null;
  const { write, payload } = changeEntry(entry, {
    ...{ state: "running", attempts: 0, nextAt: null, code: null },
    callsJudged: operation === null ? 0 : view.attempts(operation.id).length,
  });
  const writes: Write[] = [write];
  // A fresh budget of looks: what the old ones saw is what the person has just dealt with.
  if (operation?.state === "prepared")
    writes.push({
      table: "operation",
      update: { id: operation.id, looksUsed: 0, nextLookAt: null },
      was: "prepared",
    });
  const resumed = draftEvent("CompensationResumed", {
    reason: command.reason,
    payload: { ...payload, step: step?.name ?? "" },
  });
  return { ok: true, plan: { task: {}, events: [resumed], writes } };
}
