import type { CommandContext } from "../../domain/commands";
import { decideTransition } from "../../domain/decide/transition";
import type { Decision } from "../../domain/plan";
import type { Unmet } from "../../domain/unmet";
import type { TaskView } from "../../domain/view";
import type { Made } from "../made";

/** Whether a command would be applied, and everything that stands against it. */
export interface DryAnswer {
  open: boolean;
  unmet: Unmet[];
}

/** Stands for what a person will have written; a guard asks only that it is there. */
export const WRITTEN = "…";

/** A decision that nobody has carried out, as an answer. */
export const answerOf = (decision: Decision): DryAnswer =>
  decision.ok ? { open: true, unmet: [] } : { open: false, unmet: [...decision.refusal.unmet] };

/** Asks the domain what it would say to a command, without writing: the screens have no rules of their own. */
export function dryRun(view: TaskView, made: Made, context: CommandContext): DryAnswer {
  if ("unmet" in made) return { open: false, unmet: [...made.unmet] };
  return answerOf(decideTransition(view, made.command, context));
}
