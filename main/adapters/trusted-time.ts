import type { Instant } from "../domain/ids";
import type { Clock, TrustedTime } from "../domain/ports";

/** Wall clock and monotonic clock further apart than this since they were last compared: somebody moved one of them. */
const JUMP_MS = 2_000;
/** How fast an honest quartz may run away: 100 ppm, about nine seconds a day. */
const DRIFT = 100 / 1_000_000;
/**
 * A measurement less certain than this decides about no approval. With the drift above it is reached a good day after
 * measuring, so an app that is used has a fresh one, and one that was offline for two days has to ask again.
 */
const MAX_UNCERTAINTY_MS = 10_000;
/** A `Date` header has whole seconds: the true time lies within the second that follows it. */
const HEADER_RESOLUTION_MS = 1_000;

const HTTP_DATE = /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/** Server time minus monotonic time lay between `low` and `high` at monotonic time `at`. */
interface Measured {
  low: number;
  high: number;
  at: number;
  source: string;
}

/** Wall and monotonic time read in one moment. */
export interface ClockPair {
  wall: Instant;
  monotonic: number;
}

/** What is known about the true time; a value, so that every rule about it can be tested without a clock. */
export interface TimeKnowledge {
  measured: Measured | null;
  /** An observation that contradicts `measured`; believed once another server says the same. */
  dissent: Measured | null;
  /** The two clocks when measured, and when last compared. */
  atMeasuring: ClockPair | null;
  lastCompared: ClockPair | null;
  /** Set by a jump or a sleep, cleared by a new measurement. */
  isSuspect: boolean;
}

export const nothingKnown: TimeKnowledge = {
  measured: null,
  dissent: null,
  atMeasuring: null,
  lastCompared: null,
  isSuspect: false,
};

/** An interval some time later: wider by what the clock may have drifted. */
function aged(measured: Measured, monotonic: number): Measured {
  const drift = Math.max(0, monotonic - measured.at) * DRIFT;
  return { ...measured, low: measured.low - drift, high: measured.high + drift, at: monotonic };
}

const uncertaintyOf = (measured: Measured) => (measured.high - measured.low) / 2;

/** What both intervals allow, named after the later one; null when they contradict each other. */
function overlap(older: Measured, newer: Measured): Measured | null {
  const old = aged(older, newer.at);
  const low = Math.max(old.low, newer.low);
  const high = Math.min(old.high, newer.high);
  return low <= high ? { ...newer, low, high } : null;
}

/** By how much the wall clock moved against the monotonic one beyond honest drift, or 0. */
function jumpSince(base: ClockPair | null, now: ClockPair): number {
  if (base === null) return 0;
  const elapsed = now.monotonic - base.monotonic;
  const moved = now.wall - base.wall - elapsed;
  return Math.abs(moved) > JUMP_MS + Math.max(0, elapsed) * DRIFT ? moved : 0;
}

/**
 * Compares the two clocks. A jump makes the measurement suspect: either the wall clock was changed, or the machine slept
 * and the monotonic clock missed it, and from inside nobody can tell which.
 */
export function compareClocks(known: TimeKnowledge, now: ClockPair): { known: TimeKnowledge; jumpMs: number } {
  const jumpMs = jumpSince(known.lastCompared, now) || jumpSince(known.isSuspect ? null : known.atMeasuring, now);
  return { known: { ...known, lastCompared: now, isSuspect: known.isSuspect || jumpMs !== 0 }, jumpMs };
}

/**
 * Takes in the `Date` header of one answer. A header that is no HTTP date, or came too slowly to say anything, is left
 * aside. One server that contradicts the measurement changes nothing; a second one that agrees with it does.
 */
