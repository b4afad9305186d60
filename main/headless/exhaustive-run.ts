import type { Scenario } from "../sandbox/scenarios/stage";
import { withLastingFaults } from "./exhaustive-lasting";
import { playWithCrash } from "./exhaustive-play";
import { type CrashReport, NOT_PLAYED } from "./exhaustive-state";
import { compareVerdicts, type Verdict } from "./exhaustive-verdict";

/** As many at a time as keep one core busy: a play waits for its own servers most of the time. */
const PARALLEL = 3;

/** One scenario with all its crashes. */
export interface ScenarioCrashes {
  id: string;
  points: number;
  reports: readonly CrashReport[];
}

export interface CrashesAsked {
  samplesDir: string;
  /** Which of so many points are to be played, as numbers from 1 on. */
  choose(points: number): readonly number[];
  /** What is known from a run before. */
  find?(about: Pick<CrashReport, "id" | "point" | "points">): CrashReport | null;
  /** Told after each play. */
  played?(report: CrashReport): void;
}

/** Plays a scenario without a crash, then once for each chosen point with one, and compares. */
export async function crashScenario(frozen: Scenario, asked: CrashesAsked): Promise<ScenarioCrashes> {
  const scenario = withLastingFaults(frozen);
  const { id } = scenario;
  const { verdict, points } = await playWithCrash(scenario, 0, asked.samplesDir);
  const queue = [...asked.choose(points)];
  const reports: CrashReport[] = [];
  const worker = async () => {
    for (let point = queue.shift(); point !== undefined; point = queue.shift()) {
      const known = asked.find?.({ id, point, points }) ?? null;
      const report = known ?? { id, point, points, ...(await crashAt(scenario, point, verdict, asked.samplesDir)) };
      if (known === null) asked.played?.(report);
      reports.push(report);
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, worker));
  return { id, points, reports: reports.sort((a, b) => a.point - b.point) };
}

async function crashAt(
  scenario: Scenario,
  point: number,
  without: Verdict,
  samplesDir: string,
): Promise<Pick<CrashReport, "diedAt" | "differences">> {
  try {
    const { verdict, diedAt } = await playWithCrash(scenario, point, samplesDir);
    return { diedAt, differences: compareVerdicts(without, verdict) };
  } catch (error) {
    // What cannot be played to its end is what the run is there to find; the other points are played all the same.
    return { diedAt: null, differences: [`${NOT_PLAYED}${error instanceof Error ? error.message : String(error)}`] };
  }
}
