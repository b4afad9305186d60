import type { RunAttemptRow, RunEventRow, RunLookRow, RunRows } from "../../../db/queries/run";
import type { Output } from "../../../preload/contract";
import type { Instant } from "../../domain/ids";
import type { OperationRow } from "../../domain/records";
import type { ViewPorts } from "./view-ports";

type OperationView = NonNullable<Output<"run.get">>["operations"][number];
type LookView = OperationView["looks"][number];

/** The operations of a task in the order in which they were prepared, each with its tries and looks. */
export function operationViews(ports: Pick<ViewPorts, "manifestOf">, rows: RunRows): OperationView[] {
  const attempts = groupBy(rows.attempts);
  const looks = groupBy(rows.looks);
  const settled = settledTimes(rows.events);
  return rows.view.operations().map((operation) => ({
    id: operation.id,
    operationKey: operation.operationKey,
    intentKey: operation.intentKey,
    kind: operation.kind,
    phase: operation.phase,
    slot: operation.slot,
    adapter: operation.adapter,
    target: operation.target,
    state: operation.state,
    remoteId: operation.remoteId,
    url: operation.remoteUrl,
    intentHash: operation.intentHash,
    contentHash: operation.contentHash,
    requestSentAt: operation.requestSentAt,
    settledAt: operation.settled ? (settled.get(operation.id) ?? null) : null,
    nextLookAt: operation.nextLookAt,
    looksUsed: operation.looksUsed,
    lookBudget: ports.manifestOf(operation.adapter).query.lookBudget,
    attempts: (attempts.get(operation.id) ?? []).map(attemptView),
    looks: (looks.get(operation.id) ?? []).map(lookView),
    verdicts: verdictsOf(operation),
  }));
}

function groupBy<Row extends { operationId: string }>(rows: readonly Row[]): ReadonlyMap<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.operationId);
    if (group) group.push(row);
    else groups.set(row.operationId, [row]);
  }
  return groups;
}

const SETTLES = new Set(["RemoteConfirmed", "OperationRejected", "OperationCancelled"]);
/** Preparing anew and sending open an operation again. */
const OPENS = new Set(["OperationPrepared", "RequestSent", "RemoteConflict"]);

/** When each operation came to its present end: the first event that ended it since it was opened last. */
function settledTimes(events: readonly RunEventRow[]): ReadonlyMap<string, Instant> {
  const times = new Map<string, Instant>();
  for (const { operationId, type, at, payload } of events) {
    if (operationId === null) continue;
    if (OPENS.has(type)) times.delete(operationId);
    else if (!times.has(operationId) && (SETTLES.has(type) || isProvenAbsent(type, payload)))
      times.set(operationId, at);
  }
  return times;
}

/** "Not found" is an end only past the adapter's horizon. */
const isProvenAbsent = (type: string, payload: string | null): boolean =>
  type === "RemoteNotFound" &&
  payload !== null &&
  (JSON.parse(payload) as { pastHorizon?: boolean }).pastHorizon === true;

function attemptView(row: RunAttemptRow): OperationView["attempts"][number] {
  const { number, startedAt: at, endedAt, outcome, rawCode: code, errorClass, fencingToken } = row;
  return { number, at, endedAt, outcome, code, errorClass, fencingToken };
}

function lookView(row: RunLookRow): LookView {
  const { at, query, verdict, nextLookAt, actor } = row;
  return { at, query, verdict, able: row.able === 1, objects: JSON.parse(row.objects), nextLookAt, actor };
}

/** A person is asked only where no query can settle it any more (domain 6). */
function verdictsOf(operation: OperationRow): OperationView["verdicts"] {
  const isAsked = operation.state === "locked" || operation.state === "conflict";
  return isAsked ? ["happened", "did_not_happen", "cannot_tell"] : [];
}
