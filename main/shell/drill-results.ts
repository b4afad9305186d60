import { DrillResult } from "../../preload/contract";
import type { DrillRecord } from "../compose/drill-runner";
import { openRecentList, type RecentList } from "./recent-list";

/** Every scenario once, and some of them again. */
const KEPT = 80;

export type DrillResultsFile = RecentList<DrillRecord>;

/** What the last drills came to. */
export const openDrillResults = (file: string, report: (code: string) => void): DrillResultsFile =>
  openRecentList<DrillRecord>(file, { entry: DrillResult, kept: KEPT, what: "drill_results" }, report);
