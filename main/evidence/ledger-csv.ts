import { csv } from "./csv";
import type { TaskEvidence } from "./evidence-source";
import { utc } from "./moments";

/** The columns. */
export const LEDGER_HEAD: readonly string[] = [
  "task_id",
  "task_key",
  "version",
  "edition",
  "language",
  "state",
  "created",
  "state_since",
  "zone",
  "approvals",
  "effects",
  "confirmed",
  "unsettled",
  "looks",
  "recipients",
  "delivered",
  "bounced",
  "complained",
  "excluded",
  "closed_by_person",
  "unknown_or_accepted",
];

export type LedgerRow = readonly (string | number)[];

/** One task as a line of the ledger: completion is a balance, so every recipient is in one of the last columns. */
export function ledgerRow({ task, approvals, operations, reconciliations, recipients }: TaskEvidence): LedgerRow {
  const count = (...outcomes: string[]) => recipients.filter(({ outcome }) => outcomes.includes(outcome)).length;
  return [
    task.id,
    task.taskKey,
    task.taskVersion,
    task.edition,
    task.language,
    task.state,
    utc(task.createdAt),
    utc(task.stateSince),
    task.zone,
    approvals.length,
    operations.length,
    operations.filter(({ state }) => state === "confirmed").length,
    operations.filter(({ settled }) => !settled).length,
    reconciliations.length,
    recipients.length,
    count("delivered"),
    count("bounced"),
    count("complained"),
    count("excluded"),
    count("closed_by_person"),
    count("unknown", "accepted"),
  ];
}

export const ledgerCsv = (rows: readonly LedgerRow[]): string => csv([LEDGER_HEAD, ...rows]);
