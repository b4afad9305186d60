import type { Command, CommandContext } from "../commands";
import { forwardOperations, undoIntentKey, undoOperation } from "../compensation-forward";
import { type EntryNeed, entryInTurn } from "../compensation-need";
import { operationKeyOf } from "../keys";
import { type Decision, draftEvent, type Refusal, refuse, type Write } from "../plan";
import type { CompensationRow } from "../records";
import { unmet } from "../unmet";
import type { TaskView } from "../view";
import { checkExecutor, checkStanding } from "./actor";
import { changeEntry, failedWrites, handOverWrites, triesOf, UNDO_FAILURES_SPENT } from "./compensation-writes";
import { prepareOperations } from "./prepare-operations";

type Prepare = Extract<Command, { type: "prepare_compensation" }>;
type Record = Extract<Command, { type: "record_compensation" }>;
type Skip = Extract<Command, { type: "skip_compensation" }>;
type HandOver = Extract<Command, { type: "hand_over_compensation" }>;
type OneOf = Prepare | Record | Skip | HandOver;

/**
 * The executor's part of compensation. Whether an entry is in turn, and for what, is asked of the same function that tells the
 * executor what to do next: an entry below one that is still being undone, a step out of order, a try before its time or one
 * too many are refused here, whoever asks for them.
 */
function inTurn(
  view: TaskView,
  command: OneOf,
  context: CommandContext,
  kinds: readonly EntryNeed["kind"][],
): { entry: CompensationRow; need: EntryNeed } | { refusal: Refusal } {
  const standing = checkExecutor(context, command.type) ?? checkStanding(view.task, context, true);
  if (standing) return { refusal: standing };
  const refused = (result: Refusal["result"], ...missing: Refusal["unmet"]) => ({
    refusal: { result, unmet: missing },
  });
  if (view.task.state !== "compensating")
    return refused("illegal_transition", unmet("state_is", { state: view.task.state, event: command.type }));
  const entry = view.compensations().find((row) => row.id === command.compensationId);
  if (!entry) return refused("not_found", unmet("compensation_not_found"));
  const turn = entryInTurn(view, context.now);
  if (turn?.entry.id !== entry.id || !kinds.includes(turn.need.kind)) {
    const first = turn === null ? "—" : `${turn.entry.action} (${turn.need.kind})`;
    return refused("guard_failed", unmet("compensation_not_in_turn", { action: entry.action, first }));
  }
  if ("step" in command && command.step !== entry.stepsDone)
    return refused("guard_failed", unmet("compensation_step_is", { action: entry.action, step: entry.stepsDone + 1 }));
  return { entry, need: turn.need };
}

/** The call of a step as an operation of its own, prepared before it leaves like every other (domain 6). */
export function decidePrepareUndo(view: TaskView, command: Prepare, context: CommandContext): Decision {
  const found = inTurn(view, command, context, ["call"]);
  if ("refusal" in found) return { ok: false, refusal: found.refusal };
  const { entry, need } = found;
  if (need.kind !== "call") return refuse("guard_failed", unmet("compensation_not_in_turn", { action: entry.action }));
  const { operation } = command;
  const intentKey = undoIntentKey(view, entry, need.step);
  const isOwn = operation.intentKey === intentKey && operation.kind === "compensate" && operation.phase === "undo";
  const isLinked = forwardOperations(view, entry).some((row) => row.id === operation.undoes?.forwardId);
  if (!isOwn || !isLinked || operation.undoes?.compensationId !== entry.id)
    return refuse("guard_failed", unmet("operation_not_found", { operation: operation.intentKey }));
  const prepared = prepareOperations(view, [operation], context);
  if (!prepared.ok) return { ok: false, refusal: prepared.refusal };
  const { write, payload } = changeEntry(entry, { state: "running", nextAt: null });
  const begun = draftEvent("CompensationStepBegun", {
    payload: {
      ...command.seen,
      ...payload,
      step: need.step.name,
      operationKey: operationKeyOf(operation.intentKey, "undo", null),
    },
  });
  return {
    ok: true,
    plan: { task: {}, events: [begun, ...prepared.events], writes: [write, ...prepared.writes] },
  };
}

/** What a step came to: done for good, or one try that came to nothing. */
export function decideRecordUndo(view: TaskView, command: Record, context: CommandContext): Decision {
  const kinds = command.outcome.kind === "done" ? DONE_AT[command.outcome.how] : TRIED_AT;
  const found = inTurn(view, command, context, kinds);
  if ("refusal" in found) return { ok: false, refusal: found.refusal };
  const artifacts: Write[] = (command.artifacts ?? []).map((artifact) => ({
    table: "artifact",
    insertIfNew: { ...artifact, taskId: view.task.id, at: context.now },
  }));
  const made =
    command.outcome.kind === "done"
      ? stepDone(view, found.entry, command)
      : tryFailed(view, found.entry, { ...command, outcome: command.outcome }, context);
  return {
    ok: true,
    plan: {
      task: { callsUsed: view.task.callsUsed + command.calls },
      events: made.events,
      writes: [...artifacts, ...made.writes],
    },
  };
}

