import type { Clock } from "../domain/ports";

/** A process that can be stopped in the middle: its clock shows the right time, and its timers wait until it is woken. */
export interface PausableClock extends Clock {
  pause(): void;
  wake(): void;
  /** The process is gone: what it still waited for outside is hung up on. */
  end(): void;
}

/**
 * A clock of one process on the time that all share. While it is paused no timer of it fires, as in a process that is stopped
 * or a laptop that sleeps; when it wakes, what became due meanwhile fires at once, and sees the time as it then is.
 */
export function pausable(shared: Clock): PausableClock {
  let gate: Promise<void> | null = null;
  const open = new Set<() => void>();
  let unlock = () => {
    gate = null;
  };
  const passing = async () => {
    while (gate !== null) await gate;
  };
  return {
    now: () => shared.now(),
    monotonic: () => shared.monotonic(),
    sleep: async (ms, signal) => {
      await shared.sleep(ms, signal);
      await passing();
    },
    timeout: (ms) => {
      const inner = shared.timeout(ms);
      const outer = new AbortController();
      const cancel = () => {
        inner.cancel();
        open.delete(hangUp);
      };
      const hangUp = () => {
        cancel();
        outer.abort();
      };
      open.add(hangUp);
      const end = () => {
        open.delete(hangUp);
        outer.abort(inner.signal.reason);
      };
      inner.signal.addEventListener("abort", () => (gate === null ? end() : void passing().then(end)), { once: true });
      return { signal: outer.signal, cancel };
    },
    pause: () => {
      gate ??= new Promise((resolve) => {
        unlock = () => {
          gate = null;
          resolve();
        };
      });
    },
    wake: () => unlock(),
    end: () => {
      for (const hangUp of [...open]) hangUp();
    },
  };
}
