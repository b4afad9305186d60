import { appendFileSync, existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Before the reason, where a play did not come about: a port that did not open, a folder that was not there. */
export const NOT_PLAYED = "not played: ";

/** One play with a crash, and in what it came to another verdict. */
export interface CrashReport {
  id: string;
  /** The number of the point, and of how many: in another program with other points it says nothing any more. */
  point: number;
  points: number;
  /** The point's name; null where the play was over before it. */
  diedAt: string | null;
  differences: readonly string[];
}

/** What a run has played so far, a line for each play: a run that was interrupted goes on from there. */
export class ExhaustiveState {
  private readonly known = new Map<string, CrashReport>();

  private constructor(readonly path: string) {}

  /** @throws Error where the file is none of a run's. */
  static resume(path: string): ExhaustiveState {
    const state = new ExhaustiveState(path);
    // What could not even be set up was not played.
    const played = existsSync(path) ? readReports(path).filter(wasPlayed) : [];
    for (const report of played) state.known.set(keyOf(report), report);
    return state;
  }

  static begin(): ExhaustiveState {
    return new ExhaustiveState(join(mkdtempSync(join(tmpdir(), "imprimatur-exhaustive-")), "played.jsonl"));
  }

  find(about: Pick<CrashReport, "id" | "point" | "points">): CrashReport | null {
    return this.known.get(keyOf(about)) ?? null;
  }

  keep(report: CrashReport): void {
    appendFileSync(this.path, `${JSON.stringify(report)}\n`);
  }
}

const keyOf = ({ id, point, points }: Pick<CrashReport, "id" | "point" | "points">): string =>
  `${id} ${point}/${points}`;

const wasPlayed = ({ differences }: CrashReport): boolean =>
  !differences.some((difference) => difference.startsWith(NOT_PLAYED));

function readReports(path: string): CrashReport[] {
  // A line that was being written when the run ended is played again.
  const lines = readFileSync(path, "utf8").split("\n").slice(0, -1);
  return lines.map((line, index) => {
    const report = parse(line);
    if (report === null)
      throw new Error(`line ${index + 1} of ${path} is none of a run's: name another file with --resume`);
    return report;
  });
}

function parse(line: string): CrashReport | null {
  try {
    const value = JSON.parse(line) as Partial<CrashReport> | null;
    const isReport =
      typeof value?.id === "string" && typeof value.point === "number" && Array.isArray(value.differences);
    return isReport ? (value as CrashReport) : null;
  } catch {
    return null;
  }
}
