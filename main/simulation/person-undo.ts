import { closeCompensation } from "../commands/close-compensation";
import type { Desk } from "../commands/desk";
import { resumeCompensation } from "../commands/resume-compensation";
import { startCompensation } from "../commands/start-compensation";
import { planHash } from "../domain/compensation";
import type { TaskRow } from "../domain/records";
import type { Dice } from "./dice";

interface Around {
  dice: Dice;
  note(text: string): void;
}

/** Has the edition taken back, from the plan as it is now. */
export function undoPerhaps(around: Around, desk: Desk, task: TaskRow): void {
  const entries = desk.journal.reader.view(task.id)?.compensations() ?? [];
  const common = { taskId: task.id, expectedVersion: task.stateVersion };
  const started = startCompensation(desk, { ...common, planHash: planHash(entries), reason: "taken back" });
  around.note(`take back in ${task.state}: ${started.result}`);
}

/** Closes what is a person's to undo, and lets what failed go on, or takes it over. */
export function undoFurther(around: Around, desk: Desk, task: TaskRow): void {
  const common = { taskId: task.id, expectedVersion: task.stateVersion };
  for (const entry of desk.journal.reader.view(task.id)?.compensations() ?? []) {
    const about = { ...common, compensationId: entry.id };
    const isOpen = entry.state === "registered" || entry.state === "running";
    if (entry.state === "failed" && around.dice.chance(0.5)) {
      const answer = resumeCompensation(desk, { ...about, reason: "the remote is back" });
      around.note(`resume undo ${entry.action}: ${answer.result}`);
    } else if (entry.state === "failed" || (isOpen && entry.grade === "C")) {
      const answer = closeCompensation(desk, { ...about, note: "done by hand", evidence: "a note" });
      around.note(`close undo ${entry.action}: ${answer.result}`);
    }
  }
}
