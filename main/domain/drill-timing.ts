import type { Instant } from "./ids";

/** The phases of a recovery that a drill is timed by, in their order (domain section 10). */
export const DRILL_PHASES = ["registered", "detected", "classified", "decided", "recovered", "verified"] as const;
export type DrillPhase = (typeof DRILL_PHASES)[number];

/** Something of a play, in order: an event of its journal, or the program's own interruption, which the next event notices. */
export interface TimedStep {
  /** The throw-away workspace's own time (ms UTC). */
  at: Instant;
  /** The event's type; null: the program was interrupted. */
  event: string | null;
}

export interface DrillTiming {
  /** When each was reached first; null: never. A phase that was not reached has none after it. */
  phases: { phase: DrillPhase; at: Instant | null }[];
  /** What took longest between detection and verification; null where nothing took any time. */
  stuck: DrillPhase | null;
  /** From detection to verification (ms); null where it was not reached. */
  totalMs: number | null;
  targetMs: number;
}

const MINUTE_MS = 60_000;
/** What a stranger needs at night, and the technical part of the duplicate drill (ms). */
const TARGET_MS = 30 * MINUTE_MS;
const DUPLICATE_TARGET_MS = 16 * MINUTE_MS;
const DUPLICATE_DRILL = "S48";

/** A phase is reached by the first event of these that is not before the phase ahead of it: one event may be several. */
const BLOCKED = ["CollectBlocked", "DraftBlocked", "CheckBlocked", "PublishBlocked", "SendBlocked"];
const ENDS_GATE = ["ApprovalExpired", "ApprovalRevoked", "RevocationNoted", "AudienceChanged", "PageChanged"];
const FAILED_CALL = ["OperationRejected", "OperationLocked", "RemoteConflict", "SourceReadFailed", "DraftCallFailed"];
const LATE = ["ObservationTimedOut", "AccountMismatch", "DeadlineReached", "RetryScheduled"];
const SEEN = ["RemoteConfirmed", "RemoteNotFound", "RemoteConflict"];
const AGAIN = ["RetryScheduled", "RetryDue", "RequestSent", "DraftRepairStarted", "RecollectChosen", "ArtifactChanged"];
const BY_A_PERSON = ["Unblocked", "IncidentClosed", "ClosedProtectively", "CompensationStarted", "CompensationClosed"];
const GATES = ["ContentApproved", "SendApproved"];
const FROZEN = ["SourcesFrozen", "DraftFrozen", "CheckPassed"];

const REACHED_BY: Readonly<Record<Exclude<DrillPhase, "registered">, ReadonlySet<string>>> = {
  detected: new Set(["OutcomeUnknown", "CompensationStarted", ...BLOCKED, ...ENDS_GATE, ...FAILED_CALL, ...LATE]),
  classified: new Set(["CompensationStarted", ...BLOCKED, ...ENDS_GATE, ...FAILED_CALL, ...LATE, ...SEEN]),
  decided: new Set(["RemoteConfirmed", ...AGAIN, ...BY_A_PERSON, ...GATES]),
  recovered: new Set(["RemoteConfirmed", "CompensationClosed", "ClosedProtectively", "Compensated", ...FROZEN]),
  verified: new Set([
    "PageVerified",
    "DeliveryAccounted",
    "SendAccepted",
    "ClosedProtectively",
    "Compensated",
    ...FROZEN,
  ]),
};

/**
 * Times a play from its registration to the verified result.
 * @param scenario decides which target is meant
 */
export function timeDrill(scenario: string, steps: readonly TimedStep[]): DrillTiming {
  const phases: DrillTiming["phases"] = [];
  let from = 0;
  for (const phase of DRILL_PHASES) {
    const found = from < 0 ? -1 : findPhase(phase, steps, from);
    phases.push({ phase, at: steps[found]?.at ?? null });
    from = found;
  }
  return summedUp(scenario, phases);
}

/**
 * Times a play by the real clock of the person who played it.
 * @param reached when each phase was reached (ms UTC, real time)
 */
export function timePerson(scenario: string, reached: Readonly<Partial<Record<DrillPhase, Instant>>>): DrillTiming {
  return summedUp(
    scenario,
    DRILL_PHASES.map((phase) => ({ phase, at: reached[phase] ?? null })),
  );
}

function summedUp(scenario: string, phases: DrillTiming["phases"]): DrillTiming {
  const atOf = (wanted: DrillPhase) => phases.find(({ phase }) => phase === wanted)?.at ?? null;
  const [detected, verified] = [atOf("detected"), atOf("verified")];
  const totalMs = detected === null || verified === null ? null : verified - detected;
  const targetMs = scenario === DUPLICATE_DRILL ? DUPLICATE_TARGET_MS : TARGET_MS;
  return { phases, stuck: longest(phases), totalMs, targetMs };
}

function findPhase(phase: DrillPhase, steps: readonly TimedStep[], from: number): number {
  return steps.findIndex(({ event }, index) => {
    if (index < from || event === null) return false;
    if (phase === "registered" || REACHED_BY[phase].has(event)) return true;
    // Whoever starts after an interruption notices it with whatever is recorded first.
    return phase === "detected" && steps[index - 1]?.event === null;
  });
}

function longest(phases: DrillTiming["phases"]): DrillPhase | null {
  let [stuck, longestMs]: [DrillPhase | null, number] = [null, 0];
  for (const [index, { phase, at }] of phases.entries()) {
    const before = phases[index - 1]?.at ?? null;
    if (phase === "registered" || phase === "detected" || at === null || before === null) continue;
    if (at - before > longestMs) [stuck, longestMs] = [phase, at - before];
  }
  return stuck;
}
