import { Bug, type Instant } from "../domain/ids";
import type { Clock } from "../domain/ports";
import { assertWait, timeoutReason } from "./clock";

/** While the clock flows, how often its position is handed to `persist` (real ms): what a crash may lose of it. */
const PERSIST_EVERY_MS = 10_000;
/** Above this Node's timers fire at once; longer waits are set again when the shorter one is over. */
const LONGEST_TIMER_MS = 60_000;

interface Timer {
  /** In elapsed workspace ms. */
  due: number;
  /** Order of setting: timers due at one moment fire in it. */
  order: number;
  kind: "sleep" | "timeout";
  fire: () => void;
}

/** The clock of the sandbox workspace: it stands still or flows, and can be moved forward; never back. */
export interface WorkspaceClock extends Clock {
  /**
   * Moves time forward to `instant`, stopping at every timer on the way: whoever waited sees exactly the moment waited for
   * and may set further timers, which fire in their turn. A moment already passed is no move. When nothing is due on the
   * way the clock stands at `instant` as soon as the call returns; otherwise when the promise resolves.
   */
  advanceTo(instant: Instant): Promise<void>;
  advanceBy(ms: number): Promise<void>;
  /** When the next sleep or time-out is over, or null when nobody waits. */
  nextTimerAt(): Instant | null;
  readonly pendingTimers: number;
  /** Waiting calls among the pending timers: as long as there is one, something outside may be under way. */
  readonly pendingTimeouts: number;
  /** Grows with every timer set, cancelled or fired: unchanged means that nothing happened in the workspace. */
  readonly activity: number;
  /** Called after every move with the new time (not for mere flowing). Returns the function that stops listening. */
  onChange(listener: (now: Instant) => void): () => void;
  /** Frees the real timers. Afterwards the clock answers, but nothing fires by flowing. */
  stop(): void;
}

export interface WorkspaceClockOptions {
  start: Instant;
  /** 0: time stands still until moved. 1: it flows with real monotonic time, plus all moves. Default 0. */
  rate?: 0 | 1;
  /** Keeps the position, so that time does not run backwards over a restart. */
  persist?: (now: Instant) => void;
}

// Taken once, so that a test which replaces the global timers can still move this clock.
const nextTurn = globalThis.setImmediate;

