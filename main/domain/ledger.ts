import type { JournalSnapshot, RemoteRecords } from "./invariants";
import { collectEvidence, type Evidence, groupBy, type Told } from "./invariants/snapshot";
import { countDuplicates, countUnapproved } from "./ledger-remote";
import type { TaskRow } from "./records";

/** The figures of many editions (domain 11), each counted from events, operations and the remotes' own records. */
export interface Ledger {
  editions: number;
  plannedReads: number;
  transient: number;
  dns: number;
  timeouts: number;
  rateLimits: number;
  recoveredReads: number;
  structuralRepairs: number;
  factFailures: number;
  succeeded: number;
  blocked: number;
  compensated: number;
  clean: number;
  recovered: number;
  unknownPublish: number;
  unknownSend: number;
  duplicates: number;
  unapprovedPublishes: number;
  humanMinutes: { contentMedian: number; sendMedian: number; reconcileMax: number };
}

const MINUTE_MS = 60_000;

/**
 * Counts the ledger. An edition is its version 1; what later versions did is only in what is asked of the remotes.
 * A read is a source of an edition's first collecting; it counts as transient by its first error. An edition is clean when it
 * succeeded without a block, an unknown outcome or a compensation, and recovered when it succeeded with one.
 */
export function computeLedger(snapshot: JournalSnapshot, remote: RemoteRecords): Ledger {
  const evidence = collectEvidence(snapshot);
  const editions = snapshot.tasks.filter((task) => task.taskVersion === 1).map((task) => tellEdition(evidence, task));
  const reads = editions.flatMap((edition) => edition.reads);
  const transient = reads.filter((read) => read.firstClass === "transient");
  const withCode = (code: string) => transient.filter((read) => read.firstCode === code).length;
  const succeeded = editions.filter((edition) => edition.state === "succeeded");
  const total = (countOf: (edition: Edition) => number) => editions.reduce((sum, edition) => sum + countOf(edition), 0);
  return {
    editions: editions.length,
    plannedReads: reads.length,
    transient: transient.length,
    dns: withCode("dns"),
    timeouts: withCode("timeout"),
    rateLimits: withCode("http_429"),
    recoveredReads: transient.filter((read) => read.isFrozen).length,
    structuralRepairs: total((edition) => edition.repairs),
    factFailures: total((edition) => edition.factFailures),
    succeeded: succeeded.length,
    blocked: editions.filter((edition) => edition.state === "blocked").length,
    compensated: editions.filter((edition) => edition.state === "compensated").length,
    clean: succeeded.filter((edition) => !edition.isDisturbed).length,
    recovered: succeeded.filter((edition) => edition.isDisturbed).length,
    unknownPublish: total((edition) => edition.unknown.filter((one) => one.kind === "publish").length),
    unknownSend: total((edition) => edition.unknown.filter((one) => one.kind === "send").length),
    duplicates: countDuplicates(evidence, remote),
    unapprovedPublishes: countUnapproved(evidence, remote),
    humanMinutes: {
      contentMedian: inMinutes(median(editions.flatMap((edition) => edition.contentWaitsMs))),
      sendMedian: inMinutes(median(editions.flatMap((edition) => edition.sendWaitsMs))),
      reconcileMax: inMinutes(Math.max(0, ...editions.flatMap(({ unknown }) => unknown.map((one) => one.lastedMs)))),
    },
  };
}

/** One edition as its events tell it. */
interface Edition {
  state: string | null;
  reads: readonly Read[];
  repairs: number;
  factFailures: number;
  /** It was blocked, had an unknown outcome or was compensated. */
  isDisturbed: boolean;
  unknown: readonly { kind: string; lastedMs: number }[];
  contentWaitsMs: readonly number[];
  sendWaitsMs: readonly number[];
}

interface Read {
  /** Of its first error; null where the first read succeeded. */
  firstClass: string | null;
  firstCode: string | null;
  isFrozen: boolean;
}

function tellEdition(evidence: Evidence, task: TaskRow): Edition {
  const events = evidence.ofTask(task.id);
  const states = events.flatMap((event) => (event.toState === null ? [] : [event.toState]));
  const unknown = tellUnknown(evidence, events);
  const entered = (state: string) => states.includes(state);
  return {
    state: states.at(-1) ?? null,
    reads: tellReads(events),
    repairs: events.filter((event) => event.type === "DraftRepairStarted").length,
    factFailures: events.filter((event) => event.payload["blockedReason"] === "fact_evidence").length,
    isDisturbed: entered("blocked") || entered("compensating") || unknown.length > 0,
    unknown,
    contentWaitsMs: waitsBefore(events, "ContentApproved"),
    sendWaitsMs: waitsBefore(events, "SendApproved"),
  };
}

/** The sources of the first collecting: what a person had collected again later is no planned read. */
function tellReads(events: readonly Told[]): Read[] {
  const end = events.findIndex((event) => event.type === "SourcesFrozen" || event.type === "CollectBlocked");
  const tries = (end < 0 ? events : events.slice(0, end)).filter(
    (event) => event.type === "SourceFrozen" || event.type === "SourceReadFailed",
  );
  return [...groupBy(tries, (event) => event.payload["sourceId"]).values()].map((ofSource) => {
    const error = ofSource[0]?.payload["error"] as { class?: string; code?: string } | undefined;
    return {
      firstClass: error?.class ?? null,
      firstCode: error?.code ?? null,
      isFrozen: ofSource.some((event) => event.type === "SourceFrozen"),
    };
  });
}

/** What settles an unknown outcome, by a look or by a person's word. */
const SETTLING: readonly string[] = ["RemoteConfirmed", "RemoteNotFound", "RemoteConflict", "OperationRejected"];

/** Every operation whose outcome was unknown, and how long it took until it was known (so far: nothing yet). */
function tellUnknown(evidence: Evidence, events: readonly Told[]): { kind: string; lastedMs: number }[] {
  const kinds = new Map(evidence.snapshot.operations.map((operation) => [operation.id, operation.kind]));
  const lost = groupBy(
    events.filter((event) => event.type === "OutcomeUnknown"),
    (event) => event.operationId,
  );
  return [...lost].flatMap(([id, [first]]) => {
    const kind = id === null ? undefined : kinds.get(id);
    if (kind === undefined || first === undefined) return [];
    const settled = events.find(
      (event) => event.operationId === id && event.seq > first.seq && SETTLING.includes(event.type),
    );
    return [{ kind, lastedMs: settled === undefined ? 0 : settled.at - first.at }];
  });
}

/** How long each such decision was waited for (ms): since the state it was given in was entered. */
function waitsBefore(events: readonly Told[], decision: string): number[] {
  return events
    .filter((event) => event.type === decision)
    .map((given) => {
      const entered = events
        .filter((event) => event.seq < given.seq)
        .filter((event) => event.toState === given.fromState && event.fromState !== given.fromState)
        .at(-1);
      return given.at - (entered ?? given).at;
    });
}

/** The middle value, or the mean of the two in the middle; 0 of nothing. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? 0;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
}

/** Whole minutes, to the nearest: a figure for people. */
const inMinutes = (ms: number): number => Math.round(ms / MINUTE_MS);
