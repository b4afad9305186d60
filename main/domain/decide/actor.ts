import type { Actor, CommandContext } from "../commands";
import type { Causer } from "../definition";
import { holdsLease } from "../lease";
import type { Refusal } from "../plan";
import type { TaskRow } from "../records";
import { unmet } from "../unmet";

/** The role an actor plays in the transition table. The demo's script is a person there, and named in every event. */
export function causerOf(actor: Actor): Causer {
  if (actor.startsWith("executor:")) return "executor";
  if (actor === "system" || actor === "scheduler") return "system";
  return "person";
}

/** What only whoever holds the lease may do: a person has verdicts and ways out, but no hand in what an executor records. */
export function checkExecutor(context: CommandContext, what: string): Refusal | null {
  if (causerOf(context.actor) === "executor") return null;
  return { result: "guard_failed", unmet: [unmet("executor_required", { event: what })] };
}

/**
 * I05: an executor needs the current token, a living lease and the expected version; a person and the sweep need the
 * expected version and no token.
 */
export function checkStanding(task: TaskRow, context: CommandContext, needsVersion: boolean): Refusal | null {
  if (causerOf(context.actor) === "executor") {
    const token = context.fencingToken ?? -1;
    if (!holdsLease(task, context.actor, token, context.now)) {
      return {
        result: "stale_token",
        unmet: [unmet("token_is", { token: task.fencingToken, owner: task.leaseOwner ?? "—" })],
      };
    }
  }
  if (needsVersion && context.expectedVersion !== task.stateVersion) {
    return {
      result: "stale_version",
      unmet: [
        unmet("state_version_is", {
          expected: context.expectedVersion ?? -1,
          now: task.stateVersion,
          state: task.state,
        }),
      ],
    };
  }
  return null;
}
