import type { NewArtifact, TransitionCommand } from "../../domain/commands";
import type { TaskRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import { workingDraftEnded } from "../../domain/working-draft";
import { contextOf } from "./frozen";

/** The draft that would be checked next: the editor's, where one waits to be taken up. */
export const presentDraft = (task: Pick<TaskRow, "context">): string | null =>
  contextOf(task, "editedDraftHash") ?? contextOf(task, "draftHash");

/**
 * The event that brings a frozen edited draft in: at the gate `ArtifactChanged`, out of a block the way that leads back to a
 * check (domain 3). A working copy that is kept has had its use with it. Whether it may be, the domain says.
 */
export function draftTransition(view: TaskView, artifact: NewArtifact): TransitionCommand {
  const { task } = view;
  const common = {
    type: "transition" as const,
    taskId: task.id,
    artifacts: [artifact],
    evidenceRefs: [artifact.hash],
    context: { editedDraftHash: artifact.hash, ...workingDraftEnded(task) },
  };
  if (task.state !== "blocked") return { ...common, event: "ArtifactChanged", reason: "edited" };
  return { ...common, event: "Unblocked", wayOut: { to: wayBack(view), evidence: `edited draft ${artifact.hash}` } };
}

/** Through drafting, where the block has that way; otherwise straight back to checking, which takes an edited draft as well. */
function wayBack({ task, definition }: TaskView): string {
  const ways = definition.blocked[task.blockedReason ?? ""]?.waysOut ?? [];
  const open = ways
    .filter(({ blockedIn }) => blockedIn === undefined || blockedIn.includes(task.resumeState ?? ""))
    .map(({ to }) => to);
  return !open.includes("drafting") && open.includes("checking") ? "checking" : "drafting";
}
