import type { IncidentKind } from "./incident";

/** The six phases of an incident, in their order (domain 10). Stabilise before diagnosing. */
export const RUNBOOK_PHASES = ["query", "freeze", "judge", "recover", "verify", "communicate"] as const;
export type RunbookPhase = (typeof RUNBOOK_PHASES)[number];

/** The parts that every runbook has, so that they are found at the same place at night. */
export const RUNBOOK_PARTS = [
  "symptom",
  "impact",
  "quickStop",
  "cause",
  "recovery",
  "verification",
  "escalation",
] as const;
export type RunbookPart = (typeof RUNBOOK_PARTS)[number];

/** What may stand between braces in a runbook's words: filled in from the journal, never typed. */
export const RUNBOOK_FACTS = [
  "edition",
  "taskKey",
  "state",
  "since",
  "openedBy",
  "scope",
  "finding",
  "operationKey",
  "operationState",
  "slot",
  "adapter",
  "target",
  "remoteIds",
  "remoteUrls",
  "contentHash",
  "bodyHash",
  "audienceHash",
  "pageUrl",
  "approval",
  "recipients",
  "owner",
  "backupOwner",
  "epoch",
] as const;
export type RunbookFact = (typeof RUNBOOK_FACTS)[number];

/** The same sentence for both languages of the app. */
export interface Words {
  en: string;
  "zh-CN": string;
}

export interface RunbookBranch {
  id: string;
  words: Words;
  /** The step to go on with. */
  to: string;
}

export interface RunbookStep {
  id: string;
  phase: RunbookPhase;
  who: "editor" | "incident_owner" | "account_owner";
  withinMinutes: number;
  /** What needs the network waits for it, visibly; everything else works without. */
  needsNetwork: boolean;
  words: Words;
  branches: readonly RunbookBranch[];
}

/** What to do about one kind of incident, as data. A changed text is a new version. */
export interface Runbook {
  kind: IncidentKind;
  version: number;
  parts: Readonly<Record<RunbookPart, Words>>;
  steps: readonly RunbookStep[];
  /** Texts to copy: the program sends neither. */
  drafts: { customerNote: Words; correction: Words };
}

/** A fault of a runbook: which rule, and at which step or part. */
export interface RunbookFault {
  rule:
    | "phase_missing"
    | "phase_out_of_order"
    | "branch_dangles"
    | "step_twice"
    | "fact_unknown"
    | "words_missing"
    | "time_missing";
  at: string;
}

const BRACED = /\{(\w+)\}/g;
const KNOWN: ReadonlySet<string> = new Set(RUNBOOK_FACTS);

/** The facts that a text asks for, in their order. */
export const factsOf = (text: string): string[] => [...text.matchAll(BRACED)].map((match) => match[1] ?? "");

/** Puts the live facts into a text. What the journal does not know shows as a dash. */
export const fillIn = (text: string, facts: Readonly<Partial<Record<RunbookFact, string>>>): string =>
  text.replace(BRACED, (_all, name: string) => facts[name as RunbookFact] || "—");

/** Judges a runbook: it has every phase in order, each branch leads to a step, and each fact exists. Empty: it may be used. */
export function validateRunbook(runbook: Runbook): RunbookFault[] {
  const { steps, parts, drafts } = runbook;
  const ids = steps.map(({ id }) => id);
  const order = steps.map(({ phase }) => RUNBOOK_PHASES.indexOf(phase));
  const words: (readonly [string, Words])[] = [
    ...RUNBOOK_PARTS.map((part) => [part, parts[part]] as const),
    ...Object.entries(drafts),
    ...steps.flatMap(({ id, words: own, branches }) => [
      [id, own] as const,
      ...branches.map((branch) => [`${id}.${branch.id}`, branch.words] as const),
    ]),
  ];
  return [
    ...RUNBOOK_PHASES.filter((phase) => !steps.some((step) => step.phase === phase)).map(fault("phase_missing")),
    ...ids.filter((_id, at) => (order[at] ?? 0) < (order[at - 1] ?? 0)).map(fault("phase_out_of_order")),
    ...ids.filter((id, at) => ids.indexOf(id) !== at).map(fault("step_twice")),
    ...steps.filter((step) => !(step.withinMinutes > 0)).map(({ id }) => fault("time_missing")(id)),
    ...steps.flatMap(({ id, branches }) =>
      branches.filter(({ to }) => !ids.includes(to)).map((branch) => fault("branch_dangles")(`${id}.${branch.id}`)),
    ),
    ...words.flatMap(([at, said]) => wordFaults(at, said)),
  ];
}

const fault =
  (rule: RunbookFault["rule"]) =>
  (at: string): RunbookFault => ({ rule, at });

function wordFaults(at: string, said: Words | undefined): RunbookFault[] {
  const texts = said === undefined ? [] : [said.en, said["zh-CN"]];
  if (texts.length === 0 || texts.some((text) => text.trim() === "")) return [fault("words_missing")(at)];
  return texts
    .flatMap(factsOf)
    .filter((name) => !KNOWN.has(name))
    .map((name) => fault("fact_unknown")(`${at}: ${name}`));
}
