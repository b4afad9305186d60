import type { Instant } from "./ids";
import type { Runbook, RunbookStep } from "./runbook";

/** One step as it was passed: the last word about it. */
export interface PassedStep {
  step: string;
  how: "done" | "skipped" | "branch";
  branch: string | null;
  by: string;
  at: Instant;
  note: string | null;
}

export interface StepProgress {
  step: RunbookStep;
  passed: PassedStep | null;
  /** From when its clock runs: when the one before it was passed. Null as long as another one is to be done first. */
  startedAt: Instant | null;
  dueAt: Instant | null;
  /** How long it took; a clock that was set back makes no negative time. */
  tookMs: number | null;
}

const MINUTE_MS = 60_000;

/**
 * How far a runbook was followed, from the events alone.
 * @param passings in the order of their events; a step that was passed again counts as it was passed last
 */
export function runbookProgress(
  runbook: Runbook,
  passings: readonly PassedStep[],
  openedAt: Instant,
): { steps: StepProgress[]; next: string | null } {
  const latest = new Map(passings.map((one) => [one.step, one]));
  const next = nextStep(runbook, latest, passings.at(-1));
  const steps = runbook.steps.map((step): StepProgress => {
    const passed = latest.get(step.id) ?? null;
    const before = passings.slice(0, passed ? passings.indexOf(passed) : undefined).at(-1)?.at ?? openedAt;
    if (passed) return { step, passed, startedAt: before, dueAt: null, tookMs: Math.max(0, passed.at - before) };
    if (step.id !== next) return { step, passed, startedAt: null, dueAt: null, tookMs: null };
    return { step, passed, startedAt: before, dueAt: before + step.withinMinutes * MINUTE_MS, tookMs: null };
  });
  return { steps, next };
}

/** A branch leads on; without one it is the first step after the last that nobody has passed, else the first of all such. */
function nextStep(
  { steps }: Runbook,
  latest: ReadonlyMap<string, PassedStep>,
  last: PassedStep | undefined,
): string | null {
  const from = steps.findIndex(({ id }) => id === last?.step);
  const branched = steps[from]?.branches.find(({ id }) => last?.how === "branch" && id === last.branch)?.to;
  if (branched !== undefined && !latest.has(branched)) return branched;
  const start = branched === undefined ? from : steps.findIndex(({ id }) => id === branched);
  const isOpen = ({ id }: RunbookStep) => !latest.has(id);
  return (steps.slice(start + 1).find(isOpen) ?? steps.find(isOpen))?.id ?? null;
}
