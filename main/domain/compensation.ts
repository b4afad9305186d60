import type { CompensationGrade } from "./compensation-grade";
import { canonicalJson, derivedId } from "./hashing";
import { asCompensationId, type TaskId } from "./ids";
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
}

/** Grade B is retried up to 3 times; C waits for a person; A cannot fail outside; D is never run. Source: domain 9. */
const RETRIES: Readonly<Record<CompensationGrade, number>> = { A: 1, B: 3, C: 0, D: 0 };

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
    id: asCompensationId(derivedId("cp", taskId, forwardKey)),
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
    retryMax: RETRIES[plan.grade],
    state: "registered",
  };
}
