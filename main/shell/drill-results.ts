import { z } from "zod";
import { DrillResult } from "../../preload/contract";
import type { DrillRecord } from "../compose/drill-record";
import { openRecentList, type RecentList } from "./recent-list";
import { readSmall, writeWhole } from "./small-file";

/** Every scenario twice, and more of those that are owed every month than a quarter has. */
const KEPT = 160;

export interface DrillResultsFile extends RecentList<DrillRecord> {
  /** When this program was first started on this computer: from then on drills are owed (ms UTC). */
  since: number;
}

type Report = (code: string) => void;

/**
 * What the last drills came to.
 * @param now real time, which is kept as the beginning where none is known yet
 */
export const openDrillResults = (file: string, report: Report, now: number): DrillResultsFile => ({
  ...openRecentList<DrillRecord>(file, { entry: DrillResult, kept: KEPT, what: "drill_results" }, report),
  since: openBeginning(file.replace(/\.json$/, "-since.json"), report, now),
});

const Beginning = z.object({ since: z.number().int().nonnegative() });

function openBeginning(file: string, report: Report, now: number): number {
  const { value, problem } = readSmall<{ since: number } | null>(file, Beginning, null);
  if (problem !== null) report(`drill_beginning_${problem}`);
  if (value !== null) return value.since;
  try {
    if (problem !== "unreadable") writeWhole(file, `${JSON.stringify({ since: now })}\n`);
  } catch {
    report("drill_beginning_not_written");
  }
  return now;
}
