import type { Instant } from "./ids";

/** No wait of the engine is longer: budgets, horizons and hints all end within a day (domain 8). */
const LONGEST_WAIT_MS = 86_400_000;

/**
 * Whether a moment that was written down to come back at has come. One that lies further ahead than anything is ever waited for
 * was written under a clock that has been set right since (case C8): waited for, it would hold the edition for as long.
 */
export const hasCome = (at: Instant, now: Instant): boolean => at <= now || at > now + LONGEST_WAIT_MS;
