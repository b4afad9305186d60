import type { Command, CommandContext } from "./commands";
import { causerOf } from "./decide/actor";
import type { TaskId } from "./ids";

/** Something that a rule opens an incident for (domain 10). */
export interface Finding {
  rule: "invariant_violation" | "chain_break" | "approval_bypass";
  /** The task it is about; null where none can be told, and then everything stands still. */
  taskId: TaskId | null;
  /** What was found, in ids and names. The same words are the same finding. */
  about: string;
}

const taskOf = (command: Command): TaskId | null => ("taskId" in command ? command.taskId : null);

/** An approval that nobody who may had given: refused, but somebody tried. Every attempt is one of its own. */
export function attemptedBypass(command: Command, context: CommandContext): Finding | null {
  if (command.type !== "transition" || command.approval === undefined || causerOf(context.actor) === "person")
    return null;
  const about = `${context.actor} tried ${command.event} at ${context.now}`;
  return { rule: "approval_bypass", taskId: taskOf(command), about };
}

/** The invariants by which an approval is asked for at the request itself. */
const OF_APPROVALS = /\bI0[24]\b/;

/** What the database alone held back: a guard is missing or was gone around. */
export const heldByDatabase = (command: Command, message: string): Finding => ({
  rule: OF_APPROVALS.test(message) ? "approval_bypass" : "invariant_violation",
  taskId: taskOf(command),
  about: `${command.type}: ${message}`,
});

/** A broken promise that a check found in the journal as it is. */
export const foundBroken = (
  violation: { invariant: string; subject: string; detail: string },
  taskId: TaskId | null,
): Finding => ({
  rule: OF_APPROVALS.test(violation.invariant) ? "approval_bypass" : "invariant_violation",
  taskId,
  about: `${violation.invariant} ${violation.subject}: ${violation.detail}`,
});
