import type { Instant } from "../domain/ids";

/** What happened in a world, line by line: two runs of a seed must give the same lines. */
export class Trace {
  readonly lines: string[] = [];

  constructor(
    private readonly now: () => Instant,
    /** Off for the thousand seeds that nobody reads. */
    private readonly isKept: boolean,
  ) {}

  note(who: string, what: string): void {
    if (this.isKept) this.lines.push(`${new Date(this.now()).toISOString()} ${who.padEnd(10)} ${what}`);
  }
}
