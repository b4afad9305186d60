import type { CommandContext } from "../commands";
import { assertNever } from "../ids";
import type {
  IncidentCommand,
  NoteIncident,
  OpenIncident,
  PassRunbookStep,
  PinIncidentEvent,
  SettleIncident,
} from "../incident-command";
import { missingPieces } from "../incident-inventory";
import { type Decision, draftEvent, refuse } from "../plan";
import type { IncidentRow } from "../records";
import { runbookOf } from "../runbooks";
import { type Unmet, unmet } from "../unmet";
import type { TaskView } from "../view";
import { causerOf } from "./actor";
import { decideOpenIncident, type IncidentBooks } from "./open-incident";

/**
 * Decides what is done about an incident, each as an event of its task or of the journal: its opening, the steps of its runbook,
 * notes, pins and its end (domain 10). @param view the incident's task; null where it is about none
 */
export function decideIncident(
  view: TaskView | null,
  books: IncidentBooks,
  command: IncidentCommand,
  context: CommandContext,
): Decision {
  if (command.type === "open_incident") return decideOpenIncident(view, books, command, context);
  const incident = books.incident(command.incidentId);
  if (incident === null || incident.closedAt !== null || incident.taskId !== (view?.task.id ?? null))
    return refuse("not_found", unmet("incident_not_found"));
  if (causerOf(context.actor) !== "person")
    return refuse("guard_failed", unmet("person_required", { event: "Incident" }));
  switch (command.type) {
    case "pass_runbook_step":
      return decideStep(incident, command);
    case "note_incident":
      return decideNoteIncident(command);
    case "pin_incident_event":
      return decidePin(command);
    case "settle_incident":
      return decideSettle(view, books, incident, command, context);
    default:
      return assertNever(command, "incident command");
  }
}

type Work = Exclude<IncidentCommand, OpenIncident>;

const told = (
  type: string,
  command: Work,
  payload: Readonly<Record<string, unknown>>,
  reason: string | null,
): Decision => ({
  ok: true,
  plan: {
    task: {},
    events: [draftEvent(type, { reason, payload: { incidentId: command.incidentId, ...payload } })],
    writes: [],
  },
});

/** A step that is skipped says why, and a branch is one of the runbook that was read. */
function decideStep(incident: IncidentRow, command: PassRunbookStep): Decision {
  const { step: stepId, how, branch, note, runbookVersion } = command;
  const runbook = runbookOf(incident.kind);
  const step = runbook.steps.find(({ id }) => id === stepId);
  const missing: Unmet[] = [
    ...(runbook.version === runbookVersion ? [] : [unmet("runbook_changed", { version: runbook.version })]),
    ...(step ? [] : [unmet("runbook_step_unknown", { step: stepId })]),
    ...(how === "skipped" && note.trim() === "" ? [unmet("reason_missing")] : []),
    ...(how === "branch" && step && !step.branches.some(({ id }) => id === branch)
      ? [unmet("runbook_step_unknown", { step: branch ?? "—" })]
      : []),
  ];
  if (missing.length > 0) return refuse("guard_failed", ...missing);
  const payload = {
    runbook: incident.kind,
    runbookVersion,
    step: stepId,
    how,
    branch: how === "branch" ? branch : null,
  };
  return told("RunbookStepPassed", command, payload, note.trim() || null);
}

function decideNoteIncident(command: NoteIncident): Decision {
  if (command.note.trim() === "") return refuse("guard_failed", unmet("reason_missing"));
  return told("IncidentNoted", command, {}, command.note.trim());
}

function decidePin(command: PinIncidentEvent): Decision {
  return told("IncidentEventPinned", command, { seq: command.seq, isPinned: command.isPinned }, null);
}

/** Ends it with the whole inventory of its kind, else every piece that is missing is named. What it froze lets go with it. */
function decideSettle(
  view: TaskView | null,
  books: IncidentBooks,
  incident: IncidentRow,
  command: SettleIncident,
  context: CommandContext,
): Decision {
  if (incident.rule === "duplicate_remote") return refuse("guard_failed", unmet("incident_not_found"));
  const { proofs, observed, reason } = command;
  const input = { view, isEpochReconciled: books.isEpochReconciled, context, observed };
  const missing = [
    ...(reason.trim() === "" ? [unmet("reason_missing")] : []),
    ...missingPieces(incident.kind, input, proofs).map((what) => unmet("incident_evidence_missing", { what })),
  ];
  if (missing.length > 0) return refuse("guard_failed", ...missing);
  const closed = draftEvent("IncidentClosed", {
    reason,
    evidenceRefs: observed?.captureHash ? [observed.captureHash] : [],
    payload: { incidentId: incident.id, rule: incident.rule, kind: incident.kind, proofs, observed },
  });
  const artifacts = (view === null ? [] : (command.artifacts ?? [])).map((artifact) => ({
    table: "artifact" as const,
    insertIfNew: { ...artifact, taskId: (view as TaskView).task.id, at: context.now },
  }));
  const close = { table: "incident" as const, close: { id: incident.id, closedAt: context.now } };
  return { ok: true, plan: { task: {}, events: [closed], writes: [...artifacts, close] } };
}
