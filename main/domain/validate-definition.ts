import type { OperationIntent } from "./commands";
import { MAX_STACK_DEPTH } from "./compensation";
import type { CompensationGrade } from "./compensation-grade";

/** One action of a pipeline, in the order in which they are carried out. */
export interface ActionDescription {
  name: string;
  grade: CompensationGrade;
  /** It changes something. Reads, probes and observation do not, whatever they cost. */
  write: boolean;
  /** It may fail, as everything does that leaves the machine. */
  fallible: boolean;
  /** The automatic segment it runs in: no person stands between its actions. Null: a person's decision comes right before it. */
  segment: string | null;
}

export type DefinitionFault =
  | { rule: "write_after_grade_c"; segment: string; action: string; grade: "C" | "D"; follower: string }
  | { rule: "grade_d_automatic"; segment: string; action: string }
  | { rule: "stack_too_deep"; depth: number; action: string };

/**
 * Whether a pipeline's actions may run by themselves (domain 9). What cannot be undone by a machine stands last in its
 * segment: were something to fail after it, nobody could go back and nobody had been asked. Reads in between change nothing.
 * @returns every fault, or nothing
 */
export function validateActions(actions: readonly ActionDescription[]): DefinitionFault[] {
  return [...actions.flatMap((action, index) => faultsOf(action, actions.slice(index + 1))), ...depthFault(actions)];
}

function faultsOf(action: ActionDescription, after: readonly ActionDescription[]): DefinitionFault[] {
  const { name, grade, segment, write } = action;
  if (!write || segment === null || (grade !== "C" && grade !== "D")) return [];
  const faults: DefinitionFault[] = grade === "D" ? [{ rule: "grade_d_automatic", segment, action: name }] : [];
  const follower = after.find((next) => next.segment === segment && next.write && next.fallible);
  if (follower) faults.push({ rule: "write_after_grade_c", segment, action: name, grade, follower: follower.name });
  return faults;
}

/** Every write has its entry on the task's one stack, whichever segment it runs in. */
function depthFault(actions: readonly ActionDescription[]): DefinitionFault[] {
  const writes = actions.filter((action) => action.write);
  const last = writes[MAX_STACK_DEPTH - 1];
  return writes.length > MAX_STACK_DEPTH && last
    ? [{ rule: "stack_too_deep", depth: writes.length, action: last.name }]
    : [];
}

/** How to split a pipeline so that the fault is gone. */
export function splitFor(fault: DefinitionFault): string {
  switch (fault.rule) {
    case "write_after_grade_c":
      return `Put a person's gate between "${fault.action}" (grade ${fault.grade}) and "${fault.follower}", or do "${fault.follower}" first: "${fault.action}" must be the last fallible write of segment "${fault.segment}".`;
    case "grade_d_automatic":
      return `Take "${fault.action}" (grade D) out of segment "${fault.segment}": let it follow a person's decision of its own, with nothing automatic around it.`;
    case "stack_too_deep":
      return `Make two definitions of it: end the first after "${fault.action}", and let the second begin from its receipt. ${fault.depth} undo entries are more than the ${MAX_STACK_DEPTH} that a person can still follow.`;
  }
}

/**
 * Intents as they are put into the journal, described for the validator. A segment begins with a write that follows a person's
 * decision and goes on as long as writes follow by themselves; one write alone is no chain. Intents that share the undo of an
 * earlier one (the children of a mailing) are one write with it.
 */
export function describeIntents(intents: readonly OperationIntent[]): ActionDescription[] {
  const writes = intents.filter((intent) => intent.compensation !== null);
  const startOf = (index: number): number => (writes[index]?.automatic && index > 0 ? startOf(index - 1) : index);
  const nameOf = (index: number): string => `${writes[index]?.kind}.${writes[index]?.phase}`;
  return writes.map((intent, index) => {
    const start = startOf(index);
    const isChain = intent.automatic || writes[index + 1]?.automatic === true;
    const segment = isChain ? nameOf(start) : null;
    // Filtered above; an undo of unknown grade would be a person's work.
    return { name: nameOf(index), grade: intent.compensation?.grade ?? "C", write: true, fallible: true, segment };
  });
}
