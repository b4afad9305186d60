import type { CommandContext } from "../commands";
import { isTerminal } from "../definition";
import type { DraftCommand } from "../draft-command";
import { type Decision, draftEvent, type Refusal } from "../plan";
import { unmet } from "../unmet";
import type { TaskView } from "../view";
import { workingDraftEnded, workingDraftNamed, workingDraftOf } from "../working-draft";
import { causerOf, checkStanding } from "./actor";

type Of<T extends DraftCommand["type"]> = Extract<DraftCommand, { type: T }>;

/** Keeps an unfinished edit as an artifact of its own kind. Nothing is approved, checked or ended by it (ux: draft editor). */
export function decideKeepDraft(
  view: TaskView,
  { artifact, base, before }: Of<"keep_working_draft">,
  context: CommandContext,
): Decision {
  const refusal = standingOf(view, context) ?? changedSince(view, before);
  if (refusal) return { ok: false, refusal };
  const named = workingDraftNamed({ hash: artifact.hash, base, keptAt: context.now });
  const event = draftEvent("WorkingDraftKept", {
    evidenceRefs: [artifact.hash],
    payload: { bytes: artifact.bytes, context: named },
  });
  const write = { table: "artifact" as const, insertIfNew: { ...artifact, taskId: view.task.id, at: context.now } };
  return { ok: true, plan: { task: {}, events: [event], writes: [write] } };
}

/** Gives an unfinished edit up. Its bytes stay where the journal names them. */
export function decideDropDraft(view: TaskView, { hash }: Of<"drop_working_draft">, context: CommandContext): Decision {
  const refusal = standingOf(view, context) ?? changedSince(view, hash);
  if (refusal) return { ok: false, refusal };
  const payload = { hash, context: workingDraftEnded(view.task) };
  return { ok: true, plan: { task: {}, events: [draftEvent("WorkingDraftDropped", { payload })], writes: [] } };
}

function standingOf({ task }: TaskView, context: CommandContext): Refusal | null {
  if (causerOf(context.actor) !== "person")
    return { result: "guard_failed", unmet: [unmet("person_required", { event: "WorkingDraftKept" })] };
  if (isTerminal(task.state))
    return { result: "illegal_transition", unmet: [unmet("state_is", { state: task.state })] };
  return checkStanding(task, context, true);
}

/** Two windows on one draft: the second is told, and nothing of the first is written over. */
function changedSince({ task }: TaskView, seen: string | null): Refusal | null {
  const now = workingDraftOf(task)?.hash ?? null;
  if (seen === now) return null;
  return { result: "guard_failed", unmet: [unmet("working_draft_changed", { seen: seen ?? "—", now: now ?? "—" })] };
}
