import type { Journal } from "../../db/journal";
import { type Finding, foundBroken } from "../domain/bypass";
import type { TaskId } from "../domain/ids";
import { KIND_OF_RULE } from "../domain/incident";
import type { Clock, TrustedTime } from "../domain/ports";

interface Place {
  journal: Journal;
  clock: Clock;
  trusted: TrustedTime;
}

/** What a check of the whole journal found. */
export interface BrokenJournal {
  /** What is wrong with the chain; null where nothing is. */
  chain: string | null;
  violations: readonly { invariant: string; subject: string; detail: string }[];
}

/** Longer than any finding is read; a chain with a thousand faults is one break. */
const LONGEST_ABOUT = 500;
/** A journal that breaks promise after promise has one cause: whoever reads twenty of them has read enough. */
const OPENED_AT_MOST = 20;

/** Opens an incident by rule and freezes the task it is about, or everything. Found again, it stays the one that it is. */
export function openFoundIncident({ journal, clock, trusted }: Place, finding: Finding): void {
  const { rule, taskId } = finding;
  const reason = finding.about.slice(0, LONGEST_ABOUT);
  journal.execute(
    {
      ...{ type: "open_incident", taskId, rule, kind: KIND_OF_RULE[rule], operationId: null, reason },
      ...(taskId === null ? { scope: "all", scopeValue: reason } : { scope: "task", scopeValue: taskId }),
    },
    { actor: "system", now: clock.now(), trusted: trusted.read() },
  );
}

/** Opens an incident for each promise that the running app's own check found broken, and one for a broken chain. */
export function openFoundIncidents(place: Place, { chain, violations }: BrokenJournal): void {
  if (chain !== null) openFoundIncident(place, { rule: "chain_break", taskId: null, about: chain });
  for (const violation of violations.slice(0, OPENED_AT_MOST))
    openFoundIncident(place, foundBroken(violation, taskNamedIn(place.journal, violation.subject)));
}

/** A task's key has three parts, and stands within the keys of its operations and slots; the newest version is meant. */
function taskNamedIn(journal: Journal, subject: string): TaskId | null {
  const parts = subject.split(":");
  for (const at of parts.keys()) {
    const newest = journal.reader.tasksByKey(parts.slice(at, at + 3).join(":")).at(-1);
    if (newest !== undefined) return newest.id;
  }
  return null;
}
