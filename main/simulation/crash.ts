import { type ExecuteResult, Journal, type JournalOptions } from "../../db/journal";
import type { Command, CommandContext } from "../domain/commands";
import { Bug, type Instant } from "../domain/ids";
import type { Clock } from "../domain/ports";

/** The end of a process in the middle of what it did. A Bug, so that the journal rolls back and lets it through as it is. */
export class Crash extends Bug {}

/** An edition takes some hundred commands in all. */
const MOST_IN_A_MOMENT = 2_000;

/**
 * Whether a process goes on. `paused`: it stands still as a suspended laptop or a stopped container does, and wakes with what
 * it knew before. `killed`: nothing of it ever runs again. `zombie`: it fell in one place; what else it had begun goes on.
 */
export class Life {
  state: "running" | "paused" | "killed" | "zombie" = "running";
  /** Turned in circles without a moment passing: ended, since no time would ever end it. */
  isCircling = false;
  private readonly held: (() => void)[] = [];
  private busy = { at: Number.NaN, count: 0 };

  /** Whoever comes back from outside passes here; the killed never do. */
  pass(): Promise<void> {
    if (this.state === "killed") return new Promise(() => undefined);
    if (this.state !== "paused") return Promise.resolve();
    return new Promise<void>((resolve) => this.held.push(resolve)).then(() => this.pass());
  }

  /** Counts what is asked of the journal within one moment. */
  spend(at: Instant): void {
    if (this.busy.at !== at) this.busy = { at, count: 0 };
    this.busy.count += 1;
    if (this.busy.count < MOST_IN_A_MOMENT) return;
    this.isCircling = true;
    this.state = "killed";
  }

  pause(): void {
    if (this.state === "running") this.state = "paused";
  }

  wake(): void {
    if (this.state === "paused") this.state = "running";
    for (const go of this.held.splice(0)) go();
  }
}

/** The journal as one process holds it: the killed write nothing any more. */
export class ProcessJournal extends Journal {
  constructor(
    options: JournalOptions,
    private readonly life: Life,
  ) {
    super(options);
  }

  override execute(command: Command, context: CommandContext): ExecuteResult {
    this.life.spend(context.now);
    if (this.life.state === "killed") throw new Crash("a killed process writes nothing");
    return super.execute(command, context);
  }
}

/** How far the clock on a machine's wall is from the true time (ms). Only the wall's: nobody moves a monotonic clock. */
export interface Wall {
  offsetMs: number;
}

/** The world's time as one process lives through it: read from the wall, and while it is paused its waits are not over. */
export function clockOf(life: Life, clock: Clock, wall: Wall): Clock {
  return {
    now: () => clock.now() + wall.offsetMs,
    monotonic: () => clock.monotonic(),
    sleep: async (ms, signal) => {
      await clock.sleep(ms, signal);
      await life.pass();
    },
    timeout: (ms) => {
      const own = new AbortController();
      const { signal, cancel } = clock.timeout(ms);
      const end = () => void life.pass().then(() => own.abort(signal.reason));
      signal.addEventListener("abort", end, { once: true });
      return { signal: own.signal, cancel };
    },
  };
}
