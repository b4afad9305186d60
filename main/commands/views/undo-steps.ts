import type { UndoEventRow } from "../../../db/queries/compensation";
import type { Output } from "../../../preload/contract";
import { isFinished } from "../../domain/compensation";
import { undoOperation } from "../../domain/compensation-forward";
import { PRECONDITION_CHANGED, UNDO_FAILURES_SPENT } from "../../domain/decide/compensation-writes";
import type { CompensationRow } from "../../domain/records";
import type { TaskView } from "../../domain/view";
import { undoSeen } from "./undo-seen";

type Entry = NonNullable<Output<"compensation.get">>["entries"][number];
type StepView = Entry["steps"][number];

/** An event about one entry, with its payload opened. */
export interface UndoTold extends Omit<UndoEventRow, "payload" | "evidenceRefs"> {
  payload: Readonly<Record<string, unknown>>;
  evidenceRefs: readonly string[];
}

/** Opens an event; one whose payload is withheld tells nothing any more. */
export const openUndoEvent = (row: UndoEventRow): UndoTold => ({
  ...row,
  payload: row.payload === null ? {} : JSON.parse(row.payload),
  evidenceRefs: JSON.parse(row.evidenceRefs),
});

/** The steps of an entry, each with what became of it so far. */
export function undoSteps(view: TaskView, entry: CompensationRow, told: readonly UndoTold[]): StepView[] {
  return entry.steps.map((step, index) => {
    const about = told.filter((event) => event.payload["step"] === step.name);
    const result = about.filter((event) => event.type !== "CompensationStepBegun").at(-1);
    const outcome = outcomeOf(result);
    const operation = step.kind === "call" ? undoOperation(view, entry, step) : null;
    return {
      name: step.name,
      kind: step.kind,
      state: stepState(entry, index, step.kind),
      at: result?.at ?? null,
      how: outcome.how ?? null,
      operationKey: operation?.operationKey ?? null,
      operationState: operation?.state ?? null,
      code: outcome.code ?? null,
      seen: result === undefined ? null : undoSeen(result.payload),
      evidence: (result?.evidenceRefs ?? []).filter((ref) => /^[0-9a-f]{64}$/.test(ref)),
    };
  });
}

function stepState(entry: CompensationRow, index: number, kind: StepView["kind"]): StepView["state"] {
  if (index < entry.stepsDone) return "done";
  if (entry.state === "closed_by_person" && kind === "person") return "done";
  if (index > entry.stepsDone || isFinished(entry) || entry.state === "registered") return "ahead";
  return entry.state === "failed" ? "failed" : "present";
}

interface Outcome {
  kind?: "done" | "try_failed";
  how?: NonNullable<StepView["how"]>;
  code?: string;
}

const outcomeOf = (event: UndoTold | undefined): Outcome => (event?.payload["outcome"] ?? {}) as Outcome;

/** The newest answer about the precondition that is on record: a call was made upon it, or was not. */
export function undoAnswer(entry: CompensationRow, told: readonly UndoTold[]): Entry["answer"] {
  const calls = entry.steps.filter((step) => step.kind === "call").map((step) => step.name);
  for (const event of [...told].reverse()) {
    if (!calls.includes(String(event.payload["step"]))) continue;
    const answer = answerOf(event);
    if (answer !== null) return { at: event.at, ...answer, seen: undoSeen(event.payload) };
  }
  return null;
}

function answerOf(event: UndoTold): Pick<NonNullable<Entry["answer"]>, "kind" | "code"> | null {
  const { how, code = null } = outcomeOf(event);
  if (event.type === "CompensationStepBegun") return { kind: "holds", code: null };
  if (event.type === "CompensationStepDone") return how === "already_there" ? { kind: "reached", code: null } : null;
  // Where an operation's key is told, it was the call itself that failed.
  if (code === null || code === UNDO_FAILURES_SPENT || event.payload["operationKey"] !== undefined) return null;
  return { kind: code === PRECONDITION_CHANGED ? "changed" : "failed", code };
}
