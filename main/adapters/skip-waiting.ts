import type { Instant } from "../domain/ids";
import type { WorkspaceClock } from "./workspace-clock";

/** How often is looked (real ms). */
const LOOK_EVERY_MS = 250;
/** How long a state stays visible before its wait is skipped (real ms): long enough to be read. */
const SHOW_FOR_MS = 1_500;

export interface SkipOptions {
  clock: WorkspaceClock;
  isBusy(): boolean;
  /** Whether the remote holds back an answer: then only the call's time-out can end the call. */
  isWithheld(): Promise<boolean>;
  /** The next moment that something waits for by itself; null while only a person is waited for. */
  dueAt(): Instant | null;
}

/**
 * In the sandbox nobody sits through half an hour of observation: while nothing but time is waited for, the workspace clock is
 * moved to that moment. It never moves past a person: an approval's time is the person's.
 */
export class SkipWaiting {
  private timer: NodeJS.Timeout | null = null;
  private seen = -1;
  private quietSince = 0;
  private isLooking = false;
  enabled = true;

  constructor(private readonly options: SkipOptions) {}

  start(): void {
    this.timer = setInterval(() => void this.look(), LOOK_EVERY_MS);
    this.timer.unref();
  }

  stop(): void {
    if (this.timer !== null) clearInterval(this.timer);
    this.timer = null;
  }

  private async look(): Promise<void> {
    if (!this.enabled || this.isLooking) return;
    this.isLooking = true;
    try {
      const to = await this.target();
      if (to !== null && this.timer !== null) await this.options.clock.advanceTo(to);
    } finally {
      this.isLooking = false;
    }
  }

  private async target(): Promise<Instant | null> {
    const { clock, isBusy, isWithheld, dueAt } = this.options;
    if (clock.activity !== this.seen) {
      this.seen = clock.activity;
      this.quietSince = performance.now();
      return null;
    }
    if (performance.now() - this.quietSince < SHOW_FOR_MS) return null;
    if (isBusy())
      return clock.pendingTimeouts > 0 && (await isWithheld().catch(() => false)) ? clock.nextTimerAt() : null;
    const due = dueAt();
    return due !== null && due > clock.now() ? due : null;
  }
}
