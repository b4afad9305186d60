import type { CommandContext, TransitionCommand } from "./commands";
import { decideTransition } from "./decide/transition";
import type { Refusal } from "./plan";
import type { ApprovalRow } from "./records";
import type { TaskView } from "./view";

/** What a transition would bring about, read from the very plan that would be written. */
export interface Consequences {
  to: string;
  /** Approvals that it ends. */
  ends: readonly ApprovalRow[];
  /** Calls that were prepared and would not be made. */
  cancels: number;
}

/** Asks the domain what a command would do, without writing, so that a person can be told before (domain 3, ux: draft editor). */
export function consequencesOf(
  view: TaskView,
  command: TransitionCommand,
  context: CommandContext,
): { ok: true; consequences: Consequences } | { ok: false; refusal: Refusal } {
  const decision = decideTransition(view, command, context);
  if (!decision.ok) return decision;
  const { task, writes } = decision.plan;
  const ended = new Set(
    writes.flatMap((write) =>
      write.table === "approval" && "update" in write && write.update.endedAt !== undefined ? [write.update.id] : [],
    ),
  );
  const cancels = writes.filter(
    (write) => write.table === "operation" && "update" in write && write.update.state === "cancelled",
  ).length;
  return {
    ok: true,
    consequences: {
      to: task.state ?? view.task.state,
      ends: view.approvals().filter(({ id }) => ended.has(id)),
      cancels,
    },
  };
}
