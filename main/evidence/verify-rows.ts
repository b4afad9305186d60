import { compareStack } from "../domain/compensation-replay";
import { checkApprovalFacts } from "../domain/invariants/approval-facts";
import { checkAudienceFacts } from "../domain/invariants/audience-facts";
import { checkItems } from "../domain/invariants/kept-rows";
import { checkOperationFacts } from "../domain/invariants/operation-facts";
import { collectEvidence, groupBy } from "../domain/invariants/snapshot";
import { checkTaskFacts } from "../domain/invariants/task-facts";
import { intentHashOf, operationIdOf, operationKeyOf } from "../domain/keys";
import { compareWithReplay } from "../domain/replay";
import { BAG } from "./bag-layout";
import type { HeldTask } from "./held-task";
import { LEDGER_HEAD, type LedgerRow, ledgerCsv } from "./ledger-csv";
import { parseFields } from "./stored-row";
import type { VerifyRun } from "./verify-run";

/**
 * Where a task's records say something else than its events: states, attempts with their answers, looks, approvals, the stack of
 * undo, the recipients' counts, recovery items. Whether the rules were kept is not asked: a journal may tell of a broken one.
 * @throws what `isFormFault` knows, where the records are none of ours
 * @returns what differs; nothing where contents are withheld, since they may have told the rest
 */
export function rowFaults({ snapshot, evidence: { task, recoveryItems }, withheld }: HeldTask): string[] {
  if (withheld > 0) return [];
  const evidence = collectEvidence(snapshot);
  const differences = [
    ...compareWithReplay(task, snapshot.operations, snapshot.events),
    ...compareStack(snapshot.compensations, evidence.ofTask(task.id)),
  ];
  const violations = [checkTaskFacts, checkOperationFacts, checkAudienceFacts, checkApprovalFacts]
    .flatMap((check) => check(evidence))
    .concat(checkItems(task, recoveryItems, evidence.ofTask(task.id)));
  return [
    ...differences.map(({ subject, field, row, replayed }) => `${subject} ${field}: ${says(row, replayed)}`),
    ...violations.map(({ subject, detail }) => `${subject} ${detail}`),
    ...attemptFaults({ snapshot }),
    ...intentFaults({ snapshot }),
  ];
}

const says = (row: string, told: string): string => `the record says ${row}, the events ${told}`;

/** As many attempts as requests left. */
function attemptFaults({ snapshot: { operations, attempts, events } }: Pick<HeldTask, "snapshot">): string[] {
  const tries = groupBy(attempts, (row) => row.operationId);
  return operations.flatMap(({ id }) => {
    const found = tries.get(id)?.length ?? 0;
    const sent = events.filter((event) => event.operationId === id && event.type === "RequestSent").length;
    return found === sent ? [] : [`${id} attempts: ${says(String(found), String(sent))}`];
  });
}

/** What was to be done, where and with which bytes, has one hash, which the event that prepared it tells. */
function intentFaults({ snapshot: { operations, events } }: Pick<HeldTask, "snapshot">): string[] {
  return operations.flatMap((operation) => {
    const { id, kind, adapter, target, slot, phase, recipientId, intentKey, operationKey } = operation;
    const { contentHash, pageUrl, bodyHash, audienceHash } = operation;
    const hashes = { contentHash, pageUrl, bodyHash, audienceHash };
    const intent = intentHashOf({ kind, adapter, target, slot, phase, recipientId, hashes });
    const prepared = events.find((event) => event.operationId === id && event.type === "OperationPrepared");
    const { intentHash: told } = parseFields(Buffer.from(prepared?.payload ?? "")) ?? {};
    const isKey = operationKeyOf(intentKey, phase, recipientId) === operationKey && operationIdOf(operationKey) === id;
    return [
      ...(isKey ? [] : [`${id} is not the id of ${operationKey}, or that not the key of ${intentKey}`]),
      ...(told === undefined || (told === intent && operation.intentHash === intent)
        ? []
        : [`${id} intent: ${says(intent, String(told))}`]),
    ];
  });
}

/** The table for spreadsheets says what the records say, line for line. */
export function verifyLedger(run: VerifyRun, text: string | null, rows: readonly LedgerRow[]): void {
  if (text === null) return void run.answer("ledger", false, `${BAG.ledger} is missing`);
  const [head = "", ...lines] = text.trimEnd().split("\n");
  if (head !== LEDGER_HEAD.join(","))
    return run.leaveOpen("ledger", `${BAG.ledger} has other columns than this program writes`);
  const expected = new Set(ledgerCsv(rows).trimEnd().split("\n").slice(1));
  const strange = lines.filter((line) => !expected.delete(line));
  const faults = [
    ...strange.map((line) => `${BAG.ledger} has "${line}", the records say otherwise`),
    ...[...expected].map((line) => `the records say "${line}", ${BAG.ledger} does not`),
  ];
  run.judge("ledger", faults, `${lines.length} lines, each as its records say`);
}
