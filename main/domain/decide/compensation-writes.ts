import { raiseAlert } from "../alert";
import type { Command, CommandContext } from "../commands";
import { forwardOperations } from "../compensation-forward";
import { derivedId } from "../hashing";
import type { Write } from "../plan";
import type { CompensationProgress, CompensationRow, RecoveryItemRow } from "../records";
import type { TaskView } from "../view";

/** How far an entry is: what changes of it, and all that an event has to tell so that the row can be made again. */
export const progressOf = (entry: CompensationRow): CompensationProgress => ({
  state: entry.state,
  stepsDone: entry.stepsDone,
  attempts: entry.attempts,
  callsJudged: entry.callsJudged,
  nextAt: entry.nextAt,
  code: entry.code,
});

/** One change of an entry: the row's update and the event's payload say the same. */
export function changeEntry(
  entry: CompensationRow,
  patch: Partial<CompensationProgress>,
): { write: Write; payload: Readonly<Record<string, unknown>> } {
  const progress = { ...progressOf(entry), ...patch };
  const { id, action, position } = entry;
  return {
    write: { table: "compensation", update: { id, ...progress }, was: entry.state },
    payload: { compensationId: id, action, position, entry: progress },
  };
}

/** Tries the present step has: the entry's own for a call, the probe's for a proof, whose caches take their time. */
export function triesOf(view: TaskView, entry: CompensationRow): number {
  const step = entry.steps[entry.stepsDone];
  const { probe, general } = view.definition.policies;
  return step?.kind === "proof" ? ((probe ?? general)?.maxCalls ?? entry.retryMax) : entry.retryMax;
}

/** A failed undo leaves something wrong in public: somebody looks within the hour. */
const FAILED_DUE_MS = 3_600_000;
/** What a person has to do by hand may take a working day. */
const HANDED_OVER_DUE_MS = 86_400_000;

/** What changed meanwhile is never overwritten: the way on is a new version (scenario S46). */
export const PRECONDITION_CHANGED = "precondition_changed";

/** Nothing was tried: people have had as many failed undos today as they can take (domain 9). */
export const UNDO_FAILURES_SPENT = "undo_failures_spent";

type Failure = Pick<Extract<Command, { type: "record_compensation" }>, "payload"> & {
  outcome: { code: string; class: RecoveryItemRow["errorClass"] };
};

/** A failing entry has an owner, and somebody is told; the other entries go on (case G2). */
export function failedWrites(
  view: TaskView,
  entry: CompensationRow,
  failure: Failure,
  context: CommandContext,
): Write[] {
  const { code, class: errorClass } = failure.outcome;
  const ways = code === PRECONDITION_CHANGED ? ["new_version", "close_by_person"] : ["resume", "close_by_person"];
  const details = { ...detailsOf(view, entry), code, seen: failure.payload, ways };
  return [
    itemOf(view, entry, context, {
      // What was not tried is no failure; counted as one it would keep the next day closed as well.
      kind: code === UNDO_FAILURES_SPENT ? "compensation_manual" : "compensation_failed",
      subject: `${entry.action}: ${code}`,
      errorClass,
      dueAt: context.now + FAILED_DUE_MS,
    }),
    alertOf(view, entry, context, `compensation_failed_${code}`, details),
  ];
}

/** A person's entry, handed to its owner. */
export function handOverWrites(view: TaskView, entry: CompensationRow, context: CommandContext): Write[] {
  const details = { ...detailsOf(view, entry), ways: ["close_by_person"] };
  return [
    itemOf(view, entry, context, {
      kind: "compensation_manual",
      subject: entry.action,
      errorClass: null,
      dueAt: context.now + HANDED_OVER_DUE_MS,
    }),
    alertOf(view, entry, context, "compensation_manual", details),
  ];
}

function detailsOf(view: TaskView, entry: CompensationRow): Readonly<Record<string, unknown>> {
  const { id: compensationId, action, args, stepsDone, steps } = entry;
  const forward = forwardOperations(view, entry).map(({ operationKey, state, remoteId, contentHash }) => ({
    ...{ operationKey, state, remoteId, contentHash },
  }));
  const step = steps[stepsDone]?.name ?? null;
  return { compensationId, action, args, step, stepsDone, forward };
}

function itemOf(
  view: TaskView,
  entry: CompensationRow,
  context: CommandContext,
  item: Pick<RecoveryItemRow, "kind" | "subject" | "errorClass" | "dueAt">,
): Write {
  const { task } = view;
  return {
    table: "recovery_item",
    insertIfNew: {
      // The task's event number: an entry that fails again after it was resumed is another matter.
      id: derivedId("ri", entry.id, item.kind, task.taskSeq),
      taskId: task.id,
      operationId: forwardOperations(view, entry)[0]?.id ?? null,
      stage: "to_triage",
      owner: entry.owner,
      backupOwner: task.backupOwner,
      createdAt: context.now,
      ...item,
    },
  };
}

function alertOf(
  view: TaskView,
  entry: CompensationRow,
  context: CommandContext,
  code: string,
  more: Readonly<Record<string, unknown>>,
): Write {
  const operationId = forwardOperations(view, entry)[0]?.id ?? null;
  return raiseAlert(view, context, { code, operationId, subject: entry.id, owner: entry.owner, more });
}
