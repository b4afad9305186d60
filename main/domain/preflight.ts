import type { PipelineDefinition } from "./definition";
import type { Instant, TaskId } from "./ids";
import type { IncidentKind } from "./incident";
import type { IdempotencyCoverage } from "./metrics-coverage";
import { type RunbookFault, validateRunbook } from "./runbook";
import { RUNBOOKS } from "./runbooks";

/** The nine questions before a pipeline may run by itself (domain 13), in the order in which they are asked. */
export const PREFLIGHT_QUESTIONS = [
  "keys_and_constraints",
  "conditional_updates",
  "retries_and_dead_letters",
  "unknown_path",
  "next_day_round",
  "one_history",
  "runbooks",
  "owners",
  "verified_results",
] as const;
export type PreflightQuestion = (typeof PREFLIGHT_QUESTIONS)[number];

/** What an answer rests on, each to be looked up by whoever doubts it. */
export type PreflightProof =
  | { kind: "constraint"; name: string }
  | { kind: "write"; name: string }
  | { kind: "policy"; name: string; version: number }
  | { kind: "rule"; name: string }
  | { kind: "round"; at: Instant }
  | { kind: "task"; taskId: TaskId; edition: string }
  | { kind: "runbook"; name: IncidentKind; version: number }
  | { kind: "owner"; name: string };

/** Why a question is not answered with yes. `names` say of what. */
export interface PreflightGap {
  code: PreflightGapCode;
  names: readonly string[];
}

export const PREFLIGHT_GAPS = [
  "constraint_missing",
  "journal_not_checked",
  "journal_not_in_order",
  "write_without_key",
  "no_backoff",
  "no_limit",
  "block_without_owner",
  "no_way_out_of_unknown",
  "never_reconciled",
  "round_too_old",
  "nothing_ran_yet",
  "runbook_faulty",
  "no_owner",
  "no_backup_owner",
  "succeeds_unverified",
] as const;
export type PreflightGapCode = (typeof PREFLIGHT_GAPS)[number];

/** Green only where nothing is missing, and what proves it can be named. */
export interface PreflightAnswer {
  question: PreflightQuestion;
  proofs: readonly PreflightProof[];
  gaps: readonly PreflightGap[];
}

/** What a pipeline may do as it stands: everything, all but what is not proved, or drafts for people alone. */
export type PreflightVerdict = "automatic" | "in_parts" | "draft_and_manual";

/** What the questions are answered from: the definition, the open journal's own file, and what happened in it. */
export interface PreflightFacts {
  definition: PipelineDefinition;
  coverage: IdempotencyCoverage;
  /** Names of the constraints that the journal's file has (unique indexes and triggers). */
  constraints: ReadonlySet<string>;
  /** What the last check of the whole journal found; null where there was none since the program began. */
  violations: number | null;
  /** When a T+1 reconciliation was last put on record, and the time by which its age is judged. */
  lastRoundAt: Instant | null;
  now: Instant;
  newestTask: { taskId: TaskId; edition: string } | null;
}

/** A day's round and the hours by which a laptop may be late with it (domain 10). */
const ROUND_MAX_AGE_MS = 26 * 3_600_000;

/** What SQLite itself holds for each question, by the names of the constraints. */
const CONSTRAINTS = {
  keys_and_constraints: ["i03_one_open_create", "i03_slot_has_object", "i03_intent_immutable"],
  conditional_updates: ["i05_attempt_token", "i05_event_token", "i05_token_never_falls", "i08_event_in_order"],
  verified_results: ["i06_succeeded", "recovery_item_machine"],
} as const;

/** Without these a second effect could happen unseen: nothing may leave by itself. */
const ESSENTIAL: readonly PreflightQuestion[] = ["keys_and_constraints", "conditional_updates", "unknown_path"];

/** Guards that hold a success back until its result was looked at, one of which each pipeline needs. */
const VERIFYING = ["recipients_accounted", "operations_settled_well"];

/** Answers the nine questions for a pipeline from what is there, and nothing else. */
export function answerPreflight(facts: PreflightFacts): PreflightAnswer[] {
  const answers: Readonly<Record<PreflightQuestion, Omit<PreflightAnswer, "question">>> = {
    keys_and_constraints: keys(facts),
    conditional_updates: constrained(facts, CONSTRAINTS.conditional_updates),
    retries_and_dead_letters: retries(facts),
    unknown_path: unknownPath(facts),
    next_day_round: nextDay(facts),
    one_history: history(facts),
    runbooks: RUNBOOKS_ANSWER,
    owners: owners(facts),
    verified_results: verified(facts),
  };
  return PREFLIGHT_QUESTIONS.map((question) => ({ question, ...answers[question] }));
}

/** A question without a gap and with at least one proof; "nothing speaks against it" is not a proof. */
export const isProved = ({ proofs, gaps }: Pick<PreflightAnswer, "proofs" | "gaps">): boolean =>
  gaps.length === 0 && proofs.length > 0;

/** What the answers allow (domain 13). */
export function preflightVerdict(answers: readonly PreflightAnswer[]): PreflightVerdict {
  if (answers.every(isProved)) return "automatic";
  return answers.some(holdsBack) ? "draft_and_manual" : "in_parts";
}

/** A write that cannot be asked for is never sent anew unasked: a person stands beside it, and the rest may go by itself. */
const holdsBack = ({ question, proofs, gaps }: PreflightAnswer): boolean =>
  ESSENTIAL.includes(question) && (proofs.length === 0 || gaps.some(({ code }) => code !== "write_without_key"));

