import { canonicalJson } from "./hashing";
import type { AdapterManifest } from "./ports";
import { splitFor, validateActions } from "./validate-definition";
import { FIVE_ANSWERS, type FiveAnswer, type WorkflowAction } from "./workflow-package";

/** What may be done with an action as it is described (domain 7, 9, 13). */
export type ActionVerdict = "automatic" | "in_parts" | "draft_and_manual";

/** Why an action may not simply happen by itself. */
export type ActionReason =
  | { code: "answers_missing"; answers: readonly FiveAnswer[] }
  /** The program has no such adapter: a person carries it out and keeps the receipt. */
  | { code: "adapter_missing"; adapter: string }
  /** The adapter itself answers otherwise, and it is what carries the action out. */
  | { code: "answers_differ"; answers: readonly FiveAnswer[] }
  /** Its outcome can be told by nobody but a person once the answer is lost. */
  | { code: "not_covered" }
  | { code: "grade_d" }
  /** The validator refuses the order, and says how to split it. */
  | { code: "order"; split: string };

export interface JudgedAction {
  action: string;
  verdict: ActionVerdict;
  reasons: readonly ActionReason[];
}

/**
 * Judges each action of a workflow. Without an answer, and with grade D, the program prepares and a person acts and keeps the
 * receipt; where the order is refused, or an outcome could not be asked for, a person stands in between.
 * @param manifestOf how the program's own adapters answer; null for one that it does not have
 */
export function judgeWorkflow(
  actions: readonly WorkflowAction[],
  manifestOf: (adapter: string) => AdapterManifest | null,
): JudgedAction[] {
  const faults = validateActions(actions.map((action) => ({ ...action, write: true, fallible: true })));
  return actions.map((action) => {
    const missing = FIVE_ANSWERS.filter((name) => action.answers[name] === null);
    const { key, query } = action.answers;
    const isCovered = key?.unique === true || query?.reliable === true;
    const manifest = manifestOf(action.adapter);
    const differing = manifest === null ? [] : differingAnswers(action, manifest);
    const splits = faults.filter((fault) => fault.action === action.name).map(splitFor);
    const reasons: ActionReason[] = [
      ...(missing.length > 0 ? [{ code: "answers_missing" as const, answers: missing }] : []),
      ...(manifest === null ? [{ code: "adapter_missing" as const, adapter: action.adapter }] : []),
      ...(differing.length > 0 ? [{ code: "answers_differ" as const, answers: differing }] : []),
      ...(action.grade === "D" ? [{ code: "grade_d" as const }] : []),
      ...(missing.length === 0 && !isCovered ? [{ code: "not_covered" as const }] : []),
      ...splits.map((split) => ({ code: "order" as const, split })),
    ];
    return { action: action.name, verdict: verdictOf(reasons), reasons };
  });
}

/** What was answered, and otherwise than the adapter does. */
const differingAnswers = ({ answers }: WorkflowAction, manifest: AdapterManifest): FiveAnswer[] =>
  FIVE_ANSWERS.filter(
    (name) => answers[name] !== null && canonicalJson(answers[name]) !== canonicalJson(manifest[name]),
  );

/** With one of these nobody but a person can carry it out. */
const BY_HAND: readonly ActionReason["code"][] = ["answers_missing", "adapter_missing", "answers_differ", "grade_d"];

function verdictOf(reasons: readonly ActionReason[]): ActionVerdict {
  if (reasons.some(({ code }) => BY_HAND.includes(code))) return "draft_and_manual";
  return reasons.length === 0 ? "automatic" : "in_parts";
}

/** What the workflow as a whole may do: no more than the least of its actions. */
export function workflowVerdict(judged: readonly JudgedAction[]): ActionVerdict {
  if (judged.some(({ verdict }) => verdict === "draft_and_manual")) return "draft_and_manual";
  return judged.every(({ verdict }) => verdict === "automatic") ? "automatic" : "in_parts";
}
