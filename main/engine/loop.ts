import type { Journal } from "../../db/journal";
import type { Instant } from "../domain/ids";
import { earliest } from "../domain/next-action";
import type { Clock } from "../domain/ports";
import type { Executor } from "./executor";

/** The tick's pace (architecture): laptops sleep and timers drift, so nothing relies on a longer one. */
const TICK_MS = 30_000;
/** A due moment a hair away is still a wait, so that a clock that stands cannot be spun against. */
const LEAST_WAIT_MS = 50;
/** Given as the reason, so that no error with a stack is made at every commit. */
const NUDGED = "nudged";

/**
 * Keeps an executor going: a pass at every tick, at every due moment, and after each commit. A fault of ours stops it for
 * good and is told; nothing is retried in the hope that a bug goes away.
 */
export class EngineLoop {
  private passes = new Set<Promise<void>>();
  private wake = new AbortController();
  private unsubscribe: (() => void) | null = null;
  private ended: Promise<void> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly options: {
      executor: Executor;
      journal: Journal;
      clock: Clock;
      /** Begins what is due by the calendar; asked at every tick, since it has no timer of its own. */
      scheduler: { runOnce(): Instant | null };
      /** What a pass waits for besides. A world without real time has nothing else to go first. */
      beforePass?(): Promise<void>;
      /** After each pass: what is cheap and wants to be done at the tick's pace. */
      onPass(): void;
      onFault(error: unknown): void;
    },
  ) {}

  start(): void {
    this.unsubscribe = this.options.journal.onCommit(() => this.nudge());
    this.ended = this.tick();
  }

  /** Asks for a pass soon: something was committed, the laptop woke up, the clock was moved. */
  nudge(): void {
    const { wake } = this;
    this.wake = new AbortController();
    wake.abort(NUDGED);
  }

  /** Starts nothing new and waits for what is under way, calls included. */
  async stop(): Promise<void> {
    this.halt();
    await this.ended;
    await Promise.all(this.passes);
  }

  /** Starts nothing new and waits for nothing. */
  halt(): void {
    this.isStopped = true;
    this.options.executor.stop();
    this.unsubscribe?.();
    this.nudge();
  }

  private async tick(): Promise<void> {
    while (!this.isStopped) {
      if (this.options.beforePass) await this.options.beforePass();
      if (this.isStopped) return;
      const { signal } = this.wake;
      let dueAt: Instant | null = null;
      const pass = this.pass().then(
        (due) => {
          dueAt = due;
        },
        (error: unknown) => this.fail(error),
      );
      this.passes.add(pass);
      void pass.finally(() => this.passes.delete(pass));
      await firstOf(pass, signal);
      if (signal.aborted || this.isStopped) continue;
      const wait =
        dueAt === null ? TICK_MS : Math.min(TICK_MS, Math.max(LEAST_WAIT_MS, dueAt - this.options.clock.now()));
      await this.options.clock.sleep(wait, signal);
    }
  }

  private async pass(): Promise<Instant | null> {
    const next = this.options.scheduler.runOnce();
    const dueAt = earliest(next, await this.options.executor.runOnce());
    if (!this.isStopped) this.options.onPass();
    return dueAt;
  }

  private fail(error: unknown): void {
    this.halt();
    this.options.onFault(error);
  }
}

/** Waits for the promise or the signal. The listener goes with it: a night of idle ticks on one signal would pile them up. */
async function firstOf(promise: Promise<void>, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  let hear: () => void = () => undefined;
  const aborted = new Promise<void>((resolve) => {
    hear = resolve;
  });
  signal.addEventListener("abort", hear);
  await Promise.race([promise, aborted]);
  signal.removeEventListener("abort", hear);
}
