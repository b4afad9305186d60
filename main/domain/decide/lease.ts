import type { CommandContext } from "../commands";
import { isTerminal } from "../definition";
import { isLeaseFree, LEASE_TTL_MS } from "../lease";
import { type Decision, draftEvent, refuse } from "../plan";
import { unmet } from "../unmet";
import type { TaskView } from "../view";
import { checkExecutor, checkStanding } from "./actor";

/**
 * Claims a free or expired lease: token + 1, never down. Taking over a lease that nobody released is remembered, because
 * what its holder had prepared must be looked up before it may leave (domain 5).
 */
export function decideClaim(view: TaskView, context: CommandContext): Decision {
  const { task } = view;
  const refusal = checkExecutor(context, "claim_lease");
  if (refusal) return { ok: false, refusal };
  if (isTerminal(task.state)) return refuse("illegal_transition", unmet("state_is", { state: task.state }));
  if (!isLeaseFree(task, context.now)) {
    return refuse(
      "guard_failed",
      unmet("lease_held", { owner: task.leaseOwner ?? "—", until: task.leaseExpiresAt ?? 0 }),
    );
  }
  const token = task.fencingToken + 1;
  const takeover = task.leaseOwner !== null;
  return {
    ok: true,
    plan: {
      task: {
        fencingToken: token,
        leaseOwner: context.actor,
        leaseExpiresAt: context.now + LEASE_TTL_MS,
        lastHeartbeatAt: context.now,
        ...(takeover ? { takeoverToken: token } : {}),
      },
      events: [
        draftEvent("LeaseClaimed", {
          payload: {
            owner: context.actor,
            token,
            takeover,
            previousOwner: task.leaseOwner,
            previousHeartbeatAt: task.lastHeartbeatAt,
          },
        }),
      ],
      writes: [],
    },
  };
}

/** Prolongs the lease. No event: a heartbeat says nothing about the work or the outside. */
export function decideHeartbeat(view: TaskView, context: CommandContext): Decision {
  const refusal = checkExecutor(context, "heartbeat") ?? checkStanding(view.task, context, false);
  if (refusal) return { ok: false, refusal };
  const task = { leaseExpiresAt: context.now + LEASE_TTL_MS, lastHeartbeatAt: context.now };
  return { ok: true, plan: { task, events: [], writes: [] } };
}

/** Gives the lease back; the token stays where it is. */
export function decideRelease(view: TaskView, context: CommandContext): Decision {
  const refusal = checkExecutor(context, "release_lease") ?? checkStanding(view.task, context, false);
  if (refusal) return { ok: false, refusal };
  return {
    ok: true,
    plan: {
      task: { leaseOwner: null, leaseExpiresAt: null },
      events: [draftEvent("LeaseReleased", { payload: { owner: context.actor } })],
      writes: [],
    },
  };
}
