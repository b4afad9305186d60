import type { CommandContext, TransitionCommand } from "../commands";
import type { Sha256 } from "../ids";
import { publishIntentKey, sendIntentKey } from "../keys";
import type { ApprovalScope, OperationRow } from "../records";
import type { Unmet } from "../unmet";
import type { TaskView } from "../view";

/** All a guard may look at. */
export interface GuardInput {
  view: TaskView;
  command: TransitionCommand;
  context: CommandContext;
}

export type Guard = (input: GuardInput) => readonly Unmet[];

/** A value of the task's context as the command would leave it: what the command brings wins over what the task has. */
export function contextValue(input: GuardInput, name: string): string | number | null {
  const brought = input.command.context?.[name];
  return brought !== undefined ? brought : (input.view.task.context[name] ?? null);
}

/** The intent that the task's present content, page and audience stand for, or null while a part is missing. */
export function currentIntentKey(view: TaskView, scope: ApprovalScope): string | null {
  const { task } = view;
  if (scope === "publish") {
    const contentHash = task.context["contentHash"];
    return typeof contentHash === "string"
      ? publishIntentKey(task.taskKey, task.taskVersion, contentHash as Sha256)
      : null;
  }
  const { pageUrl, bodyHash, audienceHash } = task.context;
  if (typeof pageUrl !== "string" || typeof bodyHash !== "string" || typeof audienceHash !== "string") return null;
  const key = sendIntentKey(task.taskKey, task.taskVersion, {
    pageUrl,
    bodyHash: bodyHash as Sha256,
    audienceHash: audienceHash as Sha256,
  });
  return scope === "send" ? key : key.replace(/^send:/, "correct:");
}

/** The operations that carry out the present intent of the gate that governs the task's state. */
export function gateOperations(view: TaskView, state = view.task.state): readonly OperationRow[] {
  const scope = view.definition.gates[state];
  if (!scope) return [];
  const intentKey = currentIntentKey(view, scope);
  return view.operations().filter((operation) => operation.kind === scope && operation.intentKey === intentKey);
}
