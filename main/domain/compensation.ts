import type { CompensationGrade } from "./compensation-grade";
import type { CompensationStep } from "./compensation-step";
import { canonicalJson, derivedId, sha256 } from "./hashing";
import { asCompensationId, type Sha256, type TaskId } from "./ids";
import type { CompensationRow } from "./records";

/** An undo as written down before the forward call: the state to reach, never a delta. */
export interface CompensationPlan {
  service: string;
  action: string;
  args: Readonly<Record<string, string | number | null>>;
  grade: CompensationGrade;
  precondition: string;
  owner: string;
  verification: string;
  timeoutMs: number;
  /** In their order; each is done once and never again. */
  steps: readonly CompensationStep[];
}

/** Tries in all: grade B up to 3; A is local and needs one; C and D are a person's, nothing is ever tried. Source: domain 9. */
const TRIES: Readonly<Record<CompensationGrade, number>> = { A: 1, B: 3, C: 0, D: 0 };

/** A stack deeper than this must be split into two definitions (domain 9). */
export const MAX_STACK_DEPTH = 8;

/** The entry as it goes on the stack, in the same transaction that prepares the forward operation. */
export function registerCompensation(
  taskId: TaskId,
  position: number,
  plan: CompensationPlan,
  forwardKey: string,
): CompensationRow {
  return {
    id: compensationIdOf(taskId, forwardKey),
    taskId,
    position,
    service: plan.service,
    action: plan.action,
    args: canonicalJson(plan.args),
    grade: plan.grade,
    precondition: plan.precondition,
    owner: plan.owner,
    verification: plan.verification,
    timeoutMs: plan.timeoutMs,
    retryMax: TRIES[plan.grade],
    steps: plan.steps,
    state: "registered",
    stepsDone: 0,
    attempts: 0,
    callsJudged: 0,
    nextAt: null,
    code: null,
  };
}

/** The same forward operation has always the same entry, so that it cannot be registered twice. */
export const compensationIdOf = (taskId: TaskId, forwardKey: string) =>
  asCompensationId(derivedId("cp", taskId, forwardKey));

/** Only grades A and B are ever carried out by the program itself. */
export const isAutomatic = (entry: Pick<CompensationRow, "grade">): boolean =>
  entry.grade === "A" || entry.grade === "B";

/** Came to its end: done, never needed, or taken over and closed by a person. */
export const isFinished = (entry: Pick<CompensationRow, "state">): boolean =>
  entry.state === "done" || entry.state === "not_needed" || entry.state === "closed_by_person";

/** The entries in the order in which they are undone: last in, first out. */
export const undoOrder = (entries: readonly CompensationRow[]): readonly CompensationRow[] =>
  [...entries].sort((a, b) => b.position - a.position);

/** What a person reviews before compensation starts: bound by its hash, so that what starts is what was read. */
export function planHash(entries: readonly CompensationRow[]): Sha256 {
  const plan = undoOrder(entries).map(({ id, position, service, action, args, grade, precondition, steps }) => ({
    ...{ id, position, service, action, args, grade, precondition },
    steps: steps.map(({ name, kind }) => ({ name, kind })),
  }));
  return sha256(canonicalJson({ format: "imprimatur-undo-plan/1", plan }));
}
