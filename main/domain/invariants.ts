import { checkAccounts } from "./invariants/accounts";
import { checkApprovals } from "./invariants/approvals";
import { checkHistory } from "./invariants/history";
import { checkLeases } from "./invariants/leases";
import { checkLiveTasks } from "./invariants/live-tasks";
import { checkSignatures } from "./invariants/signatures";
import { checkSlots } from "./invariants/slots";
import { collectEvidence, type Evidence, type JournalSnapshot, type Violation } from "./invariants/snapshot";
import { checkStackOrder } from "./invariants/stack";
import { checkUndo } from "./invariants/undo";

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
];

/**
 * Judges a journal by its eight promises (domain 2), from events and rows alone. It shares no code with the guards that decide
 * and knows nothing of the triggers that refuse, so that a hole in either is found and not repeated here.
 */
export function checkInvariants(snapshot: JournalSnapshot): Violation[] {
  const evidence = collectEvidence(snapshot);
  return CHECKERS.flatMap((check) => check(evidence)).sort((a, b) =>
    a.invariant < b.invariant ? -1 : a.invariant > b.invariant ? 1 : 0,
  );
}