type Answer = Omit<PreflightAnswer, "question">;

const gap = (code: PreflightGapCode, names: readonly string[]): PreflightGap[] =>
  names.length === 0 ? [] : [{ code, names }];

function constrained(facts: PreflightFacts, names: readonly string[]): Answer {
  const missing = names.filter((name) => !facts.constraints.has(name));
  // That a constraint has its name does not say that it has its words: the check of the file compares those.
  const unchecked = facts.violations === null ? [{ code: "journal_not_checked", names: [] } as const] : [];
  const broken = (facts.violations ?? 0) > 0 ? [{ code: "journal_not_in_order", names: [] } as const] : [];
  const proofs = names.filter((name) => !missing.includes(name)).map((name) => ({ kind: "constraint", name }) as const);
  return { proofs, gaps: [...gap("constraint_missing", missing), ...unchecked, ...broken] };
}

function keys(facts: PreflightFacts): Answer {
  const { proofs, gaps } = constrained(facts, CONSTRAINTS.keys_and_constraints);
  const { steps } = facts.coverage;
  const covered = steps
    .filter(({ uncovered }) => uncovered.length === 0)
    .map(({ step }) => ({ kind: "write", name: step }) as const);
  const uncovered = steps.flatMap((step) => step.uncovered);
  return { proofs: [...proofs, ...covered], gaps: [...gaps, ...gap("write_without_key", uncovered)] };
}

function retries({ definition: { policies, blocked } }: PreflightFacts): Answer {
  const all = Object.entries(policies);
  const bare = all.filter(([, { maxCalls, waitsMs, jitterPercent }]) =>
    maxCalls > 1 ? waitsMs.length === 0 || jitterPercent <= 0 : false,
  );
  const endless = all.filter(([, { maxCalls, stepMs }]) => !Number.isFinite(maxCalls) || !Number.isFinite(stepMs));
  const ownerless = Object.entries(blocked).filter(([, { owner }]) => owner === "");
  const namesOf = (entries: readonly (readonly [string, unknown])[]) => entries.map(([name]) => name);
  return {
    proofs: all.map(([name, { version }]) => ({ kind: "policy", name, version }) as const),
    gaps: [
      ...gap("no_backoff", namesOf(bare)),
      ...gap("no_limit", namesOf(endless)),
      ...gap("block_without_owner", namesOf(ownerless)),
    ],
  };
}

/** From each state that acts on the outside there is a way to a person or to the undo, once asking has come to its end. */
function unknownPath({ definition: { outsideStates, transitions } }: PreflightFacts): Answer {
  const leads = (state: string) =>
    transitions.find(({ from, to }) => from.includes(state) && (to === "blocked" || to === "compensating"));
  const without = outsideStates.filter((state) => state !== "compensating" && leads(state) === undefined);
  const rules = outsideStates.flatMap((state) => leads(state)?.event ?? []);
  return {
    proofs: [...new Set(rules)].map((name) => ({ kind: "rule", name }) as const),
    gaps: gap("no_way_out_of_unknown", without),
  };
}

function nextDay({ lastRoundAt, now }: PreflightFacts): Answer {
  if (lastRoundAt === null) return { proofs: [], gaps: [{ code: "never_reconciled", names: [] }] };
  const proofs = [{ kind: "round", at: lastRoundAt } as const];
  // A round from later than now was held under another clock, and says nothing about today.
  const age = Math.abs(now - lastRoundAt);
  return { proofs, gaps: age > ROUND_MAX_AGE_MS ? [{ code: "round_too_old", names: [] }] : [] };
}

function history({ newestTask }: PreflightFacts): Answer {
  if (newestTask === null) return { proofs: [], gaps: [{ code: "nothing_ran_yet", names: [] }] };
  return { proofs: [{ kind: "task", ...newestTask }], gaps: [] };
}

function judgeRunbooks(): Answer {
  const all = Object.values(RUNBOOKS);
  const faults: readonly (readonly [string, readonly RunbookFault[]])[] = all.map((runbook) => [
    runbook.kind,
    validateRunbook(runbook),
  ]);
  const faulty = faults.filter(([, found]) => found.length > 0).map(([kind]) => kind);
  return {
    proofs: all.map(({ kind, version }) => ({ kind: "runbook", name: kind, version }) as const),
    gaps: gap("runbook_faulty", faulty),
  };
}

function owners({ definition: { owner, backupOwner } }: PreflightFacts): Answer {
  const named = [owner, backupOwner].filter((name) => name !== "");
  const gaps = [
    ...(owner === "" ? [{ code: "no_owner", names: [] } as const] : []),
    ...(backupOwner === "" || backupOwner === owner ? [{ code: "no_backup_owner", names: [] } as const] : []),
  ];
  return { proofs: named.map((name) => ({ kind: "owner", name }) as const), gaps };
}

function verified(facts: PreflightFacts): Answer {
  const { proofs, gaps } = constrained(facts, CONSTRAINTS.verified_results);
  const successes = facts.definition.transitions.filter(({ to }) => to === "succeeded");
  const unverified = successes.filter(({ guards }) => !guards.some((guard) => VERIFYING.includes(guard)));
  return {
    proofs: [...proofs, ...successes.map(({ event }) => ({ kind: "rule", name: event }) as const)],
    gaps: [
      ...gaps,
      ...gap(
        "succeeds_unverified",
        unverified.map(({ event }) => event),
      ),
    ],
  };
}

/** They come with the program and stay as they are: judged once. */
const RUNBOOKS_ANSWER = judgeRunbooks();
