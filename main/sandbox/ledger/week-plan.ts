import type { Replacements, ScenarioFault } from "../scenarios/stage";
import type { Mix } from "./mix";
import { fileOf } from "./weekly-sources";

/** What is prepared for one week: the outside's faults, and how its editor takes it. */
export interface WeekPlan {
  faults: readonly ScenarioFault[];
  replaced: Replacements;
  takesBack: boolean;
  contentMinutes: number;
  sendMinutes: number;
}

/** What a source that is asked too often says about when to come back. */
const COME_BACK_SECONDS = 60;
const SECONDS = 60;

/** @param week counted from 1 */
export function planWeek(mix: Mix, week: number): WeekPlan {
  const { sources, repairs, inventedQuotes, lostAnswers, compensations, minutes } = mix;
  const missing = sources.find((entry) => entry.week === week && entry.error === "dns");
  const inTurn = (list: readonly number[]): number => list[(week - 1) % list.length] ?? 0;
  return {
    faults: [
      ...sources.filter((entry) => entry.week === week).flatMap(sourceFault),
      ...lostAnswers.filter((entry) => entry.week === week).flatMap(answerFaults),
    ],
    replaced: {
      ...(missing ? { nameNotFound: { source: missing.source, times: missing.times } } : {}),
      ...(repairs.includes(week) ? { drafter: { malformed: 1 } } : {}),
      ...(inventedQuotes.includes(week) ? { drafter: { invented: true } } : {}),
    },
    takesBack: compensations.includes(week),
    contentMinutes: inTurn(minutes.content),
    sendMinutes: inTurn(minutes.send),
  };
}

/** A name that is not found never reaches the server, so no rule of the server's stands for it. */
function sourceFault({ source, error, times }: Mix["sources"][number]): ScenarioFault[] {
  const on = "source.read";
  const file = fileOf(source);
  if (error === "timeout") return [{ on, fault: "hang-before-commit", times, params: { file } }];
  if (error === "dns") return [];
  return [{ on, fault: "status", times, params: { file, status: 429, retryAfterSeconds: COME_BACK_SECONDS } }];
}

/** The remote does what it was asked and says nothing; asked about it, it first tells how long to leave it alone. */
function answerFaults({ of, refusedMinutes }: Mix["lostAnswers"][number]): ScenarioFault[] {
  const [create, query] =
    of === "publish" ? (["cms.create", "cms.query"] as const) : (["mail.create", "mail.query"] as const);
  const lost: ScenarioFault = { on: create, fault: "hang-after-commit", times: 1 };
  if (refusedMinutes === 0) return [lost];
  const params = { status: 503, retryAfterSeconds: refusedMinutes * SECONDS };
  return [lost, { on: query, fault: "status", times: 1, params }];
}
