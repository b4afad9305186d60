import type { EventView, OperationFilter, OperationView, RunView } from "../stores/run";
import type { Tone } from "./state-look";
import { taskLook } from "./state-look";

export interface Segment {
  from: number;
  to: number;
  /** `wait`: prepared. `call`: a request on its way. `unknown`: left, no answer. `stage`: a state of the edition. */
  kind: "wait" | "call" | "unknown" | "stage";
  tone: Tone;
  state: string;
}

export interface OperationRow {
  operation: OperationView;
  segments: readonly Segment[];
  /** Looks and events, as dots. */
  dots: readonly { at: number; kind: "look" | "event"; word: string }[];
  from: number;
  to: number;
  open: boolean;
}

/** The states the edition went through, from its events; the last one reaches to now unless the edition has ended. */
export function stagesOf(run: RunView, now: number, ended: boolean): Segment[] {
  const moves = run.events.filter((event) => event.toState !== null && event.toState !== event.fromState);
  return moves.map((event, index) => {
    const state = event.toState as string;
    const next = moves[index + 1];
    return {
      from: event.at,
      to: next ? next.at : ended ? event.at : Math.max(now, event.at),
      kind: "stage",
      tone: taskLook(state).tone,
      state,
    };
  });
}

/** One row per operation: prepared, each request, the time without an answer, and its looks. */
export function operationRows(run: RunView, now: number): OperationRow[] {
  const eventsOf = new Map<string | null, EventView[]>();
  for (const event of run.events) {
    const events = eventsOf.get(event.operationId);
    if (events) events.push(event);
    else eventsOf.set(event.operationId, [event]);
  }
  return run.operations.map((operation) => {
    const events = eventsOf.get(operation.id) ?? [];
    const first = operation.attempts[0]?.at ?? operation.requestSentAt;
    const from = Math.min(...[events[0]?.at, first, operation.settledAt].filter((at) => at != null), first ?? now);
    const open = operation.settledAt === null && !["confirmed", "rejected", "cancelled"].includes(operation.state);
    const to = Math.max(operation.settledAt ?? (open ? now : (events.at(-1)?.at ?? from)), from);
    const dots = [
      ...operation.looks.map((look) => ({ at: look.at, kind: "look" as const, word: look.verdict })),
      ...events
        .filter((event) => !LOOK_EVENTS.includes(event.type))
        .map((event) => ({ at: event.at, kind: "event" as const, word: event.type })),
    ];
    return { operation, segments: segmentsOf(operation, from, to), dots, from, to, open };
  });
}

/** Drawn as looks already. */
const LOOK_EVENTS = ["ReconcileStarted", "RemoteNotFound"];

function segmentsOf(operation: OperationView, from: number, to: number): Segment[] {
  const segments: Segment[] = [];
  let at = from;
  for (const attempt of operation.attempts) {
    if (attempt.at > at)
      segments.push({ from: at, to: attempt.at, kind: "wait", tone: "neutral", state: operation.state });
    const end = attempt.endedAt ?? to;
    segments.push({ from: attempt.at, to: end, kind: "call", tone: "info", state: operation.state });
    at = end;
    if (attempt.outcome === "unknown" || (attempt.outcome === null && attempt.endedAt !== null)) {
      const until = operation.attempts.find((next) => next.number === attempt.number + 1)?.at ?? to;
      segments.push({ from: at, to: until, kind: "unknown", tone: "unknown", state: "unknown" });
      at = until;
    }
  }
  if (segments.length === 0) segments.push({ from, to, kind: "wait", tone: "neutral", state: operation.state });
  return segments;
}

/** The rows that the filter lets through. */
export function filterRows(rows: readonly OperationRow[], filter: OperationFilter): OperationRow[] {
  if (filter === "open") return rows.filter((row) => row.open || ["unknown", "locked"].includes(row.operation.state));
  if (filter === "failed")
    return rows.filter((row) => ["rejected", "conflict", "not_found", "locked"].includes(row.operation.state));
  return [...rows];
}
