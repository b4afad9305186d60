import { raiseAlert } from "../alert";
import type { CommandContext } from "../commands";
import { derivedId } from "../hashing";
import { KIND_OF_RULE } from "../incident";
import type { OpenIncident } from "../incident-command";
import { type Decision, draftEvent, refuse, type Write } from "../plan";
import type { IncidentRow } from "../records";
import { type Unmet, unmet } from "../unmet";
import { operationById, type TaskView } from "../view";
import { causerOf } from "./actor";

/** What is known besides the task. */
export interface IncidentBooks {
  incident(id: string): IncidentRow | null;
  /** Every incident that is not closed, of any task. */
  open(): readonly IncidentRow[];
  isEpochReconciled: boolean;
}

/**
 * Opens an incident, and with the same commit freezes the writes of its scope (domain 10). A rule's finding is one incident for
 * ever: what was closed with its evidence is not opened again by finding the same. A person may open whatever they see.
 */
export function decideOpenIncident(
  view: TaskView | null,
  books: IncidentBooks,
  command: OpenIncident,
  context: CommandContext,
): Decision {
  const { rule, kind, scope, scopeValue, reason, operationId } = command;
  const isByHand = rule === "by_hand";
  const open = books.open().find((row) => row.kind === kind && row.scope === scope && row.scopeValue === scopeValue);
  const id = incidentIdOf(view, command, context);
  const missing: Unmet[] = [
    ...(isByHand === (causerOf(context.actor) === "person")
      ? []
      : [unmet(isByHand ? "person_required" : "executor_required", { event: "IncidentOpened" })]),
    ...(reason.trim() === "" ? [unmet("reason_missing")] : []),
    ...(isByHand || KIND_OF_RULE[rule] === kind ? [] : [unmet("incident_scope_unknown", { scope: kind })]),
    ...(isKnownPlace(view, command) ? [] : [unmet("incident_scope_unknown", { scope: scopeValue })]),
    ...(operationId === null || (view && operationById(view, operationId)) ? [] : [unmet("operation_not_found")]),
  ];
  if (missing.length > 0) return refuse("guard_failed", ...missing);
  if (open) return refuse("guard_failed", unmet("incident_open_already", { incident: open.id }));
  if (books.incident(id)) return refuse("guard_failed", unmet("incident_known", { incident: id }));
  const row: IncidentRow = {
    ...{ id, taskId: view?.task.id ?? null, rule, kind, operationId, scope, scopeValue },
    ...{ openedAt: context.now, openedBy: context.actor, closedAt: null },
  };
  const payload = { incidentId: id, rule, kind, scope, scopeValue, operation: operationId };
  const writes: Write[] = [{ table: "incident", insertIfNew: row }];
  // Whoever opened it by hand knows; what a rule found at night has to reach somebody.
  if (view !== null && !isByHand)
    writes.push(
      raiseAlert(view, context, {
        code: "incident_opened",
        subject: id,
        more: { incidentId: id, rule, about: reason },
      }),
    );
  return { ok: true, plan: { task: {}, events: [draftEvent("IncidentOpened", { reason, payload })], writes } };
}

function incidentIdOf(view: TaskView | null, command: OpenIncident, context: CommandContext): string {
  const { rule, kind, scope, scopeValue, reason } = command;
  if (rule !== "by_hand") return derivedId("in", rule, scope, scopeValue, reason);
  return derivedId("in", kind, scope, scopeValue, context.actor, context.now, view?.task.taskSeq ?? 0);
}

/** What is to be frozen has to be there: a mistyped place would freeze nothing, and nobody would see it. */
function isKnownPlace(view: TaskView | null, { scope, scopeValue }: OpenIncident): boolean {
  if (scopeValue.trim() === "") return false;
  switch (scope) {
    case "all":
      return true;
    case "task":
      return view !== null && scopeValue === view.task.id;
    case "slot":
      return view?.operations().some((row) => row.slot === scopeValue) ?? false;
    default:
      return view === null || view.operations().some((row) => row.adapter === scopeValue);
  }
}
