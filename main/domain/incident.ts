/** What went wrong, as far as anybody knows yet. Each has its runbook and its inventory of evidence. */
export const INCIDENT_KINDS = [
  "unknown_publish",
  "duplicate_remote",
  "unknown_send",
  "wrong_audience",
  "wrong_page_live",
  "source_missing",
  "restored_backup",
  "damaged_journal",
  "clock_jump",
  "approval_bypass",
  "other",
] as const;
export type IncidentKind = (typeof INCIDENT_KINDS)[number];

/** By what it was opened: a rule that the program judges itself, or a person's word. */
export const INCIDENT_RULES = [
  "duplicate_remote",
  "invariant_violation",
  "chain_break",
  "approval_bypass",
  "journal_epoch",
  "by_hand",
] as const;
export type IncidentRule = (typeof INCIDENT_RULES)[number];

/** How far its writes stand still: a place with every version of its edition, one task, one outside system, everything. */
export const INCIDENT_SCOPES = ["slot", "task", "adapter", "all"] as const;
export type IncidentScope = (typeof INCIDENT_SCOPES)[number];

/** Which runbook fits what a rule found. A person names the kind; for `by_hand` there is no answer here. */
export const KIND_OF_RULE: Readonly<Record<Exclude<IncidentRule, "by_hand">, IncidentKind>> = {
  duplicate_remote: "duplicate_remote",
  invariant_violation: "damaged_journal",
  chain_break: "damaged_journal",
  approval_bypass: "approval_bypass",
  journal_epoch: "restored_backup",
};

/** What a freeze is judged by. */
interface Frozen {
  rule: string;
  scope: IncidentScope;
  scopeValue: string;
}

/** Whether an open incident's scope covers the task. The epoch has a guard of its own, with its own way out. */
export function freezesTask(incident: Frozen, task: { id: string; taskKey: string }): boolean {
  if (incident.rule === "journal_epoch") return false;
  if (incident.scope === "all") return true;
  if (incident.scope === "task") return incident.scopeValue === task.id;
  // Which of a task's writes go to the adapter is asked of each write.
  if (incident.scope === "adapter") return true;
  const place = incident.scopeValue.slice(incident.scopeValue.indexOf(":") + 1);
  return place === task.taskKey || place.startsWith(`${task.taskKey}:`);
}

/**
 * Whether an incident that covers the task holds back this write. Of two objects in one place neither is touched (domain 10); any
 * other incident leaves undoing open, since taking back what is wrong is often its recovery. Looks are no writes.
 */
export function freezesWrite(incident: Frozen, write: { kind: string; adapter: string }): boolean {
  if (write.kind === "compensate") return incident.rule === "duplicate_remote";
  return incident.scope !== "adapter" || incident.scopeValue === write.adapter;
}