/** Makes a workspace clock that begins at `start`. */
export function createWorkspaceClock(options: WorkspaceClockOptions): WorkspaceClock {
  const rate = options.rate ?? 0;
  if (!Number.isInteger(options.start)) throw new Bug("the workspace clock must start at a whole millisecond");
  const realStart = performance.now();
  const timers = new Set<Timer>();
  const listeners = new Set<(now: Instant) => void>();
  let moved = 0;
  let orders = 0;
  let activity = 0;
  let isMoving = false;
  let queued = 0;
  let lastMove: Promise<void> = Promise.resolve();
  let alarm: NodeJS.Timeout | undefined;
  let isStopped = false;

  const flowed = () => (rate === 1 ? performance.now() - realStart : 0);
  const elapsed = () => moved + flowed();
  // The millionth keeps a moment that was moved to exactly from being shown a millisecond early by floating point.
  const now = (): Instant => options.start + Math.floor(elapsed() + 1e-6);

  const first = (): Timer | null => {
    let found: Timer | null = null;
    for (const timer of timers)
      if (found === null || timer.due < found.due || (timer.due === found.due && timer.order < found.order))
        found = timer;
    return found;
  };

  const remove = (timer: Timer) => {
    if (timers.delete(timer)) activity++;
  };

  const jumpTo = (target: number) => {
    if (target > elapsed()) moved = target - flowed();
  };

  /** Sets the one real timer for the earliest waiting one. Only a flowing clock has it. */
  const setAlarm = () => {
    if (rate === 0 || isStopped) return;
    clearTimeout(alarm);
    const next = first();
    if (next === null) return;
    const wait = Math.min(Math.max(0, Math.ceil(next.due - elapsed())), LONGEST_TIMER_MS);
    alarm = setTimeout(() => void move(elapsed, false), wait);
    alarm.unref();
  };

  const addTimer = (ms: number, kind: Timer["kind"], fire: () => void): Timer => {
    assertWait(ms);
    const timer: Timer = { due: Math.ceil(elapsed() + Math.max(0, ms)), order: orders++, kind, fire };
    timers.add(timer);
    activity++;
    setAlarm();
    return timer;
  };

  const tell = () => {
    const at = now();
    options.persist?.(at);
    for (const listener of [...listeners]) listener(at);
  };

  const run = async (targetOf: () => number, announce: boolean) => {
    const before = elapsed();
    const target = targetOf();
    if (!Number.isFinite(target)) throw new Bug("the workspace clock can only be moved to a moment");
    isMoving = true;
    for (let next = first(); next !== null && next.due <= target; next = first()) {
      jumpTo(next.due);
      remove(next);
      next.fire();
      // One turn of the loop: whatever was waiting for this moment goes on, at this moment, before time moves further.
      await new Promise<void>((resolve) => nextTurn(resolve));
    }
    jumpTo(target);
    isMoving = false;
    setAlarm();
    if (announce && target > before) tell();
  };

  /** One move after the other: two overlapping ones would let a waiter of the first see the time of the second. */
  const move = (targetOf: () => number, announce: boolean): Promise<void> => {
    const mustWait = isMoving || queued > 0;
    if (mustWait) queued++;
    const turn = mustWait
      ? lastMove.then(() => {
          queued--;
          return run(targetOf, announce);
        })
      : run(targetOf, announce);
    // A move that failed (its listener threw) fails its caller, not the moves that wait behind it.
    lastMove = turn.catch(() => undefined);
    return turn;
  };

  const keeping =
    rate === 1 && options.persist ? setInterval(() => options.persist?.(now()), PERSIST_EVERY_MS).unref() : undefined;

  return {
    now,
    monotonic: elapsed,
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const onAbort = () => {
          remove(timer);
          resolve();
        };
        const timer = addTimer(ms, "sleep", () => {
          signal?.removeEventListener("abort", onAbort);
          resolve();
        });
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    timeout: (ms) => {
      const controller = new AbortController();
      const timer = addTimer(ms, "timeout", () => controller.abort(timeoutReason()));
      return { signal: controller.signal, cancel: () => void remove(timer) };
    },
    advanceTo: (instant) => move(() => instant - options.start, true),
    advanceBy: (ms) => move(() => elapsed() + ms, true),
    nextTimerAt: () => {
      const due = first()?.due ?? Number.POSITIVE_INFINITY;
      return Number.isFinite(due) ? options.start + due : null;
    },
    get pendingTimers() {
      return timers.size;
    },
    get pendingTimeouts() {
      return [...timers].filter((timer) => timer.kind === "timeout").length;
    },
    get activity() {
      return activity;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    stop: () => {
      isStopped = true;
      clearTimeout(alarm);
      clearInterval(keeping);
    },
  };
}

export interface DriveOptions {
  clock: WorkspaceClock;
  /** Whether the remote says that it holds an answer back: then only time can help, and it is safe to move it. */
  isWithheld: () => Promise<boolean>;
  /** Without such a sign, how long (real ms) nothing may happen before time is moved. */
  idleMs?: number;
  /**
   * Where everybody merely sleeps and no call is waiting, nothing outside can be under way, and this much real quiet is
   * enough. Longer than a disk write on a busy machine.
   */
  settleMs?: number;
  /** Says no where time must not be moved to that moment, for example past what a person is asked to do before. */
  mayMove?: (to: Instant) => boolean;
}

/**
 * Moves a workspace clock while `promise` is pending, so that nobody sits through its waits: to the next timer whenever
 * the remote withholds an answer, everybody only sleeps, or nothing happened for a while. One timer at a time, and a look
 * around in between, so that time never runs past something that was about to happen.
 */
export async function driveUntil<T>(promise: Promise<T>, options: DriveOptions): Promise<T> {
  const { clock, isWithheld, idleMs = 3000, settleMs = 50, mayMove = () => true } = options;
  let isPending = true;
  const end = () => {
    isPending = false;
  };
  const settled = promise.then(end, end);
  let seen = -1;
  let quietSince = performance.now();
  const isTimeToMove = async (): Promise<boolean> => {
    const quietMs = performance.now() - quietSince;
    if (quietMs < settleMs) return false;
    if (clock.pendingTimeouts === 0 || quietMs >= idleMs) return true;
    // A remote that cannot be asked says nothing about its answers: then the idle time decides.
    return isWithheld().catch(() => false);
  };
  while (isPending) {
    const pause = new Promise<void>((resolve) => setTimeout(resolve, 10));
    await Promise.race([settled, pause]);
    if (clock.activity !== seen) {
      seen = clock.activity;
      quietSince = performance.now();
      continue;
    }
    const next = clock.nextTimerAt();
    if (!isPending || next === null || !mayMove(next) || !(await isTimeToMove())) continue;
    // Asking took real time, in which the answer may have come.
    if (isPending && clock.activity === seen) await clock.advanceTo(next);
  }
  return promise;
}
