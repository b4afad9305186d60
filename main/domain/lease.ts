import type { Instant } from "./ids";
import type { TaskRow } from "./records";

/** Long enough to outlive a slow call, short enough that a dead executor is replaced within two minutes (domain 5). */
export const LEASE_TTL_MS = 90_000;
/** A third of the lease: two heartbeats may get lost before it ends (domain 5). */
export const HEARTBEAT_MS = 30_000;

/**
 * Nobody holds the task at `now`: free, released, or the holder's time is over. A lease that would last longer than any can was
 * taken under a clock that has been set back since (case C8): waited for, it could hold the task for a year, and the token
 * keeps whoever took it from writing.
 */
export const isLeaseFree = (task: Pick<TaskRow, "leaseOwner" | "leaseExpiresAt">, now: Instant): boolean =>
  task.leaseOwner === null ||
  task.leaseExpiresAt === null ||
  task.leaseExpiresAt <= now ||
  task.leaseExpiresAt > now + LEASE_TTL_MS;

/** `owner` holds the task at `now` with this token. */
export const holdsLease = (
  task: Pick<TaskRow, "leaseOwner" | "leaseExpiresAt" | "fencingToken">,
  owner: string,
  token: number,
  now: Instant,
): boolean => task.leaseOwner === owner && task.fencingToken === token && !isLeaseFree(task, now);
