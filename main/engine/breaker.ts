import { hasCome } from "../domain/has-come";
import type { Instant } from "../domain/ids";
import type { BreakerRow } from "../domain/records";

/** Where breakers are kept, so that they survive a restart (domain 8). */
export interface BreakerStore {
  load(host: string): BreakerRow | null;
  save(row: BreakerRow): void;
  all(): readonly BreakerRow[];
}

/** Five in a row: below that a bad minute of one host would stop an edition. */
const FAILURES_TO_OPEN = 5;
/** Short enough to be tried again within one step's budget. */
const FIRST_PAUSE_MS = 30_000;
const LONGEST_PAUSE_MS = 10 * 60_000;

/** Fails fast for a host that keeps failing. One probe call is let through when the pause is over (domain 8). */
export class Breaker {
  constructor(private readonly store: BreakerStore) {}

  /** Null when calls may go out, else the moment of the next try. */
  openUntil(host: string, now: Instant): Instant | null {
    const row = this.store.load(host);
    return row && row.retryAt !== null && !hasCome(row.retryAt, now) ? row.retryAt : null;
  }

  succeeded(host: string): void {
    const row = this.store.load(host);
    if (row && row.failures > 0) this.store.save({ host, failures: 0, openedAt: null, retryAt: null });
  }

  failed(host: string, now: Instant): void {
    const row = this.store.load(host);
    const failures = (row?.failures ?? 0) + 1;
    if (failures < FAILURES_TO_OPEN) {
      this.store.save({ host, failures, openedAt: null, retryAt: null });
      return;
    }
    const pause = Math.min(FIRST_PAUSE_MS * 2 ** (failures - FAILURES_TO_OPEN), LONGEST_PAUSE_MS);
    this.store.save({ host, failures, openedAt: row?.openedAt ?? now, retryAt: now + pause });
  }

  open(now: Instant): readonly BreakerRow[] {
    return this.store.all().filter((row) => row.retryAt !== null && row.retryAt > now);
  }
}

/** The host a breaker is kept for; what is no address has one of its own. */
export function hostOf(address: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/([^/?#]+)/i.exec(address)?.[1]?.toLowerCase() ?? address;
}
