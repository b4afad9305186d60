import type { CommandContext } from "../../domain/commands";
import { decideTransition } from "../../domain/decide/transition";
import type { Unmet } from "../../domain/unmet";
import type { TaskView } from "../../domain/view";
import type { Made } from "../desk";

/** Whether a command would be applied, and everything that stands against it. */
export interface DryAnswer {
  open: boolean;
  unmet: Unmet[];
}

/** Asks the domain what it would say to a command, without writing: the screens have no rules of their own. */
export function dryRun(view: TaskView, made: Made, context: CommandContext): DryAnswer {
  if ("unmet" in made) return { open: false, unmet: [...made.unmet] };
  const decision = decideTransition(view, made.command, context);
  return decision.ok ? { open: true, unmet: [] } : { open: false, unmet: [...decision.refusal.unmet] };
}
