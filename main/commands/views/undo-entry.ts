import type { UndoItemRow } from "../../../db/queries/compensation";
import type { Output } from "../../../preload/contract";
import type { CommandContext } from "../../domain/commands";
import { isAutomatic, isFinished } from "../../domain/compensation";
import { type ForwardState, forwardOperations, forwardState } from "../../domain/compensation-forward";
import { entryInTurn, entryNeed, waitsForOthers } from "../../domain/compensation-need";
import { decideCloseUndo, decideResumeUndo } from "../../domain/decide/compensate-by-person";
import { triesOf } from "../../domain/decide/compensation-writes";
import type { Instant } from "../../domain/ids";
import type { CompensationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import { answerOf, WRITTEN } from "./dry-run";
import { type UndoTold, undoAnswer, undoSteps } from "./undo-steps";

type Entry = NonNullable<Output<"compensation.get">>["entries"][number];

/** One entry of the stack as a person has to see it. */
export function undoEntry(
  view: TaskView,
  entry: CompensationRow,
  told: readonly UndoTold[],
  items: readonly UndoItemRow[],
  context: CommandContext,
): Entry {
  const { id, position, service, action, grade, owner, precondition, verification, attempts, nextAt, code } = entry;
  const mine = told.filter((event) => event.payload["compensationId"] === id);
  const forward = forwardState(view, entry);
  const status = undoStatus(view, entry, context.now);
  const about = { taskId: entry.taskId, compensationId: id };
  const slot = (JSON.parse(entry.args) as Readonly<Record<string, unknown>>)["slot"];
  return {
    ...{ id, position, service, action, grade, owner, precondition, verification, attempts, nextAt, code },
    slot: typeof slot === "string" ? slot : null,
    status,
    prospect: prospectOf(entry, forward),
    forward: forwardOperations(view, entry).map((row) => ({
      operationKey: row.operationKey,
      kind: row.kind,
      phase: row.phase,
      state: row.state,
      remoteId: row.remoteId,
      url: row.remoteUrl,
      contentHash: row.contentHash,
      sentAt: row.requestSentAt,
    })),
    tries: triesOf(view, entry),
    answer: undoAnswer(entry, mine),
    canLook: canLookAt(view, entry),
    steps: undoSteps(view, entry, mine),
    dueAt: status === "failed" || status === "for_person" ? (newestItem(view, entry, items)?.dueAt ?? null) : null,
    waitsFor: waitsForOthers(view, entry).map((other) => other.action),
    resume: answerOf(decideResumeUndo(view, { type: "resume_compensation", ...about, reason: WRITTEN }, context)),
    close: answerOf(
      decideCloseUndo(view, { type: "close_compensation", ...about, note: WRITTEN, evidence: WRITTEN }, context),
    ),
    closed: closedBy(mine),
  };
}

/** Where an entry stands, in the words of the checklist. */
export function undoStatus(view: TaskView, entry: CompensationRow, now: Instant): Entry["status"] {
  switch (entry.state) {
    case "done":
    case "not_needed":
    case "failed":
      return entry.state;
    case "closed_by_person":
      return "closed";
    default:
      break;
  }
  if (view.task.state !== "compensating") return "waiting";
  const need = entryNeed(view, entry, now);
  if (need.kind === "person" || need.kind === "hand_over")
    return waitsForOthers(view, entry).length > 0 ? "waiting" : "for_person";
  return entryInTurn(view, now)?.entry.id === entry.id ? "undoing" : "waiting";
}

function prospectOf(entry: CompensationRow, forward: ForwardState): Entry["prospect"] {
  if (forward === "never_left") return "not_needed";
  if (forward === "unsettled") return "after_answer";
  if (forward === "for_person") return "after_verdict";
  return entry.grade === "D" ? "irreversible" : isAutomatic(entry) ? "automatic" : "person";
}

/** The remote can be asked about what is there and would be acted upon: an automatic call that is still to be made. */
export function canLookAt(view: TaskView, entry: CompensationRow): boolean {
  const isCall = entry.steps[entry.stepsDone]?.kind === "call";
  return isAutomatic(entry) && isCall && !isFinished(entry) && forwardState(view, entry) === "happened";
}

/** The newest thing that a person owes to this entry. */
export function newestItem(view: TaskView, entry: CompensationRow, items: readonly UndoItemRow[]): UndoItemRow | null {
  const mine = forwardOperations(view, entry).map((row) => row.id as string);
  return items.filter((item) => item.operationId !== null && mine.includes(item.operationId)).at(-1) ?? null;
}

function closedBy(told: readonly UndoTold[]): Entry["closed"] {
  const event = told.filter((one) => one.type === "CompensationClosed").at(-1);
  if (event === undefined) return null;
  return { at: event.at, by: event.actor, note: event.reason ?? "", evidence: event.evidenceRefs[0] ?? "" };
}
