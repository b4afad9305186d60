import { intentHashOf, operationKeyOf } from "../keys";
import type { OperationRow } from "../records";
import { foldOperation, type ReplayedOperation } from "../replay";
import { type Evidence, groupBy, type Told, type Violation } from "./snapshot";

/**
 * I03: one operation per key with an immutable intent; in a slot no create, trigger or delivery leaves while an earlier one may
 * have happened, and none after one did. Also here: nothing leaves while a raised epoch is not reconciled, since a restored
 * journal is how a second create would come about.
 */
export function checkSlots(evidence: Evidence): Violation[] {
  const { operations } = evidence.snapshot;
  return [
    ...checkKeys(evidence, operations),
    ...[...groupBy(operations, placeOf).values()].flatMap((same) => checkPlace(evidence, same)),
    ...checkEpoch(evidence),
  ];
}

const violation = (subject: string, detail: string): Violation => ({ invariant: "I03", subject, detail });

/**
 * What may happen once only. Creates and deliveries share the slot, a campaign's trigger is the moment it is mailed; the other
 * phases name the state to reach and may follow one another, so each of them stands alone.
 */
function placeOf(operation: OperationRow): string {
  const isOnce = operation.phase === "create" || operation.phase === "deliver" || operation.phase === "trigger";
  return isOnce ? `${operation.phase} ${operation.slot}` : operation.operationKey;
}

function checkKeys(evidence: Evidence, operations: readonly OperationRow[]): Violation[] {
  const found: Violation[] = [];
  for (const [key, same] of groupBy(operations, (operation) => operation.operationKey))
    if (same.length > 1) found.push(violation(key, `${same.length} operations have this key`));
  for (const operation of operations) {
    const { operationKey, intentKey, phase, recipientId, intentHash } = operation;
    if (operationKey !== operationKeyOf(intentKey, phase, recipientId))
      found.push(violation(operationKey, "the key does not name its intent, phase and recipient"));
    if (intentHash !== recomputed(operation))
      found.push(violation(operationKey, "the intent is not the one its hash was made of"));
    const told = evidence.ofOperation(operation.id).flatMap((event) => event.payload["intentHash"] ?? []);
    if (told.some((hash) => hash !== intentHash))
      found.push(violation(operationKey, "it was prepared with another intent"));
  }
  return found;
}

function recomputed(operation: OperationRow): string {
  const { kind, adapter, target, slot, phase, recipientId, contentHash, pageUrl, bodyHash, audienceHash } = operation;
  const hashes = { contentHash, pageUrl, bodyHash, audienceHash };
  return intentHashOf({ kind, adapter, target, slot, phase, recipientId, hashes });
}

/** Nothing is out there for certain: it never left, was proven not sent, rejected, or proven absent past the horizon. */
const isClear = (operation: ReplayedOperation | null): boolean =>
  operation === null ||
  operation.state === "prepared" ||
  operation.state === "cancelled" ||
  operation.state === "rejected" ||
  (operation.state === "not_found" && operation.settled);

/** Walks one place's events in order, with the state of each of its operations as the events told it. */
function checkPlace(evidence: Evidence, operations: readonly OperationRow[]): Violation[] {
  const keys = new Map<string, string>(operations.map(({ id, operationKey }) => [id, operationKey]));
  const events = operations.flatMap(({ id }) => evidence.ofOperation(id)).sort((a, b) => a.seq - b.seq);
  const states = new Map<string, ReplayedOperation | null>();
  const found: Violation[] = [];
  for (const event of events) {
    const id = event.operationId ?? "";
    if (event.type === "RequestSent") {
      for (const [other, state] of states)
        if (!isClear(state))
          found.push(
            violation(
              keys.get(id) ?? id,
              `event ${event.seq} sent it while ${keys.get(other)} was ${state?.state ?? "—"}`,
            ),
          );
    }
    states.set(id, foldOperation(states.get(id) ?? null, event));
  }
  const confirmed = operations.filter(({ state }) => state === "confirmed");
  if (confirmed.length > 1)
    found.push(violation(confirmed[0]?.slot ?? "", `${confirmed.length} confirmed operations in one place`));
  return found;
}

function checkEpoch(evidence: Evidence): Violation[] {
  if (!evidence.snapshot.isWhole) return [];
  const found: Violation[] = [];
  let raised: Told | null = null;
  for (const event of evidence.told) {
    if (event.type === "EpochRaised") raised = event;
    else if (event.type === "EpochReconciled") raised = null;
    else if (event.type === "RequestSent" && raised !== null)
      found.push(violation(event.operationId ?? "", `event ${event.seq} sent it before the epoch was reconciled`));
  }
  return found;
}
