import { Bug } from "../domain/ids";
import type { Clock } from "../domain/ports";

/**
 * The longest single timer. Timers count time in which the machine runs: a laptop that slept eight hours would let an
 * hour's wait end an hour after waking. Ten seconds is how late a wait may notice that its time passed during the sleep.
 */
const CHUNK_MS = 10_000;

/** @throws Bug when the length of a wait is no number: a wait of NaN would be over at once and look like a time-out. */
export function assertWait(ms: number): void {
  if (Number.isNaN(ms)) throw new Bug("a wait must have a length in milliseconds");
}

/** The reason an expired `Clock.timeout` aborts with; the same name as the platform's own, so that nobody tells them apart. */
export const timeoutReason = (): DOMException => new DOMException("the time for this call is over", "TimeoutError");

/** Calls `done` once `ms` have passed by the wall clock or by the monotonic one, whichever says so first. */
function startWait(ms: number, done: () => void, keepsProcess: boolean): () => void {
  assertWait(ms);
  const startedWall = Date.now();
  const startedMonotonic = performance.now();
  let timer: NodeJS.Timeout | undefined;
  const step = () => {
    // The greater of the two: only the wall clock knows of a sleep, and only the monotonic one survives a clock set back.
    const elapsed = Math.max(Date.now() - startedWall, performance.now() - startedMonotonic);
    const left = ms - elapsed;
    if (left <= 0) return done();
    timer = setTimeout(step, Math.min(Math.ceil(left), CHUNK_MS));
    if (!keepsProcess) timer.unref();
  };
  timer = setTimeout(step, Math.max(0, Math.min(ms, CHUNK_MS)));
  if (!keepsProcess) timer.unref();
  return () => clearTimeout(timer);
}

/**
 * The machine's own clock. Waits end when either clock says that the time is over, so every caller looks again at what is
 * due instead of trusting that it waited exactly so long.
 *
 * `keepsProcess`: by default a pending wait does not keep the process alive; a headless run whose only activity is
 * waiting asks for it.
 */
export function createSystemClock(options: { keepsProcess?: boolean } = {}): Clock {
  const keepsProcess = options.keepsProcess ?? false;
  return {
    now: () => Date.now(),
    monotonic: () => performance.now(),
    sleep: (ms, signal) =>
      new Promise((resolve) => {
        if (signal?.aborted) return resolve();
        const onAbort = () => {
          cancel();
          resolve();
        };
        const cancel = startWait(
          ms,
          () => {
            signal?.removeEventListener("abort", onAbort);
            resolve();
          },
          keepsProcess,
        );
        signal?.addEventListener("abort", onAbort, { once: true });
      }),
    timeout: (ms) => {
      const controller = new AbortController();
      const cancel = startWait(ms, () => controller.abort(timeoutReason()), keepsProcess);
      return { signal: controller.signal, cancel };
    },
  };
}