export function observeDate(
  known: TimeKnowledge,
  seen: { dateHeader: string; sentMonotonic: number; receivedMonotonic: number; source: string; now: ClockPair },
): TimeKnowledge {
  const date = HTTP_DATE.test(seen.dateHeader) ? Date.parse(seen.dateHeader) : Number.NaN;
  if (Number.isNaN(date) || !(seen.receivedMonotonic >= seen.sentMonotonic)) return known;
  const fresh: Measured = {
    // The server wrote the header between our sending and our receiving.
    low: date - seen.receivedMonotonic,
    high: date + HEADER_RESOLUTION_MS - seen.sentMonotonic,
    at: seen.receivedMonotonic,
    source: seen.source,
  };
  if (uncertaintyOf(fresh) > MAX_UNCERTAINTY_MS) return known;
  const take = (measured: Measured): TimeKnowledge => ({
    measured,
    dissent: null,
    atMeasuring: seen.now,
    lastCompared: seen.now,
    isSuspect: false,
  });
  if (known.measured === null || known.isSuspect) return take(fresh);
  if (uncertaintyOf(aged(known.measured, fresh.at)) > MAX_UNCERTAINTY_MS) return take(fresh);
  const agreed = overlap(known.measured, fresh);
  if (agreed !== null) return take(agreed);
  const { dissent } = known;
  const outvoted = dissent !== null && dissent.source !== fresh.source ? overlap(dissent, fresh) : null;
  return outvoted === null ? { ...known, dissent: fresh } : take(outvoted);
}

/**
 * The time now. While the measurement is suspect the monotonic estimate is still the one given: it is never ahead of the
 * true time (a sleep only loses time), so an approval given on it can end too early, never too late.
 */
export function readTime(
  known: TimeKnowledge,
  now: ClockPair,
): { at: Instant; trusted: boolean; source: string; uncertaintyMs: number | null } {
  if (known.measured === null) return { at: now.wall, trusted: false, source: "wall-clock", uncertaintyMs: null };
  const current = aged(known.measured, now.monotonic);
  const uncertaintyMs = uncertaintyOf(current);
  return {
    at: Math.round((current.low + current.high) / 2 + now.monotonic),
    trusted: !known.isSuspect && uncertaintyMs <= MAX_UNCERTAINTY_MS,
    source: current.source,
    uncertaintyMs,
  };
}

export interface MeasuredTime extends TrustedTime {
  read(): ReturnType<typeof readTime>;
  /**
   * Feeds the `Date` header of an answer that came from the server itself (no `Age` header), with the monotonic times of
   * sending and receiving.
   */
  observe(dateHeader: string, sentMonotonic: number, receivedMonotonic: number, source?: string): void;
  /** After a sleep: the monotonic clock may have missed it. */
  suspect(): void;
  /** Called with the size of every jump noticed, by `read`, `observe` or `compare`. */
  onJump(listener: (jumpMs: number) => void): () => void;
  /** Looks for a jump; called by the tick, so that one is noticed without anybody asking for the time. */
  compare(): void;
}

/** Trusted time of a real workspace: measured against servers, kept on the monotonic clock of `clock`. */
export function createMeasuredTime(clock: Pick<Clock, "now" | "monotonic">): MeasuredTime {
  let known = nothingKnown;
  const listeners = new Set<(jumpMs: number) => void>();
  const pair = (): ClockPair => ({ wall: clock.now(), monotonic: clock.monotonic() });
  const compare = (now: ClockPair) => {
    const compared = compareClocks(known, now);
    known = compared.known;
    if (compared.jumpMs !== 0) for (const listener of [...listeners]) listener(compared.jumpMs);
  };
  return {
    read: () => {
      const now = pair();
      compare(now);
      return readTime(known, now);
    },
    observe: (dateHeader, sentMonotonic, receivedMonotonic, source = "http-date") => {
      const now = pair();
      compare(now);
      known = observeDate(known, { dateHeader, sentMonotonic, receivedMonotonic, source, now });
    },
    suspect: () => {
      known = { ...known, isSuspect: true };
    },
    onJump: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    compare: () => compare(pair()),
  };
}

/** Trusted time of the sandbox workspace: its own clock, which is the only time its local servers know. */
export function createWorkspaceTime(clock: Pick<Clock, "now">): TrustedTime {
  return { read: () => ({ at: clock.now(), trusted: true, source: "workspace-clock" }) };
}