/** A call is done by its confirmation, or because what it wants is there already; a proof by what was seen. */
const DONE_AT: Readonly<globalThis.Record<"confirmed" | "already_there" | "proved", readonly EntryNeed["kind"][]>> = {
  confirmed: ["confirmed"],
  already_there: ["call"],
  proved: ["prove"],
};
const TRIED_AT: readonly EntryNeed["kind"][] = ["call", "judge", "prove", "withhold"];

function stepDone(view: TaskView, entry: CompensationRow, command: Record) {
  const step = entry.steps[entry.stepsDone];
  const stepsDone = entry.stepsDone + 1;
  const isLast = stepsDone === entry.steps.length;
  const state = isLast ? ("done" as const) : ("running" as const);
  const { write, payload } = changeEntry(entry, {
    ...{ state, stepsDone, attempts: 0, callsJudged: 0, nextAt: null, code: null },
  });
  const told = { ...command.payload, ...payload, step: step?.name ?? "", outcome: command.outcome };
  const writes: Write[] = [write];
  const events = [draftEvent("CompensationStepDone", { payload: told, evidenceRefs: command.evidenceRefs })];
  const operation = step?.kind === "call" ? undoOperation(view, entry, step) : null;
  // What it wanted is there without it: a call that was prepared is not made any more.
  if (operation?.state === "prepared") {
    const update = { id: operation.id, state: "cancelled" as const, settled: true, nextLookAt: null };
    writes.push({ table: "operation", update, was: "prepared" });
    events.push(
      draftEvent("OperationCancelled", { operationId: operation.id, payload: { operationState: "cancelled" } }),
    );
  }
  if (isLast) events.push(draftEvent("CompensationEntryDone", { payload, evidenceRefs: command.evidenceRefs }));
  return { events, writes };
}

type Failed = Extract<Record["outcome"], { kind: "try_failed" }>;

function tryFailed(
  view: TaskView,
  entry: CompensationRow,
  command: Omit<Record, "outcome"> & { outcome: Failed },
  context: CommandContext,
) {
  const { outcome, payload: seen, evidenceRefs } = command;
  const step = entry.steps[entry.stepsDone];
  const operation = step?.kind === "call" ? undoOperation(view, entry, step) : null;
  const attempts = outcome.code === UNDO_FAILURES_SPENT ? entry.attempts : entry.attempts + 1;
  const isOver = outcome.isFinal || outcome.nextAt === null || attempts >= triesOf(view, entry);
  const { write, payload } = changeEntry(entry, {
    state: isOver ? "failed" : entry.state,
    attempts,
    callsJudged: operation === null ? entry.callsJudged : view.attempts(operation.id).length,
    nextAt: isOver ? null : outcome.nextAt,
    code: outcome.code,
  });
  const told = { ...seen, ...payload, step: step?.name ?? "", outcome };
  const type = step?.kind === "proof" ? "CompensationProbed" : "CompensationStepFailed";
  const events = [draftEvent(type, { payload: told, evidenceRefs, operationId: operation?.id ?? null })];
  if (!isOver) return { events, writes: [write] };
  events.push(draftEvent("CompensationEntryFailed", { payload, evidenceRefs }));
  return { events, writes: [write, ...failedWrites(view, entry, command, context)] };
}

/** Nothing of it ever left: no call, and what was still prepared is cancelled with it. */
export function decideSkipUndo(view: TaskView, command: Skip, context: CommandContext): Decision {
  const found = inTurn(view, command, context, ["skip"]);
  if ("refusal" in found) return { ok: false, refusal: found.refusal };
  const { write, payload } = changeEntry(found.entry, { state: "not_needed", nextAt: null, code: null });
  const forward = forwardOperations(view, found.entry);
  const told = { ...payload, forward: forward.map((row) => ({ key: row.operationKey, state: row.state })) };
  const open = forward.filter((row) => row.state === "prepared");
  return {
    ok: true,
    plan: {
      task: {},
      events: [
        draftEvent("CompensationNotNeeded", { payload: told }),
        ...open.map((row) =>
          draftEvent("OperationCancelled", { operationId: row.id, payload: { operationState: "cancelled" } }),
        ),
      ],
      writes: [
        write,
        ...open.map(
          (row): Write => ({
            table: "operation",
            update: { id: row.id, state: "cancelled", settled: true, nextLookAt: null },
            was: "prepared",
          }),
        ),
      ],
    },
  };
}

/** It is a person's turn: told once, with an owner and a due time. */
export function decideHandOver(view: TaskView, command: HandOver, context: CommandContext): Decision {
  const found = inTurn(view, command, context, ["hand_over"]);
  if ("refusal" in found) return { ok: false, refusal: found.refusal };
  const { write, payload } = changeEntry(found.entry, { state: "running" });
  return {
    ok: true,
    plan: {
      task: {},
      events: [draftEvent("CompensationHandedOver", { payload: { ...payload, owner: found.entry.owner } })],
      writes: [write, ...handOverWrites(view, found.entry, context)],
    },
  };
}
