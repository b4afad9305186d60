import type { AttemptRow, OperationRow, OperationState, ReconciliationRow } from "../records";
import { foldOperation, operationStateAfter, type ReplayedOperation } from "../replay";
import { compareFacts } from "./compare-fact";
import { type Evidence, groupBy, type InvariantId, type Told, type Violation } from "./snapshot";

/**
 * An operation's rows against its events: what it was prepared as and what left (I03), the object it came to and one receipt for
 * each look (I08), each attempt with its answer (I08) and with the approval it left under (I02, I04).
 */
export function checkOperationFacts(evidence: Evidence): Violation[] {
  const attempts = groupBy(evidence.snapshot.attempts, (row) => row.operationId);
  const receipts = groupBy(evidence.snapshot.reconciliations, (row) => row.operationId);
  return evidence.snapshot.operations.flatMap((operation) => {
    const events = evidence.ofOperation(operation.id);
    const isKnown = !events.some((event) => event.isWithheld);
    return [
      ...checkIntent(operation, events),
      ...(isKnown ? checkObject(operation, events) : []),
      ...checkAttempts(operation, attempts.get(operation.id) ?? [], events, isKnown),
      ...(isKnown ? checkReceipts(operation, receipts.get(operation.id) ?? [], events) : []),
    ];
  });
}

function checkIntent(operation: OperationRow, events: readonly Told[]): Violation[] {
  const prepared = events.find((event) => event.type === "OperationPrepared")?.payload ?? {};
  const sent = events.filter((event) => event.type === "RequestSent").at(-1)?.payload ?? {};
  return compareFacts("I03", operation.operationKey, [
    ["operationKey", operation.operationKey, prepared["operationKey"]],
    ["slot", operation.slot, prepared["slot"]],
    ["requestBytesHash", operation.requestBytesHash, sent["requestBytesHash"]],
    ["requestSentAt", operation.requestSentAt, sent["trustedAt"]],
  ]);
}

/** The object's id: the newest answer's, look's or person's that moved the operation and named one. */
function checkObject(operation: OperationRow, events: readonly Told[]): Violation[] {
  let state = null as ReplayedOperation | null;
  let remoteId: unknown = null;
  for (const event of events) {
    const after = foldOperation(state, event);
    const named = event.payload["remoteId"];
    if (event.payload["by"] === "reconciliation") {
      if (after?.state !== state?.state && typeof named === "string") remoteId = named;
    } else if (event.type === "RemoteConfirmed" && named !== undefined) remoteId = named;
    state = after;
  }
  return compareFacts("I08", operation.operationKey, [["remoteId", operation.remoteId, remoteId]]);
}

/** The approval that a kind of operation needs is the matter of its own invariant; of an undo or effect there is none. */
const APPROVED_BY: Readonly<Record<OperationRow["kind"], InvariantId>> = {
  publish: "I02",
  send: "I04",
  correct: "I04",
  effect: "I08",
  compensate: "I08",
};

function checkAttempts(
  operation: OperationRow,
  rows: readonly AttemptRow[],
  events: readonly Told[],
  isKnown: boolean,
): Violation[] {
  const sent = events.filter((event) => event.type === "RequestSent");
  // Another count than requests is the leases' matter, and leaves no pairs to compare.
  if (sent.length !== rows.length) return [];
  const attempts = [...rows].sort((a, b) => a.number - b.number);
  return attempts.flatMap((attempt, index) => {
    const event = sent[index] as Told;
    const name = `attempt ${attempt.number}`;
    const answer = answerTo(event, events);
    return [
      ...compareFacts(APPROVED_BY[operation.kind], operation.operationKey, [
        [`${name} approvalId`, attempt.approvalId, event.payload["approvalId"]],
      ]),
      ...compareFacts("I08", operation.operationKey, [
        [`${name} number`, attempt.number, event.payload["attempt"]],
        [`${name} taskId`, attempt.taskId, event.taskId],
        [`${name} actor`, attempt.actor, event.actor],
        [`${name} startedAt`, attempt.startedAt, event.at],
        ...(isKnown ? answerFacts(name, attempt, answer) : []),
      ]),
    ];
  });
}

const answerTo = (sent: Told, events: readonly Told[]): Told | undefined =>
  events.find(
    ({ seq, payload }) =>
      seq > sent.seq && payload["by"] === "answer" && payload["attempt"] === sent.payload["attempt"],
  );

const OUTCOME_BY_STATE: Readonly<Partial<Record<OperationState, AttemptRow["outcome"]>>> = {
  confirmed: "confirmed",
  rejected: "rejected",
  prepared: "not_sent",
  unknown: "unknown",
};

function answerFacts(name: string, attempt: AttemptRow, answer: Told | undefined) {
  const state = answer ? operationStateAfter(answer) : null;
  const error = answer?.payload["error"] as Readonly<Record<string, unknown>> | null | undefined;
  return [
    [`${name} outcome`, attempt.outcome, state === null ? null : OUTCOME_BY_STATE[state]],
    [`${name} endedAt`, attempt.endedAt, answer?.at ?? null],
    [`${name} rawCode`, attempt.rawCode, error?.["code"] ?? null],
  ] as const;
}

/** Exactly one receipt for each look that an event tells of, and each with what the event told. */
function checkReceipts(
  operation: OperationRow,
  rows: readonly ReconciliationRow[],
  events: readonly Told[],
): Violation[] {
  const told = events.filter((event) => event.payload["by"] === "reconciliation").map(lookTold);
  const kept = rows.map((row) => [row.id, lookKept(row)] as const);
  const strange = kept.filter(([, look]) => !removeOne(told, look));
  const say = (detail: string): Violation => ({ invariant: "I08", subject: operation.operationKey, detail });
  return [
    ...strange.map(([id, look]) =>
      say(`receipt ${id}: the row says ${look}, the events ${told.shift() ?? "of no such look"}`),
    ),
    ...told.map((look) => say(`a look has no receipt; the events say ${look}`)),
  ];
}

function lookTold({ at, actor, payload }: Told): string {
  const { verdict, able, objects, remoteId, code } = payload;
  return describeLook([at, actor, verdict, able, objects, remoteId, code]);
}

function lookKept({ at, actor, verdict, able, objects, chosenRemoteId, rawCode }: ReconciliationRow): string {
  return describeLook([at, actor, verdict, able, countOf(objects), chosenRemoteId, rawCode]);
}

const describeLook = ([at, actor, verdict, able, objects, object, code]: readonly unknown[]): string =>
  `${verdict} at ${at} by ${actor}, ${able ? "able" : "not able"} to see, ${objects} objects, ${object ?? "none"} chosen, code ${code ?? "none"}`;

function countOf(objects: string): number | string {
  try {
    const seen: unknown = JSON.parse(objects);
    return Array.isArray(seen) ? seen.length : "unreadable";
  } catch {
    return "unreadable";
  }
}

function removeOne(list: string[], item: string): boolean {
  const at = list.indexOf(item);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}
