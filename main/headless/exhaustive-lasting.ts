import type { Scenario } from "../sandbox/scenarios/stage";

/** More often than any edition asks. */
const FOR_EVER = 1_000;

/**
 * Scenarios whose verdict is that the outside stayed broken until the edition gave up. Their fault is written as a number of calls.
 * A call whose answer died with its process is one that no edition ever heard of: it would use the fault up unseen, and the next
 * process would rightly find everything well. With a crash the same fault is one that lasts.
 */
const LASTING: ReadonlySet<string> = new Set([
  // The source is silent three times, and three reads spend the budget.
  "S02",
  // The one refusal asks for an hour; another read finds the source well.
  "S03",
  // Two drafts break the schema; the third would not.
  "S06",
  // Twenty reads lack the link, as many as are made before the edition stops.
  "S31",
]);

/** The scenario as it is played with a crash in it. */
export function withLastingFaults<S extends Scenario>(scenario: S): S {
  if (!LASTING.has(scenario.id)) return scenario;
  const { faults, replaced } = scenario;
  const drafter = replaced?.drafter;
  return {
    ...scenario,
    ...(faults ? { faults: faults.map((fault) => ({ ...fault, times: FOR_EVER })) } : {}),
    ...(drafter && "malformed" in drafter ? { replaced: { ...replaced, drafter: { malformed: FOR_EVER } } } : {}),
  };
}
