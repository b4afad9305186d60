import { checkAccounts } from "./invariants/accounts";
import { checkApprovals } from "./invariants/approvals";
import { checkAudienceFacts } from "./invariants/audience-facts";
import { checkHistory } from "./invariants/history";
import { checkKeptRows, type KeptRows } from "./invariants/kept-rows";
import { checkLeases } from "./invariants/leases";
import { checkLiveTasks } from "./invariants/live-tasks";
import { checkOperationFacts } from "./invariants/operation-facts";
import { checkSignatures } from "./invariants/signatures";
import { checkSlots } from "./invariants/slots";
import { collectEvidence, type Evidence, type JournalSnapshot, type Violation } from "./invariants/snapshot";
import { checkStackOrder } from "./invariants/stack";
import { checkTaskFacts } from "./invariants/task-facts";
import { checkUndo } from "./invariants/undo";

export { checkJournalRows, type JournalRows } from "./invariants/journal-rows";
export type { DefinitionFacts, KeptRows } from "./invariants/kept-rows";
export { checkRemote, type RemoteMailing, type RemoteRecords, type RemoteThing } from "./invariants/remote";
export type { InvariantId, JournalSnapshot, Violation } from "./invariants/snapshot";

/** One checker per promise; I02 and I04 share one, because both ask what had been agreed to when something left. */
const CHECKERS: readonly ((evidence: Evidence) => Violation[])[] = [
  checkLiveTasks,
  checkApprovals,
  checkSignatures,
  checkSlots,
  checkLeases,
  checkAccounts,
  checkUndo,
  checkStackOrder,
  checkHistory,
  checkTaskFacts,
  checkOperationFacts,
  checkAudienceFacts,
];

/**
 * Judges a journal by its eight promises (domain 2), from events and rows alone. It shares no code with the guards that decide
 * and knows nothing of the triggers that refuse, so that a hole in either is found and not repeated here.
 *
 * The events are chained, so a row changed around the handler is found by what the events say of it. They do not say everything.
 * Not seen here: an operation's web address, trusted send time, looks used and next look; a lease's holder and term; calls used;
 * when an approval ended; which recipient met which outcome (only how many did); a report's texts, rows that no event refers to
 * (a further artifact, how often an alert was raised), steps, intent conflicts, timers and breakers.
 * @param kept what a full check reads besides; without it these rows are not judged.
 */
export function checkInvariants(snapshot: JournalSnapshot, kept: KeptRows | null = null): Violation[] {
  const evidence = collectEvidence(snapshot);
  const found = CHECKERS.flatMap((check) => check(evidence));
  if (kept !== null) found.push(...checkKeptRows(evidence, kept));
  return sortViolations(found);
}

/** By invariant, each one's own order kept. */
export const sortViolations = (found: readonly Violation[]): Violation[] =>
  [...found].sort((a, b) => (a.invariant < b.invariant ? -1 : a.invariant > b.invariant ? 1 : 0));
