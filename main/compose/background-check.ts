import { existsSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import type { Clock } from "../domain/ports";
import type { Checks } from "./views";

interface Found {
  /** What SQLite's full check names, or null. */
  damage: string | null;
  chainOk: boolean;
  violations: number;
}

/** How long the first check of a start waits: on two processors it took a fifth of the time until the window was there. */
const AFTER_OPENING_MS = 2_000;

/** Runs the whole check in a worker, one at a time, and keeps what it found last. */
export class BackgroundCheck {
  private found: Checks = { chainVerifiedAt: null, invariantViolations: null };
  private worker: Worker | null = null;
  private readonly stopped = new AbortController();

  constructor(
    private readonly options: {
      dir: string;
      clock: Clock;
      onFound(): void;
      onFault(error: unknown): void;
      /** The worker's file, when not beside the built program. */
      file?: string;
    },
  ) {}

  get last(): Checks {
    return this.found;
  }

  /** The first check, once the window has had the processors to itself. */
  async startLater(): Promise<void> {
    const { signal } = this.stopped;
    await this.options.clock.sleep(AFTER_OPENING_MS, signal);
    if (!signal.aborted) this.start();
  }

  /** Does nothing while a check is under way, or where the worker's file is not beside the program (tests from source). */
  start(): void {
    const { file = join(__dirname, "check.worker.cjs") } = this.options;
    if (this.worker !== null || !existsSync(file)) return;
    const worker = new Worker(file, { workerData: { dir: this.options.dir } });
    this.worker = worker;
    worker.once("message", (found: Found) => {
      // A large journal is opened unread. What turns out to be damaged is left as it is, like one that is found so at the start.
      if (found.damage !== null)
        return this.options.onFault(Object.assign(new Error(found.damage), { code: "SQLITE_CORRUPT" }));
      const at = this.options.clock.now();
      this.found = {
        chainVerifiedAt: found.chainOk ? at : this.found.chainVerifiedAt,
        invariantViolations: found.violations,
      };
      this.options.onFound();
    });
    worker.once("error", (error) => this.options.onFault(error));
    worker.once("exit", () => {
      this.worker = null;
    });
  }

  stop(): void {
    this.stopped.abort();
    void this.worker?.terminate();
  }
}
