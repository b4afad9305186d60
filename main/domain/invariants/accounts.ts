import type { OperationRow, RecipientOutcome, TaskRow } from "../records";
import { type Evidence, groupBy, type Violation } from "./snapshot";

/** Outcomes that account for a recipient for good. `accepted` and `unknown` do not (domain 2). */
const ACCOUNTED: ReadonlySet<RecipientOutcome> = new Set<RecipientOutcome>([
  "delivered",
  "bounced",
  "complained",
  "excluded",
  "closed_by_person",
]);

/** I06: a task that succeeded has every planned operation settled well and every recipient of its audience accounted for. */
export function checkAccounts(evidence: Evidence): Violation[] {
  const recipients = groupBy(evidence.snapshot.recipients, (account) => account.taskId);
  return evidence.snapshot.tasks
    .filter((task) => task.state === "succeeded")
    .flatMap((task) => {
      const accounts = recipients.get(task.id) ?? [];
      const open = accounts.filter(({ outcome }) => !ACCOUNTED.has(outcome));
      return [
        ...checkOperations(task, evidence.operationsOf(task.id)),
        ...(open.length > 0 ? [violation(task, `${open.length} recipients have no end`)] : []),
        ...checkTotal(evidence, task, accounts.length),
      ];
    });
}

const violation = (task: TaskRow, detail: string): Violation => ({ invariant: "I06", subject: task.taskKey, detail });

/**
 * Settled well: confirmed or cancelled. A child may have been rejected (its recipient's account says so), and so may an
 * operation whose place another one of the same task took after it.
 */
function checkOperations(task: TaskRow, operations: readonly OperationRow[]): Violation[] {
  return operations.flatMap((operation) => {
    if (operation.state === "confirmed" || operation.state === "cancelled") return [];
    const isReplaced = operations.some(
      (other) => other.slot === operation.slot && other.phase === operation.phase && other.state === "confirmed",
    );
    const mayFail = operation.parentId !== null || isReplaced;
    if (operation.settled && mayFail) return [];
    return [violation(task, `${operation.operationKey} is ${operation.state}`)];
  });
}

function checkTotal(evidence: Evidence, task: TaskRow, accounts: number): Violation[] {
  const hash = task.context["audienceHash"] ?? null;
  const audience = evidence.snapshot.audiences.find((row) => row.taskId === task.id && row.audienceHash === hash);
  const mailed = evidence.operationsOf(task.id).filter((row) => isMailed(row) && row.audienceHash !== hash);
  const expected = audience ? audience.count + audience.excluded : 0;
  const found = mailed.map((row) =>
    violation(task, `${row.operationKey} went to another audience than the counted one`),
  );
  if (accounts !== expected) found.push(violation(task, `${accounts} accounts for an audience of ${expected}`));
  return found;
}

/** A campaign's draft is no mail yet: its trigger is, and so is a single delivery. */
const isMailed = (row: OperationRow): boolean =>
  row.kind === "send" && (row.phase === "trigger" || row.phase === "deliver") && row.state === "confirmed";
