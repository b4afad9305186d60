import { isDeepStrictEqual } from "node:util";
import type { ScenarioOutcome } from "./scenarios-outcome";

/**
 * What must be the same with a crash as without. The way there may differ: a crash adds a claim, an unknown outcome, a look, a
 * read, and with them alerts, waiting and answers to clicks; so events, attempts, receipts, calls and what the editor is shown on
 * the way are no part of it.
 */
export interface Verdict {
  /** Where the edition ended, and why it stands still. */
  state: string;
  blockedReason: string | null;
  /** Each call that was ever meant, once: what it was for, what became of it, and the object it led to. */
  operations: readonly string[];
  /** What the remotes hold by their own records: every object with its state, and the number of mails that went out. */
  posts: readonly string[];
  campaigns: readonly string[];
  mails: number;
  /** How many recipients ended in which way. */
  recipients: Readonly<Record<string, number>>;
  /** Incidents, and whether they are closed. */
  incidents: readonly string[];
  /** Found by the checker on the journal's files (`fsck`): chain, replayed state, invariants, frozen bytes. Must be empty. */
  violations: readonly string[];
}

export function verdictOf(outcome: ScenarioOutcome): Verdict {
  const { state, blockedReason, operations, remote, recipients, incidents, violations } = outcome;
  const { posts, campaigns, mails } = remote;
  const meant = operations.map(
    ({ operation, state: end, remoteId }) => `${operation} ${endOf(end)} ${remoteId ?? "-"}`,
  );
  return {
    ...{ state, blockedReason, posts, campaigns, mails, recipients, violations },
    operations: [...new Set(meant)].sort(),
    incidents: [...incidents].sort(),
  };
}

/**
 * A no whose answer died with its process is learnt by looking: the place is somebody else's, which is a conflict. It says the
 * same as the refusal would have said; what is in the place is told by the remotes' records.
 */
const endOf = (end: string): string => (end === "rejected" || end === "conflict" ? "refused" : end);

/** Everything in which the verdict with a crash is another, one line each. */
export function compareVerdicts(without: Verdict, withCrash: Verdict): string[] {
  const names = Object.keys(without) as (keyof Verdict)[];
  return names
    .filter((name) => !isDeepStrictEqual(without[name], withCrash[name]))
    .map(
      (name) => `${name}: ${JSON.stringify(without[name])} without, ${JSON.stringify(withCrash[name])} with the crash`,
    );
}
